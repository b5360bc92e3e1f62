import type { Message } from "../messages/message";
import { LINT_NAMES, type LintName } from "../settings/lints";
import { type Gap, gapsOf, notReady, readinessOf } from "../settings/readiness";
import { readLatitude } from "../settings/schema";
import { isObject, omit } from "../settings/setting";
import { deviceProblems, GROUP_NAMES, type Group, isSolarSite, kindOf, labelOf, siteProblems } from "../settings/site";
import { lintsBesideSite, siteLints } from "../settings/siteLints";
import { businessRequired, type Checked, configured, defined, differences, examine, markUnknown } from "./check";
import { knownFacts, type ProgramFacts, UNKNOWN } from "./program";
import type { Run } from "./run";
import { SecretInputs } from "./secretInputs";
import {
  type CheckedDevice,
  claimPolicies,
  liveGaps,
  membersOf,
  oldDevices,
  requiredProblems,
  supposed,
  withPolicies,
} from "./sitePlan";
import type { Properties } from "./state";

/** What identifies a site's inputs among those of the program. */
export function siteKey(inputs: Properties): string {
  const devices = GROUP_NAMES.flatMap((group) => Object.values(isObject(inputs[group]) ? inputs[group] : {}));
  return JSON.stringify([inputs.site, devices.map((device) => (device as Properties).deviceId)]);
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
  const secrets = new SecretInputs(program.secrets);
  problems.push(...ofSite.map(({ path, reason }) => secrets.hiding({ property: path.join("."), reason })));
  run.claims.release(program.urn);
  const site = { ...args, businessId: args.businessId ?? businessId };
  const devices = problems.length > 0 ? [] : withDuplicates(devicesOf(run, String(name), program, site));
  for (const { path, problems: own } of devices) {
    problems.push(...own.map((problem) => ({ ...problem, property: `${path}.${problem.property}` })));
  }
  if (problems.length > 0) return { inputs: given, problems };

  const isSolar = isSolarSite(
    args.solar,
    devices.map(({ device }) => device),
  );
  const live = liveGaps(devices, program);
  if (args.inverters === UNKNOWN) run.forecasts.seeInverter();
  const isUnknown = GROUP_NAMES.some((group) => args[group] === UNKNOWN) || args.solar === UNKNOWN;
  const isUnseen = devices.some(({ device, label }) => device.observe && !program.liveDevices?.[label]);
  const before = oldDevices(olds);
  const planned = withPolicies(devices, isSolar, before, live, program);
  const gaps = [...gapsOf(membersOf(planned), isSolar, supposed(program)), ...live];
  const refused = [
    ...claimPolicies(run, planned),
    ...(isUnknown ? [] : requiredProblems(args.requireReady, isSolar, gaps)),
  ];
  if (refused.length > 0) return { inputs: given, problems: refused };
  await report(run, program, before, planned, isSolar && !isUnknown ? gaps : [], { name: String(name), args });
  const inputs = keptInputs(name, args, planned, { isSolar, gaps, isDecided: !isUnknown && !isUnseen });
  if (program.isPreview) run.previewed.set(siteKey(inputs), { urn: program.urn, secrets });
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
  const inverters = Object.values(isObject(args.inverters) ? args.inverters : {}).filter(isObject);
  const ignored = [...ignoredBy(args.ignoreLints), ...lintsBesideSite(own, inverters)];
  const secrets = new SecretInputs(program.secrets).below(path);
  const examined = examine(run, owner, { ...latitude, ...settings }, { ...program, secrets }, ignored);
  const problems = [
    ...deviceProblems(own, examined.problems),
    ...(settings.businessId === undefined ? [businessRequired("businessId", run.names)] : []),
  ];
  return {
    device: { group, name, observe, policyFromSite: false },
    label,
    path,
    owner,
    inputs: observe ? { ...examined.inputs, observe } : examined.inputs,
    problems,
    lints: examined.lints,
    secrets,
  };
}

function ignoredBy(ignoreLints: unknown): LintName[] {
  return Array.isArray(ignoreLints) ? ignoreLints.filter((name) => LINT_NAMES.includes(name)) : [];
}

/** Warnings of a site: what looks wrong, and what keeps it from being ready. */
async function report(
  run: Run,
  program: ProgramFacts,
  before: ReturnType<typeof oldDevices>,
  devices: readonly CheckedDevice[],
  gaps: readonly Gap[],
  { name, args }: { name: string; args: Properties },
): Promise<void> {
  const { liveDevices = {}, urn } = program;
  const ofDevices = devices.flatMap((checked) => {
    const { label, inputs, lints, secrets } = checked;
    const live = liveDevices[label];
    const problem = live && "problem" in live ? [live.problem] : [];
    const found = [...lints, ...differences(live, before(checked), inputs, secrets), ...problem];
    return found.map((message): Message => ({ ...message, device: label }));
  });
  const managed = devices.filter(({ device }) => !device.observe);
  const ofSite = siteLints(
    managed.map(({ device, label, inputs, secrets }) => ({
      label,
      inputs,
      secretKeys: secrets.keysOf(kindOf(device)),
    })),
    ignoredBy(args.ignoreLints),
  );
  const lacking = gaps.length > 0 ? [notReady(name, gaps)] : [];
  for (const problem of [...ofDevices, ...ofSite, ...lacking]) {
    run.problem({ ...problem, severity: "warning", operation: "check", site: name });
    await run.warn(problem, urn);
  }
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
  return {
    site,
    ...Object.fromEntries(groups),
    ...(args.latitude !== undefined && { latitude: args.latitude }),
    solar: args.solar === UNKNOWN ? UNKNOWN : isSolar,
    ...(isDecided && readinessOf(gaps)),
  };
}
