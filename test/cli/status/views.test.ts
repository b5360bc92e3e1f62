import { expect } from "chai";
import { SITE_TYPE } from "../../../cli/stacks/stack";
import { type KnownFleet, readableIn, withLeaving } from "../../../cli/status/gather";
import { withUpdates } from "../../../cli/status/look";
import { warningsOf } from "../../../cli/status/model";
import { reasonInWords } from "../../../cli/status/words";
import { withoutSecrets } from "../../../cli/view/device";
import { parseExported } from "../../../cli/view/exported";
import { siteInManifest } from "../../../cli/view/manifest";
import type { SiteView, Update } from "../../../cli/view/model";
import { type Finding, type Findings, withReads } from "../../../cli/view/reads";
import { siteInState } from "../../../cli/view/state";
import { viewOf } from "../../../provider/engine/viewOf";
import { toManifest } from "../../../provider/manifest/manifest";
import { deviceSchema, fingerprintOf } from "../../../provider/service/device";
import { defined } from "../../../provider/settings/objects";
import { foldOf } from "../../../provider/settings/planes";
import { type Devices, inputsOf, outputsOf, urnOf } from "../../support/siteDevices";
import { CAR_VALUES, FORECAST, ROOF_VALUES } from "../../support/sites";

const CAR = { values: { ...CAR_VALUES, policy: FORECAST }, policyFromSite: true };
const ROOF = { values: ROOF_VALUES };
/** A secret, as an exported state has it. */
const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
const READY: Devices = { "inverter/roof": ROOF, "vehicle/car": CAR };

const CAR_OBJECT = { dev_type: "Electric vehicle", max_capacity: 77_000, max_charge_power: 11_000, policy: FORECAST };
const ROOF_OBJECT = { peak_power: 9800, azimuth: 180, tilt: 35, cut_in_threshold: 150, base_load: 400 };

const UNMANAGED = { status: "unmanaged", reported: "CHARGE BY" };

/** The output of `pulumi stack export` for a stack with one site. */
function exported(declared: Devices, kept: Devices = declared, inputs: Record<string, unknown> = {}): string {
  const site = {
    ...{ urn: urnOf("home"), type: SITE_TYPE },
    inputs: { ...inputsOf(declared), ...inputs },
    outputs: outputsOf(kept),
  };
  return JSON.stringify({ version: 3, deployment: { resources: [site] } });
}

/** The outputs of a site, and its resource, if the program and the state keep a setting of a car as a secret. */
function withSecret(devices: Devices, car: string, setting: string) {
  const stack = JSON.parse(exported(devices));
  const [{ inputs, outputs }] = stack.deployment.resources;
  const known = outputs.devices[`vehicle/${car}`];
  for (const place of [inputs.vehicles[car], known, known.settings]) place[setting] = SECRET;
  const [resource] = parseExported(JSON.stringify(stack)).resources;
  if (!resource) throw new Error("no site");
  return { outputs, resource };
}

function knownOf(...given: Parameters<typeof exported>): SiteView {
  const [resource] = parseExported(exported(...given)).resources;
  if (!resource) throw new Error("no site");
  return siteInState("dev", resource);
}

/** The answers of the service, by the id of the device. Undefined: the service does not know the device. */
function findingsOf(objects: Record<string, object | undefined>): Findings {
  const gone: Finding = { problem: { code: "gone", finding: "gone" } };
  const of = (id: string, object: object | undefined): Finding => {
    if (!object) return gone;
    const view = viewOf({ businessId: "acme", deviceId: id }, deviceSchema.parse(object), {});
    return { view, ...defined({ physicalDevice: fingerprintOf(view, { phys_id: view.personal.physId }) }) };
  };
  const found = Object.entries(objects).map(([id, object]) => [`acme/${id}`, of(id, object)] as const);
  return new Map(found);
}

const OFFLINE = undefined;

/** The site as a command shows it. */
function shownSite(site: SiteView, found?: Findings, updates = new Map<string, Update[]>()): SiteView {
  return withoutSecrets(withUpdates(found ? withReads(site, found) : site, updates));
}
const AS_DECLARED = { car: CAR_OBJECT, roof: ROOF_OBJECT };

