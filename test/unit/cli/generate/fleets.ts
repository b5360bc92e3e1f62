import type { Manifest } from "../../../../provider/manifest/model";

/** A fleet with this many sites of one vehicle each. */
export function fleetOf(sites: number, shards: number, fleet = "acme"): Manifest {
  const site = (index: number) => ({
    id: `site-${index}`,
    vehicles: { [`car-${index}`]: { deviceId: `car-${index}` } },
  });
  return { fleet, shards, sites: Array.from({ length: sites }, (_, index) => site(index)) };
}
