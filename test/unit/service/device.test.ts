import { expect } from "chai";
import fc from "fast-check";
import { devicePath, deviceSchema, deviceTypeOf, nameOf } from "../../../provider/service/device";
import { anyId } from "../../support/arbitraries";

describe("devicePath", () => {
  it("is the path of the interface", () => {
    expect(devicePath({ businessId: "b1", deviceId: "d1" })).to.equal("/api/v1/businesses/b1/devices/d1");
  });

  it("encodes each id as one segment", () => {
    expect(devicePath({ businessId: "a/b?c#d", deviceId: "ä %2e" })).to.equal(
      "/api/v1/businesses/a%2Fb%3Fc%23d/devices/%C3%A4%20%252e",
    );
  });

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

describe("deviceSchema", () => {
  const documented = {
    __typename: "Vehicle",
    id: "d1",
    dev_make: "tesla",
    phys_id: "8c2f",
    dev_type: "Electric vehicle",
    metadata: {
      id: "m1",
      dev_id: "d1",
      dev_type: "Electric vehicle",
      dev_make: "tesla",
      phys_id: "8c2f",
      setup_complete: true,
    },
    connector_data: { title: "Car", display_name: "Car", location_aware: true },
    config: {
      opt_out: false,
      opt_out_until: "",
      charge_by: "07:00",
      charge_from: "20:00",
      guaranteed_max_price: null,
      guaranteed_soc: 30,
      target_soc: 80,
    },
    policy: "CHARGE BY",
    setup_complete: true,
  };

  it("keeps the documented device as it is", () => {
    expect(deviceSchema.parse(documented)).to.deep.equal(documented);
  });

  it("keeps fields that are not documented, at the top and below", () => {
    const more = { ...documented, max_capacity: 1, config: { max_charge_power: 2 }, metadata: { x: [3] } };
    expect(deviceSchema.parse(more)).to.deep.equal(more);
  });

  it("accepts a device of which nothing is documented", () => {
    expect(deviceSchema.parse({})).to.deep.equal({});
  });

  it("counts a field of an unexpected type as missing", () => {
    const odd = { policy: 5, setup_complete: "yes", metadata: "none", config: [1], connector_data: null, id: null };
    expect(Object.values(deviceSchema.parse(odd)).filter((value) => value !== undefined)).to.deep.equal([]);
  });

  for (const answer of [null, [], [documented], "device", 5, true, undefined]) {
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

describe("nameOf", () => {
  it("names device and business", () => {
    expect(nameOf({ businessId: "acme", deviceId: "car" })).to.equal("device 'car' of business 'acme'");
  });
});
