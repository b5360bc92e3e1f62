import type { LoneDevice, Status } from "../../cli/status/model";
import type { DeviceView, Observed, SiteView, Update } from "../../cli/view/model";
import type { Panels } from "../../measure/sky/plane";
import type { Values } from "../../provider/settings/setting";

const VEHICLE = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
const INVERTER = { peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };

/** A device as declared, with the given changes. */
export function device(label: string, changes: Partial<LoneDevice> = {}): LoneDevice {
  const values = label.startsWith("vehicle/") ? VEHICLE : INVERTER;
  return {
    device: `acme/${label.split("/")[1]}`,
    businessId: "acme",
    deviceId: label.split("/")[1] as string,
    label,
    stack: "dev",
    group: label.startsWith("vehicle/") ? "vehicles" : "inverters",
    observe: false,
    policyFromSite: false,
    isLeftOut: false,
    declared: values,
    reported: values,
    settings: {},
    secret: [],
    drift: [],
    kept: [],
    toApply: [],
    unseen: [],
    ownStatus: { setupComplete: true },
    updates: [],
    warnings: [],
    ...changes,
  };
}

/** A site of these devices with their declared values. */
export function declaredSite(
  devices: readonly { readonly label: string; readonly values: Values; readonly planes?: readonly Panels[] }[],
  changes: Partial<SiteView> = {},
): SiteView {
  const views = devices.map(({ label, values, planes }) =>
    device(label, { declared: values, reported: {}, ...(planes && { planes }) }),
  );
  const { observed: _, ...home } = site("home", { latitude: 48.1, devices: views });
  return { ...home, ...changes };
}

const READY: Observed = { verdict: "ready", reasons: [] };

/** A ready site of a car and an inverter, with the given changes. */
export function site(name: string, changes: Partial<SiteView> = {}): SiteView {
  return {
    name,
    stack: "dev",
    isSite: true,
    solar: true,
    latitude: 52.5,
    ready: true,
    gaps: [],
    observed: READY,
    warnings: [],
    devices: [device(`inverter/roof-${name}`), device(`vehicle/car-${name}`)],
    ...changes,
  };
}

/** The status of these sites, with matching counts. */
export function statusWith(sites: readonly SiteView[], changes: Partial<Status> = {}): Status {
  const solar = sites.filter((one) => one.solar);
  const devices = sites.flatMap((one) => one.devices);
  const of = (verdict: Observed["verdict"]) => solar.filter(({ observed }) => observed?.verdict === verdict).length;
  return {
    of: "fleet",
    name: "acme",
    time: "2026-11-22T07:20:00.000Z",
    isOffline: false,
    counts: {
      sites: sites.length,
      solar: solar.length,
      ready: solar.filter(({ ready }) => ready).length,
      otherPolicies: 0,
      observed: { ready: of("ready"), notReady: of("notReady"), unknown: of("unknown") },
      leaving: 0,
      devices: devices.length,
      drifted: devices.filter(({ drift }) => drift.length > 0).length,
      unread: devices.filter(({ problem }) => problem).length,
      toApply: devices.filter(({ toApply }) => toApply.length > 0).length,
      warnings: [...sites, ...devices].flatMap(({ warnings }) => warnings).length,
    },
    sites,
    devices: [],
    stackErrors: [],
    ...changes,
  };
}

/** A fleet of this many sites of five devices each. Some sites lack something, and each device has ten changes. */
export function largeStatus(count: number): Status {
  const sites = Array.from({ length: count }, (_, index) => siteOfFleet(index));
  const rank = ({ solar, ready, observed }: SiteView) =>
    solar ? (ready ? ["notReady", "unknown", "ready"].indexOf(observed?.verdict ?? "") : -1) : 3;
  return statusWith(
    sites.sort((a, b) => rank(a) - rank(b)),
    {
      name: "acme-charging",
      rollout: {
        time: "2026-11-21T21:04:00.000Z",
        outcome: "stopped",
        reason: "wave rest: 41 of 700 devices failed; at most 5% may fail",
        waves: [
          { wave: "canary", stacks: 1, ok: 5, failed: 0, notDone: 0 },
          { wave: "share", stacks: 2, ok: 294, failed: 1, notDone: 0 },
          { wave: "rest", stacks: 3, ok: 655, failed: 41, notDone: 4 },
        ],
      },
    },
  );
}

