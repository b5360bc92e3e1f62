import { expect } from "chai";
import { plannedInputs } from "../../../provider/lifecycle/site/state";
import { labelOf } from "../../../provider/settings/groups";
import {
  declaredSite,
  dependsOnRead,
  plannedDevices,
  planSite as planOf,
  type SiteKnowledge,
  supposedValues,
} from "../../../provider/settings/planSite";
import type { Values } from "../../../provider/settings/setting";
import type { DeclaredDevice } from "../../../provider/settings/site";

const FORECAST = "CHARGE BY FORECAST";
const CAR = { deviceId: "car-7", maxCapacity: 77_000, maxChargePower: 11_000 };
const ROOF = { deviceId: "roof-1", peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };
const READY = { businessId: "acme", inverters: { roof: ROOF }, vehicles: { car: CAR } };

const named = (devices: readonly DeclaredDevice[], name: string) =>
  devices.find((device) => device.name === name) as DeclaredDevice;

/** The known facts about the devices of these names. */
const among = (...names: string[]) => ({
  isOther: ({ name }: DeclaredDevice) => names.includes(name),
});

const devicesOf = (inputs: object) => declaredSite({ ...inputs }).devices;

/** The plan of a site's inputs. */
const planSite = (inputs: object, knowledge?: SiteKnowledge) => planOf(declaredSite({ ...inputs }), knowledge);

describe("declared devices", () => {
  it("are the inverters, then the vehicles, each with its ids and values", () => {
    const { deviceId: _car, ...ofCar } = CAR;
    const { deviceId: _roof, ...ofRoof } = ROOF;
    const common = { businessId: "acme", observe: false, policyFromSite: false };
    expect(devicesOf({ vehicles: { car: CAR }, businessId: "acme", inverters: { roof: ROOF } })).to.deep.equal([
      { ...common, group: "inverters", name: "roof", deviceId: "roof-1", given: ROOF, values: ofRoof },
      { ...common, group: "vehicles", name: "car", deviceId: "car-7", given: CAR, values: ofCar },
    ]);
  });

  it("are empty for an unknown group, and have no values for an unknown device", () => {
    expect(devicesOf({ vehicles: "later" })).to.deep.equal([]);
    expect(devicesOf({ vehicles: { car: "later" } })[0]).to.deep.include({
      name: "car",
      values: {},
      observe: false,
    });
  });

  it("have the business of the site, unless they have their own", () => {
    const devices = devicesOf({ ...READY, vehicles: { car: CAR, van: { ...CAR, businessId: "other" } } });
    expect(devices.map(({ businessId }) => businessId)).to.deep.equal(["acme", "acme", "other"]);
  });

  const deletes: readonly [site: unknown, own: unknown, observe: boolean, effective: unknown][] = [
    [undefined, undefined, false, undefined],
    ["restore", undefined, false, "restore"],
    [undefined, "retain", false, "retain"],
    ["restore", "retain", false, "retain"],
    ["reset", undefined, false, "reset"],
    ["restore", undefined, true, undefined],
    ["later", undefined, false, undefined],
  ];
  for (const [site, own, observe, effective] of deletes) {
    const given = `${site ?? "nothing"} on the site and ${own ?? "nothing"} on ${observe ? "an observed" : "the"} device`;
    it(`have ${effective ?? "nothing"} as onDelete, given ${given}`, () => {
      const car = { deviceId: "car-7", ...(own !== undefined && { onDelete: own }), observe };
      const [device] = devicesOf({ onDelete: site, vehicles: { car } });
      expect(device?.onDelete).to.equal(effective);
      expect(device && "onDelete" in device).to.equal(effective !== undefined);
    });
  }

  it("have their other options, and the one plane that is sent for planes at the latitude of the site", () => {
    const planes = [90, 270].map((azimuth) => ({ peakPower: 5000, azimuth, tilt: 30 }));
    const roof = { deviceId: "roof-1", planes, ignoreLints: ["flat-tilt"] };
    const [device] = devicesOf({ latitude: 50, inverters: { roof } });
    expect(device).to.deep.include({ planes, ignoreLints: ["flat-tilt"] });
    expect(device?.values).to.deep.equal({ peakPower: 9075, azimuth: 180, tilt: 0 });
  });
});

