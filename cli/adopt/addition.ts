import { isDeepStrictEqual } from "node:util";
import { Document, isMap, parseDocument, Scalar, type YAMLMap } from "yaml";
import { parseManifest } from "../../provider/manifest/manifest";
import { deviceKey, type Manifest, membersOf, type Site } from "../../provider/manifest/model";
import { GROUP_NAMES, type Group, kindOf } from "../../provider/settings/site";
import { grouped } from "../grouped";
import { defaultsOf, treeOf } from "./defaults";
import { type Block, endOf, type Insertion, indentOf, insert, isBlock } from "./insertion";
import { type Adopted, type Looked, look, type Outcome, outcomeOf, remarksOn } from "./look";
import { nameFor } from "./names";
import { solarWarnings } from "./solar";

/** A manifest in YAML that is there. */
export interface Present {
  readonly file: string;
  readonly text: string;
  /** The declarations of the text. */
  readonly manifest: Manifest;
}

/** A manifest in YAML with the devices that were adopted, and what to report. */
export interface Addition extends Outcome {
  readonly text: string;
}

const HEAD = `
What the service's cache shows of these devices. Numbers are in Wh, W and degrees. A comment at the end of a device names
each setting that is not reported, or that somebody has to look at: it is not declared, and not sent, unless a default declares it.`;

const NOT_SOLAR = `
The adoption changes nothing. To make the site ready for solar-aware charging: supply what is missing, remove the policy
of the vehicles, which the site sets then, and write solar: true.`;

/** Vehicles first, as people write them. */
const GROUPS_IN_ORDER = [...GROUP_NAMES].reverse();

/** The devices that a manifest has, as keys. @param configured business of the configuration */
export function devicesOf({ sites }: Manifest, configured: string | undefined): ReadonlySet<string> {
  return new Set(
    sites.flatMap(membersOf).map(({ businessId = configured, deviceId }) => deviceKey(businessId, deviceId)),
  );
}

/** The manifest of adopted devices, in the order in which they are given. @param businessId of the fleet */
export function newManifest(fleet: string, businessId: string | undefined, devices: readonly Adopted[]): Addition {
  const document = new Document({ fleet, ...(businessId !== undefined && { businessId }) });
  document.commentBefore = commentOf(HEAD);
  const looked = look(devices);
  const outcome = outcomeOf(looked);
  const sites = emptyMap();
  for (const [id, ofSite] of grouped(outcome.written, ({ device }) => device.site)) {
    sites.set(id, siteNode(ofSite, looked, { businessId }));
  }
  document.set("sites", sites);
  return { ...outcome, text: yamlOf(document) };
}

/**
 * Adds devices to the ends of a manifest's sites, and sites that it does not have. Every line that is there stays as it is, and
 * so does what it declares. A device that the manifest's defaults do not fit is left out.
 * @param configured business of the configuration
 * @param devices none of which it has
 * @throws Error if it is written in a way that lines alone cannot add to
 */
export function addDevices(
  { file, text, manifest }: Present,
  configured: string | undefined,
  devices: readonly Adopted[],
): Addition {
  const { contents } = parseDocument(text, { schema: "core", merge: true, stringKeys: true });
  const nodes = isMap(contents) ? contents.get("sites") : undefined;
  if (!isMap(nodes) || !isBlock(nodes)) throw notLines(file, "sites");
  const looked = look(devices, defaultsOf(treeOf(text)));
  const outcome = outcomeOf(looked);
  const businessOfFleet = isMap(contents) ? (contents.get("businessId") as string | undefined) : undefined;
  const sites = new Map(manifest.sites.map((site) => [site.id, site]));
  const insertions: Insertion[] = [];
  const newSites = emptyMap();
  for (const [id, ofSite] of grouped(outcome.written, ({ device }) => device.site)) {
    const site = sites.get(id);
    const place = { site, businessId: site?.businessId ?? businessOfFleet ?? configured };
    const node = nodes.get(id);
    if (!site) newSites.set(id, siteNode(ofSite, looked, place));
    else if (!isMap(node) || !isBlock(node)) throw notLines(file, `site '${id}'`);
    else insertions.push(...insertionsFor(file, text, { ...place, site, node }, ofSite, looked));
  }
  // What is deeper comes first if several blocks end at one place.
  if (newSites.items.length > 0) insertions.push(entries(text, nodes, newSites));
  const added = insert(text, insertions);
  verify(file, manifest, added, outcome.written.length);
  return { ...outcome, text: added, warnings: [...outcome.warnings, ...solarWarnings(sites, looked)] };
}

/** Where devices are added. */
interface Place {
  /** The site, if it is there. */
  readonly site?: Site | undefined;
  /** The business of devices that do not name theirs. */
  readonly businessId: string | undefined;
}

interface PresentPlace extends Place {
  readonly site: Site;
  readonly node: Block & YAMLMap;
}

