import type { Run } from "../run";
import { LINT_NAMES, type LintName } from "../settings/lints";
import {
  type Counted,
  type Gap,
  gapInWords,
  gapsBeforePolicy,
  gapsOf,
  type ReadinessMember,
} from "../settings/readiness";
import { type Problem, readLatitude } from "../settings/schema";
import { isObject, omit } from "../settings/setting";
import {
  asMember,
  deviceProblems,
  GROUP_NAMES,
  type Group,
  isSolarSite,
  kindOf,
  labelOf,
  type SiteDevice,
  siteProblems,
} from "../settings/site";
import { siteLints } from "../settings/siteLints";
import { ChargePolicy } from "../settings/vehicle";
import {
  businessRequired,
  type Checked,
  configured,
  defined,
  differences,
  examine,
  isSameDevice,
  markUnknown,
} from "./check";
import type { Owner } from "./claims";
import { knownFacts, type ProgramFacts, UNKNOWN } from "./program";
import type { Properties } from "./state";

/** What tells a site's inputs from those of another site of the program. */
export function siteKey(inputs: Properties): string {
  const devices = GROUP_NAMES.flatMap((group) => Object.values(isObject(inputs[group]) ? inputs[group] : {}));
  return JSON.stringify([inputs.site, devices.map((device) => (device as Properties).deviceId)]);
}

/** A device of a site in the middle of its check. */
interface CheckedDevice {
  readonly device: Pick<SiteDevice, "group" | "name" | "observe" | "policyFromSite">;
  readonly label: string;
  /** Where it stands in the site's arguments: `vehicles.car`. */
  readonly path: string;
  readonly owner: Owner;
  /** What is kept of its inputs. */
  readonly inputs: Properties;
  readonly problems: readonly Problem[];
  readonly lints: readonly string[];
}

/**
 * Everything that is wrong with a site's inputs and the configuration, without a request, and whether the site will be
 * ready. Properties of problems are paths, such as `vehicles.car.maxCapacity`.
 * @param olds the inputs as of the last update or refresh; empty for a new resource
 * @param news the program's inputs, with `site`, the resource's name, and `__program`, which is not kept
 */
export async function checkSite(run: Run, olds: Properties, news: Properties): Promise<Checked> {
  const { __program, site: name, ...given } = news;
  const program = knownFacts(__program);
  const args = readLatitude(defined(given));
  // The warning about an inverter's fields is for sites that have one.
  const groups = GROUP_NAMES.filter((group) => !isObject(args[group]) || Object.keys(args[group]).length > 0);
  const { businessId, problems } = await configured(
    run,
    groups.filter((group) => args[group] !== undefined).map((group) => kindOf({ group })),
  );
  const ofSite = siteProblems(args, (value) => value === UNKNOWN);
  problems.push(...ofSite.map(({ path, reason }) => ({ property: path.join("."), reason })));
  run.claims.release(program.urn);
  const site = { ...args, businessId: args.businessId ?? businessId };
  const devices = problems.length > 0 ? [] : withDuplicates(devicesOf(run, String(name), program, site));
  for (const { path, problems: own } of devices) {
    problems.push(...own.map(({ property, reason }) => ({ property: `${path}.${property}`, reason })));
  }
  if (problems.length > 0) return { inputs: given, problems };

  const isSolar = isSolarSite(
    args.solar,
    devices.map(({ device }) => device),
  );
  const live = liveGaps(devices, program);
  const isUnknown = GROUP_NAMES.some((group) => args[group] === UNKNOWN) || args.solar === UNKNOWN;
  const isUnseen = devices.some(({ device, label }) => device.observe && !program.liveDevices?.[label]);
  const planned = withPolicies(devices, isSolar, olds, live, program);
  const gaps = [...gapsOf(membersOf(planned), isSolar, supposed(program)), ...live];
  const refused = [
    ...claimPolicies(run, planned),
    ...(isUnknown ? [] : requiredProblems(args.requireReady, isSolar, gaps)),
  ];
  if (refused.length > 0) return { inputs: given, problems: refused };
  await report(run, program, olds, planned, isSolar && !isUnknown ? gaps : [], { name: String(name), args });
  const inputs = keptInputs(name, args, planned, { isSolar, gaps, isDecided: !isUnknown && !isUnseen });
  if (program.isPreview) run.previewed.set(siteKey(inputs), program.urn);
  return { inputs, problems: [] };
}

