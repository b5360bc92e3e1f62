import { parse } from "yaml";
import { toManifest } from "../../provider/manifest/manifest";
import { membersOf } from "../../provider/manifest/model";
import { type DeviceKind, isObject, keysOf, type Values } from "../../provider/settings/setting";

/** What a manifest holds, as objects and lists. @param text of one that can be read */
export function treeOf(text: string): unknown {
  return parse(text, { schema: "core", merge: true, maxAliasCount: -1 });
}

/** What the defaults of a manifest set for devices of a kind at a site, also at one that it has not. */
export type DefaultsAt = (kind: DeviceKind, site: string) => Values;

/** Of a manifest that has none. */
export const NO_DEFAULTS: DefaultsAt = () => ({});

/** @param tree of a manifest that has been read without a problem */
export function defaultsOf(tree: unknown): DefaultsAt {
  const sites = fieldsOf(tree).sites as readonly unknown[];
  const ofFleet = fieldsOf(fieldsOf(tree).defaults);
  const ofSites = new Map(sites.map(fieldsOf).map(({ id, defaults }) => [id, fieldsOf(defaults)]));
  const known = new Map<string, Values>();
  return (kind, site) => {
    const given = { ...fieldsOf(ofFleet[kind.name]), ...fieldsOf(ofSites.get(site)?.[kind.name]) };
    const key = JSON.stringify([kind.name, given]);
    const values = known.get(key) ?? read(kind, given);
    known.set(key, values);
    return values;
  };
}

/** The business of devices of a site that do not give theirs, where the manifest says it. */
export function businessesOf(tree: unknown): (site: string) => string | undefined {
  const sites = fieldsOf(tree).sites as readonly unknown[];
  const ofSites = new Map(sites.map(fieldsOf).map(({ id, businessId }) => [id, businessId]));
  return (site) => (ofSites.get(site) ?? fieldsOf(tree).businessId) as string | undefined;
}

/** Each value by itself: two of them may fit only the devices that have a value of their own. */
function read(kind: DeviceKind, given: Fields): Values {
  const read = keysOf(kind).flatMap((key) => {
    if (given[key] === undefined) return [];
    const device = { deviceId: "device", [key]: given[key] };
    const { sites } = toManifest({ fleet: "fleet", sites: [{ id: "site", [`${kind.name}s`]: [device] }] });
    return sites.flatMap(membersOf).flatMap(({ values }) => Object.entries(values));
  });
  return Object.fromEntries(read);
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}
