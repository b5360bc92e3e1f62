import type { ExistingStack } from "../../../cli/stacks/plan";
import type { Manifest } from "../../../provider/manifest/model";

/** A fleet of this many sites, `site-00` and so on, each with one car. */
export function fleetOf(shards: number, count: number): Manifest {
  const sites = Array.from({ length: count }, (_, index) => {
    const number = String(index).padStart(2, "0");
    return { id: `site-${number}`, vehicles: { car: { deviceId: `car-${number}`, maxCapacity: 77_000 } } };
  });
  return { fleet: "acme", shards, sites };
}

/** Stacks that have resources. */
export function used(...names: string[]): ExistingStack[] {
  return names.map((name) => ({ name, isEmpty: false }));
}
