import { expect } from "chai";
import fc from "fast-check";
import { inverter } from "../../../provider/settings/inverter";
import { omit } from "../../../provider/settings/objects";
import {
  type Gap,
  GapReason,
  gapInWords,
  gapsBeforePolicy,
  gapsOf,
  isFoundByRead,
  type ReadinessMember,
} from "../../../provider/settings/readiness";
import { type DeviceKind, keysOf } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";

const CAR = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
const ROOF = { peakPower: 9_800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };

/** A device, and its values that count. */
type Device = readonly [member: ReadinessMember, counted: Readonly<Record<string, unknown>> | undefined];

function device(kind: DeviceKind, name: string, declared: object, counted: Device[1] = { ...declared }): Device {
  const label = `${kind.name}/${name}`;
  return [{ kind, label, observe: false, isLeftOut: false, declared: { ...declared } }, counted];
}
const car = (declared: object = CAR, counted?: Device[1]) => device(vehicle, "car", declared, counted);
const roof = (declared: object = ROOF, counted?: Device[1]) => device(inverter, "roof", declared, counted);
const observed = ([member]: Device, reported?: Device[1]): Device => [{ ...member, observe: true }, reported];
const leftOut = ([member, counted]: Device): Device => [{ ...member, isLeftOut: true }, counted];

const counted = (devices: readonly Device[]) => (member: ReadinessMember) =>
  devices.find(([one]) => one === member)?.[1];

/** The gaps of a site as `device setting reason`. */
function gaps(devices: readonly Device[], isSolar = true): string[] {
  const found = gapsOf({ members: devices.map(([member]) => member), isSolar }, counted(devices));
  return found.map(({ device, setting, reason }) => `${device} ${setting} ${reason}`);
}

describe("gapsOf", () => {
  for (const [what, devices, found] of [
    ["a vehicle and an inverter that have everything", [car(), roof()], []],
    ["no device at all", [], ["site inverters none", "site vehicles none"]],
    ["no vehicle", [roof()], ["site vehicles none"]],
    ["no inverter", [car()], ["site inverters none"]],
    [
      "settings that are not declared",
      [car(omit(CAR, ["maxCapacity"])), roof(omit(ROOF, ["baseLoad", "tilt"]))],
      ["vehicle/car maxCapacity assumed", "inverter/roof tilt notDeclared", "inverter/roof baseLoad notDeclared"],
    ],
    [
      "settings that are declared and not accepted",
      [car(CAR, omit(CAR, ["maxCapacity"])), roof(ROOF, {})],
      [
        "vehicle/car maxCapacity notAccepted",
        ...Object.keys(ROOF).map((setting) => `inverter/roof ${setting} notAccepted`),
      ],
    ],
    ["a policy that the site has not set", [car(omit(CAR, ["policy"])), roof()], ["vehicle/car policy notAccepted"]],
    ["another policy", [car({ ...CAR, policy: "CHARGE BY" }), roof()], ["vehicle/car policy otherPolicy"]],
    [
      "settings that observed devices do not report",
      [observed(car({}), omit(CAR, ["maxChargePower"])), observed(roof({}), omit(ROOF, ["azimuth"]))],
      ["vehicle/car maxChargePower assumed", "inverter/roof azimuth notReported"],
    ],
    [
      "another policy of an observed vehicle",
      [observed(car({}), { ...CAR, policy: "CHARGE BY" }), roof()],
      ["vehicle/car policy otherPolicy"],
    ],
    ["observed devices that nobody has read yet", [observed(car({})), observed(roof({}))], []],
    ["a vehicle that is left out, for the vehicle", [leftOut(car({}, {})), roof()], []],
  ] as const) {
    it(`finds of ${what}: ${found.join(", ") || "nothing"}`, () => {
      expect(gaps(devices)).to.deep.equal(found);
    });
  }

  it("finds that the program switches solar-aware charging off, if nothing else is absent", () => {
    expect(gaps([car(), roof()], false)).to.deep.equal(["site solar off"]);
    expect(gaps([car()], false)).to.deep.equal(["site inverters none"]);
  });

  it("counts a value of zero", () => {
    expect(gaps([car(), roof({ azimuth: 0, tilt: 0, cutInThreshold: 0, baseLoad: 0, peakPower: 1 })])).to.deep.equal(
      [],
    );
  });

  it("finds one gap for each setting that is left out, whichever they are", () => {
    fc.assert(
      fc.property(fc.subarray([...keysOf(vehicle), ...keysOf(inverter)]), (left) => {
        const found = gaps([car(omit(CAR, left)), roof(omit(ROOF, left))]);
        expect(found.map((gap) => gap.split(" ")[1])).to.have.members(left);
      }),
    );
  });
});

describe("gapsBeforePolicy", () => {
  const lacks = (own: Device, others: readonly Device[], isSolar = true): Gap[] => {
    const devices = [own, ...others];
    const members = devices.map(([member]) => member);
    return gapsBeforePolicy({ members, isSolar }, counted(devices))(own[0]).flat();
  };

  it("is empty for a car that only its policy is missing of", () => {
    expect(lacks(car(CAR, omit(CAR, ["policy"])), [roof()])).to.deep.equal([]);
  });

  it("has what the car lacks itself, and what any inverter of the site lacks", () => {
    const second = device(inverter, "second", ROOF, omit(ROOF, ["tilt"]));
    expect(lacks(car(CAR, omit(CAR, ["maxCapacity", "policy"])), [roof(), second])).to.have.deep.members([
      { device: "vehicle/car", setting: "maxCapacity", reason: "notAccepted" },
      { device: "inverter/second", setting: "tilt", reason: "notAccepted" },
    ]);
  });

  it("has nothing of another car", () => {
    expect(lacks(car(), [roof(), device(vehicle, "other", {}, {})])).to.deep.equal([]);
  });

  it("has the site without an inverter, and the one that is not solar", () => {
    expect(lacks(car(), [])).to.deep.equal([{ device: "site", setting: "inverters", reason: "none" }]);
    expect(lacks(car(), [roof()], false)).to.deep.equal([{ device: "site", setting: "solar", reason: "off" }]);
  });
});

describe("isFoundByRead", () => {
  it("is true of the reasons that depend on reported values, and of no other", () => {
    const found = Object.values(GapReason).filter((reason) =>
      isFoundByRead({ device: "vehicle/car", setting: "policy", reason }),
    );
    expect(found).to.have.members(["assumed", "notReported", "otherPolicy"]);
  });
});

describe("gapInWords", () => {
  it("names the device and the reason, each in other words", () => {
    const words = Object.values(GapReason).map((reason) =>
      gapInWords({ device: "vehicle/car", setting: "policy", reason }),
    );
    expect(new Set(words).size).to.equal(words.length);
    for (const text of words) expect(text).to.match(/^vehicle\/car: \w/);
  });
});
