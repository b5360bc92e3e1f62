import { expect } from "chai";
import fc from "fast-check";
import {
  acceptedValues,
  fromId,
  fromInputs,
  fromOutputs,
  type State,
  toId,
  toInputs,
  toOutputs,
} from "../../../provider/lifecycle/state";
import { inverter } from "../../../provider/settings/inverter";
import { withWireNames } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { anyId, anyKind, someValues } from "../../support/arbitraries";
import { freshKind } from "../../support/kinds";

describe("resource ids", () => {
  it("are businessId/deviceId, each part URI-encoded", () => {
    expect(toId({ businessId: "acme", deviceId: "car" })).to.equal("acme/car");
    expect(toId({ businessId: "a/b", deviceId: "ä 1" })).to.equal("a%2Fb/%C3%A4%201");
  });

  it("give the device back, for every device", () => {
    fc.assert(
      fc.property(anyId, anyId, (businessId, deviceId) => {
        expect(fromId(toId({ businessId, deviceId }))).to.deep.equal({ businessId, deviceId });
      }),
    );
  });

  it("are read strictly: what is read is written the same", () => {
    const id = fc.oneof(
      fc.string(),
      fc.tuple(fc.string(), fc.string()).map((parts) => parts.join("/")),
    );
    fc.assert(
      fc.property(id, (text) => {
        let device: ReturnType<typeof fromId>;
        try {
          device = fromId(text);
        } catch {
          return;
        }
        expect(toId(device)).to.equal(text);
      }),
    );
  });

  it("are none that the check would refuse: a path cannot carry it, or carries it elsewhere", () => {
    for (const part of [".", "..", "%20car", "a%0Ab", "x".repeat(257)]) {
      for (const id of [`${part}/car`, `acme/${part}`]) {
        expect(() => fromId(id)).to.throw(`'${id}' is not an id of the form`);
      }
    }
  });

  for (const id of ["", "/", "acme", "acme/", "/car", "a/b/c", "a%2fb/c", "a b/c", "acme/%zz", "acme/%41", "acme/%"]) {
    it(`are not '${id}'`, () => {
      expect(() => fromId(id)).to.throw(`'${id}' is not an id of the form businessId/deviceId, each part URI-encoded`);
    });
  }
});

