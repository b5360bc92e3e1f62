import { expect } from "chai";
import fc from "fast-check";
import { differingKeys, isSame } from "../../../provider/lifecycle/device/record";
import { inverter } from "../../../provider/settings/inverter";
import { normalize } from "../../../provider/settings/normalize";
import { pick } from "../../../provider/settings/objects";
import { type DeviceKind, fromDevice, keysOf, toPatch, withWireNames } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { anyKind, kindAndTwoValues, someValues } from "../../support/arbitraries";

describe("fromDevice", () => {
  it("looks at the top level first, then in config, then in metadata", () => {
    const places = [{ max_capacity: 1 }, { config: { max_capacity: 2 } }, { metadata: { max_capacity: 3 } }];
    for (const [index] of places.entries()) {
      const device = Object.assign({}, ...places.slice(index));
      expect(fromDevice(vehicle, device)).to.deep.equal({ maxCapacity: index + 1 });
    }
  });

  const absent: [string, string][] = [
    ["missing", "{}"],
    ["null", '{"max_capacity":null}'],
    ["a numeric string", '{"max_capacity":"80000"}'],
    ["a boolean", '{"max_capacity":true}'],
    ["an object", '{"max_capacity":{"value":80000}}'],
    ["a list", '{"max_capacity":[80000]}'],
    ["beyond every number", '{"max_capacity":1e999}'],
    ["a policy that is a number", '{"policy":1}'],
    ["in a prototype", '{"__proto__":{"max_capacity":80000}}'],
    ["in a list", '{"config":[{"max_capacity":80000}],"metadata":null}'],
    ["in another object", '{"connector_data":{"max_capacity":80000}}'],
  ];
  for (const [what, json] of absent) {
    it(`counts a value as not reported that is ${what}`, () => {
      expect(fromDevice(vehicle, JSON.parse(json))).to.deep.equal({});
    });
  }

  it("takes nothing from a prototype", () => {
    expect(fromDevice(vehicle, Object.create({ max_capacity: 80_000 }))).to.deep.equal({});
    expect(fromDevice(withWireNames(inverter, { tilt: "toString" }), {})).to.deep.equal({});
  });

  it("passes over a value of the wrong type for the next place", () => {
    const device = { max_capacity: "80000", config: { max_capacity: null }, metadata: { max_capacity: 77_000 } };
    expect(fromDevice(vehicle, device)).to.deep.equal({ maxCapacity: 77_000 });
  });

  const unfit: [string, string][] = [
    ["a lone surrogate", "CHARGE\ud800"],
    ["a control character", "CHARGE\u001b[2J"],
    ["more than 256 characters", "C".repeat(257)],
  ];
  for (const [what, policy] of unfit) {
    it(`takes no text with ${what}, which could not be kept in state or shown`, () => {
      expect(fromDevice(vehicle, { policy, config: { policy: "CHARGE BY" } })).to.deep.equal({ policy: "CHARGE BY" });
    });
  }

  it("takes a text of 256 characters", () => {
    const policy = "C".repeat(256);
    expect(fromDevice(vehicle, { policy })).to.deep.equal({ policy });
  });

  it("shows zero, and values that could not be declared, as they are", () => {
    expect(fromDevice(inverter, { tilt: 0, azimuth: -90 })).to.deep.equal({ tilt: 0, azimuth: -90 });
    expect(fromDevice(vehicle, { policy: "CHARGE SOMEHOW", max_capacity: 1 })).to.deep.equal({
      policy: "CHARGE SOMEHOW",
      maxCapacity: 1,
    });
  });

  it("shows nothing that is no setting of the kind", () => {
    expect(fromDevice(inverter, { max_capacity: 80_000, id: "x", tilt: 30 })).to.deep.equal({ tilt: 30 });
  });
});

describe("toPatch", () => {
  it("refuses a key that the kind does not have", () => {
    expect(() => toPatch(vehicle, { tilt: 3 })).to.throw(/VehicleSettings.*tilt/);
  });
});

