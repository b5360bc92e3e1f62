import { isSolarManifestSite, type Member, membersOf, type Site } from "../../provider/manifest/model";
import { deviceName } from "../../provider/service/device";
import { defined, pick } from "../../provider/settings/objects";
import { declaredSite, planSite } from "../../provider/settings/planSite";
import { siteView } from "./device";
import type { DeviceView, SiteView } from "./model";

/**
 * A site of a manifest.
 * @param applied the same site in the state of its stack; absent if no update has applied it
 * @param business the default business id
 */
export function siteInManifest(stack: string, site: Site, applied?: SiteView, business?: string): SiteView {
  // By id rather than name: a renamed device keeps its values.
  const kept = new Map(applied?.devices.map((device) => [device.device, device]));
  const { title, latitude } = site;
  const change = applied ? undefined : ("new" as const);
  const about = { name: site.id, stack, solar: isSolarManifestSite(site), ...defined({ title, latitude, change }) };
  const facts = membersOf(site).map((member) => factsOf(member, kept, business));
  return siteView(about, site, facts);
}

/** A site of a manifest as an update leaves it, if the service accepts all values. */
export function plannedSite(site: Site): SiteView {
  const { gaps } = planSite(declaredSite({ ...site }));
  return { ...siteInManifest("", site), ready: gaps.length === 0, gaps };
}

function factsOf(
  { group, name, deviceId, businessId: own, observe, values, planes, onDelete, onDrift }: Member,
  known: ReadonlyMap<string, DeviceView>,
  business?: string,
) {
  const businessId = own ?? business;
  const found = known.get(deviceName({ businessId, deviceId }));
  const kept = found?.group === group && found.observe === observe ? found : undefined;
  const policyFromSite = kept?.policyFromSite === true && values.policy === undefined;
  return {
    ...{ group, name, observe, policyFromSite },
    declared: policyFromSite ? { ...values, ...pick(kept.declared, ["policy"]) } : values,
    ...defined({ deviceId, businessId, onDelete, onDrift, planes }),
    ...(kept && pick<unknown>({ ...kept }, ["settings", "physicalDevice"])),
  };
}
