import { isSolarManifestSite, type Member, membersOf, type Site } from "../../provider/manifest/model";
import { deviceName } from "../../provider/service/device";
import { labelOf } from "../../provider/settings/groups";
import { declaredSite, planSite } from "../../provider/settings/planSite";
import { pick } from "../../provider/settings/setting";
import { defined } from "../defined";
import { deviceView } from "./device";
import { lintMessagesOf } from "./lints";
import type { DeviceView, SiteView } from "./model";
import { gapsOfView } from "./readiness";

/**
 * A site of a manifest.
 * @param applied the same site in the state of its stack; absent if no update has applied it
 * @param business the default business id
 */
export function siteInManifest(stack: string, site: Site, applied?: SiteView, business?: string): SiteView {
  const lints = lintMessagesOf(site);
  // By id rather than name: a renamed device keeps its values.
  const kept = new Map(applied?.devices.map((device) => [device.device, device]));
  const devices = membersOf(site).map((member) => {
    const facts = factsOf(member, kept, business);
    return deviceView({ ...facts, warnings: lints.ofDevices.get(labelOf(member)) ?? [] });
  });
  const solar = isSolarManifestSite(site);
  const gaps = gapsOfView({ solar, devices });
  return {
    ...{ name: site.id, stack, isSite: true, solar, ...defined({ title: site.title, latitude: site.latitude }) },
    ...{ ready: gaps.length === 0, gaps, ...(!applied && { change: "new" as const }) },
    ...{ warnings: lints.ofSite, devices },
  };
}

/** A site of a manifest as an update leaves it, if the service accepts all values. */
export function plannedSite(site: Site): SiteView {
  const { gaps } = planSite(declaredSite({ ...site }));
  return { ...siteInManifest("", site), ready: gaps.length === 0, gaps };
}

function factsOf(
  { group, name, deviceId, businessId: own = "", observe, values, planes, onDelete, onDrift }: Member,
  known: ReadonlyMap<string, DeviceView>,
  business = "",
) {
  const businessId = own || business || undefined;
  const found = known.get(deviceName({ businessId, deviceId }));
  const kept = found?.group === group && found.observe === observe ? found : undefined;
  const policyFromSite = kept?.policyFromSite === true && values.policy === undefined;
  return {
    role: { group, name, observe, policyFromSite },
    declared: policyFromSite ? { ...values, ...pick(kept.declared, ["policy"]) } : values,
    ...defined({ deviceId, businessId, onDelete, onDrift, planes }),
    ...(kept && pick<unknown>({ ...kept }, ["settings", "physicalDevice"])),
  };
}
