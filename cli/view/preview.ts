import { isDeepStrictEqual } from "node:util";
import type { ResourceKind } from "../../provider/engine/tokens";
import { restoredIn } from "../../provider/lifecycle/device/delete";
import type { Records } from "../../provider/lifecycle/device/record";
import { SECRET } from "../../provider/messages/message";
import { keepsDrift } from "../../provider/settings/declaration";
import { type Group, labelOf } from "../../provider/settings/groups";
import type { Properties } from "../../provider/settings/objects";
import { defined, isEmpty, isObject, omit, pick } from "../../provider/settings/objects";
import { planesOf } from "../../provider/settings/planes";
import { plannedDevices } from "../../provider/settings/planSite";
import { type Gap, GapReason } from "../../provider/settings/readiness";
import type { Value } from "../../provider/settings/setting";
import { asMember, type DeclaredDevice, isSolarSite } from "../../provider/settings/site";
import { ChargePolicy } from "../../provider/settings/vehicle";
import { type DeviceFacts, siteView } from "./device";
import { lintsOfDevice } from "./lints";
import type { SiteView } from "./model";
import type { PreviewState } from "./pulumiPreview";

/** A resource in the output of a preview. */
interface PreviewResource {
  readonly kind: ResourceKind;
  readonly name: string;
  readonly stack: string;
}

/**
 * A site, or a device without one, on one side of a step of a preview. Values that are not known yet are the engine's
 * placeholders.
 * @param kept the outputs of the last update
 */
export function siteInPreview(
  { kind, name, stack }: PreviewResource,
  state: PreviewState,
  kept: Properties = {},
): SiteView {
  const { inputs = {}, outputs = {} } = state;
  const isSite = kind === "site";
  const group: Group = kind === "vehicle" ? "vehicles" : "inverters";
  const site = isSite ? inputs : { ...pick<unknown>(inputs, ["latitude"]), [group]: { [name]: inputs } };
  const own = isEmpty(inputs) ? [] : factsIn(site, kept, { isSite });
  const facts = isSite ? own : own.map((one) => ({ ...one, warnings: lintsOfDevice(group, inputs, one.secret) }));
  const gaps: Gap[] = (Array.isArray(inputs.gaps) ? inputs.gaps : []).filter(isGap);
  const keptGaps = (isSite ? keptPolicyGaps({ ...kept, ...outputs }, plannedDevices(site)) : []).filter(
    (one) => !gaps.some((gap) => isDeepStrictEqual(gap, one)),
  );
  const ready = outputs.ready ?? (keptGaps.length > 0 ? false : inputs.ready);
  const about = {
    ...{ name, stack, solar: isSite && isSolarSite(inputs.solar, facts) },
    ...(typeof site.latitude === "number" && { latitude: site.latitude }),
  };
  const { ready: _, ...view } = siteView(about, isSite ? inputs : {}, facts);
  const known = isSite && typeof ready === "boolean" && { ready };
  return { ...view, isSite, gaps: [...gaps, ...keptGaps], ...known };
}

/**
 * The gaps of cars whose policy somebody else set, and the program keeps. A check does not see state, so it counts the
 * declared policy. Without these gaps, each preview would say that the site becomes ready.
 * @param outputs of the site before the update
 */
function keptPolicyGaps(outputs: Properties, declared: readonly DeclaredDevice[]): Gap[] {
  const devices = isObject(outputs.devices) ? outputs.devices : {};
  return declared.flatMap((device): Gap[] => {
    const { settings } = (devices[labelOf(device)] ?? {}) as { readonly settings?: Records };
    const record = settings?.policy;
    const isLeftOut = device.observe || asMember(device, device.values).isLeftOut;
    if (record?.status !== "kept" || isLeftOut || !keepsDrift(device, "policy")) return [];
    const isOther = record.reported !== ChargePolicy.ChargeByForecast;
    return isOther ? [{ device: labelOf(device), setting: "policy", reason: "otherPolicy" }] : [];
  });
}

/** Whether this version knows the gap: another one may have written the preview. */
function isGap(gap: unknown): gap is Gap {
  return isObject(gap) && Object.values<unknown>(GapReason).includes(gap.reason);
}

function factsIn(site: Properties, kept: Properties, { isSite }: { readonly isSite: boolean }): DeviceFacts[] {
  const outputs = isObject(kept.devices) ? kept.devices : {};
  return plannedDevices(site).flatMap((device) => {
    const { group, name, observe, policyFromSite, given } = device;
    if (!isObject(given)) return []; // The whole device is a secret.
    const { onDelete = site.onDelete } = given as Properties;
    const secret = Object.entries<unknown>(device.values).flatMap(([key, value]) => (value === SECRET ? [key] : []));
    const own = (outputs[labelOf(device)] ?? (isSite ? {} : kept)) as Properties;
    const { settings } = own;
    return {
      ...{ group, name, observe, policyFromSite, businessId: device.businessId, deviceId: device.deviceId, secret },
      declared: observe ? {} : omit(device.values, secret),
      ...(onDelete !== undefined && !observe && { onDelete: String(onDelete) }),
      ...defined({ onDrift: device.onDrift, planes: planesOf({ planes: device.planes }) }),
      ...(observe && isObject(settings) && { settings: reportedIn(settings) }),
      ...(!observe && onDelete === "restore" && isObject(settings) && { restores: restoredIn(own) }),
    };
  });
}

/** The reported values of a device that is only observed. */
function reportedIn(settings: Properties): Records {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, one]) =>
      isObject(one) && "reported" in one ? [[key, { status: "unmanaged", reported: one.reported as Value }]] : [],
    ),
  );
}
