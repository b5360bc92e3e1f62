import { expect } from "chai";
import fc from "fast-check";
import type { Records } from "../../../../provider/lifecycle/device/record";
import {
  fromInputs,
  fromOutputs,
  inputsOf,
  isOwned,
  type State,
  toOutputs,
  valuesOf,
} from "../../../../provider/lifecycle/device/state";
import { inverter } from "../../../../provider/settings/inverter";
import type { Properties } from "../../../../provider/settings/objects";
import { withWireNames } from "../../../../provider/settings/setting";
import { vehicle } from "../../../../provider/settings/vehicle";
import { anyId, anyKind, anyRecords } from "../../../support/arbitraries";
import { freshKind } from "../../../support/kinds";

const CAR = { businessId: "acme", deviceId: "car" };
const OPTIONS = { onDelete: "restore", ignoreLints: ["default-capacity"], latitude: 51 } as const;
const SETTINGS: Records = {
  maxCapacity: { status: "uncertain", value: 77_000, ours: 70_000, sent: [77_000], reported: 80_000, baseline: 60_000 },
  maxChargePower: { status: "unmanaged", reported: 3000 },
  policy: { status: "notReported", value: "CHARGE BY" },
};
const STATE: State = { ...CAR, ...OPTIONS, settings: SETTINGS };

/** The same state as outputs. */
const STORED = {
  ...{ ...CAR, ...OPTIONS, maxCapacity: 77_000, policy: "CHARGE BY" },
  settings: {
    maxCapacity: { status: "uncertain", ours: 70_000, sent: [77_000], reported: 80_000, baseline: 60_000 },
    maxChargePower: { status: "unmanaged", reported: 3000 },
    policy: { status: "notReported" },
  },
};

/** The outputs with another record of one setting. */
function withRecord(key: string, record: Properties): Properties {
  return { settings: { ...STORED.settings, [key]: record } };
}

