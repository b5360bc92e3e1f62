import { expect } from "chai";
import { viewOf } from "../../../provider/engine/viewOf";
import { problemOf } from "../../../provider/messages/message";
import { connect } from "../../../provider/service/client";
import { type Device, deviceTypeOf, nameOf } from "../../../provider/service/device";
import { fromDevice, type Values } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { statusOf } from "../../../provider/status/find";
import { failureOf } from "../../support/failure";
import { servers } from "../../support/server";

const CAR = { businessId: "acme", deviceId: "car" };

/** JSON of an object in objects, or of a list in lists, this many levels deep. */
function nested(levels: number, open: string, close: string): string {
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
}

describe("a hostile device object", () => {
  const serve = servers();

  /** The client's device object for an answer with these bytes. */
  async function read(body: string | Buffer): Promise<Device> {
    const server = await serve((response) => response.end(body));
    const options = {
      credentials: { accessToken: "t0ken" },
      maxConcurrency: 1,
      requestTimeoutSeconds: 60,
      retryTimeoutSeconds: 0,
    };
    const service = connect({ baseUrl: server.url, onRetry: () => {}, ...options });
    const device = await service.readDevice(CAR, new AbortController().signal, { shape: "any" });
    if (!device) throw new Error("the device is there");
    return device;
  }

  const POLLUTION = '{"polluted":1,"max_capacity":5000,"policy":"X","dev_type":"X","service_status":"X"}';
  const rows: [string, string | Buffer, Values][] = [
    ["__proto__", `{"__proto__":${POLLUTION}}`, {}],
    ["__proto__ inside", `{"config":{"__proto__":${POLLUTION}},"metadata":{"__proto__":${POLLUTION}}}`, {}],
    ["a constructor with a prototype", '{"constructor":{"prototype":{"polluted":1}}}', {}],
    ["names of methods", '{"toString":1,"hasOwnProperty":null,"valueOf":{},"then":1}', {}],
    ["duplicate keys: the last one counts", '{"max_capacity":5000,"max_capacity":6000}', { maxCapacity: 6000 }],
    ["a number beyond all numbers", '{"max_capacity":1e999,"max_charge_power":-1e999}', {}],
    [
      "a number beyond all numbers where another place has one",
      '{"max_capacity":1e999,"config":{"max_capacity":5000}}',
      { maxCapacity: 5000 },
    ],
    ["a number of 400 digits", `{"max_capacity":${"9".repeat(400)}}`, {}],
    ["a number that is too exact", '{"max_capacity":5000.00000000000000001}', { maxCapacity: 5000 }],
    ["a number below all numbers", '{"max_capacity":1e-999}', { maxCapacity: 0 }],
    ["texts like numbers", '{"max_capacity":"NaN","max_charge_power":"7200","config":{"max_capacity":"Infinity"}}', {}],
    ["numbers like texts", '{"policy":1,"metadata":{"policy":true}}', {}],
    ["lone surrogates", '{"policy":"\\ud800","\\udfff":1}', {}],
    ["bytes that are no UTF-8", Buffer.from([...Buffer.from('{"dev_make":"'), 0xff, 0xc0, ...Buffer.from('"}')]), {}],
    ["a byte order mark", '\ufeff{"max_capacity":5000}', { maxCapacity: 5000 }],
    ["lists for objects", '{"config":[{"max_capacity":5000}],"metadata":[],"connector_data":[[]]}', {}],
    ["texts for objects", '{"config":"x","metadata":1,"connector_data":true}', {}],
    ["10,000 objects in each other", nested(10_000, '{"config":', "}"), {}],
    ["10,000 lists in each other", `{"config":${nested(10_000, "[", "]")}}`, {}],
    ["20,000 fields", `{${Array.from({ length: 20_000 }, (_, n) => `"f${n}":${n}`)}}`, {}],
    ["a text of almost a megabyte", JSON.stringify({ policy: "x".repeat(1_000_000), dev_make: "y" }), {}],
  ];
  for (const [what, body, settings] of rows) {
    it(`with ${what} is harmless`, async () => {
      const device = await read(body);
      expect(fromDevice(vehicle, device)).to.deep.equal(settings);
      expect(viewOf(CAR, device, {}).reported).to.deep.equal(settings);
      expect(deviceTypeOf(device)).to.equal(undefined);
      expect(statusOf(device)).to.deep.equal({});
      expect({}).not.to.have.property("polluted");
      expect(Object.getPrototypeOf(device)).to.equal(Object.prototype);
      expect(Object.getPrototypeOf(viewOf(CAR, device, {}).raw)).to.equal(Object.prototype);
    });
  }

  for (const body of [
    "[]",
    "[[]]",
    '"x"',
    "1",
    "null",
    "NaN",
    "{'a':1}",
    '{"a":1}{"b":2}',
    nested(500_000, "[", "]"),
    "",
  ]) {
    it(`is none: ${body.slice(0, 20) || "nothing"}`, async () => {
      const error = await failureOf(read(body));
      expect(problemOf(error)).to.include({ code: "notTheService", device: nameOf(CAR) });
      expect(error.message.length).to.be.below(600);
    });
  }
});
