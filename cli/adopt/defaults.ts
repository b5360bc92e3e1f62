import { parse } from "yaml";
import { normalize } from "../../provider/settings/normalize";
import { isObject, type Properties, pick } from "../../provider/settings/objects";
import { type DeviceKind, keysOf, type Values } from "../../provider/settings/setting";

/** The content of a manifest, as objects and lists. @param text of a readable manifest */
export function treeOf(text: string): unknown {
  return parse(text, { schema: "core", merge: true, stringKeys: true, maxAliasCount: -1 });
}

/** The defaults of a manifest for devices of a kind at a site. The site may be new. */
export type DefaultsAt = (device: { readonly kind: DeviceKind; readonly site: string }) => Values;

/** @param tree the tree of a manifest without problems, so that each default only needs its unit */
export function defaultsOf(tree: unknown): DefaultsAt {
  const { sites, defaults } = fieldsOf(tree);
  return ({ kind, site }) => {
    const ofSite = fieldsOf(fieldsOf(fieldsOf(sites)[site]).defaults);
    const given = { ...fieldsOf(fieldsOf(defaults)[kind.name]), ...fieldsOf(ofSite[kind.name]) };
    return normalize(kind, pick(given, keysOf(kind))) as Values;
  };
}

/** Whether the sites of a manifest are solar by default, if it says so. */
export function solarDefaultOf(tree: unknown): boolean | undefined {
  return fieldsOf(fieldsOf(tree).defaults).solar as boolean | undefined;
}

/** The business of devices of a site that do not name theirs, if the manifest names one. */
export function businessesOf(tree: unknown): (site: string) => string | undefined {
  const { sites, businessId } = fieldsOf(tree);
  return (site) => (fieldsOf(fieldsOf(sites)[site]).businessId ?? businessId) as string | undefined;
}

function fieldsOf(value: unknown): Properties {
  return isObject(value) ? value : {};
}
