import { type DeviceOptions, type DriftAnswers, driftAnswersOver, ON_DELETE, OPTION_KEYS } from "./declaration";
import { GROUP_NAMES, kindOf, labelOf } from "./groups";
import { defined, isObject, type Properties, pick } from "./objects";
import { declaredValues } from "./planes";
import { type Gap, gapsBeforePolicy, gapsOf, isFoundByRead } from "./readiness";
import { keysOf, type Value, type Values } from "./setting";
import {
  asMember,
  type DeclaredDevice,
  isSolarSite,
  SITE_OPTIONS,
  type SiteDeclaration,
  type SiteOptions,
} from "./site";
import { ChargePolicy, RECOMMENDED, reportedByCar } from "./vehicle";

/**
 * The keys that a check adds to a site's inputs, because a preview shows them before an update. Every check drops them
 * first.
 */
export const PLANNED_KEYS = ["ready", "gaps", "missing", "policies"] as const;

/** The facts about a site's devices besides their declarations. Default: nothing is known. */
export interface SiteKnowledge {
  /** The reported values of a device; undefined if it was not read yet. */
  readonly reported?: (device: DeclaredDevice) => Values | undefined;
  /** A car's policy that somebody else has set, and that stays because the program keeps it. */
  readonly kept?: (device: DeclaredDevice) => Values;
  /** The policy that the site has given a car; undefined if it gave none. */
  readonly policy?: (car: DeclaredDevice) => Value | undefined;
  /** Whether the id belongs to a device of another kind. */
  readonly isOther?: (device: DeclaredDevice) => boolean;
}

/** The declarations in a site's checked inputs. */
export function declaredSite(inputs: Properties): SiteDeclaration {
  return {
    options: pick(inputs, SITE_OPTIONS) as SiteOptions,
    devices: declaredDevices(inputs),
    unknownGroups: GROUP_NAMES.filter((group) => inputs[group] !== undefined && !isObject(inputs[group])),
  };
}

/** The devices in a site's checked inputs. */
function declaredDevices(inputs: Properties): DeclaredDevice[] {
  return GROUP_NAMES.flatMap((group) =>
    Object.entries(isObject(inputs[group]) ? inputs[group] : {}).map(([name, given]): DeclaredDevice => {
      // If the whole device is unknown, so is its id.
      const device = isObject(given) ? given : { deviceId: given };
      const { deviceId, businessId = inputs.businessId } = device as { deviceId: string; businessId?: string };
      const own = pick(device, OPTION_KEYS) as DeviceOptions;
      const observe = device.observe === true;
      const onDelete = ON_DELETE.find((one) => one === (own.onDelete ?? inputs.onDelete));
      const ofSite = inputs.onDrift as DriftAnswers | undefined;
      const onDrift = driftAnswersOver(ofSite, own.onDrift, keysOf(kindOf({ group })));
      return {
        ...{ group, name, observe, policyFromSite: false, given: given as Properties },
        ...{ businessId: businessId as string, deviceId },
        ...own,
        ...(!observe && defined({ onDelete, onDrift })),
        values: declaredValues(kindOf({ group }), device, inputs.latitude),
      };
    }),
  );
}

/** The devices in checked inputs, with the policies that the check has planned for cars. */
export function plannedDevices(inputs: Properties): DeclaredDevice[] {
  const policies = isObject(inputs.policies) ? (inputs.policies as Values) : {};
  return declaredDevices(inputs).map((device) => {
    const policy = device.group === "vehicles" && !device.observe ? policies[device.name] : undefined;
    if (policy === undefined || device.values.policy !== undefined) return device;
    return { ...device, policyFromSite: true, values: { ...device.values, policy } };
  });
}

/**
 * Whether the readiness of a device depends on its reported values, because the program does not declare all of them.
 */
export function dependsOnRead(
  device: Pick<DeclaredDevice, "group" | "name" | "observe" | "policyFromSite" | "values">,
): boolean {
  const { observe, group, values } = device;
  if (group !== "vehicles") return observe;
  return !asMember(device, values).isLeftOut && RECOMMENDED.some((key) => values[key] === undefined);
}

/**
 * The expected values of a device after an update. Declared values count as accepted, and a car whose policy comes from
 * the site gets it. Of reported values, all count for an observed device; for a car, capacity and charge power.
 * @param reported undefined: the device is assumed to report everything that it has to
 * @param kept somebody else's policy that stays
 */
export function supposedValues(
  device: DeclaredDevice,
  reported: Values | undefined,
  kept: Values = {},
): Values | undefined {
  if (reported === undefined && dependsOnRead(device)) return undefined;
  if (device.observe) return reported;
  return { policy: ChargePolicy.ChargeByForecast, ...reportedByCar(reported ?? {}), ...device.values, ...kept };
}

/**
 * Decides which cars get the policy CHARGE BY FORECAST, and finds the gaps of the site. If a site stops being ready,
 * its cars keep the policy that it gave them: only a delete changes it back.
 * @returns also the devices with the policies that the site gives them, and these policies by the names of the cars
 */
export function planSite(
  { options, devices: declared }: SiteDeclaration,
  { reported, kept, policy, isOther }: SiteKnowledge = {},
) {
  const isSolar = isSolarSite(options.solar, declared);
  const counted = ({ device }: { readonly device: DeclaredDevice }) =>
    supposedValues(device, reported?.(device), kept?.(device));
  const members = (devices: readonly DeclaredDevice[]) => devices.map((device) => asMember(device, device.values));
  const gapsOfCar = gapsBeforePolicy({ members: members(declared), isSolar }, counted);
  const others = declared.filter((device) => isOther?.(device));
  const isBlocked = others.some(({ group }) => group === "inverters");
  const devices = declared.map((device): DeclaredDevice => {
    const member = asMember(device, device.values);
    const isUnknown = !isObject(device.given);
    if (!isSolar || device.group !== "vehicles" || device.observe || member.isLeftOut || isUnknown) return device;
    const gaps = isBlocked || others.includes(device) ? undefined : gapsOfCar(member);
    const isWhole = gaps?.every((some) => some.length === 0) === true;
    const given = isWhole ? ChargePolicy.ChargeByForecast : policy?.(device);
    if (given === undefined)
      return { ...device, isPolicyOpen: gaps?.every((some) => some.every(isFoundByRead)) === true };
    return { ...device, policyFromSite: true, isPolicyHeld: !isWhole, values: { ...device.values, policy: given } };
  });
  const swapped = others.map(
    (device): Gap => ({ device: labelOf(device), setting: "deviceId", reason: "otherDevice" }),
  );
  const gaps = [...gapsOf({ members: members(devices), isSolar }, counted), ...swapped];
  const policies = devices.flatMap(({ name, policyFromSite, values }) =>
    policyFromSite ? [[name, values.policy as Value] as const] : [],
  );
  // Whether some gaps are only known after a read.
  const isUnseen = declared.some((device) => dependsOnRead(device) && reported?.(device) === undefined);
  return { devices, isSolar, gaps, isUnseen, policies: Object.fromEntries(policies) };
}
