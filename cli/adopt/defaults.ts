import { parse } from "yaml";
import { toManifest } from "../../provider/manifest/manifest";
import { membersOf } from "../../provider/manifest/model";
import { type DeviceKind, isObject, keysOf, type Values } from "../../provider/settings/setting";

/** The content of a manifest, as objects and lists. @param text of a readable manifest */
export function treeOf(text: string): unknown {
  return parse(text, { schema: "core", merge: true, stringKeys: true, maxAliasCount: -1 });
}

/** The defaults of a manifest for devices of a kind at a site. The site may be new. */
export type DefaultsAt = (device: { readonly kind: DeviceKind; readonly site: string }) => Values;

/** The defaults of a manifest without defaults. */
export const NO_DEFAULTS: DefaultsAt = () => ({});

/** @param tree the tree of a manifest without problems */
export function defaultsOf(tree: unknown): DefaultsAt {
  const { sites, defaults } = fieldsOf(tree);
  const known = new Map<string, Values>();
  return ({ kind, site }) => {
    const ofSite = fieldsOf(fieldsOf(fieldsOf(sites)[site]).defaults);
    const given = { ...fieldsOf(fieldsOf(defaults)[kind.name]), ...fieldsOf(ofSite[kind.name]) };
    const key = JSON.stringify([kind.name, given]);
    const values = known.get(key) ?? read(kind, given);
    known.set(key, values);
    return values;
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

/**
 * Checks each value alone. Two defaults can contradict each other, and still fit devices that have their own value of
 * one.
 */
function read(kind: DeviceKind, given: GivenFields): Values {
  const entries = keysOf(kind).flatMap((key) => {
    if (given[key] === undefined) return [];
    const devices = { device: { deviceId: "device", [key]: given[key] } };
    const { sites } = toManifest({ fleet: "fleet", sites: { site: { [`${kind.name}s`]: devices } } });
    return sites.flatMap(membersOf).flatMap(({ values }) => Object.entries(values));
  });
  return Object.fromEntries(entries);
}

type GivenFields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): GivenFields {
  return isObject(value) ? value : {};
}
