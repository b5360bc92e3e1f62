import { CheckRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import fc from "fast-check";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { fromStruct, toStruct } from "../../../provider/plugin/struct";

const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
const bytesOf = (news: object) => new CheckRequest().setNews(toStruct({ ...news })).serializeBinary();
const decode = (bytes: Uint8Array) => fromStruct(CheckRequest.deserializeBinary(bytes).getNews());

describe("properties in messages of the plugin", () => {
  // A letter first, because an object puts names that are numbers before the others.
  const name = fc.string().map((text) => `x${text}`);
  const leaf = fc.oneof(fc.string({ unit: "grapheme" }), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
  const { value } = fc.letrec<{ value: unknown }>((again) => ({
    value: fc.oneof({ depthSize: "small" }, leaf, fc.array(again("value")), fc.dictionary(name, again("value"))),
  }));
  const properties = fc.dictionary(name, value).map((fields) => ({ ...fields }));
  const sorted = (fields: unknown): unknown => {
    if (Array.isArray(fields)) return fields.map(sorted);
    if (typeof fields !== "object" || fields === null) return fields;
    const entries = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
  };

  it("are encoded as protobuf's own library encodes them, which sorts them", () => {
    const theirs = (fields: object) =>
      new CheckRequest().setNews(Struct.fromJavaScript(fields as Record<string, JavaScriptValue>)).serializeBinary();
    fc.assert(
      fc.property(properties, (fields) => void expect(bytesOf(sorted(fields) as object)).to.deep.equal(theirs(fields))),
    );
  });

  it("are the same after they were encoded and decoded", () => {
    fc.assert(fc.property(properties, (fields) => void expect(decode(bytesOf(fields))).to.deep.equal(fields)));
  });

  it("are left out if they are undefined", () => {
    expect(decode(bytesOf({ policy: undefined, car: { policy: undefined } }))).to.deep.equal({ car: {} });
  });

  it("are none without a struct", () => {
    expect(fromStruct(undefined)).to.deep.equal({});
    expect(decode(new CheckRequest().serializeBinary())).to.deep.equal({});
  });

  it("are read without what later versions of protobuf add to a value", () => {
    // A value with the number 7 in a field 9, and then the text "x".
    const added = Buffer.from([0x48, 0x07, 0x1a, 0x01, 0x78]);
    const entry = Buffer.from([0x0a, 0x01, 0x61, 0x12, added.length, ...added]);
    const struct = Buffer.from([0x0a, entry.length, ...entry]);
    expect(decode(Buffer.from([0x1a, struct.length, ...struct]))).to.deep.equal({ a: "x" });
  });

  it("are refused if they are nested too deeply, also so deeply that decoding would overflow the stack", () => {
    expect(decode(bytesOf(nested(50)))).to.deep.equal(nested(50));
    expect(() => decode(bytesOf(nested(51)))).to.throw("levels deep");
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
    expect(() => decode(field(3, bytes))).to.throw("levels deep");
  });

  it("are refused if they have a text that no check would accept, before anything is checked", () => {
    const idOf = (length: number) => decode(bytesOf({ vehicles: { car: { deviceId: "x".repeat(length) } } }));
    expect(idOf(100_000)).to.have.nested.property("vehicles.car.deviceId").with.lengthOf(100_000);
    expect(() => idOf(100_001)).to.throw("100001 characters");
  });

  it("are refused if one is called __proto__, which an object would leave out", () => {
    const bytes = Buffer.from(bytesOf({ vehicles: { aaproto__: { deviceId: "car" } } }));
    bytes.write("__proto__", bytes.indexOf("aaproto__"));
    expect(() => decode(bytes)).to.throw("__proto__");
    const text = { vehicles: { car: { deviceId: "__proto__" } } };
    expect(decode(bytesOf(text))).to.deep.equal(text);
  });
});
