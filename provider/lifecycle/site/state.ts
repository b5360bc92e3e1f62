import { z } from "zod";
import { MessageError } from "../../messages/message";
import type { DeviceRef } from "../../service/device";
import { type Declaration, type DriftAnswers, driftAnswersOver, OPTION_KEYS } from "../../settings/declaration";
import { GROUP_NAMES, type Group, kindOf, labelOf, type Place, placeOf } from "../../settings/groups";
import { defined, isEmpty, omit, type Properties, pick } from "../../settings/objects";
import { declaredSite, planSite } from "../../settings/planSite";
import { type Gap, GapReason, gapsOf, readinessOf } from "../../settings/readiness";
import { type DeviceKind, keysOf, type Value, type Values } from "../../settings/setting";
import { asMember, type DeclaredDevice, isSolarSite, SITE_OPTIONS, type SiteOptions } from "../../settings/site";
import { valueInWords } from "../../settings/valueWords";
import { reportedByCar } from "../../settings/vehicle";
import { optionChanges } from "../device/diff";
import { acceptedBeforeDrift, isManaged, type Known, managedIn, type Records, reportedIn } from "../device/record";
import {
  besidePlanes,
  fromInputs,
  fromOutputs,
  OPTIONS,
  optionsIn,
  parseOutputs,
  type State,
  shownRecords,
  valuesOf,
} from "../device/state";
import { toId } from "../run/ids";
import { SITE_IMPORT } from "../run/messages";

/** The place of a device in its site, and whether the site observes it or gives it a policy. */
export type Role = Pick<DeclaredDevice, "group" | "name" | "observe" | "policyFromSite">;

/** One device of a site between two runs. */
export interface StoredDevice extends State, Role {
  /** Its ids and options as the program gives them. Missing ones come from its site. */
  readonly given: Properties;
}

/** The facts about a site between two runs: the outputs of its resource, without derived ones. */
export interface SiteState {
  readonly options: SiteOptions;
  readonly devices: readonly StoredDevice[];
  /** Declared settings that the service has not accepted, because an update failed. */
  readonly openGaps: readonly Gap[];
}

/** The role of a device with a resource of its own. @param name of the resource */
function roleAlone(kind: DeviceKind, name: string): Role {
  return { ...(placeOf(`${kind.name}/${name}`) as Place), observe: false, policyFromSite: false };
}

/** The declaration of a device with a resource of its own. @param name of the resource */
export function declaredAlone(kind: DeviceKind, name: string, inputs: Properties): DeclaredDevice {
  return { ...roleAlone(kind, name), given: inputs, ...fromInputs(kind, inputs) };
}

/** The devices of a resource, from its outputs. @param kind of a device's own resource; undefined for a site */
export function devicesInState(
  kind: DeviceKind | undefined,
  name: string,
  outputs: Properties,
): readonly StoredDevice[] {
  if (!kind) return fromSiteOutputs(outputs).devices;
  return [{ ...fromOutputs(kind, outputs), ...roleAlone(kind, name), given: {} }];
}

/** The identity of a device, independent of its name in the site. */
export function deviceKey({ group, businessId, deviceId }: DeviceRef & { readonly group: Group }): string {
  return `${group} ${toId({ businessId, deviceId })}`;
}

/** Whether the site is made ready for solar-aware charging. A failed inverter without state counts too. */
export function isSolarState({ options, devices, openGaps }: SiteState): boolean {
  return isSolarSite(options.solar, [...devices, ...failedIn(openGaps)]);
}

/** The devices with settings that were not accepted, including those without state. */
function failedIn(openGaps: readonly Gap[]): Pick<Role, "group" | "name">[] {
  return openGaps.flatMap(({ device }) => placeOf(device) ?? []);
}

/** The outputs of a site's resource. */
export function toSiteOutputs(state: SiteState): Record<string, unknown> {
  const policies = policiesOf(state);
  return {
    ...state.options,
    devices: Object.fromEntries(state.devices.map((stored) => [labelOf(stored), deviceOutputs(stored)])),
    ...(!isEmpty(policies) && { policies }),
    ...readinessOf(gapsInState(state)),
    unverified: unverifiedIn(state),
  };
}

/** The policies that the site has given its cars, by their names. */
function policiesOf({ devices }: SiteState): Record<string, Value> {
  return Object.fromEntries(
    devices.flatMap((stored) => {
      // A car whose policy was not accepted has none yet.
      const { policy } = valuesOf(stored);
      return stored.policyFromSite && policy !== undefined ? [[stored.name, policy]] : [];
    }),
  );
}

