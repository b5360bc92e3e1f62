import { expect } from "chai";
import type { Finding, Findings } from "../../../cli/status/deviceStatus";
import { parseExported } from "../../../cli/status/exported";
import { type KnownSite, siteInManifest, siteInState } from "../../../cli/status/known";
import type { SiteStatus } from "../../../cli/status/model";
import { siteStatusOf } from "../../../cli/status/siteStatus";
import { viewOf } from "../../../provider/lifecycle/viewOf";
import { toManifest } from "../../../provider/manifest/manifest";
import { deviceSchema } from "../../../provider/service/device";
import { CAR_VALUES, FORECAST, ROOF_VALUES } from "../../support/sites";
import { type Devices, inputsOf, outputsOf, SITE_TYPE, urnOf } from "../fleet/sites";

const CAR = { values: { ...CAR_VALUES, policy: FORECAST }, policyFromSite: true };
const ROOF = { values: ROOF_VALUES };
const READY: Devices = { "inverter/roof": ROOF, "vehicle/car": CAR };

const CAR_OBJECT = { dev_type: "Electric vehicle", max_capacity: 77_000, max_charge_power: 11_000, policy: FORECAST };
const ROOF_OBJECT = { peak_power: 9800, azimuth: 180, tilt: 35, cut_in_threshold: 150, base_load: 400 };

/** What `pulumi stack export` prints of a stack with one site. */
function exported(declared: Devices, kept: Devices = declared, inputs: Record<string, unknown> = {}): string {
  const site = {
    ...{ urn: urnOf("home"), type: SITE_TYPE },
    inputs: { ...inputsOf("home", declared), ...inputs },
    outputs: outputsOf("home", kept),
  };
  return JSON.stringify({ version: 3, deployment: { resources: [site] } });
}

function knownOf(...given: Parameters<typeof exported>): KnownSite {
  const [resource] = parseExported(exported(...given)).resources;
  if (!resource) throw new Error("no site");
  return siteInState("dev", resource);
}

/** The answers of the service, by the id of the device; undefined: it does not know it. */
function findingsOf(objects: Record<string, object | undefined>): Findings {
  const gone: Finding = { problem: { code: "gone", finding: "gone" } };
  const of = (id: string, object: object | undefined): Finding =>
    object ? { view: viewOf({ businessId: "acme", deviceId: id }, deviceSchema.parse(object), {}) } : gone;
  const found = Object.entries(objects).map(([id, object]) => [`acme/${id}`, of(id, object)] as const);
  return { isAsked: true, found: new Map(found), changes: new Map() };
}

const OFFLINE: Findings = { isAsked: false, found: new Map(), changes: new Map() };
const AS_DECLARED = { car: CAR_OBJECT, roof: ROOF_OBJECT };

const deviceOf = ({ devices }: SiteStatus, label: string) => devices.find((device) => device.label === label);
const reasonsOf = ({ observed }: SiteStatus) =>
  observed?.reasons.map(({ device, setting, code }) => [device, setting, code].filter(Boolean).join(" "));

