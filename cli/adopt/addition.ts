import { isDeepStrictEqual } from "node:util";
import { Document, isMap, isSeq, parseDocument, type YAMLMap } from "yaml";
import { parseManifest } from "../../provider/manifest/manifest";
import { deviceKey, type Manifest, type Member, membersOf, type Site } from "../../provider/manifest/model";
import { inverter } from "../../provider/settings/inverter";
import { vehicle } from "../../provider/settings/vehicle";
import { grouped } from "../grouped";
import { defaultsOf, treeOf } from "./defaults";
import { type Block, endOf, type Insertion, indentOf, insert, isBlock } from "./insertion";
import { Names } from "./names";
import {
  type Adopted,
  addNotSolar,
  type Looked,
  look,
  type ManifestText,
  memberNodes,
  type Place,
  siteNode,
  toldOf,
  yamlOf,
} from "./nodes";
import { solarWarnings } from "./solar";

/** A manifest in YAML that is there. */
export interface Present {
  readonly file: string;
  readonly text: string;
  /** What the text declares. */
  readonly manifest: Manifest;
}

/** The devices that a manifest has, as keys. @param configured business of the configuration, where none is given */
export function devicesOf({ sites }: Manifest, configured: string | undefined): ReadonlySet<string> {
  return new Set(
    sites.flatMap(membersOf).map(({ businessId = configured, deviceId }) => deviceKey(businessId, deviceId)),
  );
}

/**
 * Adds devices to the ends of a manifest's lists, and sites that it has not. Every line that is there stays as it is, and so
 * does what it declares. A device that its defaults do not fit is left out.
 * @param configured business of the configuration
 * @param devices none of which it has
 * @throws Error where it is written in a way that lines alone cannot add to
 */
export function addDevices(
  present: Present,
  configured: string | undefined,
  devices: readonly Adopted[],
): ManifestText {
  const { file, text, manifest } = present;
  const { contents } = parseDocument(text, { schema: "core", merge: true });
  const sites = isMap(contents) ? contents.get("sites") : undefined;
  if (!isBlock(sites)) throw notLines(file, "sites");
  const looked = look(devices, defaultsOf(treeOf(text)));
  const told = toldOf(looked);
  const ofFleet = textAt(contents, "businessId") ?? configured;
  const names = new Names(manifest.sites);
  const known = new Map(manifest.sites.map((site) => [site.id, site]));
  const nodes = new Map(sites.items.map((node) => [textAt(node, "id"), node]));

  const toSites: Additions[] = [];
  const newSites: YAMLMap[] = [];
  for (const [id, members] of grouped(told.written, ({ device }) => device.site)) {
    const site = known.get(id);
    const node = nodes.get(id);
    if (!site) newSites.push(siteNode(id, members, looked, { businessId: ofFleet, names }));
    else if (!isBlock(node)) throw notLines(file, `site '${id}'`);
    else
      toSites.push(
        additionsTo(present, { node, site, businessId: textAt(node, "businessId") ?? ofFleet, names }, members, looked),
      );
  }
  const ofSites = newSites.length > 0 ? [entries(text, sites, newSites)] : [];
  // What is deeper comes first where several blocks end at one place.
  const insertions = [...toSites.flatMap(({ items }) => items), ...toSites.flatMap(({ keys }) => keys), ...ofSites];
  const added = insert(text, insertions);
  verify(present, added, told.written.length);
  return { ...told, text: added, warnings: [...told.warnings, ...solarWarnings(known, looked)] };
}

/** Lines for a site: new items of lists that it has, and lists that it has not. */
interface Additions {
  readonly items: readonly Insertion[];
  readonly keys: readonly Insertion[];
}

interface PresentSite {
  readonly node: Block;
  readonly site: Site;
  readonly businessId: string | undefined;
  readonly names: Names;
}

function additionsTo(
  { file, text }: Present,
  { node, site, businessId, names }: PresentSite,
  devices: readonly Adopted[],
  looked: Looked,
): Additions {
  const place: Place = { businessId, names, isSolar: site.isSolar };
  const items: Insertion[] = [];
  const keys = new Document().createNode({}) as YAMLMap;
  for (const kind of [vehicle, inverter]) {
    const members = memberNodes(kind, devices, looked, place);
    if (members.length === 0) continue;
    const key = `${kind.name}s`;
    const list = isMap(node) ? node.get(key) : undefined;
    if (isBlock(list) && isSeq(list)) items.push(entries(text, list, members));
    else if (list !== undefined) throw notLines(file, `${key} of site '${site.id}'`);
    else {
      // With its first inverter a site becomes solar, unless it says otherwise.
      if (kind === inverter && isMap(node) && !node.has("solar")) addNotSolar(keys);
      keys.set(key, members);
    }
  }
  return { items, keys: keys.items.length > 0 ? [entries(text, node, keys)] : [] };
}

/** More entries for a block: items of a list, or the keys of a map. */
function entries(text: string, block: Block, more: readonly YAMLMap[] | YAMLMap): Insertion {
  const lines = yamlOf(new Document(more));
  const indent = " ".repeat(indentOf(text, block));
  return { offset: endOf(text, block), lines: lines.replace(/^(?=.)/gm, indent) };
}

/** @throws Error where the text declares anything but what it did before, and so many devices more */
function verify({ file, manifest: before }: Present, text: string, count: number): void {
  const after = parseManifest(text, file);
  const had = devicesOf(before, undefined);
  const isOld = ({ businessId, deviceId }: Member) => had.has(deviceKey(businessId, deviceId));
  const sites = after.sites.slice(0, before.sites.length).map((site) => ({
    ...site,
    vehicles: site.vehicles.filter(isOld),
    inverters: site.inverters.filter(isOld),
  }));
  const isKept = isDeepStrictEqual({ ...after, sites }, before);
  if (isKept && after.sites.flatMap(membersOf).length === had.size + count) return;
  throw notLines(file, "a merge (<<) or an alias");
}

function notLines(file: string, what: string): Error {
  return new Error(
    `${file} is not touched: lines cannot be added to ${what} as it is written there. Write lists as one item a line, ` +
      "or give another --out, and copy",
  );
}

function textAt(node: unknown, key: string): string | undefined {
  const value = isMap(node) ? node.get(key) : undefined;
  return typeof value === "string" ? value : undefined;
}