const deviceOf = ({ devices }: SiteView, label: string) => devices.find((device) => device.label === label);
const reasonsOf = ({ observed }: SiteView) =>
  observed?.reasons.map(({ device, setting, code }) => [device, setting, code].filter(Boolean).join(" "));

describe("status: a site", () => {
  it("is ready, declared and observed, if all is declared, accepted and reported", () => {
    const status = shownSite(knownOf(READY), findingsOf(AS_DECLARED));
    expect(status).to.deep.include({ ready: true, gaps: [], observed: { verdict: "ready", reasons: [] } });
  });

  it("names the new id of a car that the service no longer knows by the old one", () => {
    const site = knownOf({ ...READY, "vehicle/again": CAR });
    const physicalDevice = fingerprintOf({ businessId: "acme" }, { phys_id: "VIN-1" }) as string;
    const devices = site.devices.map((one) => (one.deviceId === "car" ? { ...one, physicalDevice } : one));
    const found = findingsOf({ ...AS_DECLARED, car: undefined, again: { ...CAR_OBJECT, phys_id: "VIN-1" } });
    const problemIn = (findings: Findings) =>
      deviceOf(shownSite({ ...site, devices }, findings), "vehicle/car")?.problem?.finding;
    expect(problemIn(found)).to.include("'again'").and.not.include("VIN-1");
    const others = findingsOf({ ...AS_DECLARED, car: undefined, again: { ...CAR_OBJECT, phys_id: "VIN-2" } });
    expect(problemIn(others)).to.not.include("again");
  });

  it("keeps somebody's change that the program keeps apart from drift, and counts it", () => {
    const site = knownOf(READY);
    const devices = site.devices.map((one) => ({ ...one, onDrift: { policy: "keep" as const } }));
    const found = findingsOf({ ...AS_DECLARED, car: { ...CAR_OBJECT, policy: "CHARGE BY", max_capacity: 70_000 } });
    const status = shownSite({ ...site, devices }, found);
    expect(deviceOf(status, "vehicle/car")).to.deep.include({ drift: ["maxCapacity"], kept: ["policy"] });
    expect(reasonsOf(status)).to.include("vehicle/car policy otherPolicy");
  });

  it("has nothing observed if the service was not asked", () => {
    const status = shownSite(knownOf(READY), OFFLINE);
    expect(status).to.include({ ready: true });
    expect(status).to.not.have.property("observed");
    expect(deviceOf(status, "vehicle/car")?.reported).to.deep.equal(CAR.values);
  });

  it("names the missing settings, but not the policy that waits for them", () => {
    const { maxCapacity: _, ...rest } = CAR_VALUES;
    const known = knownOf({ "inverter/roof": ROOF, "vehicle/car": { values: rest } });
    const { max_capacity: __, ...object } = { ...CAR_OBJECT, policy: "CHARGE BY" };
    const status = shownSite(known, findingsOf({ roof: ROOF_OBJECT, car: object }));
    expect(status.gaps).to.deep.equal([{ device: "vehicle/car", setting: "maxCapacity", reason: "assumed" }]);
    expect(status.observed?.verdict).to.equal("notReady");
    expect(reasonsOf(status)).to.deep.equal(["vehicle/car maxCapacity assumed"]);
  });

  it("stays ready as declared if somebody changes a value, and is not ready as observed", () => {
    const status = shownSite(knownOf(READY), findingsOf({ ...AS_DECLARED, roof: { ...ROOF_OBJECT, tilt: 3 } }));
    expect(status.ready).to.equal(true);
    expect(reasonsOf(status)).to.deep.equal(["inverter/roof tilt drift"]);
    expect(deviceOf(status, "inverter/roof")).to.deep.include({ drift: ["tilt"], toApply: [] });
  });

  it("is not known to be ready if values are accepted and not reported, or a device cannot be read", () => {
    const { azimuth: _, ...kept } = ROOF_VALUES;
    const known = knownOf({ ...READY, "inverter/roof": { ...ROOF, reported: kept } });
    const { azimuth: __, ...silent } = ROOF_OBJECT;
    const unseen = shownSite(known, findingsOf({ car: CAR_OBJECT, roof: silent }));
    expect(unseen.observed?.verdict).to.equal("unknown");
    expect(reasonsOf(unseen)).to.deep.equal(["inverter/roof azimuth unseen"]);

    const findings = findingsOf(AS_DECLARED);
    const problem = { problem: { code: "unread", finding: "HTTP 503" } } as const;
    const unread = shownSite(knownOf(READY), new Map([...findings, ["acme/car", problem]]));
    expect(unread.observed?.verdict).to.equal("unknown");
    expect(reasonsOf(unread)).to.deep.equal(["vehicle/car unread"]);
  });

  it("is not ready now if a device reports so, is gone, or is of another kind", () => {
    const says = { setup_complete: false, config: { opt_out: true }, service_status: "inactive_setup_incomplete" };
    const said = shownSite(knownOf(READY), findingsOf({ ...AS_DECLARED, car: { ...CAR_OBJECT, ...says } }));
    expect(reasonsOf(said)).to.deep.equal([
      "vehicle/car setupIncomplete",
      "vehicle/car optedOut",
      "vehicle/car inactive",
    ]);
    expect(deviceOf(said, "vehicle/car")?.ownStatus?.meaning).to.be.a("string");
    const gone = shownSite(knownOf(READY), findingsOf({ ...AS_DECLARED, car: undefined }));
    expect(reasonsOf(gone)).to.deep.equal(["vehicle/car gone"]);
    const swapped = shownSite(knownOf(READY), findingsOf({ car: CAR_OBJECT, roof: CAR_OBJECT }));
    expect(reasonsOf(swapped)).to.deep.equal(["inverter/roof otherDevice"]);
    expect([said, gone, swapped].map(({ observed }) => observed?.verdict)).to.deep.equal(Array(3).fill("notReady"));
  });

  it("calls a car opted out by its config, by its status, and by both, once", () => {
    const optedOut = { config: { opt_out: true } };
    const byStatus = { service_status: "inactive_opted_out" };
    for (const says of [optedOut, byStatus, { ...optedOut, ...byStatus }]) {
      const status = shownSite(knownOf(READY), findingsOf({ ...AS_DECLARED, car: { ...CAR_OBJECT, ...says } }));
      expect(reasonsOf(status)).to.deep.equal(["vehicle/car optedOut"]);
    }
  });

  it("names a missing charge-by time if a setup is incomplete and the device shows its config", () => {
    const wordsOf = (config: object | undefined, says: object) => {
      const car = { ...CAR_OBJECT, ...says, ...(config && { config }) };
      const status = shownSite(knownOf(READY), findingsOf({ ...AS_DECLARED, car }));
      return (status.observed?.reasons ?? [])
        .map((reason) => reasonInWords(reason, deviceOf(status, "vehicle/car")))
        .filter((words) => words.split(":")[0]?.includes("charge-by")).length;
    };
    const inactive = { service_status: "inactive_setup_incomplete" };
    expect(wordsOf({ charge_by: "" }, inactive)).to.equal(1);
    expect(wordsOf({}, { setup_complete: false })).to.equal(1);
    expect(wordsOf({}, { ...inactive, setup_complete: false })).to.equal(1);
    expect(wordsOf({ charge_by: "07:30" }, inactive)).to.equal(0);
    expect(wordsOf(undefined, inactive)).to.equal(0);
    expect(wordsOf({}, { service_status: "active_waiting" })).to.equal(0);
  });

  it("does not know before the first update the values of a car without declarations", () => {
    const known = knownOf({ "inverter/roof": ROOF, "vehicle/car": { values: {} } }, { "inverter/roof": ROOF });
    const { gaps } = shownSite(known, OFFLINE);
    expect(gaps).to.deep.equal([{ device: "vehicle/car", setting: "policy", reason: "notAccepted" }]);
  });

  it("counts the reported values of a device that is only observed", () => {
    const known = knownOf({ ...READY, "inverter/roof": { observe: true, reported: ROOF_VALUES } });
    const { base_load: _, ...incomplete } = ROOF_OBJECT;
    const status = shownSite(known, findingsOf({ car: CAR_OBJECT, roof: incomplete }));
    expect(status.ready).to.equal(true);
    expect(reasonsOf(status)).to.deep.equal(["inverter/roof baseLoad notReported"]);
    expect(deviceOf(status, "inverter/roof")).to.deep.include({ observe: true, drift: [], unseen: [] });
  });

  it("leaves out a car that declares its policy itself", () => {
    const known = knownOf({ ...READY, "vehicle/taxi": { values: { policy: "CHARGE BY" } } });
    const taxi = { ...CAR_OBJECT, policy: "CHARGE BY", setup_complete: false };
    const status = shownSite(known, findingsOf({ ...AS_DECLARED, taxi }));
    expect(status.observed).to.deep.equal({ verdict: "ready", reasons: [] });
    expect(deviceOf(status, "vehicle/taxi")).to.include({ isLeftOut: true });
  });

  it("knows the declared value also after a refresh stored somebody else's value", () => {
    const refreshed = {
      values: { ...ROOF_VALUES, tilt: 3 },
      records: { tilt: { status: "drifted", value: 3, ours: 35 } },
    } as const;
    const known = knownOf({ ...READY, "inverter/roof": refreshed });
    for (const findings of [OFFLINE, findingsOf({ ...AS_DECLARED, roof: { ...ROOF_OBJECT, tilt: 3 } })]) {
      const roof = deviceOf(shownSite(known, findings), "inverter/roof");
      expect(roof).to.deep.include({ drift: ["tilt"], toApply: [], declared: ROOF_VALUES });
    }
    const repaired = deviceOf(shownSite(known, findingsOf(AS_DECLARED)), "inverter/roof");
    expect(repaired?.drift).to.deep.equal([]);
  });

  it("shows a setting that the last update could not apply, and no drift in it", () => {
    const known = knownOf({ ...READY, "inverter/roof": { values: { ...ROOF_VALUES, tilt: 40 } } }, READY);
    const status = shownSite(known, findingsOf(AS_DECLARED));
    expect(status.gaps).to.deep.equal([{ device: "inverter/roof", setting: "tilt", reason: "notAccepted" }]);
    expect(deviceOf(status, "inverter/roof")).to.deep.include({ toApply: ["tilt"], drift: [] });
  });

  it("shows no secret, in values or changes, and whether it has drifted", () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
    const { inverters } = inputsOf(READY) as { inverters: { roof: object } };
    const known = knownOf(READY, READY, { inverters: { roof: { ...inverters.roof, tilt: secret } } });
    const change = { time: "2026-11-20T10:00:00Z", by: "x", operation: "update", outcome: "accepted", run: "1" };
    const changes = new Map([["acme/roof", [{ ...change, settings: [{ key: "tilt", from: 3, to: 35 }] }]]]);
    const status = shownSite(known, findingsOf({ ...AS_DECLARED, roof: { ...ROOF_OBJECT, tilt: 3 } }), changes);
    const roof = deviceOf(status, "inverter/roof");
    expect(roof).to.deep.include({ secret: ["tilt"], drift: ["tilt"], toApply: [] });
    for (const values of [roof?.declared, roof?.reported, roof?.settings]) expect(values).to.not.have.property("tilt");
    expect(roof?.updates[0]?.settings).to.deep.equal([{ key: "tilt" }]);
    expect(shownSite(known, findingsOf(AS_DECLARED)).observed?.verdict).to.equal("ready");
  });
});