function siteOfFleet(index: number): SiteView {
  const name = `site-${String(index).padStart(4, "0")}`;
  const stack = `shard-${String((index % 20) + 1).padStart(2, "0")}-of-20`;
  const updates = Array.from({ length: 10 }, (_, age) => updateOf(index, age));
  const of = (label: string, id: string, change: Partial<DeviceView> = {}) =>
    device(label, { device: `acme/${id}-${name}`, stack, updates, ...change });
  const roof = `inverter/roof`;
  const vans = [1, 2, 3, 4].map((van) => of(`vehicle/van-${van}`, `van-${van}`));
  const devices = [of(roof, "roof"), ...vans];
  const base = { stack, latitude: 47 + (index % 70) / 10, devices };
  const { baseLoad: _, ...incomplete } = INVERTER;
  switch (index % 31) {
    case 3: {
      const gap = { device: roof, setting: "baseLoad" };
      return site(name, {
        ...base,
        ready: false,
        gaps: [{ ...gap, reason: "notDeclared" }],
        observed: { verdict: "notReady", reasons: [{ ...gap, code: "notDeclared" }] },
        devices: [of(roof, "roof", { declared: incomplete, reported: incomplete }), ...vans],
      });
    }
    case 9: {
      const drifted = of(roof, "roof", { reported: { ...INVERTER, azimuth: 22.5 }, drift: ["azimuth"] });
      const reasons = [{ device: roof, setting: "azimuth", code: "drift" as const }];
      return site(name, { ...base, observed: { verdict: "notReady", reasons }, devices: [drifted, ...vans] });
    }
    case 14: {
      const out = of("vehicle/van-1", "van-1", {
        ownStatus: {
          setupComplete: true,
          optedOut: true,
          optedOutUntil: "2026-12-01",
          serviceStatus: "inactive_opted_out",
        },
      });
      const reasons = [{ device: "vehicle/van-1", code: "optedOut" as const }];
      return site(name, {
        ...base,
        observed: { verdict: "notReady", reasons },
        devices: [devices[0] as DeviceView, out, ...vans.slice(1)],
      });
    }
    case 21: {
      const silent = vans.map((van) => ({ ...van, reported: { policy: VEHICLE.policy }, unseen: ["maxCapacity"] }));
      const reasons = silent.map(({ label }) => ({ device: label, setting: "maxCapacity", code: "unseen" as const }));
      return site(name, {
        ...base,
        observed: { verdict: "unknown", reasons },
        devices: [devices[0] as DeviceView, ...silent],
      });
    }
    case 27:
      return withoutSun(name, stack, vans);
    default:
      return site(name, base);
  }
}

function withoutSun(name: string, stack: string, devices: readonly DeviceView[]): SiteView {
  const { observed: _, ...rest } = site(name, { stack, solar: false, ready: false, devices });
  return rest;
}

function updateOf(index: number, age: number): Update {
  const run = (index * 7919 + age * 104_729) % 1_000_000;
  return {
    time: new Date(Date.parse("2026-11-21T21:00:00Z") - age * 86_400_000 - index * 1000).toISOString(),
    by: `https://github.com/acme/fleet/actions/runs/${run}`,
    operation: age === 9 ? "create" : "update",
    outcome: "accepted",
    run: `run-${run}`,
    settings: [{ key: "maxCapacity", from: 60_000 + age * 1000, to: 61_000 + age * 1000 }],
  };
}