describe("inputs and outputs", () => {
  const state: State = {
    businessId: "acme",
    deviceId: "car",
    onDelete: "restore",
    values: { maxCapacity: 77_000, policy: "CHARGE BY" },
    reported: { maxCapacity: 80_000 },
    baseline: { maxCapacity: 60_000 },
    written: { maxCapacity: 70_000 },
    attempted: {},
    verification: { maxCapacity: "pending", policy: "notReported" },
  };

  it("show ids, onDelete and declared keys side by side", () => {
    expect(toInputs(state)).to.deep.equal({
      businessId: "acme",
      deviceId: "car",
      onDelete: "restore",
      maxCapacity: 77_000,
      policy: "CHARGE BY",
    });
  });

  it("keep all that is known in the outputs", () => {
    const uncertain = { ...state, attempted: { maxCapacity: [77_000] }, verification: { policy: "verified" as const } };
    const { reported, baseline, written, attempted, verification } = uncertain;
    const known = { reported, baseline, written, attempted, verification };
    expect(toOutputs(uncertain)).to.deep.equal({ ...toInputs(state), ...known });
  });

  it("leave out what is not there, so that the engine gets plain JSON", () => {
    const { onDelete: _, ...bare } = { ...state, written: {} };
    expect(toOutputs(bare)).to.have.all.keys(
      "businessId",
      "deviceId",
      "maxCapacity",
      "policy",
      "reported",
      "baseline",
      "verification",
    );
  });

  it("take nothing for a declared key that is not a setting of the kind", () => {
    expect(
      fromInputs(vehicle, { businessId: "acme", deviceId: "car", tilt: 5, __provider: "x", policy: undefined }),
    ).to.deep.equal({
      businessId: "acme",
      deviceId: "car",
      values: {},
    });
  });

  it("accept outputs of a version that kept less", () => {
    expect(fromOutputs(freshKind(vehicle), { businessId: "acme", deviceId: "car", maxCapacity: 77_000 })).to.deep.equal(
      {
        businessId: "acme",
        deviceId: "car",
        values: { maxCapacity: 77_000 },
        reported: {},
        baseline: {},
        written: {},
        attempted: { maxCapacity: [77_000] },
        verification: {},
      },
    );
  });

  const stored = JSON.parse(JSON.stringify(toOutputs(state)));
  const foreign: [string, object, string][] = [
    ["a setting that is not one of the kind", { chargeBy: "07:00" }, "chargeBy"],
    ["a field of its own", { formatVersion: 2 }, "formatVersion"],
    ["several of them", { formatVersion: 2, reported: { chargeBy: 1 } }, "reported.chargeBy, formatVersion"],
    ["a word of verification", { verification: { policy: "confirmed" } }, "verification.policy"],
    ["the verification of another setting", { verification: { tilt: "verified" } }, "verification.tilt"],
    ["another onDelete", { onDelete: "forget" }, "onDelete"],
    ["a value of another type", { maxCapacity: "77 kWh" }, "maxCapacity"],
    ["a value with more to it", { policy: { value: "CHARGE BY" } }, "policy"],
    ["a reported value of another type", { reported: { maxCapacity: { value: 1 } } }, "reported.maxCapacity"],
    ["a baseline that is a list", { baseline: [60_000] }, "baseline"],
    ["no baseline, but null", { baseline: null }, "baseline"],
    ["a written value that is null", { written: { maxCapacity: null } }, "written.maxCapacity"],
    ["a device that is no string", { deviceId: 7 }, "deviceId"],
    ["no business", { businessId: undefined }, "businessId"],
  ];
  for (const [what, changes, paths] of foreign) {
    it(`are not understood with ${what}`, () => {
      const read = () => fromOutputs(freshKind(vehicle), { ...stored, ...changes });
      expect(read).to.throw(Error, `is not understood by this version, and nothing is sent: look at ${paths}. A newer`);
    });
  }

  it("are refused by the device that they are of, without a value, which may be a secret", () => {
    const read = () => fromOutputs(freshKind(vehicle), { ...stored, maxCapacity: "s3cret" });
    expect(read)
      .to.throw(Error, /^the state of VehicleSettings for device 'car' is/)
      .and.not.match(/s3cret/);
  });

  it("are understood with values out of range, which somebody else can have set", () => {
    const reported = { maxCapacity: 1, policy: "ALWAYS" };
    const outputs = { ...stored, ...reported, reported };
    expect(fromOutputs(freshKind(vehicle), outputs)).to.deep.include({ values: reported, reported });
  });

  it("are those of the kind, whatever its wire names", () => {
    const outputs = { businessId: "acme", deviceId: "roof", tilt: 30 };
    for (const kind of [inverter, withWireNames(inverter, { tilt: "slope" })])
      expect(fromOutputs(kind, outputs).values).to.deep.equal({ tilt: 30 });
    expect(() => fromOutputs(vehicle, outputs)).to.throw("tilt");
  });

  it("give the state back, through JSON, for every state", () => {
    const states = anyKind.chain((kind) => {
      const values = someValues(kind);
      const rest = fc.record({ reported: values, baseline: values, written: values, attempted: fc.constant({}) });
      return fc.tuple(fc.constant(kind), anyId, anyId, values, rest);
    });
    fc.assert(
      fc.property(states, ([kind, businessId, deviceId, values, rest]) => {
        const verification = Object.fromEntries(Object.keys(values).map((key) => [key, "verified" as const]));
        const before: State = { businessId, deviceId, values, ...rest, verification };
        expect(fromOutputs(freshKind(kind), JSON.parse(JSON.stringify(toOutputs(before))))).to.deep.equal(before);
      }),
    );
  });

  it("count as accepted what has a verification, whichever", () => {
    expect(acceptedValues(state)).to.deep.equal(state.values);
    expect(acceptedValues({ ...state, verification: { policy: "pending" } })).to.deep.equal({ policy: "CHARGE BY" });
    expect(acceptedValues({ ...state, verification: {} })).to.deep.equal({});
  });
});