/** The devices of a site, each checked on its own. */
function devicesOf(run: Run, site: string, program: ProgramFacts, args: Properties): CheckedDevice[] {
  return GROUP_NAMES.flatMap((group) => {
    const devices = isObject(args[group]) ? args[group] : {};
    return Object.entries(devices).map(([name, given]) =>
      checkDevice(run, { site, program, args }, group, name, given),
    );
  });
}

/** The devices, of which each that has several names is refused. Without it, they would be sent side by side. */
function withDuplicates(devices: readonly CheckedDevice[]): CheckedDevice[] {
  const labels = new Map<string, string>();
  return devices.map((checked) => {
    const { businessId, deviceId } = checked.inputs;
    if ([businessId, deviceId].some((one) => typeof one !== "string" || one === UNKNOWN)) return checked;
    const id = JSON.stringify([checked.device.group, businessId, deviceId]);
    const other = labels.get(id);
    labels.set(id, other ?? checked.label);
    if (other === undefined) return checked;
    return {
      ...checked,
      problems: [{ property: "deviceId", reason: `is the device of ${other} too: declare it once` }],
    };
  });
}

function checkDevice(
  run: Run,
  { site, program, args }: { site: string; program: ProgramFacts; args: Properties },
  group: Group,
  name: string,
  given: unknown,
): CheckedDevice {
  const kind = kindOf({ group });
  const label = labelOf({ group, name });
  const own = markUnknown(defined(isObject(given) ? given : { deviceId: UNKNOWN }));
  const observe = own.observe === true;
  const shared = defined({ businessId: args.businessId, ...(!observe && { onDelete: args.onDelete }) });
  const settings = { ...shared, ...omit(own, ["observe"]) };
  const path = `${group}.${name}`;
  const latitude = group === "inverters" && args.latitude !== undefined && { latitude: args.latitude };
  const owner = { urn: program.urn, words: `${label} of SiteSettings '${site}'`, kind };
  const ignored = [...ignoredBy(args.ignoreLints), ...(own.policy === undefined ? SAID_BY_SITE : [])];
  const examined = examine(run, owner, { ...latitude, ...settings }, program, ignored);
  const problems = [
    ...deviceProblems(own, examined.problems),
    ...(settings.businessId === undefined ? [businessRequired("businessId")] : []),
  ];
  return {
    device: { group, name, observe, policyFromSite: false },
    label,
    path,
    owner,
    inputs: observe ? { ...examined.inputs, observe } : examined.inputs,
    problems,
    lints: examined.lints,
  };
}

/** Lints of one device that a site says better, as gaps. */
const SAID_BY_SITE: readonly LintName[] = ["ignored-metadata", "forecast-without-metadata", "incomplete-inverter"];

function ignoredBy(ignoreLints: unknown): LintName[] {
  return Array.isArray(ignoreLints) ? ignoreLints.filter((name) => LINT_NAMES.includes(name)) : [];
}

function membersOf(devices: readonly CheckedDevice[]): ReadinessMember[] {
  return devices.map(({ device, inputs }) => asMember(device, inputs));
}

/** What is supposed of each device before the update: that what is declared will be accepted. */
function supposed({ liveDevices = {} }: ProgramFacts): Counted {
  return ({ label, observe, declared }) => {
    if (!observe) return { policy: ChargePolicy.ChargeByForecast, ...declared };
    const live = liveDevices[label];
    return live && "values" in live ? live.values : undefined;
  };
}

/** What a live preview found that keeps the site from being ready: two ids that were swapped, for example. */
function liveGaps(devices: readonly CheckedDevice[], { liveDevices = {} }: ProgramFacts): Gap[] {
  return devices.flatMap(({ label }): Gap[] => {
    const live = liveDevices[label];
    return live && "problem" in live ? [{ device: label, setting: "deviceId", reason: "otherDevice" }] : [];
  });
}

/**
 * Gives cars the policy CHARGE BY FORECAST if nothing that they need is missing. A car of a site that is no longer
 * ready keeps the policy that it has: taking it back is up to a delete.
 */
