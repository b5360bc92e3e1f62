import type { Manifest, Site } from "../../provider/manifest/model";
import { inverter } from "../../provider/settings/inverter";
import { policyName } from "../../provider/settings/readiness";
import type { DeviceKind } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import type { Wanted } from "./wanted";

/** Gives devices names under which no two of them become one resource. */
export class Names {
  readonly #resources = new Set<string>();
  /** By site: what its devices of whatever kind are called. */
  readonly #names = new Map<string, Set<string>>();

  /** @param sites those that there are */
  constructor(sites: Manifest["sites"] = []) {
    for (const site of sites) this.#claimAll(site);
  }

  /**
   * A name that no other device has: its id, else with its business, else with a number. A manifest takes no
   * asterisk in it.
   * @param isShared whether another new device of the site has its id, so that neither is called by it alone
   */
  nameFor(kind: DeviceKind, { site, businessId, deviceId }: Wanted, isShared: boolean): string {
    const [own, full] = [deviceId, `${businessId}-${deviceId}`].map((text) => text.replaceAll("*", "_")) as [
      string,
      string,
    ];
    let name = isShared ? full : own;
    for (let number = 1; this.#isTaken(kind, site, name); number++) name = number === 1 ? full : `${full}-${number}`;
    this.#claim(kind, site, name);
    return name;
  }

  #isTaken(kind: DeviceKind, site: string, name: string): boolean {
    return (
      this.#names.get(site)?.has(name) ||
      resourcesOf(kind, site, name).some((resource) => this.#resources.has(resource))
    );
  }

  #claimAll({ id, vehicles, inverters }: Site): void {
    for (const { name } of vehicles) this.#claim(vehicle, id, name);
    for (const { name } of inverters) this.#claim(inverter, id, name);
  }

  #claim(kind: DeviceKind, site: string, name: string): void {
    const names = this.#names.get(site) ?? new Set();
    this.#names.set(site, names.add(name));
    for (const resource of resourcesOf(kind, site, name)) this.#resources.add(resource);
  }
}

/** The resources of a device; a vehicle's policy is one of its own where the site is solar, or becomes it. */
function resourcesOf(kind: DeviceKind, site: string, name: string): string[] {
  const metadata = `${kind.name} ${site}-${name}`;
  return kind === vehicle ? [metadata, policyName(metadata)] : [metadata];
}