describe("plannedDevices", () => {
  const policyOf = (device: object, policies?: unknown) => {
    const inputs = { ...READY, vehicles: { car: { ...CAR, ...device } }, policies };
    const { values, policyFromSite } = named(plannedDevices(inputs), "car");
    return [values.policy, policyFromSite];
  };

  it("have the policy that the check has planned for a car, beside its values", () => {
    expect(policyOf({}, { car: FORECAST })).to.deep.equal([FORECAST, true]);
    const [, car] = plannedDevices({ ...READY, policies: { car: FORECAST } });
    expect(car?.values).to.include({ maxCapacity: 77_000, maxChargePower: 11_000 });
  });

  it("have no policy if the plan has no policy, or is not known yet", () => {
    for (const policies of [undefined, {}, { van: FORECAST }, "later"]) {
      expect(policyOf({}, policies)).to.deep.equal([undefined, false]);
    }
  });

  it("have the declared policy of a car, but not of an observed one", () => {
    expect(policyOf({ policy: "CHARGE BY" }, { car: FORECAST })).to.deep.equal(["CHARGE BY", false]);
    expect(policyOf({ observe: true }, { car: FORECAST })).to.deep.equal([undefined, false]);
  });

  it("have no policy for an inverter, also if a car has its name", () => {
    const inputs = { inverters: { home: ROOF }, vehicles: { home: CAR }, policies: { home: FORECAST } };
    const planned = plannedDevices(inputs).map((device) => [labelOf(device), device.values.policy]);
    expect(planned).to.deep.equal([
      ["inverter/home", undefined],
      ["vehicle/home", FORECAST],
    ]);
  });
});

describe("dependsOnRead", () => {
  const ofCar = (declared: object) => dependsOnRead(named(devicesOf({ vehicles: { car: declared } }), "car"));
  const ofRoof = (declared: object) => dependsOnRead(named(devicesOf({ inverters: { roof: declared } }), "roof"));

  const cases: readonly [what: string, dependsOf: (declared: object) => boolean, declared: object, boolean][] = [
    ["an observed car", ofCar, { deviceId: "car-7", observe: true }, true],
    ["an observed inverter", ofRoof, { deviceId: "roof-1", observe: true }, true],
    ["an inverter without any value", ofRoof, { deviceId: "roof-1" }, false],
    ["a car that declares both values", ofCar, CAR, false],
    ["a car without its capacity", ofCar, { deviceId: "car-7", maxChargePower: 11_000 }, true],
    ["a car without its charge power", ofCar, { deviceId: "car-7", maxCapacity: 77_000 }, true],
    ["a car that declares its policy", ofCar, { deviceId: "car-7", policy: "CHARGE BY" }, false],
  ];
  for (const [what, dependsOf, declared, expected] of cases) {
    it(`is ${expected} of ${what}`, () => {
      expect(dependsOf(declared)).to.equal(expected);
    });
  }
});

describe("supposedValues", () => {
  const car = (declared: object) => named(devicesOf({ vehicles: { car: declared } }), "car");

  it("are unknown if they depend on a read that has not happened", () => {
    expect(supposedValues(car({ deviceId: "car-7" }), undefined)).to.equal(undefined);
  });

  it("of an observed device are those that it reports", () => {
    const reported = { maxCapacity: 60_000, policy: "CHARGE BY" };
    expect(supposedValues(car({ deviceId: "car-7", observe: true }), reported)).to.deep.equal(reported);
  });

  it("of a car are the declared ones, then those that its own integration reports, and the policy of the site", () => {
    const declared = { deviceId: "car-7", maxCapacity: 77_000 };
    const reported = { maxCapacity: 60_000, maxChargePower: 3700, policy: "CHARGE BY" };
    const expected = { maxCapacity: 77_000, maxChargePower: 3700, policy: FORECAST };
    expect(supposedValues(car(declared), reported)).to.deep.equal(expected);
    expect(supposedValues(car(CAR), undefined)).to.include({ policy: FORECAST });
    expect(supposedValues(car({ ...CAR, policy: "CHARGE BY" }), undefined)).to.include({ policy: "CHARGE BY" });
  });
});

