import { expect } from "chai";
import fc from "fast-check";
import { deviceNamed } from "../../../cli/stacks/collector";
import { deviceName, devicePath, deviceSchema, deviceTypeOf } from "../../../provider/service/device";
import { anyId } from "../../support/arbitraries";

describe("devicePath", () => {
  it("survives a URL parser, and gives the ids back, for every id", () => {
    fc.assert(
      fc.property(anyId, anyId, (businessId, deviceId) => {
        const path = devicePath({ businessId, deviceId });
        const { pathname } = new URL(`https://api.example.com${path}`);
        expect(pathname).to.equal(path);
        const [, , , , business = "", , device = ""] = pathname.split("/");
        expect([business, device].map(decodeURIComponent)).to.deep.equal([businessId, deviceId]);
      }),
    );
  });
});

describe("deviceName", () => {
  it("is the name of one device only, whatever signs its ids have", () => {
    fc.assert(
      fc.property(anyId, anyId, (businessId, deviceId) => {
        expect(deviceNamed(deviceName({ businessId, deviceId }))).to.deep.equal({ businessId, deviceId });
      }),
      {
        examples: [
          ["acme/north", "car"],
          ["acme", "north/car"],
          ["a%2Fb", "c"],
        ],
      },
    );
  });
});

describe("deviceSchema", () => {
  it("accepts a device of which nothing is documented", () => {
    expect(deviceSchema.parse({})).to.deep.equal({});
  });

  it("counts a field of an unexpected type as missing", () => {
    const odd = { policy: 5, setup_complete: "yes", metadata: "none", config: [1], connector_data: null, id: null };
    expect(Object.values(deviceSchema.parse(odd)).filter((value) => value !== undefined)).to.deep.equal([]);
  });

  for (const answer of [null, [], [{}], "device", 5, true, undefined]) {
    it(`refuses ${JSON.stringify(answer)?.slice(0, 20)}`, () => {
      expect(deviceSchema.safeParse(answer).success).to.equal(false);
    });
  }
});

describe("deviceTypeOf", () => {
  const types: [object, string | undefined][] = [
    [{ dev_type: "Electric vehicle", metadata: { dev_type: "x" }, __typename: "y" }, "Electric vehicle"],
    [{ metadata: { dev_type: "Inverter" }, __typename: "Vehicle" }, "Inverter"],
    [{ __typename: "Vehicle" }, "Electric vehicle"],
    [{ __typename: "Inverter" }, "Inverter"],
    [{ dev_type: "", metadata: { dev_type: "Inverter" } }, "Inverter"],
    [{ dev_type: "", metadata: { dev_type: "" }, __typename: "Vehicle" }, "Electric vehicle"],
    [{ dev_type: "", metadata: { dev_type: "" }, __typename: "" }, undefined],
    [{ id: "d1" }, undefined],
  ];
  for (const [device, type] of types) {
    it(`is ${type} for ${JSON.stringify(device)}`, () => {
      expect(deviceTypeOf(deviceSchema.parse(device))).to.equal(type);
    });
  }
});
