import { type Manifest, membersOf } from "../../provider/manifest/model";
import type { Wanted } from "./wanted";

/** Gives devices names that no other device of their site has. */
export class Names {
  /** By site: what its devices of whatever kind are called. */
  readonly #names = new Map<string, Set<string>>();

  /** @param sites those that there are */
  constructor(sites: Manifest["sites"] = []) {
    for (const site of sites) {
      this.#names.set(site.id, new Set(membersOf(site).map(({ name }) => name)));
    }
  }

  /**
   * A name that no other device of the site has: its id, else with its business, else with a number.
   * @param isShared whether another new device of the site has its id, so that neither is called by it alone
   */
  nameFor({ site, businessId, deviceId }: Wanted, isShared: boolean): string {
    const names = this.#names.get(site) ?? new Set();
    this.#names.set(site, names);
    const full = `${businessId}-${deviceId}`;
    let name = isShared ? full : deviceId;
    for (let number = 1; names.has(name); number++) name = number === 1 ? full : `${full}-${number}`;
    names.add(name);
    return name;
  }
}
