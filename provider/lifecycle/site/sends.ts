import { isDeepStrictEqual } from "node:util";
import type { DeviceSends, Send, SendReason } from "../../approval/sends";
import type { Store } from "../../ledger/store";
import { kindOf, labelOf } from "../../settings/groups";
import { planSite } from "../../settings/planSite";
import { type DeviceKind, toPatch, type Values, withWireNames } from "../../settings/setting";
import type { SiteDeclaration, SiteDevice } from "../../settings/site";
import { withBaselines } from "../device/baselines";
import { releaseValues } from "../device/delete";
import { unsent } from "../device/record";
import { fromOutputs, type Properties, stateUnder } from "../device/state";
import { UNKNOWN } from "../run/context";
import { knowledgeOf, policyOf } from "./diff";
import { aloneOf, deviceKey, fromSiteOutputs, type KeptDevice, keptKey, type SiteState, siteUnder } from "./state";

/** The facts outside a site that decide what is sent. */
export interface SendFacts {
  readonly store: Store;
  /** Wire names of inverter settings. */
  readonly inverterFields?: Readonly<Record<string, string>> | undefined;
}

/**
 * The values that an update of a site may send. Reads decide which cars get a policy, so the result has the policy of
 * each car that may get one.
 */
export function sendsOfSite(before: SiteState | undefined, declared: SiteDeclaration, facts: SendFacts): DeviceSends[] {
  const known = before ? siteUnder(before, declared.devices).devices : [];
  const kept = new Map(known.map((one) => [keptKey(one), one]));
  const keptAs = (device: SiteDevice) => kept.get(deviceKey(device));
  const expected = planSite(declared, knowledgeOf(keptAs)).devices;
  const ifAllIsReported = planSite(declared, { policy: (car) => policyOf(keptAs(car)) }).devices;
  // Most devices are equal in both plans. Listed twice, they would have two hashes of each secret.
  const others = ifAllIsReported.filter((device, index) => !isDeepStrictEqual(device.values, expected[index]?.values));
  const sends = sendsOf(known, [...expected, ...others], facts);
  // While a group is unknown, nobody knows which of its devices leave.
  const open = declared.unknownGroups.map((group): DeviceSends => {
    return { label: group, businessId: "", deviceId: "", sends: [], unknown: [group] };
  });
  return [...sends, ...open];
}

/**
 * The values that an update of devices may send, to those that it declares and to those that it releases.
 * @param declared can have a device twice, with different values
 */
export function sendsOf(
  before: readonly KeptDevice[],
  declared: readonly SiteDevice[],
  facts: SendFacts,
): DeviceSends[] {
  const kept = new Map(before.map((one) => [keptKey(one), one]));
  const keys = new Set(declared.map(deviceKey));
  return [
    ...declared
      .filter(({ observe }) => !observe)
      .map((device) => declaredSends(device, kept.get(deviceKey(device)), facts)),
    ...releasesOf(
      before.filter((one) => !keys.has(keptKey(one))),
      facts,
    ),
  ];
}

/**
 * The values that a delete of a whole resource may send, from its outputs: the engine asks no provider about a delete
 * in a preview.
 * @param kind of a device's own resource; undefined for a site
 */
export function releasesOfResource(
  { name, kind }: { readonly name: string; readonly kind?: DeviceKind | undefined },
  outputs: Properties,
  facts: SendFacts,
): DeviceSends[] {
  if (!kind) return releasesOf(fromSiteOutputs(outputs).devices, facts);
  return releasesOf([aloneOf(kind, name, fromOutputs(kind, outputs))], facts);
}

/** The values that the release of devices may send. */
export function releasesOf(devices: readonly KeptDevice[], { store, inverterFields = {} }: SendFacts): DeviceSends[] {
  return devices
    .filter(({ role }) => !role.observe)
    .map(({ role, state: before }) => {
      const state = withBaselines({ store }, before);
      const kind = withWireNames(kindOf(role), inverterFields);
      const { businessId, deviceId, onDelete = "retain" } = state;
      const sends = sendsIn(kind, releaseValues(kind, state), () => "release");
      return { label: labelOf(role), businessId, deviceId, released: onDelete, sends, unknown: [] };
    });
}

function declaredSends(
  device: SiteDevice,
  kept: KeptDevice | undefined,
  { store, inverterFields = {} }: SendFacts,
): DeviceSends {
  const { businessId, deviceId, values } = device;
  const records = kept && !kept.role.observe ? withBaselines({ store }, stateUnder(kept.state, device)).settings : {};
  const changed = unsent(records, values);
  const kind = withWireNames(kindOf(device), inverterFields);
  const ids = Object.entries({ businessId, deviceId });
  return {
    ...{ label: labelOf(device), businessId, deviceId },
    sends: sendsIn(kind, values, (setting) => (setting in changed ? "update" : "repair")),
    unknown: [...ids, ...Object.entries(values)].flatMap(([key, value]) => (value === UNKNOWN ? [key] : [])),
  };
}

function sendsIn(kind: DeviceKind, values: Values, why: (setting: string) => SendReason): Send[] {
  return Object.entries(values).flatMap(([setting, value]) =>
    Object.keys(toPatch(kind, { [setting]: value })).map((field) => ({ setting, field, value, why: why(setting) })),
  );
}