describe("planSite", () => {
  const policiesOf = (inputs: object, knowledge?: SiteKnowledge) => planSite(inputs, knowledge).policies;

  it("gives the cars of a ready site the policy", () => {
    const { devices, policies, gaps, isSolar, isUnseen } = planSite(READY);
    expect({ policies, gaps, isSolar, isUnseen }).to.deep.equal({
      policies: { car: FORECAST },
      gaps: [],
      isSolar: true,
      isUnseen: false,
    });
    expect(named(devices, "car")).to.deep.include({ policyFromSite: true });
    expect(named(devices, "car").values).to.include({ maxCapacity: 77_000, policy: FORECAST });
    expect(named(devices, "roof")).to.deep.include({ policyFromSite: false });
  });

  it("gives it to a car that lacks nothing, beside one that does", () => {
    const vehicles = { car: CAR, van: { deviceId: "van-1", maxCapacity: 60_000 } };
    const reported = ({ name }: DeclaredDevice): Values | undefined => (name === "van" ? {} : undefined);
    const { policies, gaps, isUnseen } = planSite({ ...READY, vehicles }, { reported });
    expect(policies).to.deep.equal({ car: FORECAST });
    expect(gaps.map(({ device, setting, reason }) => [device, setting, reason])).to.deep.include([
      "vehicle/van",
      "maxChargePower",
      "assumed",
    ]);
    expect(isUnseen).to.equal(false);
  });

  it("waits for a read if a car does not declare all, and assumes the best until then", () => {
    const vehicles = { car: { deviceId: "car-7" } };
    const { policies, gaps, isUnseen } = planSite({ ...READY, vehicles });
    expect({ policies, gaps, isUnseen }).to.deep.equal({ policies: { car: FORECAST }, gaps: [], isUnseen: true });
  });

  const none: readonly [what: string, inputs: object][] = [
    ["that is switched off", { ...READY, solar: false }],
    ["without an inverter", { ...READY, inverters: {} }],
    ["whose inverter lacks a value", { ...READY, inverters: { roof: { ...ROOF, tilt: undefined } } }],
    ["whose car is observed", { ...READY, vehicles: { car: { deviceId: "car-7", observe: true } } }],
    ["whose car declares its policy", { ...READY, vehicles: { car: { ...CAR, policy: "CHARGE BY" } } }],
  ];
  for (const [what, inputs] of none) {
    it(`gives no policy in a site ${what}`, () => {
      expect(policiesOf(inputs)).to.deep.equal({});
    });
  }

  it("leaves a car the policy that the site gave it, if the site stops being ready", () => {
    const knowledge = { policy: () => FORECAST };
    const inverters = { roof: { ...ROOF, tilt: undefined } };
    expect(policiesOf({ ...READY, inverters }, knowledge)).to.deep.equal({ car: FORECAST });
  });

  it("gives no car a policy while the id of an inverter is that of another kind of device", () => {
    const { policies, gaps } = planSite(READY, among("roof"));
    expect(policies).to.deep.equal({});
    expect(gaps).to.deep.equal([{ device: "inverter/roof", setting: "deviceId", reason: "otherDevice" }]);
  });

  it("gives the other cars their policy while the id of one is that of another kind of device", () => {
    const vehicles = { car: CAR, van: { ...CAR, deviceId: "van-1" } };
    const { policies, gaps } = planSite({ ...READY, vehicles }, among("van"));
    expect(policies).to.deep.equal({ car: FORECAST });
    expect(gaps).to.deep.include({ device: "vehicle/van", setting: "deviceId", reason: "otherDevice" });
  });
});

describe("plannedInputs", () => {
  const gap = { device: "site", setting: "inverters", reason: "none" } as const;
  const plan = { gaps: [], isUnseen: false, policies: {} };

  it("are ready without a gap", () => {
    expect(plannedInputs(plan, { isOpen: false })).to.deep.equal({ ready: true, gaps: [], missing: [] });
  });

  it("are not ready with a gap, also before a read", () => {
    for (const isUnseen of [false, true]) {
      expect(plannedInputs({ ...plan, gaps: [gap], isUnseen }, { isOpen: false })).to.deep.equal({
        ready: false,
        gaps: [gap],
        missing: ["site: it has no inverters"],
      });
    }
  });

  it("leave open whether the site is ready before a read, or while its gaps are not known", () => {
    expect(plannedInputs({ ...plan, isUnseen: true }, { isOpen: false })).to.deep.equal({});
    expect(plannedInputs({ ...plan, gaps: [gap] }, { isOpen: true })).to.deep.equal({});
  });

  it("have the policies of the cars, if there are any", () => {
    expect(plannedInputs({ ...plan, policies: { car: FORECAST } }, { isOpen: true })).to.deep.equal({
      policies: { car: FORECAST },
    });
  });
});