describe("status: a site with secrets in its state", () => {
  /** The roof with a secret tilt, as the native plugin keeps it: each value is sealed, except the status. */
  function withSecretTilt(record: object, gaps: readonly object[] = []): SiteView {
    const stack = JSON.parse(exported(READY));
    const [{ inputs, outputs }] = stack.deployment.resources;
    const roof = outputs.devices["inverter/roof"];
    inputs.inverters.roof.tilt = SECRET;
    roof.tilt = SECRET;
    roof.settings.tilt = record;
    outputs.gaps = gaps;
    const [resource] = parseExported(JSON.stringify(stack)).resources;
    if (!resource) throw new Error("no site");
    return siteInState("dev", resource);
  }

  for (const record of [
    { baseline: SECRET },
    { status: "notReported" },
    { status: "drifted", ours: SECRET, baseline: SECRET },
  ]) {
    it(`is read, and is ready, if a secret setting is ${record.status}`, () => {
      const known = withSecretTilt(record);
      for (const findings of [OFFLINE, findingsOf(AS_DECLARED)]) {
        const status = shownSite(known, findings);
        expect(status).to.deep.include({ ready: true, gaps: [] });
        expect(deviceOf(status, "inverter/roof")).to.deep.include({ secret: ["tilt"], drift: [], toApply: [] });
        expect(JSON.stringify(status)).to.not.contain("v1:x");
      }
    });
  }

  it("keeps a setting hidden that the program declares no more", () => {
    const stack = JSON.parse(exported({ ...READY, "vehicle/car": { values: { maxChargePower: 11_000 } } }));
    const [{ outputs }] = stack.deployment.resources;
    outputs.devices["vehicle/car"].settings.maxCapacity = { status: "unmanaged", reported: SECRET };
    const [resource] = parseExported(JSON.stringify(stack)).resources;
    if (!resource) throw new Error("no site");
    const car = deviceOf(shownSite(siteInState("dev", resource), findingsOf(AS_DECLARED)), "vehicle/car");
    expect(car?.secret).to.deep.equal(["maxCapacity"]);
    expect(car?.reported).to.not.have.property("maxCapacity");
  });

  it("is ready if a car's secret capacity was accepted", () => {
    const stack = JSON.parse(exported(READY));
    const [{ inputs, outputs }] = stack.deployment.resources;
    const car = outputs.devices["vehicle/car"];
    inputs.vehicles.car.maxCapacity = SECRET;
    car.maxCapacity = SECRET;
    car.settings.maxCapacity = SECRET;
    const [resource] = parseExported(JSON.stringify(stack)).resources;
    if (!resource) throw new Error("no site");
    for (const found of [OFFLINE, findingsOf(AS_DECLARED)]) {
      expect(shownSite(siteInState("dev", resource), found)).to.deep.include({ ready: true, gaps: [] });
    }
  });

  it("is not ready, as its output says, if the policy of one car is kept and the capacity of another is secret", () => {
    const value = FORECAST;
    const kept = { ...CAR, records: { policy: { status: "kept", value, reported: "CHARGE BY" } } } as const;
    const { outputs, resource } = withSecret({ ...READY, "vehicle/other": kept }, "car", "maxCapacity");
    expect(outputs).to.deep.include({ ready: false });
    expect(siteInState("dev", resource)).to.deep.include({ ready: outputs.ready, gaps: outputs.gaps });
  });

  it("has not accepted a secret setting of a device before its first update, rather than not declared", () => {
    const inputs = inputsOf(READY) as { inverters: { roof: object } };
    const roof = { ...inputs.inverters.roof, tilt: SECRET };
    const { gaps } = knownOf(READY, { "vehicle/car": CAR }, { inverters: { roof } });
    expect(gaps.map(({ reason }) => reason)).to.deep.equal(Array(5).fill("notAccepted"));
  });

  it("leaves a car out whose own policy is secret, as its output does", () => {
    const { policy, ...values } = CAR.values;
    const own = { values: { policy, maxChargePower: values.maxChargePower } };
    const { outputs, resource } = withSecret({ ...READY, "vehicle/own": own }, "own", "policy");
    expect(outputs).to.deep.include({ ready: true });
    expect(siteInState("dev", resource)).to.deep.include({ ready: outputs.ready, gaps: outputs.gaps });
  });

  describe("of a single stack shows the warnings of its values", () => {
    const NORTH = { "inverter/roof": { values: { ...ROOF_VALUES, azimuth: 10 } }, "vehicle/car": CAR };
    const codesIn = (site: SiteView) => warningsOf(site).map(({ code }) => code);

    it("as a fleet's does, but for those that the program switches off", () => {
      expect(codesIn(knownOf(READY))).to.deep.equal([]);
      expect(codesIn(knownOf(NORTH))).to.deep.equal(["azimuth-off-equator"]);
      expect(codesIn(knownOf(NORTH, NORTH, { latitude: -34 }))).to.deep.equal([]);
      expect(codesIn(knownOf(NORTH, NORTH, { ignoreLints: ["azimuth-off-equator"] }))).to.deep.equal([]);
      const { "inverter/roof": other } = NORTH;
      expect(codesIn(knownOf({ ...NORTH, "inverter/barn": other }))).to.include("repeated-base-load");
      expect(shownSite(knownOf(NORTH), OFFLINE).devices.flatMap(({ warnings }) => warnings)).to.have.lengthOf(1);
    });

    it("for the declared value, also while somebody else has set another one", () => {
      const drifted = { status: "drifted", value: 10, ours: 180 } as const;
      const kept = { ...READY, "inverter/roof": { ...ROOF, records: { azimuth: drifted } } };
      expect(
        codesIn(knownOf({ ...READY, "inverter/roof": { values: { ...ROOF_VALUES, azimuth: 10 } } }, kept)),
      ).to.deep.equal([]);
    });

    it("and does not show secrets", () => {
      const { tilt: _, ...values } = ROOF_VALUES;
      const inputs = { inverters: { roof: { businessId: "acme", deviceId: "roof", ...values, tilt: SECRET } } };
      expect(codesIn(knownOf(READY, READY, inputs))).to.deep.equal([]);
    });

    it("and does not ask for a latitude that is a secret", () => {
      expect(codesIn(knownOf(NORTH, NORTH, { latitude: undefined }))).to.deep.equal(["azimuth-off-equator"]);
      expect(codesIn(knownOf(NORTH, NORTH, { latitude: SECRET }))).to.deep.equal([]);
    });

    it("also of a device of its own, with its planes", () => {
      const steep = [90, 270].map((azimuth) => ({ peakPower: 5000, azimuth, tilt: 45 }));
      const own = {
        businessId: "acme",
        deviceId: "roof",
        cutInThreshold: 150,
        baseLoad: 400,
        latitude: 50,
        planes: steep,
      };
      const settings = Object.fromEntries(Object.keys(ROOF_VALUES).map((key) => [key, {}]));
      const outputs = { ...own, peakPower: 8293, azimuth: 0, tilt: 3, settings };
      const type = "solar-charging:index:InverterSettings";
      const roof = { urn: `urn:pulumi:dev::p::${type}::roof`, type, inputs: own, outputs };
      const { resources } = parseExported(JSON.stringify({ deployment: { resources: [roof] } }));
      expect(codesIn(siteInState("dev", resources[0] as (typeof resources)[number]))).to.include("planes-as-one");
    });
  });

  it("is not ready if an update of a secret setting had an unknown outcome", () => {
    const gap = { device: "inverter/roof", setting: "tilt", reason: "notAccepted" };
    const known = withSecretTilt({ status: "uncertain", sent: [SECRET] }, [gap]);
    expect(shownSite(known, OFFLINE)).to.deep.include({ ready: false, gaps: [gap] });
  });

  for (const [what, ids] of [
    ["the id of a device", { deviceId: SECRET }],
    ["the business", { businessId: SECRET }],
    ["a whole device", undefined],
  ] as const) {
    it(`is read, and asks the service nothing about a device, if ${what} is a secret`, () => {
      const stack = JSON.parse(exported(READY));
      const [{ inputs, outputs }] = stack.deployment.resources;
      const car = outputs.devices["vehicle/car"];
      const record = { status: "adjusted", reported: SECRET };
      const sealedCar = {
        ...Object.fromEntries(Object.keys(car).map((key) => [key, SECRET])),
        settings: { policy: record },
      };
      inputs.vehicles.car = ids ? { ...inputs.vehicles.car, ...ids } : SECRET;
      outputs.devices["vehicle/car"] = ids ? { ...car, ...ids } : sealedCar;
      const { resources } = parseExported(JSON.stringify(stack));
      const sites = resources.map((resource) => siteInState("dev", resource));
      expect(sites.map(({ devices }) => devices.length)).to.deep.equal([2]);
      expect(readableIn({ sites } as unknown as KnownFleet).map(({ deviceId }) => deviceId)).to.deep.equal(["roof"]);
      const site = shownSite(sites[0] as SiteView, findingsOf(AS_DECLARED));
      expect(deviceOf(site, "vehicle/car")?.problem?.finding).to.contain("secret");
    });
  }

  for (const [what, sealed] of [
    ["a setting", { maxCapacity: SECRET, settings: { maxCapacity: {}, policy: UNMANAGED } }],
    ["all records", { maxCapacity: 77_000, settings: SECRET }],
  ] as const) {
    it(`reads a device of its own of which ${what} is a secret`, () => {
      const outputs = { businessId: "acme", deviceId: "car", ...sealed };
      const inputs = { businessId: "acme", deviceId: "car", maxCapacity: SECRET };
      const car = { urn: "urn:pulumi:dev::p::solar-charging:index:VehicleSettings::car", inputs, outputs };
      const type = "solar-charging:index:VehicleSettings";
      const { resources } = parseExported(JSON.stringify({ deployment: { resources: [{ ...car, type }] } }));
      const [known] = siteInState("dev", resources[0] as (typeof resources)[number]).devices;
      expect(known?.declared).to.deep.equal({});
      expect(known?.secret).to.deep.equal(["maxCapacity"]);
      expect(known?.settings).to.not.have.property("maxCapacity");
    });
  }
});