describe("withWireNames", () => {
  const renamed = withWireNames(inverter, { peakPower: "kwp_in_w", tilt: "slope" });

  it("writes and reads under the given names, and under the default ones for the rest", () => {
    const values = { peakPower: 9800, tilt: 30, azimuth: 180 };
    expect(toPatch(renamed, values)).to.deep.equal({ kwp_in_w: 9800, slope: 30, azimuth: 180 });
    expect(fromDevice(renamed, { kwp_in_w: 9800, peak_power: 1, slope: 30 })).to.deep.equal({
      peakPower: 9800,
      tilt: 30,
    });
  });

  it("changes neither the kind it was given nor anything but the names", () => {
    expect(inverter.settings.peakPower?.wireName).to.equal("peak_power");
    expect(keysOf(renamed)).to.deep.equal(keysOf(inverter));
    expect(withWireNames(inverter, {}).settings).to.deep.equal(inverter.settings);
  });
});

describe("normalize", () => {
  it("leaves numbers as they are, 360 too", () => {
    for (const azimuth of [0, 180, 360, -90, Number.NaN]) {
      expect(normalize(inverter, { azimuth })).to.deep.equal({ azimuth });
    }
  });

  it("leaves what it cannot read for the schema", () => {
    const unreadable = ["ssw", null, { degrees: -45 }, { degrees: 400, convention: "solcast" }];
    for (const azimuth of unreadable) expect(normalize(inverter, { azimuth })).to.deep.equal({ azimuth });
  });

  it("leaves settings alone that have no other form, and what is no setting", () => {
    const inputs = { tilt: "SSW", maxCapacity: "S", policy: "N", onDelete: "E" };
    for (const kind of [vehicle, inverter]) expect(normalize(kind, inputs)).to.deep.equal(inputs);
  });

  it("does it again without a change", () => {
    const azimuth = fc.oneof(fc.anything(), fc.constantFrom("N", "SSW", { degrees: 5, convention: "solcast" }));
    fc.assert(
      fc.property(azimuth, (azimuth) => {
        const once = normalize(inverter, { azimuth });
        expect(normalize(inverter, once)).to.deep.equal(once);
      }),
    );
  });
});

describe("pick and differingKeys", () => {
  it("take a number and its text for different, and leave out wanted keys without a value", () => {
    expect(differingKeys({ a: 1 }, { a: "1" })).to.deep.equal(["a"]);
    expect(pick({ a: 1, b: undefined, c: 3 }, ["a", "b", "d"])).to.deep.equal({ a: 1 });
  });
});

describe("settings: laws", () => {
  const patched = (kind: DeviceKind, first: Record<string, number | string>, body: object) =>
    fromDevice(kind, { ...toPatch(kind, first), ...body });

  it("a PATCH of the differing keys reaches the declared state from any start, and keeps the rest", () => {
    fc.assert(
      fc.property(kindAndTwoValues, ({ kind, first, second }) => {
        const body = toPatch(kind, pick(second, differingKeys(second, first)));
        const [reached, declared] = [patched(kind, first, body), { ...first, ...second }];
        expect(Object.keys(reached)).to.have.members(Object.keys(declared));
        for (const [key, value] of Object.entries(declared)) expect(isSame(reached[key], value), key).to.equal(true);
      }),
    );
  });

  it("a second PATCH has nothing to send", () => {
    fc.assert(
      fc.property(kindAndTwoValues, ({ first, second }) => {
        expect(differingKeys(second, { ...first, ...second })).to.deep.equal([]);
      }),
    );
  });

  it("projection to the declared keys neither adds nor loses one that is known", () => {
    fc.assert(
      fc.property(kindAndTwoValues, ({ first, second }) => {
        const shared = Object.keys(second).filter((key) => key in first);
        const projected = pick(first, Object.keys(second));
        expect(Object.keys(projected)).to.deep.equal(shared);
        for (const key of shared) expect(projected[key]).to.equal(first[key]);
      }),
    );
  });

  it("a device that has what was sent gives the values back, wherever it shows them", () => {
    const anyPlace = fc.constantFrom(
      (o: object) => o,
      (config: object) => ({ config }),
      (metadata: object) => ({ metadata }),
    );
    const cases = anyKind.chain((kind) => fc.tuple(fc.constant(kind), someValues(kind), anyPlace));
    fc.assert(
      fc.property(cases, ([kind, values, place]) => {
        expect(fromDevice(kind, { ...place(toPatch(kind, values)) })).to.deep.equal(values);
      }),
    );
  });
});
