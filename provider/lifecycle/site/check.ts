import type { Store } from "../../ledger/store";
import type { Message } from "../../messages/message";
import { GROUP_NAMES, type Group, kindOf, labelOf, type Place } from "../../settings/groups";
import { ignoredBy } from "../../settings/lints";
import { defined, isEmpty, isObject, omit, type Properties, pick, UNKNOWN } from "../../settings/objects";
import { declaredSite, PLANNED_KEYS, plannedDevices, planSite } from "../../settings/planSite";
import { type Gap, notReady, readinessOf } from "../../settings/readiness";
import { type Problem, readLatitude } from "../../settings/schema";
import { type DeclaredDevice, deviceProblems, isSolarSite, keysInSite, siteProblems } from "../../settings/site";
import { lintsBesideSite, siteLints } from "../../settings/siteLints";
import { ChargePolicy } from "../../settings/vehicle";
import {
  businessRequired,
  type Checked,
  type CheckedInputs,
  type CheckRun,
  changesFold,
  checkConfiguration,
  claimProblems,
  differences,
  examine,
  FORECAST_ALONE,
  markUnknown,
  NOTHING_DECLARED,
  refuse,
  unlessIgnored,
} from "../device/check";
import type { Context } from "../run/context";
import { NO_INVERTER, OWN_POLICIES } from "../run/messages";
import type { SecretInputs } from "../run/secretInputs";
import { deviceKey, plannedInputs, type SitePlan } from "./state";

/** A device of a site during its check. */
interface CheckedDevice {
  readonly group: Group;
  readonly name: string;
  readonly label: string;
  /** The path in the site's arguments: `vehicles.car`. */
  readonly path: string;
  /** Its arguments in the form that state keeps. */
  readonly inputs: unknown;
  readonly problems: readonly Problem[];
  readonly hasBusiness: boolean;
  /** The keys that it claims; undefined if its inputs are refused or its ids are not known yet. */
  readonly claim?: Parameters<Store["add"]>[0][number] | undefined;
  readonly lints: readonly Message[];
  /** The plane that is sent in place of several. */
  readonly fold?: Message | undefined;
  readonly secrets: SecretInputs;
}

/**
 * Finds all problems of a site's inputs and of the configuration, without a request, and whether the site will be
 * ready. Properties of problems are paths, such as `vehicles.car.maxCapacity`.
 */
export async function checkSite(run: CheckRun, context: Context, { olds, news }: CheckedInputs): Promise<Checked> {
  const { urn, live } = context;
  // Only sites with inverters need the warning about their wire names.
  const groups = GROUP_NAMES.filter((group) => !isEmpty(Object(news[group])));
  const { businessId, problems: ofConfiguration } = await checkConfiguration(
    run,
    groups.map((group) => kindOf({ group })),
  );
  run.store.forget(urn);
  const { given, devices, kept, isUnknown, ...examined } = examineSite(context, news, businessId);
  // A configuration that cannot be used would make each device lack its business.
  const wrong = [
    ...ofConfiguration,
    ...(ofConfiguration.length > 0 ? [] : lackingBusiness(devices, run)),
    ...examined.problems,
  ];
  if (wrong.length > 0) return { inputs: given, problems: [...wrong, ...claimDevices(run.store, devices)] };

  // By id rather than name: a renamed device keeps its policy.
  const before = new Map(plannedDevices(olds).map((device) => [deviceKey(device), device]));
  const planWith = (found: Context["live"]) =>
    planSite(declaredSite(kept), {
      reported: (device) => found[labelOf(device)]?.values,
      policy: (car) => {
        const known = before.get(deviceKey(car));
        return known?.policyFromSite ? known.values.policy : undefined;
      },
      isOther: (device) => found[labelOf(device)]?.problem !== undefined,
    });
  const plan = planWith(live);
  const planned = plannedInputs(plan, { isOpen: isUnknown });
  // An update reads later than its check. Without this, it would violate the plan of a live preview.
  const isRead =
    planned.ready === true && !isEmpty(live) && plannedInputs(planWith({}), { isOpen: false }).ready !== true;
  const refused = [
    ...claimDevices(run.store, devices, plan),
    ...(isUnknown ? [] : requiredProblems(kept.requireReady, plan)),
  ];
  if (refused.length > 0) return { inputs: given, problems: refused };
  const oldInputs = (device: DeclaredDevice) => before.get(deviceKey(device))?.values ?? {};
  const [hint, earlier] = [hintOf(kept, plan.devices), hintOf(olds, [...before.values()])];
  // Once. Without this, every preview of depots without roofs would repeat the line.
  if (!isUnknown && hint && hint.code !== earlier?.code) {
    await run.report[hint === FORECAST_ALONE ? "warn" : "info"](hint, urn);
  }
  const gaps = plan.isSolar && !isUnknown ? plan.gaps : [];
  await report(run, context, { devices, plan, oldInputs, gaps, isUnknown }, kept);
  return {
    inputs: { ...kept, ...(isUnknown ? UNKNOWN_PLAN : planned), ...(isRead && UNKNOWN_READINESS) },
    problems: [],
  };
}

