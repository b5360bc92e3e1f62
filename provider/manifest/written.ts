import type { FleetManifest } from "./fleetManifest";
import type { Manifest, Member } from "./model";

/** A manifest that declares the same fleet, in the form in which one is written, with nothing left to defaults. */
export function written({ sites, ...fleet }: Manifest): FleetManifest {
  return {
    ...fleet,
    sites: sites.map(({ isSolar, vehicles, inverters, ...site }) => ({
      ...site,
      solar: isSolar,
      vehicles: vehicles.map(writtenMember),
      inverters: inverters.map(writtenMember),
    })),
  };
}

function writtenMember({ values, ...device }: Member) {
  return { ...device, ...values };
}
