import { expect } from "chai";
import fc from "fast-check";
import { statusOf } from "../../../provider/status/find";

describe("statusOf", () => {
  const devices: [string, string, object][] = [
    ["below a key __proto__", '{"__proto__":{"service_status":"active_waiting"}}', { serviceStatus: "active_waiting" }],
    [
      "shallowest first",
      '{"a":{"service_status":"deep","charging_status":"deep"},"charging_status":"top","service_status":"top"}',
      { serviceStatus: "top", chargingStatus: "top" },
    ],
    [
      "past fields that are no text, or empty",
      '{"service_status":{"service_status":"active_waiting"},"charging_status":"","a":{"charging_status":"unplugged"}}',
      { serviceStatus: "active_waiting", chargingStatus: "unplugged" },
    ],
    [
      "with values that are not documented",
      '{"service_status":"active_v2g","charging_status":"flying"}',
      { serviceStatus: "active_v2g", chargingStatus: "flying" },
    ],
    [
      "under another name with status in it, if the value is documented",
      '{"sync_status":"ok","plugStatus":"plugged_in_stopped"}',
      { chargingStatus: "plugged_in_stopped" },
    ],
    [
      "by its name rather than under another, however deep",
      '{"plug_status":"unplugged","a":{"charging_status":"plugged_in_error"}}',
      { chargingStatus: "plugged_in_error" },
    ],
  ];
  for (const [where, json, status] of devices) {
    it(`finds it ${where}`, () => {
      expect(statusOf(JSON.parse(json))).to.deep.equal(status);
    });
  }

  const without: [string, string][] = [
    ["the word unknown in other fields", '{"dev_make":"unknown","sync_status":"unknown"}'],
    ["a documented value in a field that is no status", '{"plug":"unplugged","words":["unplugged"]}'],
    ["a device that has none", '{"dev_type":"Inverter","config":{},"metadata":null}'],
  ];
  for (const [what, json] of without) {
    it(`finds nothing in ${what}`, () => {
      expect(statusOf(JSON.parse(json))).to.deep.equal({});
    });
  }

  it("does not take the service status for the charging status", () => {
    expect(statusOf({ service_status: "unplugged" })).to.deep.equal({ serviceStatus: "unplugged" });
  });

  it("takes nothing from a prototype", () => {
    expect(statusOf(Object.create({ service_status: "active_waiting" }))).to.deep.equal({});
  });

  // Any JSON value of objects and lists without a name that contains "status".
  const plain = fc.string().filter((name) => !/status/i.test(name));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(plain, fc.oneof({ maxDepth: 4 }, fc.jsonValue({ maxDepth: 0 }), tie("tree"), tie("list"))),
    list: fc.array(fc.oneof({ maxDepth: 4 }, fc.jsonValue({ maxDepth: 0 }), tie("tree")), { maxLength: 4 }),
  }));

  /** Every object in a JSON value, including itself. */
  function objectsOf(value: unknown): Record<string, unknown>[] {
    if (typeof value !== "object" || value === null) return [];
    const below = Object.values(value).flatMap(objectsOf);
    return Array.isArray(value) ? below : [value as Record<string, unknown>, ...below];
  }

  it("finds both wherever they stand", () => {
    fc.assert(
      fc.property(tree, fc.nat(), fc.nat(), (device, first, second) => {
        const objects = objectsOf(device);
        Object.assign(objects[first % objects.length] as object, { service_status: "active_waiting" });
        Object.assign(objects[second % objects.length] as object, { charging_status: "unplugged" });
        expect(statusOf(device as Record<string, unknown>)).to.deep.equal({
          serviceStatus: "active_waiting",
          chargingStatus: "unplugged",
        });
      }),
    );
  });

  it("reads every JSON object without throwing, and gives texts only", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (device) => {
        expect(Object.values(statusOf(device)).every((value) => typeof value === "string")).to.equal(true);
      }),
    );
  });

  it("survives an object that is nested very deeply, and finds what stands above", () => {
    let nested: Record<string, unknown> = { service_status: "too deep" };
    for (let level = 0; level < 100_000; level++) nested = { nested };
    expect(statusOf({ ...nested, charging_status: "unplugged" })).to.deep.equal({ chargingStatus: "unplugged" });
  });

  it("stops in an object that is very large", () => {
    const ballast = Array.from({ length: 10_000 }, () => 0);
    expect(statusOf({ ballast, service_status: "active_waiting" })).to.deep.equal({ serviceStatus: "active_waiting" });
    expect(statusOf({ a: { ballast }, b: { c: { service_status: "too far" } } })).to.deep.equal({});
  });
});