/** The keys of a check that only the update knows. Left out, an update plan would not allow the update to add them. */
const UNKNOWN_PLAN = Object.fromEntries(PLANNED_KEYS.map((key) => [key, UNKNOWN]));

const UNKNOWN_READINESS = omit(UNKNOWN_PLAN, ["policies"]);

/**
 * Parses inputs with the rules of the check, see `parse` of a device.
 * @throws MessageError for inputs that the check would refuse
 */
export function parseSite(run: Pick<CheckRun, "report">, context: Context, news: Properties): Properties {
  const { devices, kept, isUnknown, problems } = examineSite(context, news);
  const isReadyRequired = problems.length === 0 && !isUnknown;
  refuse([
    ...problems,
    ...lackingBusiness(devices, run),
    ...(isReadyRequired ? requiredProblems(kept.requireReady, planSite(declaredSite(kept))) : []),
  ]);
  return { ...kept, ...pick<unknown>(news, PLANNED_KEYS) };
}

/** The result of checking the inputs of a site. */
interface ExaminedSite {
  /** The inputs without the keys that an earlier check added, which the engine restores with `ignoreChanges`. */
  readonly given: Properties;
  /** The inputs in the form that state keeps. */
  readonly kept: Properties;
  readonly devices: readonly CheckedDevice[];
  readonly problems: readonly Problem[];
  /** Whether only the update knows all devices of the site, and whether it is solar. */
  readonly isUnknown: boolean;
}

/** Checks the inputs of a site alone, without its configuration and other resources. */
function examineSite(context: Context, news: Properties, businessId?: string): ExaminedSite {
  const given = omit<unknown>(news, PLANNED_KEYS);
  const own = readLatitude(defined({ ...given, businessId: given.businessId ?? businessId }));
  // An answer to drift that only the update knows makes the whole argument unknown.
  const site = { ...own, ...markUnknown(pick<unknown>(own, ["onDrift"])) };
  const ofSite = siteProblems(site, (value) => value === UNKNOWN);
  // Devices are checked even if the site itself has problems: a misspelled key must not hide theirs. They do not
  // inherit refused arguments.
  const refusedKeys = ofSite.map(({ path: [key = ""] }) => key);
  const devices = examineDevices(context, omit<unknown>(site, refusedKeys));
  return {
    ...{ given, devices, kept: { ...site, ...groupsOf(site, devices) } },
    problems: [
      ...ofSite.map(({ path, reason }) => context.secrets.hiding({ property: path.join("."), reason })),
      ...devices.flatMap(problemsIn),
    ],
    // A group, or one of its devices, can be one unknown value.
    isUnknown: [
      site.solar,
      ...GROUP_NAMES.flatMap((group) => [site[group], ...Object.values(Object(site[group]))]),
    ].includes(UNKNOWN),
  };
}

/** The problems of a device, with their paths in the site. */
function problemsIn({ path, problems }: Pick<CheckedDevice, "path" | "problems">): Problem[] {
  return problems.map((problem) => ({ ...problem, property: `${path}.${problem.property}` }));
}

