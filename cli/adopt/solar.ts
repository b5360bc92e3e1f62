import { isSolar, type Site } from "../../provider/manifest/model";
import { vehicle } from "../../provider/settings/vehicle";
import { grouped } from "../grouped";
import type { Looked } from "./look";

/** What new devices mean for the solar sites that they join. @param known the sites that there were */
export function solarWarnings(known: ReadonlyMap<string, Site>, looked: Looked): string[] {
  const isSolarSite = (id: string) => {
    const site = known.get(id);
    return site !== undefined && isSolar(site);
  };
  const added = [...looked].filter(([{ device }, { misfit }]) => misfit === undefined && isSolarSite(device.site));
  // A vehicle that declares a policy is left out of readiness.
  const parts = added.filter(
    ([{ kind }, { values, defaulted }]) =>
      kind !== vehicle || (values.policy === undefined && !defaulted.includes("policy")),
  );
  const unset = parts.filter(([{ kind }]) => kind === vehicle);
  const lacking = parts.filter(([, { remarks, defaulted }]) =>
    Object.keys(remarks).some((key) => key !== "policy" && !defaulted.includes(key)),
  );
  return [
    ...unset.map(
      ([{ device }]) =>
        `device '${device.deviceId}' reports no policy, and site '${device.site}', which is solar, sets it: look at a preview`,
    ),
    ...[...grouped(lacking, ([{ device }]) => device.site)].map(([site, devices]) => {
      const refusal = known.get(site)?.requireReady ? ", and with requireReady its preview and up fail until then" : "";
      const ids = devices.map(([{ device }]) => `'${device.deviceId}'`);
      return `site '${site}' is solar, and not ready until what ${ids.join(", ")} lacks is supplied${refusal}`;
    }),
  ];
}