function deviceOutputs(stored: StoredDevice): Record<string, unknown> {
  const { given, physicalDevice, settings } = stored;
  return { ...given, ...defined({ physicalDevice }), ...ownValues(stored), settings: shownRecords(settings) };
}

/** The declaration of a device, with the values in state. */
export function deviceInputs(stored: StoredDevice): Record<string, unknown> {
  return { ...stored.given, ...besidePlanes(stored.given, ownValues(stored)) };
}

function ownValues(stored: StoredDevice): Values {
  const values = valuesOf(stored);
  return stored.policyFromSite ? omit(values, ["policy"]) : values;
}

/** The effect of a site's declarations. */
export type SitePlan = ReturnType<typeof planSite>;

/**
 * The keys that a check adds to the inputs. A known gap makes `ready` false. Without one, `ready` may have to wait
 * for the first read.
 * @param options `isOpen`: whether the gaps are not known yet
 */
export function plannedInputs(
  { gaps, isUnseen, policies }: Pick<SitePlan, "gaps" | "isUnseen" | "policies">,
  { isOpen }: { readonly isOpen: boolean },
): Properties {
  const isDecided = !isOpen && (!isUnseen || gaps.length > 0);
  return {
    ...(isDecided && readinessOf(gaps)),
    ...(!isEmpty(policies) && { policies }),
  };
}

/** The inputs of a site after a refresh. */
export function toSiteInputs(state: SiteState): Record<string, unknown> {
  const { options, devices, openGaps } = state;
  const groups = GROUP_NAMES.map((group) => {
    const own = devices.filter((stored) => stored.group === group);
    return [group, Object.fromEntries(own.map((stored) => [stored.name, deviceInputs(stored)]))];
  });
  const kept = {
    ...Object.fromEntries(groups.filter(([, own]) => !isEmpty(own as object))),
    ...options,
  };
  // Finds the gaps as the next check does. Without this, a refresh and a preview would show different ones.
  const plan = planSite(declaredSite(kept));
  return { ...kept, ...plannedInputs({ ...plan, policies: policiesOf(state) }, { isOpen: openGaps.length > 0 }) };
}

const { planes: _, ...siteOptions } = OPTIONS;

const siteSchema = z.strictObject({
  ...siteOptions,
  solar: z.boolean().optional(),
  requireReady: z.boolean().optional(),
  businessId: z.string().optional(),
  devices: z.record(z.string(), z.looseObject({ deviceId: z.string() })),
  policies: z.record(z.string(), z.string()).default({}),
  gaps: z.array(z.strictObject({ device: z.string(), setting: z.string(), reason: z.enum(GapReason) })).default([]),
  ready: z.unknown().optional(),
  missing: z.unknown().optional(),
  unverified: z.unknown().optional(),
});

/**
 * The state of a site's resource.
 * @throws Error if the outputs contain anything that this version would not write. They are empty if a program or a
 * command reads a site by its id
 */
export function fromSiteOutputs(outputs: Properties): SiteState {
  if (isEmpty(outputs)) throw new MessageError(SITE_IMPORT);
  const parsed = parseOutputs(siteSchema, outputs, "SiteSettings");
  const { devices, policies, gaps } = parsed;
  const options = pick<unknown>(parsed, SITE_OPTIONS) as SiteOptions;
  return {
    options,
    devices: Object.entries(devices).map(([label, device]) => storedDevice(label, device, options, policies)),
    openGaps: gaps.filter(({ reason, setting }) => reason === "notAccepted" && setting !== "policy"),
  };
}

function storedDevice(
  label: string,
  outputs: Properties,
  site: SiteOptions,
  policies: Readonly<Record<string, string>>,
): StoredDevice {
  const place = placeOf(label);
  if (!place)
    throw new Error(
      `the state of SiteSettings has a device '${label}' of a kind that this version does not know. Install the version that wrote it, or a later one`,
    );
  const { group, name } = place;
  const kind = kindOf(place);
  const given = omit<unknown>(outputs, ["settings", "physicalDevice", ...keysOf(kind)]);
  const { observe, ...declared } = outputs;
  const onDrift = driftAnswersOver(site.onDrift, declared.onDrift as DriftAnswers | undefined, keysOf(kind));
  const policy = group === "vehicles" ? policies[name] : undefined;
  const state = fromOutputs(kind, {
    ...pick<unknown>({ ...site }, observe === true ? ["businessId"] : ["businessId", "onDelete"]),
    ...declared,
    ...(onDrift && observe !== true && { onDrift }),
    ...defined({ policy }),
  });
  return { ...state, group, name, observe: observe === true, policyFromSite: policy !== undefined, given };
}

