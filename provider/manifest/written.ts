import type { Manifest, Site } from "./model";

/** A manifest in the form in which one is written: sites by their ids. */
export interface WrittenManifest extends Omit<Manifest, "sites"> {
  readonly sites: Readonly<Record<string, Omit<Site, "id">>>;
}

/** A manifest that declares the same fleet, with nothing left to defaults. */
export function written({ sites, ...fleet }: Manifest): WrittenManifest {
  return { ...fleet, sites: Object.fromEntries(sites.map(({ id, ...site }) => [id, site])) };
}
