import { CheckRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { fromStruct, SERVICE, toStruct, Undecoded } from "../../../provider/plugin/rpc";

const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
const bytesOf = (news: object) => new CheckRequest().setNews(toStruct({ ...news })).serializeBinary();
/** @throws Error that a handler answers in place of the request */
function decode(bytes: Uint8Array): CheckRequest {
  const request: CheckRequest | Undecoded = SERVICE.check.requestDeserialize(Buffer.from(bytes));
  if (request instanceof Undecoded) throw request.error;
  return request;
}

describe("requests to the plugin", () => {
  it("have their properties, nested as deep as a site's and far deeper", () => {
    const site = { vehicles: { car: { deviceId: "car", maxCapacity: 77_000, ignoreLints: ["x"], observe: false } } };
    expect(fromStruct(decode(bytesOf(site)).getNews())).to.deep.equal(site);
    expect(fromStruct(decode(bytesOf(nested(50))).getNews())).to.deep.equal(nested(50));
  });

  it("are refused if they are nested too deeply, also so deeply that decoding would overflow the stack", () => {
    expect(() => fromStruct(toStruct({ ...nested(51) }))).to.throw("levels deep");
    // The message is made from the inside, because each level is a field with two more bytes of length around it.
    let bytes = Buffer.alloc(0);
    const field = (number: number, content: Buffer) => {
      const length: number[] = [];
      for (let rest = content.length; ; rest >>>= 7) {
        length.push(rest > 127 ? (rest & 127) | 128 : rest);
        if (rest <= 127) break;
      }
      return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), content]);
    };
    const key = field(1, Buffer.from("a"));
    for (let level = 0; level < 5000; level++) {
      bytes = field(1, Buffer.concat([key, field(2, field(5, bytes))]));
    }
    expect(() => fromStruct(decode(field(3, bytes)).getNews())).to.throw("levels deep");
  });

  it("are refused if they have a text that no check would accept, before anything is checked", () => {
    const idOf = (length: number) => fromStruct(toStruct({ vehicles: { car: { deviceId: "x".repeat(length) } } }));
    expect(idOf(100_000)).to.have.nested.property("vehicles.car.deviceId").with.lengthOf(100_000);
    expect(() => idOf(100_001)).to.throw("100001 characters");
  });

  it("are refused if something is called __proto__, which their decoder would leave out", () => {
    const bytes = Buffer.from(bytesOf({ vehicles: { aaproto__: { deviceId: "car" } } }));
    bytes.write("__proto__", bytes.indexOf("aaproto__"));
    expect(() => decode(bytes)).to.throw("__proto__");
    const text = bytesOf({ vehicles: { car: { deviceId: "__proto__" } } });
    expect(fromStruct(decode(text).getNews())).to.deep.equal({ vehicles: { car: { deviceId: "__proto__" } } });
  });
});