describe("status: a site", () => {
  it("is ready, declared and observed, if all is declared, accepted and reported", () => {
    const status = siteStatusOf(knownOf(READY), findingsOf(AS_DECLARED));
    expect(status).to.deep.include({ ready: true, gaps: [], observed: { verdict: "ready", reasons: [] } });
  });

  it("has nothing observed if the service was not asked", () => {
    const status = siteStatusOf(knownOf(READY), OFFLINE);
    expect(status).to.include({ ready: true });
    expect(status).to.not.have.property("observed");
    expect(deviceOf(status, "vehicle/car")?.reported).to.deep.equal(CAR.values);
  });

  it("names what is not declared, and not the policy that waits for it", () => {
    const { maxCapacity: _, ...rest } = CAR_VALUES;
    const known = knownOf({ "inverter/roof": ROOF, "vehicle/car": { values: rest } });
    const { max_capacity: __, ...object } = { ...CAR_OBJECT, policy: "CHARGE BY" };
    const status = siteStatusOf(known, findingsOf({ roof: ROOF_OBJECT, car: object }));
    expect(status.gaps).to.deep.equal([{ device: "vehicle/car", setting: "maxCapacity", reason: "notDeclared" }]);
    expect(status.observed?.verdict).to.equal("notReady");
    expect(reasonsOf(status)).to.deep.equal(["vehicle/car maxCapacity notDeclared"]);
  });

  it("stays ready as declared if somebody changes a value, and is not ready as observed", () => {
    const status = siteStatusOf(knownOf(READY), findingsOf({ ...AS_DECLARED, roof: { ...ROOF_OBJECT, tilt: 3 } }));
    expect(status.ready).to.equal(true);
    expect(reasonsOf(status)).to.deep.equal(["inverter/roof tilt drift"]);
    expect(deviceOf(status, "inverter/roof")).to.deep.include({ drift: ["tilt"], toApply: [] });
  });

  it("is not known to be ready if values are accepted and not reported, or a device cannot be read", () => {
    const { azimuth: _, ...kept } = ROOF_VALUES;
    const known = knownOf({ ...READY, "inverter/roof": { ...ROOF, reported: kept } });
    const { azimuth: __, ...silent } = ROOF_OBJECT;
    const unseen = siteStatusOf(known, findingsOf({ car: CAR_OBJECT, roof: silent }));
    expect(unseen.observed?.verdict).to.equal("unknown");
    expect(reasonsOf(unseen)).to.deep.equal(["inverter/roof azimuth unseen"]);

    const findings = findingsOf(AS_DECLARED);
    const problem = { problem: { code: "unread", finding: "HTTP 503" } } as const;
    const unread = siteStatusOf(knownOf(READY), {
      ...findings,
      found: new Map([...findings.found, ["acme/car", problem]]),
    });
    expect(unread.observed?.verdict).to.equal("unknown");
    expect(reasonsOf(unread)).to.deep.equal(["vehicle/car unread"]);
  });

  it("is not ready now if a device itself says so, is gone, or is of another kind", () => {
    const says = { setup_complete: false, config: { opt_out: true }, service_status: "inactive_setup_incomplete" };
    const said = siteStatusOf(knownOf(READY), findingsOf({ ...AS_DECLARED, car: { ...CAR_OBJECT, ...says } }));
    expect(reasonsOf(said)).to.deep.equal([
      "vehicle/car setupIncomplete",
      "vehicle/car optedOut",
      "vehicle/car inactive",
    ]);
    expect(deviceOf(said, "vehicle/car")?.says?.meaning).to.be.a("string");
    const gone = siteStatusOf(knownOf(READY), findingsOf({ ...AS_DECLARED, car: undefined }));
    expect(reasonsOf(gone)).to.deep.equal(["vehicle/car gone"]);
    const swapped = siteStatusOf(knownOf(READY), findingsOf({ car: CAR_OBJECT, roof: CAR_OBJECT }));
    expect(reasonsOf(swapped)).to.deep.equal(["inverter/roof otherDevice"]);
    expect([said, gone, swapped].map(({ observed }) => observed?.verdict)).to.deep.equal(Array(3).fill("notReady"));
  });

  it("counts a device that is only observed by what it reports", () => {
    const known = knownOf({ ...READY, "inverter/roof": { observe: true, reported: ROOF_VALUES } });
    const { base_load: _, ...incomplete } = ROOF_OBJECT;
    const status = siteStatusOf(known, findingsOf({ car: CAR_OBJECT, roof: incomplete }));
    expect(status.ready).to.equal(true);
    expect(reasonsOf(status)).to.deep.equal(["inverter/roof baseLoad notReported"]);
    expect(deviceOf(status, "inverter/roof")).to.deep.include({ observe: true, drift: [], unseen: [] });
  });

  it("leaves out a car that declares its policy itself", () => {
    const known = knownOf({ ...READY, "vehicle/taxi": { values: { policy: "CHARGE BY" } } });
    const taxi = { ...CAR_OBJECT, policy: "CHARGE BY", setup_complete: false };
    const status = siteStatusOf(known, findingsOf({ ...AS_DECLARED, taxi }));
    expect(status.observed).to.deep.equal({ verdict: "ready", reasons: [] });
    expect(deviceOf(status, "vehicle/taxi")).to.include({ isLeftOut: true });
  });

  it("knows what was declared also after a refresh put what somebody else set into the state", () => {
    const refreshed = {
      values: { ...ROOF_VALUES, tilt: 3 },
      written: { tilt: 35 },
      reported: { ...ROOF_VALUES, tilt: 3 },
    };
    const known = knownOf({ ...READY, "inverter/roof": refreshed });
    for (const findings of [OFFLINE, findingsOf({ ...AS_DECLARED, roof: { ...ROOF_OBJECT, tilt: 3 } })]) {
      const roof = deviceOf(siteStatusOf(known, findings), "inverter/roof");
      expect(roof).to.deep.include({ drift: ["tilt"], toApply: [], declared: ROOF_VALUES });
    }
    const repaired = deviceOf(siteStatusOf(known, findingsOf(AS_DECLARED)), "inverter/roof");
    expect(repaired?.drift).to.deep.equal([]);
  });

  it("shows a setting that the last update could not apply, and no drift in it", () => {
    const known = knownOf({ ...READY, "inverter/roof": { values: { ...ROOF_VALUES, tilt: 40 } } }, READY);
    const status = siteStatusOf(known, findingsOf(AS_DECLARED));
    expect(status.gaps).to.deep.equal([{ device: "inverter/roof", setting: "tilt", reason: "notAccepted" }]);
    expect(deviceOf(status, "inverter/roof")).to.deep.include({ toApply: ["tilt"], drift: [] });
  });

  it("shows no secret, in values or changes, and whether it has drifted", () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
    const { inverters } = inputsOf("home", READY) as { inverters: { roof: object } };
    const known = knownOf(READY, READY, { inverters: { roof: { ...inverters.roof, tilt: secret } } });
    const change = { time: "2026-11-20T10:00:00Z", by: "x", operation: "update", outcome: "accepted", run: "1" };
    const changes = new Map([["acme/roof", [{ ...change, settings: [{ key: "tilt", from: 3, to: 35 }] }]]]);
    const findings = { ...findingsOf({ ...AS_DECLARED, roof: { ...ROOF_OBJECT, tilt: 3 } }), changes };
    const status = siteStatusOf(known, findings);
    const roof = deviceOf(status, "inverter/roof");
    expect(roof).to.deep.include({ secret: ["tilt"], drift: ["tilt"], toApply: [] });
    for (const values of [roof?.declared, roof?.reported, roof?.baseline]) expect(values).to.not.have.property("tilt");
    expect(roof?.changes[0]?.settings).to.deep.equal([{ key: "tilt" }]);
    expect(siteStatusOf(known, findingsOf(AS_DECLARED)).observed?.verdict).to.equal("ready");
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
  const [resource] = parseExported(exported(READY)).resources;

  it("is as its stack has it if nothing has changed since", () => {
    const status = siteStatusOf(siteInManifest("dev", site(), resource, undefined), findingsOf(AS_DECLARED));
    expect(status).to.deep.include({ ready: true, observed: { verdict: "ready", reasons: [] } });
    expect(status).to.not.have.property("change");
    expect(deviceOf(status, "vehicle/car")?.declared.policy).to.equal(FORECAST);
  });

  it("is not ready before the first update, whatever is declared", () => {
    const status = siteStatusOf(siteInManifest("dev", site(), undefined, undefined), findingsOf(AS_DECLARED));
    expect(status).to.include({ ready: false, change: "new" });
    expect(status.gaps.every(({ reason }) => reason === "notAccepted")).to.equal(true);
    expect(status.gaps).to.have.length(7); // The policy comes of them.
  });

  it("shows what the manifest has changed since, beside what is reported", () => {
    const changed = siteInManifest("dev", site({ tilt: 40 }), resource, undefined);
    const status = siteStatusOf(changed, findingsOf(AS_DECLARED));
    expect(status.gaps).to.deep.equal([{ device: "inverter/roof", setting: "tilt", reason: "notAccepted" }]);
    expect(reasonsOf(status)).to.deep.equal(["inverter/roof tilt toApply"]);
  });

  it("has the lints of the manifest, without those that it switches off", () => {
    const lintsOf = (...given: Parameters<typeof site>) =>
      siteStatusOf(siteInManifest("dev", site(...given), resource, undefined), OFFLINE).devices.flatMap(
        ({ lints }) => lints,
      );
    expect(lintsOf({ azimuth: 22.5 })).to.have.length(1);
    expect(lintsOf({ azimuth: 22.5 }, { ignoreLints: ["azimuth-off-equator"] })).to.deep.equal([]);
  });

  it("reports a device whose business is not known as not read", () => {
    const known = siteInManifest("dev", { ...site(), businessId: undefined as never }, undefined, undefined);
    expect(siteStatusOf(known, findingsOf({})).devices.map(({ problem }) => problem?.code)).to.deep.equal([
      "unread",
      "unread",
    ]);
  });
});