describe("inputs and outputs", () => {
  it("show ids, options and declared keys side by side, and what is known of each setting in the outputs", () => {
    const { settings: _, ...inputs } = STORED;
    expect(inputsOf(STATE)).to.deep.equal(inputs);
    expect(toOutputs(STATE)).to.deep.equal(STORED);
  });

  it("name no status of a setting that reads back as declared, which those of an earlier version do", () => {
    const records = (record: object) => ({ ...CAR, policy: "CHARGE BY", settings: { policy: record } });
    const shown = records({ baseline: "CHARGE BY FORECAST" });
    const named = records({ status: "verified", baseline: "CHARGE BY FORECAST" });
    expect(fromOutputs(vehicle, shown)).to.deep.equal(fromOutputs(vehicle, named));
    expect(toOutputs(fromOutputs(vehicle, named))).to.deep.equal(shown);
  });

  it("leave out what is not there, so that the engine gets plain JSON", () => {
    expect(toOutputs({ ...CAR, settings: {} })).to.deep.equal({ ...CAR, settings: {} });
  });

  it("take nothing for a declared key that is not a setting of the kind", () => {
    const inputs = { ...CAR, tilt: 5, __provider: "x", policy: undefined };
    expect(fromInputs(vehicle, inputs)).to.deep.equal({ ...CAR, values: {} });
  });

  it("are those of a resource that is only read if there are no records", () => {
    expect(isOwned(STORED)).to.equal(true);
    expect(isOwned({ ...CAR, maxCapacity: 77_000 })).to.equal(false);
  });

  const foreign: [string, object, string][] = [
    ["a setting that is not one of the kind", { chargeBy: "07:00" }, "chargeBy"],
    ["a field of its own", { formatVersion: 2 }, "formatVersion"],
    [
      "several of them",
      { formatVersion: 2, ...withRecord("chargeBy", { status: "verified" }) },
      "settings.chargeBy and formatVersion",
    ],
    ["the maps of a version before the first release", { baseline: {}, verification: {} }, "baseline and verification"],
    ["no records", { settings: undefined }, "settings"],
    ["another status", withRecord("policy", { status: "confirmed" }), "settings.policy.status"],
    [
      "no status for a setting that is only reported",
      withRecord("maxChargePower", { reported: 1 }),
      "settings.maxChargePower.reported and settings.maxChargePower",
    ],
    ["a record of another kind's setting", withRecord("tilt", { status: "verified" }), "settings.tilt"],
    [
      "a property that its status has not",
      withRecord("policy", { status: "notReported", ours: "CHARGE BY" }),
      "settings.policy.ours",
    ],
    ["a record that lacks a property", withRecord("policy", { status: "drifted" }), "settings.policy.ours"],
    ["a value without a record", { maxChargePower: 3000 }, "settings.maxChargePower"],
    ["a value without any record", { maxCapacity: 3000, settings: {} }, "maxCapacity and policy"],
    [
      "a record of what is declared without its value",
      withRecord("maxChargePower", { status: "verified" }),
      "settings.maxChargePower",
    ],
    ["another onDelete", { onDelete: "forget" }, "onDelete"],
    ["a lint that does not exist", { ignoreLints: ["no-lint"] }, "ignoreLints.0"],
    ["a value of another type", { maxCapacity: "77 kWh" }, "maxCapacity"],
    ["a value with more to it", { policy: { value: "CHARGE BY" } }, "policy"],
    [
      "a reported value of another type",
      withRecord("maxChargePower", { status: "unmanaged", reported: {} }),
      "settings.maxChargePower.reported",
    ],
    [
      "a baseline that is null",
      withRecord("policy", { status: "verified", baseline: null }),
      "settings.policy.baseline",
    ],
    ["records that are a list", { settings: [] }, "settings"],
    ["a device that is no string", { deviceId: 7 }, "deviceId"],
    ["no business", { businessId: undefined }, "businessId"],
  ];
  for (const [what, changes, paths] of foreign) {
    it(`are not understood with ${what}`, () => {
      const read = () => fromOutputs(freshKind(vehicle), { ...STORED, ...changes });
      expect(read).to.throw(Error, `(${paths})`);
    });
  }

  for (const outputs of [{}, { businessId: "acme", deviceId: "car", maxCapacity: 77_000 }]) {
    it(`are of no stack, rather than of a newer version, if they are ${JSON.stringify(outputs)}`, () => {
      expect(() => fromOutputs(freshKind(vehicle), outputs))
        .to.throw(Error, "stack")
        .and.not.match(/version/);
    });
  }

  it("are refused by the device that they are of, without a value, which may be a secret", () => {
    const read = () => fromOutputs(freshKind(vehicle), { ...STORED, maxCapacity: "s3cret" });
    expect(read)
      .to.throw(Error, /VehicleSettings.*'car'/)
      .and.not.match(/s3cret/);
  });

  it("are understood with values out of range, which somebody else can have set", () => {
    const settings = {
      policy: { status: "drifted", ours: "CHARGE BY" },
      maxCapacity: { status: "unmanaged", reported: 1 },
    };
    expect(fromOutputs(freshKind(vehicle), { ...CAR, policy: "ALWAYS", settings }).settings).to.deep.equal({
      ...settings,
      policy: { status: "drifted", value: "ALWAYS", ours: "CHARGE BY" },
    });
  });

  it("are those of the kind, whatever its wire names", () => {
    const outputs = { ...CAR, tilt: 30, settings: { tilt: { status: "verified" } } };
    for (const kind of [inverter, withWireNames(inverter, { tilt: "slope" })])
      expect(valuesOf(fromOutputs(kind, outputs))).to.deep.equal({ tilt: 30 });
    expect(() => fromOutputs(vehicle, outputs)).to.throw("tilt");
  });

  it("give the state back, through JSON, for every state", () => {
    const states = anyKind.chain((kind) => fc.tuple(fc.constant(kind), anyId, anyId, anyRecords(kind)));
    fc.assert(
      fc.property(states, ([kind, businessId, deviceId, settings]) => {
        const before: State = { businessId, deviceId, settings };
        expect(fromOutputs(freshKind(kind), JSON.parse(JSON.stringify(toOutputs(before))))).to.deep.equal(before);
      }),
    );
  });
});