/** A declared device with its state. A policy that the car does not have yet does not count as the site's. */
export function storedOf({ group, name, observe, given, ...device }: DeclaredDevice, state: State): StoredDevice {
  const policyFromSite = device.policyFromSite && isManaged(state.settings.policy);
  const own = pick(given, ["deviceId", "businessId", "observe", ...OPTION_KEYS]);
  return { ...state, group, name, observe, policyFromSite, given: own };
}

/** The declaration of a device of a site, without its place. */
export function declarationOf({ values, ...device }: DeclaredDevice): Declaration {
  return { ...optionsIn(device), values };
}

/** A device that could not leave its site, with the options that the site gave it and no longer has. */
export function detached(stored: StoredDevice, site: SiteOptions): StoredDevice {
  const changed = optionChanges(site, stored, ["businessId", "onDelete", "onDrift"]);
  return {
    ...stored,
    given: { ...stored.given, ...Object.fromEntries(changed.map(({ key, after }) => [key, after])) },
  };
}

/**
 * The values of a device that count for readiness: the declared values that were accepted, and a car's reported
 * capacity and charge power. A later change by somebody else is drift, not a gap, unless the program keeps it. For an
 * observed device, the reported values.
 * @param declared default: the declaration at the time of acceptance
 */
export function countedValues(
  { observe, settings }: { observe: boolean; settings: Records },
  declared?: Values,
): Values {
  if (observe) return reportedIn(settings);
  const counted = Object.entries(settings).flatMap(([key, record]) => {
    if (!isManaged(record)) return Object.entries(reportedByCar({ [key]: record.reported }));
    if (record.status === "uncertain") return [];
    const ours = acceptedBeforeDrift(record) as Value;
    const isAsDeclared = declared === undefined || [ours, record.value].includes(declared[key] as Value);
    return isAsDeclared ? [[key, record.status === "kept" ? record.reported : ours]] : [];
  });
  return Object.fromEntries(counted);
}

/** The gaps of a site according to its declared and accepted values. Drift is not a gap. */
export function gapsInState(site: SiteState): Gap[] {
  const { devices, openGaps } = site;
  const members = devices.map((stored) => asMember(stored, valuesOf(stored)));
  // A device without state counts as one of the site. Without this, the site would seem to have no such device.
  const failed = failedIn(openGaps).map((place) => {
    return {
      kind: kindOf(place),
      label: labelOf(place),
      observe: false,
      isLeftOut: true,
      declared: {},
      device: undefined,
    };
  });
  const gaps = gapsOf(
    { members: [...members, ...failed], isSolar: isSolarState(site) },
    ({ device }) => device && countedValues(device),
  );
  const isOpen = (gap: Gap) => openGaps.some(({ device, setting }) => device === gap.device && setting === gap.setting);
  const ofSite = new Set(devices.filter(({ policyFromSite }) => policyFromSite).map(labelOf));
  return withoutConsequences([...gaps.filter((gap) => !isOpen(gap)), ...openGaps], ofSite);
}

/** The gaps without policies that only wait for another gap. @param ofSite cars whose policy comes from the site */
function withoutConsequences(gaps: readonly Gap[], ofSite: ReadonlySet<string>): Gap[] {
  const causes = gaps.filter(
    ({ device, setting, reason }) => setting !== "policy" || (reason !== "notAccepted" && !ofSite.has(device)),
  );
  return causes.length > 0 ? causes : [...gaps];
}

/**
 * The accepted settings that the service does not report as declared, such as `vehicle/car: maxCapacity accepted, not
 * reported`.
 */
function unverifiedIn({ devices }: SiteState): string[] {
  return devices.flatMap((stored) =>
    managedIn(stored.settings).flatMap(([key, record]) => {
      const words = unverified(key, record);
      return words === undefined ? [] : [`${labelOf(stored)}: ${key} ${words}`];
    }),
  );
}

function unverified(key: string, record: Known): string | undefined {
  switch (record.status) {
    case "notReported":
      return "accepted, not reported";
    case "adjusted":
      return `accepted, and kept as ${valueInWords(key, record.reported)}`;
    case "pending":
      return record.reported === undefined
        ? "accepted, not read back"
        : `accepted, ${valueInWords(key, record.reported)} is still shown`;
    default:
      return undefined;
  }
}