/** Lines for a site that is there: devices of groups that it has, then groups that it does not have. */
function insertionsFor(
  file: string,
  text: string,
  place: PresentPlace,
  devices: readonly Adopted[],
  looked: Looked,
): Insertion[] {
  const { site, node } = place;
  const ofGroups = GROUPS_IN_ORDER.filter((group) => node.has(group) || site[group]).flatMap((group) => {
    const added = groupNode(group, devices, looked, place);
    if (added.items.length === 0) return [];
    const present = node.get(group);
    if (!isMap(present) || !isBlock(present)) throw notLines(file, `${group} of site '${site.id}'`);
    return [entries(text, present, added)];
  });
  const missing = GROUPS_IN_ORDER.filter((group) => !node.has(group) && !site[group]);
  const keys = siteNode(devices, looked, place, missing);
  return keys.items.length > 0 ? [...ofGroups, entries(text, node, keys)] : ofGroups;
}

/** More entries for a map. */
function entries(text: string, block: Block, more: YAMLMap): Insertion {
  const indent = " ".repeat(indentOf(text, block));
  return { offset: endOf(text, block), lines: yamlOf(new Document(more)).replace(/^(?=.)/gm, indent) };
}

/** The keys of a site with these devices. @param groups that it does not have */
function siteNode(
  devices: readonly Adopted[],
  looked: Looked,
  place: Place,
  groups: readonly Group[] = GROUPS_IN_ORDER,
): YAMLMap {
  const added = groups
    .map((group) => [group, groupNode(group, devices, looked, place)] as const)
    .filter(([, { items }]) => items.length > 0);
  const node = emptyMap();
  // With its first inverter a site would become solar, unless it says otherwise.
  if (added.some(([group]) => group === "inverters") && place.site?.solar === undefined) addNotSolar(node);
  for (const [group, ofGroup] of added) node.set(group, ofGroup);
  return node;
}

/** The devices of a group by name, without those that the site has. */
function groupNode(group: Group, devices: readonly Adopted[], looked: Looked, { site, businessId }: Place): YAMLMap {
  const ofGroup = devices.filter(({ kind }) => kind === kindOf({ group }));
  const ids = grouped(ofGroup, ({ device }) => device.deviceId);
  const names = new Set(Object.keys(site?.[group] ?? {}));
  const node = emptyMap();
  for (const one of ofGroup) {
    const { device } = one;
    const name = nameFor(device, (ids.get(device.deviceId)?.length ?? 0) > 1, names);
    const ofDevice = new Document().createNode({
      deviceId: device.deviceId,
      ...(device.businessId !== businessId && { businessId: device.businessId }),
      ...looked.get(one)?.values,
    }) as YAMLMap;
    const remarks = remarksOn(one, looked, site);
    if (remarks.length > 0) ofDevice.comment = commentOf(remarks.join("\n"));
    node.set(name, ofDevice);
  }
  return node;
}

function emptyMap(): YAMLMap {
  return new Document().createNode({}) as YAMLMap;
}

/** YAML as it is written here. A folded text would be the same text, and harder to find. */
function yamlOf(document: Document): string {
  return document.toString({ lineWidth: 0 });
}

/** `solar: false`, with what has to be done for another answer. */
function addNotSolar(site: YAMLMap): void {
  const key = new Scalar("solar");
  key.commentBefore = commentOf(NOT_SOLAR);
  site.add(new Document().createPair(key, false));
}

/** @throws Error if the text declares anything but what it did before, and so many devices more */
function verify(file: string, before: Manifest, text: string, count: number): void {
  const after = parseManifest(text, file);
  const old = new Map(before.sites.map((site) => [site.id, site]));
  const isKept = [...old].every(([id, site]) => {
    const now = after.sites.find((other) => other.id === id);
    return now !== undefined && isDeepStrictEqual(withoutNew(now, site), { ...site, solar: now.solar });
  });
  const [had, has] = [before, after].map(({ sites }) => sites.flatMap(membersOf).length) as [number, number];
  if (!isKept || has !== had + count) throw notLines(file, "a merge (<<) or an alias");
}

/** A site with the devices alone that it had. */
function withoutNew(now: Site, before: Site): Site {
  const groups = GROUP_NAMES.map((group) => {
    const names = Object.keys(before[group] ?? {});
    const kept = Object.entries(now[group] ?? {}).filter(([name]) => names.includes(name));
    return [group, before[group] && Object.fromEntries(kept)] as const;
  });
  const { vehicles: _, inverters: __, ...others } = now;
  return { ...others, solar: now.solar, ...Object.fromEntries(groups.filter(([, devices]) => devices)) } as Site;
}

function notLines(file: string, what: string): Error {
  return new Error(
    `${file} is not changed: lines cannot be added to ${what} as it is written there. Write one key a line, without braces and ` +
      "aliases, or give another --out, and copy",
  );
}

function commentOf(text: string): string {
  return text.trim().replace(/^/gm, " ");
}