/** The problems of devices without a business. */
function lackingBusiness(devices: readonly CheckedDevice[], run: Pick<CheckRun, "report">): Problem[] {
  return devices.flatMap(({ path, hasBusiness }) =>
    hasBusiness ? [] : problemsIn({ path, problems: [businessRequired(run)] }),
  );
}

/**
 * The hint about a site whose cars do not follow the forecast: it has only vehicles, or each of them declares
 * CHARGE BY. The gaps of a site with `solar: true` show that its inverter is missing.
 */
function hintOf(site: Properties, devices: readonly DeclaredDevice[]): Message | undefined {
  const cars = devices.filter(({ group }) => group === "vehicles");
  const policies = cars.flatMap(({ observe, values }) => (observe ? [] : [values.policy]));
  if (cars.length > 0 && cars.length === devices.length && site.solar !== true) {
    if (policies.includes(ChargePolicy.ChargeByForecast)) return unlessIgnored(site, FORECAST_ALONE)[0];
    if (site.solar === undefined) return NO_INVERTER;
  }
  const isOwn = policies.length > 0 && policies.every((policy) => policy === ChargePolicy.ChargeBy);
  return isOwn && isSolarSite(site.solar, devices) ? OWN_POLICIES : undefined;
}

/**
 * The devices of a site, each checked alone. A device with several names is refused, because its updates would run in
 * parallel.
 */
function examineDevices(context: Context, site: Properties): CheckedDevice[] {
  const inverters = Object.values(isObject(site.inverters) ? site.inverters : {}).filter(isObject);
  // One such inverter is enough. With all of them, the time of a check would grow with the square of the devices.
  const loads = inverters.filter(({ baseLoad }) => baseLoad !== undefined && baseLoad !== 0).slice(0, 1);
  const names = new Map<string, string>();
  return GROUP_NAMES.flatMap((group) =>
    Object.entries(isObject(site[group]) ? site[group] : {}).map(([name, given]) => {
      const { businessId = site.businessId, deviceId } = isObject(given) ? given : {};
      const isKnown = [businessId, deviceId].every((id) => typeof id === "string" && id !== UNKNOWN);
      const id = JSON.stringify([group, businessId, deviceId]);
      const other = names.get(id);
      const checked = examineDevice(context, { group, name, given }, site, loads);
      if (isKnown) names.set(id, other ?? checked.label);
      if (other === undefined) return checked;
      // A second name of a device claims nothing. With thousands of them, each claim would be compared with all others.
      const problems = [{ property: "deviceId", reason: `is the device of ${other} too: declare it once` }];
      return { ...checked, problems, claim: undefined };
    }),
  );
}

/**
 * Claims the devices for this site, with the policies that it gives its cars. Without these, another resource could
 * declare a policy of the same car.
 * @param plan undefined if the site has problems
 * @returns the problems of devices that another resource declares too
 */
function claimDevices(store: Store, devices: readonly CheckedDevice[], plan?: SitePlan): Problem[] {
  const cars = new Map(plan?.devices.flatMap((car) => (car.policyFromSite ? [[labelOf(car), car.values.policy]] : [])));
  const claiming = devices.flatMap(({ claim, label, path }) => {
    const policy = cars.has(label) && { policy: cars.get(label) };
    return claim ? [{ path, policy, claim: { ...claim, values: { ...claim.values, ...policy } } }] : [];
  });
  return store.add(claiming.map(({ claim }) => claim)).flatMap((others, index) => {
    const { path, policy } = claiming[index] as (typeof claiming)[number];
    if (!policy || others.policy === undefined) return problemsIn({ path, problems: claimProblems(others) });
    const reason = `its policy is declared by ${others.policy} too: declare it once, or declare solar: false for the site`;
    return [...problemsIn({ path, problems: claimProblems(omit(others, ["policy"])) }), { property: path, reason }];
  });
}

/**
 * Checks a device's arguments under those of its site.
 * @param inverters those of the site, which decide about warnings
 */