function withPolicies(
  devices: readonly CheckedDevice[],
  isSolar: boolean,
  olds: Properties,
  live: readonly Gap[],
  program: ProgramFacts,
): CheckedDevice[] {
  const members = membersOf(devices);
  return devices.map((checked, index) => {
    const member = members[index] as ReadinessMember;
    const { group, observe } = checked.device;
    if (!isSolar || group !== "vehicles" || observe || member.isLeftOut) return checked;
    const gaps = gapsBeforePolicy(member, members, isSolar, supposed(program));
    const isBlocked = live.some(({ device }) => device === member.label || device.startsWith("inverter/"));
    const before = oldDevice(olds, group, checked.inputs);
    const kept = before?.policyFromSite === true ? before.policy : undefined;
    const policy = gaps.length === 0 && !isBlocked ? ChargePolicy.ChargeByForecast : kept;
    if (policy === undefined) return checked;
    const device = { ...checked.device, policyFromSite: true };
    return { ...checked, device, inputs: { ...checked.inputs, policy, policyFromSite: true } };
  });
}

/** The inputs in state of a device, whatever it was called: one that gets another name keeps its policy. */
function oldDevice(olds: Properties, group: Group, inputs: Properties): Properties | undefined {
  const devices = Object.values(isObject(olds[group]) ? olds[group] : {});
  return devices.filter(isObject).find((before) => isSameDevice(before, inputs));
}

/** Claims the policies that the site declares. Without it, another resource could declare one of the same car. */
function claimPolicies(run: Run, devices: readonly CheckedDevice[]): Problem[] {
  return devices
    .filter(({ device }) => device.policyFromSite)
    .flatMap(({ path, owner, inputs }) => {
      const { businessId, deviceId, policy } = inputs as { businessId: string; deviceId: string; policy: string };
      if ([businessId, deviceId].includes(UNKNOWN)) return [];
      const { policy: other } = run.claims.add({ businessId, deviceId }, { policy }, owner);
      if (other === undefined) return [];
      const reason = `its policy is declared by ${other} too: declare it in one place, or give the site solar: false`;
      return [{ property: path, reason }];
    });
}

function requiredProblems(requireReady: unknown, isSolar: boolean, gaps: readonly Gap[]): Problem[] {
  if (requireReady !== true || gaps.length === 0) return [];
  const words = gaps.map(gapInWords).join("; ");
  const advice = isSolar ? "declare what is missing, or leave out requireReady" : "leave out requireReady";
  return [{ property: "requireReady", reason: `the site is not ready for solar-aware charging: ${words}; ${advice}` }];
}

/** Warnings of a site: what looks wrong, and what keeps it from being ready. */
async function report(
  run: Run,
  program: ProgramFacts,
  olds: Properties,
  devices: readonly CheckedDevice[],
  gaps: readonly Gap[],
  { name, args }: { name: string; args: Properties },
): Promise<void> {
  const { liveDevices = {}, urn } = program;
  const lints = siteLints(
    devices.filter(({ device }) => !device.observe).map(({ label, inputs }) => ({ label, inputs })),
    ignoredBy(args.ignoreLints),
  );
  const ofDevices = devices.flatMap(({ device, label, inputs, lints: own }) => {
    const before = oldDevice(olds, device.group, inputs) ?? {};
    const live = liveDevices[label];
    const problem = live && "problem" in live ? [live.problem] : [];
    return [...own, ...differences(live, before, inputs), ...problem].map((text) => `${label}: ${text}`);
  });
  for (const text of [...ofDevices, ...lints]) await run.warn(text, urn);
  if (gaps.length === 0) return;
  const words = gaps.map(gapInWords).join("; ");
  await run.warn(`site '${name}' is not ready for solar-aware charging: ${words}`, urn);
}

/** What is kept of a site's inputs. `ready` and what it lacks are in them so that a preview shows them before an update. */
function keptInputs(
  site: unknown,
  args: Properties,
  devices: readonly CheckedDevice[],
  { isSolar, gaps, isDecided }: { isSolar: boolean; gaps: readonly Gap[]; isDecided: boolean },
): Properties {
  const groups = GROUP_NAMES.map((group) => {
    const own = devices.filter(({ device }) => device.group === group);
    return [
      group,
      args[group] === UNKNOWN ? UNKNOWN : Object.fromEntries(own.map(({ device, inputs }) => [device.name, inputs])),
    ];
  });
  const ready = isDecided && { ready: gaps.length === 0, gaps, missing: gaps.map(gapInWords) };
  return {
    site,
    ...Object.fromEntries(groups),
    ...(args.latitude !== undefined && { latitude: args.latitude }),
    solar: args.solar === UNKNOWN ? UNKNOWN : isSolar,
    ...ready,
  };
}