describe("status: a device whose outputs alone are secrets", () => {
  it("has nothing to apply", () => {
    const type = "solar-charging:index:VehicleSettings";
    const inputs = { businessId: "acme", deviceId: "car", maxCapacity: 77_000 };
    const outputs = { ...inputs, maxCapacity: SECRET, settings: SECRET };
    const car = { urn: `urn:pulumi:dev::p::${type}::car`, type, inputs, outputs };
    const { resources } = parseExported(JSON.stringify({ deployment: { resources: [car] } }));
    const [known] = siteInState("dev", resources[0] as (typeof resources)[number]).devices;
    expect(known).to.deep.include({ secret: ["maxCapacity"], toApply: [], declared: {} });
  });
});

describe("status: a site of a manifest", () => {
  const site = (more: object = {}, of: object = {}) => {
    const { sites } = toManifest({
      fleet: "acme",
      businessId: "acme",
      sites: {
        home: {
          latitude: 52,
          vehicles: { car: { deviceId: "car", ...CAR_VALUES } },
          inverters: { roof: { deviceId: "roof", ...ROOF_VALUES, ...more } },
          ...of,
        },
      },
    });
    return sites[0] as (typeof sites)[number];
  };
  const applied = knownOf(READY);

  it("is as its stack has it if nothing has changed since", () => {
    const status = shownSite(siteInManifest("dev", site(), applied, undefined), findingsOf(AS_DECLARED));
    expect(status).to.deep.include({ ready: true, observed: { verdict: "ready", reasons: [] } });
    expect(status).to.not.have.property("change");
    expect(deviceOf(status, "vehicle/car")?.declared.policy).to.equal(FORECAST);
  });

  it("is not ready before the first update, whatever is declared", () => {
    const status = shownSite(siteInManifest("dev", site(), undefined, undefined), findingsOf(AS_DECLARED));
    expect(status).to.include({ ready: false, change: "new" });
    expect(status.gaps.every(({ reason }) => reason === "notAccepted")).to.equal(true);
    expect(status.gaps).to.have.length(7); // Without the policy, whose gap only follows from these.
  });

  it("shows the later changes of the manifest, beside the reported values", () => {
    const changed = siteInManifest("dev", site({ tilt: 40 }), applied, undefined);
    const status = shownSite(changed, findingsOf(AS_DECLARED));
    expect(status.gaps).to.deep.equal([{ device: "inverter/roof", setting: "tilt", reason: "notAccepted" }]);
    expect(reasonsOf(status)).to.deep.equal(["inverter/roof tilt toApply"]);
  });

  it("has nothing to apply if it declares the value that somebody else set", () => {
    const tilt = { status: "drifted", value: 40, ours: ROOF_VALUES.tilt } as const;
    const known = knownOf({ ...READY, "inverter/roof": { ...ROOF, records: { tilt } } });
    const status = shownSite(
      siteInManifest("dev", site({ tilt: 40 }), known, undefined),
      findingsOf({ car: CAR_OBJECT, roof: { ...ROOF_OBJECT, tilt: 40 } }),
    );
    expect(deviceOf(status, "inverter/roof")).to.deep.include({ toApply: [], drift: [] });
    expect(status).to.deep.include({ ready: true, observed: { verdict: "ready", reasons: [] } });
  });

  it("names its devices in state that the manifest no longer declares, but not one that moves to another site", () => {
    const left: Devices = { ...READY, "vehicle/old": { ...CAR, onDelete: "restore" }, "inverter/moved": ROOF };
    const known = knownOf(left);
    const declared = new Set(["acme/car", "acme/roof", "acme/moved"]);
    const { leaving, ...rest } = withLeaving(siteInManifest("dev", site(), known), known, declared);
    expect(leaving).to.deep.equal([{ device: "acme/old", label: "vehicle/old", onDelete: "restore" }]);
    expect(rest).to.deep.equal(siteInManifest("dev", site(), known));
    expect(withLeaving(rest, applied, declared).leaving).to.deep.equal([]);
  });

  it("keeps what is known of a device that the manifest renames", () => {
    const { vehicles, ...rest } = site();
    const [car] = Object.values(vehicles ?? {});
    const renamed = { ...rest, vehicles: { van: car as NonNullable<typeof car> } };
    const status = shownSite(siteInManifest("dev", renamed, applied, undefined), findingsOf(AS_DECLARED));
    expect(deviceOf(status, "vehicle/van")).to.deep.include({ toApply: [], drift: [] });
    expect(status.ready).to.equal(true);
  });

  it("with planes has drift of the one that is sent for them, and the planes beside it", () => {
    const { peakPower: _, azimuth: __, tilt: ___, ...rest } = ROOF_VALUES;
    const planes = [90, 200].map((azimuth) => ({ peakPower: 5000, azimuth, tilt: 30 }));
    const fold = foldOf(planes, 52);
    const values = { ...rest, peakPower: fold.peakPower, azimuth: fold.azimuth, tilt: fold.tilt };
    const kept = knownOf({ ...READY, "inverter/roof": { values } });
    const { sites } = toManifest({
      ...{ fleet: "acme", businessId: "acme" },
      sites: {
        home: {
          latitude: 52,
          vehicles: { car: { deviceId: "car", ...CAR_VALUES } },
          inverters: { roof: { deviceId: "roof", ...rest, planes } },
        },
      },
    });
    const known = siteInManifest("dev", sites[0] as (typeof sites)[number], kept, undefined);
    const sent = { ...ROOF_OBJECT, peak_power: fold.peakPower, azimuth: fold.azimuth, tilt: fold.tilt };
    const statusWith = (roof: object) => shownSite(known, findingsOf({ car: CAR_OBJECT, roof }));
    expect(statusWith(sent)).to.deep.include({ ready: true, observed: { verdict: "ready", reasons: [] } });
    const drifted = statusWith({ ...sent, azimuth: 10 });
    expect(deviceOf(drifted, "inverter/roof")).to.deep.include({ drift: ["azimuth"], toApply: [], planes });
    expect(reasonsOf(drifted)).to.deep.equal(["inverter/roof azimuth drift"]);
  });

  it("has the lints of the manifest, without those that it switches off", () => {
    const lintsOf = (...given: Parameters<typeof site>) =>
      shownSite(siteInManifest("dev", site(...given), applied, undefined), OFFLINE).devices.flatMap(
        ({ warnings }) => warnings,
      );
    expect(lintsOf({ azimuth: 22.5 })).to.have.length(1);
    expect(lintsOf({ azimuth: 22.5 }, { ignoreLints: ["azimuth-off-equator"] })).to.deep.equal([]);
  });

  it("reports a device of an unknown business as not read", () => {
    const known = siteInManifest("dev", { ...site(), businessId: undefined as never }, undefined, undefined);
    expect(shownSite(known, findingsOf({})).devices.map(({ problem }) => problem?.code)).to.deep.equal([
      "unread",
      "unread",
    ]);
  });
});