function examineDevice(
  { name: siteName, urn, secrets: all }: Context,
  { given, ...place }: Place & { given: unknown },
  site: Properties,
  inverters: readonly Properties[],
): CheckedDevice {
  const kind = kindOf(place);
  const label = labelOf(place);
  const path = `${place.group}.${place.name}`;
  const own = markUnknown(defined(isObject(given) ? given : { deviceId: UNKNOWN }));
  const observe = own.observe === true;
  const shared = defined({
    businessId: site.businessId,
    ...(!observe && { onDelete: site.onDelete }),
    ...(place.group === "inverters" && { latitude: site.latitude }),
  });
  const owner = { urn, words: `${label} of SiteSettings '${siteName}'`, kind: kind.name };
  const secrets = all.below(path);
  const whole: Properties = { ...shared, ...omit(own, ["observe"]) };
  const { device, values, lints, fold, ...examined } = examine(kind, whole, {
    secrets,
    ignore: [...ignoredBy(site), ...lintsBesideSite(own, inverters)],
    allowed: keysInSite(kind),
  });
  const claim = device && values && { ...device, ...owner, values };
  const problems = deviceProblems(own, examined.problems);
  const hasBusiness = whole.businessId !== undefined;
  const inputs = isObject(given) ? { ...own, ...pick(examined.inputs, Object.keys(own)) } : given;
  return { ...place, label, path, inputs, problems, hasBusiness, claim, lints, fold, secrets };
}

/** The maps of devices in the form that state keeps. */
function groupsOf(site: Properties, devices: readonly CheckedDevice[]): Properties {
  const maps = GROUP_NAMES.filter((group) => isObject(site[group])).map((group) => {
    const own = devices.filter((device) => device.group === group);
    return [group, Object.fromEntries(own.map(({ name, inputs }) => [name, inputs]))];
  });
  return Object.fromEntries(maps);
}

function requiredProblems(requireReady: unknown, { isSolar, gaps }: SitePlan): Problem[] {
  if (requireReady !== true || gaps.length === 0) return [];
  const words = readinessOf(gaps).missing.join("; ");
  const advice = isSolar ? "declare what is missing, or leave out requireReady" : "leave out requireReady";
  return [{ property: "requireReady", reason: `the site is not ready for solar-aware charging: ${words}; ${advice}` }];
}

/** The findings of a check that are reported. */
interface Findings {
  readonly devices: readonly CheckedDevice[];
  readonly plan: SitePlan;
  readonly oldInputs: (device: DeclaredDevice) => Properties;
  readonly gaps: readonly Gap[];
  readonly isUnknown: boolean;
}

/** Warns of doubtful values and of the site's gaps. */
async function report(
  { report: { warn, info } }: CheckRun,
  { name, urn, live }: Context,
  { devices, plan, oldInputs, gaps, isUnknown }: Findings,
  args: Properties,
): Promise<void> {
  const planned = new Map(plan.devices.map((device) => [labelOf(device), device]));
  const all = devices.map((device) => ({ ...device, device: planned.get(device.label) as DeclaredDevice }));
  const ofDevices = all.flatMap(({ label, device, lints, secrets }) => {
    const found = [...lints, ...differences(live[label], oldInputs(device), device.values, secrets)];
    return found.map((message): Message => ({ ...message, device: label }));
  });
  for (const { label, device, fold } of all) {
    if (fold && changesFold(oldInputs(device), device.values)) await info({ ...fold, device: label }, urn);
  }
  const managed = all.filter(({ device }) => !device.observe);
  const ofSite = siteLints(
    managed.map(({ label, device, secrets }) => ({
      label,
      inputs: device.values,
      secretKeys: secrets.keysOf(kindOf(device)),
    })),
    ignoredBy(args),
  );
  const lacking = gaps.length > 0 ? [notReady(name, gaps)] : [];
  const isSilent = plan.devices.every(({ observe, values }) => !observe && isEmpty(values));
  const nothing = isSilent && !isUnknown ? unlessIgnored(args, NOTHING_DECLARED) : [];
  for (const problem of [...ofDevices, ...ofSite, ...lacking, ...nothing]) await warn(problem, urn);
}
