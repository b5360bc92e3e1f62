import { isDeepStrictEqual } from "node:util";
import { Document, isMap, Scalar, type YAMLMap } from "yaml";
import { grouped } from "../../measure/sky/numbers";
import { parseManifest } from "../../provider/manifest/manifest";
import { isSolarManifestSite, type Manifest, membersOf, type Site } from "../../provider/manifest/model";
import { ManifestError } from "../../provider/manifest/report";
import { nameOf } from "../../provider/service/device";
import { firstNames } from "../../provider/settings/explain";
import { GROUP_NAMES, type Group, kindOf } from "../../provider/settings/groups";
import { inverter } from "../../provider/settings/inverter";
import { omit, pick } from "../../provider/settings/objects";
import { isReserved } from "../../provider/settings/site";
import { vehicle } from "../../provider/settings/vehicle";
import { editable } from "../edit/edit";
import { counted } from "../words";
import type { AdoptOptions } from "./command";
import { type Declarable, declarable } from "./declarable";
import { businessesOf, type DefaultsAt, defaultsOf, solarDefaultOf, treeOf } from "./defaults";
import type { Listed } from "./list";
import type { Adopted, Failed } from "./read";

/** An existing manifest in YAML. */
export interface Present {
  readonly file: string;
  readonly text: string;
  readonly manifest: Manifest;
}

/** A manifest in YAML with the adopted devices, and the findings to report. */
export interface Addition {
  readonly text: string;
  readonly written: readonly Adopted[];
  /** The devices that are left out, because defaults do not fit them. */
  readonly misfits: readonly Failed[];
  /** Number of settings to supply by hand. */
  readonly missing: number;
  /** Warnings: `device 'car': maxCapacity …`. */
  readonly warnings: readonly string[];
}

/** A device with its settings that can be declared. */
type Looked = Adopted & Declarable;

/** The sites of a manifest, by id. */
type Sites = ReadonlyMap<string, Site>;

const HEAD = `
These values are those of the list of devices. If it gives none, they are from the service's cache. Numbers are in Wh, W and degrees. If
a device does not report a setting, or reports an invalid value, the comment at the end of the device names the setting. It is sent
only if a default declares it.`;

const NOT_SOLAR = `
The adoption changes no device. To make the site ready for solar-aware charging: supply the missing settings, remove the
policies of the vehicles (the site then sets them), and write solar: true.`;

/** Vehicles first, because people write them first. */
const GROUPS_IN_ORDER: readonly Group[] = [...GROUP_NAMES].reverse();

/**
 * The manifest of adopted devices, in the order in which they are given.
 * @param businessId of the fleet
 * @param options `solar`: whether sites with inverters become solar
 */
export function newManifest(
  fleet: string,
  businessId: string | undefined,
  devices: readonly Adopted[],
  options: Pick<AdoptOptions, "solar">,
): Addition {
  const document = new Document({ fleet, businessId });
  document.commentBefore = commentOf(HEAD);
  const empty = { file: "the manifest", text: yamlOf(document), manifest: { fleet, sites: [] } };
  return addDevices(empty, businessId, devices, options);
}

/**
 * Adds devices to the ends of a manifest's sites, and adds missing sites. Existing lines and declarations stay as
 * they are. A device that the manifest's defaults do not fit is left out.
 * @param configured business of the configuration
 * @param devices devices that the manifest does not have
 * @param options `solar`: whether new sites with inverters become solar, and the sites set the policy of new cars;
 * default: of the manifest
 * @throws Error if the manifest is written in a form that added lines cannot extend
 */
export function addDevices(
  { file, text, manifest }: Present,
  configured: string | undefined,
  devices: readonly Adopted[],
  { solar }: Pick<AdoptOptions, "solar">,
): Addition {
  const edited = editable(text);
  const root = edited.contents as YAMLMap;
  const nodes = root.get("sites") as YAMLMap | undefined;
  if (nodes?.flow) throw notLines(file, "sites");
  const tree = treeOf(text);
  const businessIn = businessesOf(tree);
  const sites = new Map(manifest.sites.map((site) => [site.id, site]));
  const usual = solarDefaultOf(tree);
  const solarSites = solarSitesOf(devices, sites, { solar: solar || usual });
  const { written, warnings, ...outcome } = look(
    devices,
    defaultsOf(tree),
    // Also without an inverter, which may be added later. The policy would leave the car out of the site's readiness.
    ({ site: id, ofSite }) => {
      const site = sites.get(id);
      return site ? solar && site.solar !== false : (ofSite?.solar ?? (solar || usual));
    },
  );
  /** Adds entries to the end of a map. @param name of the map, for an error */
  const extend = (map: unknown, more: YAMLMap, name: string) => {
    if (more.items.length > 0 && !edited.append(map, yamlOf(new Document(more)))) throw notLines(file, name);
  };
  const newSites = mapOf({});
  for (const [id, ofSite] of grouped(written, (device) => device.site)) {
    const site = sites.get(id);
    const businessId = businessIn(id) ?? configured;
    const place = { site, businessId, isSolar: solarSites.has(id), usual };
    if (!site) {
      newSites.set(id, siteNode(ofSite, place));
      continue;
    }
    const node = nodes?.get(id) as YAMLMap;
    if (!isMap(node)) throw notLines(file, `site '${id}'`);
    // First devices of its groups, then the groups that it does not have.
    const groups = GROUPS_IN_ORDER.filter((group) => node.has(group) || site[group]);
    for (const group of groups) {
      extend(node.get(group), groupNode(group, ofSite, place), `${group} of site '${id}'`);
    }
    const missing = GROUPS_IN_ORDER.filter((group) => !groups.includes(group));
    extend(node, siteNode(ofSite, place, missing), `site '${id}'`);
  }
  if (nodes) extend(nodes, newSites, "sites");
  else extend(root, mapOf({ sites: newSites }), "sites");
  const added = edited.toString();
  verify(file, manifest, added, written.length);
  return {
    ...outcome,
    written,
    text: added,
    warnings: [
      ...warnings,
      ...keptWarnings(sites, devices),
      ...policyWarnings(solarSites, sites, written),
      ...solarWarnings(solarSites, sites, written),
    ],
  };
}

/**
 * The ids of the sites that are solar after the adoption.
 * @param sites the sites before
 * @param options `solar`: whether a site that does not declare `solar` becomes solar if it has inverters
 */
function solarSitesOf(
  devices: readonly Adopted[],
  sites: Sites,
  { solar }: { readonly solar: boolean | undefined },
): ReadonlySet<string> {
  const ids = [...grouped(devices, ({ site }) => site)].filter(([id, ofSite]) => {
    const site = sites.get(id);
    const given = site ?? ofSite[0]?.ofSite;
    return (
      given?.solar ?? ((site && isSolarManifestSite(site)) || (solar && ofSite.some(({ kind }) => kind === inverter)))
    );
  });
  return new Set(ids.map(([id]) => id));
}

/**
 * The devices with the settings that can be declared, and remarks about the other settings.
 * @param setsPolicy whether a site sets the policy of new cars, unless the list gives them one
 */
function look(
  devices: readonly Adopted[],
  defaultsAt: DefaultsAt,
  setsPolicy: (device: Adopted) => boolean | undefined,
): Omit<Addition, "text"> & { readonly written: readonly Looked[] } {
  const all = devices.map((one): Looked => {
    const { kind, reported, settings } = one;
    const ofSite = setsPolicy(one) && settings?.policy === undefined ? ["policy"] : [];
    const found = declarable(kind, omit(reported, ofSite), defaultsAt(one));
    return { ...one, ...found, remarks: omit(found.remarks, ofSite) };
  });
  const written = all.filter(({ misfit }) => misfit === undefined);
  return {
    written,
    misfits: all.flatMap((device) => {
      if (device.misfit === undefined) return [];
      const reason = `the defaults do not fit what ${nameOf(device)} reports: ${device.misfit}`;
      return [{ device, reason: `${reason}. Correct the defaults, or add the device by hand with its own values` }];
    }),
    missing: written.reduce((sum, { remarks, defaulted }) => sum + Object.keys(remarks).length - defaulted.length, 0),
    warnings: [
      ...written.flatMap(({ deviceId, remarks, refused }) =>
        refused.map((key) => `device '${deviceId}': ${remarks[key]}`),
      ),
      ...defaultWarnings(written.map(({ defaulted }) => defaulted)),
    ],
  };
}

/** Warns that the next update changes devices, and which settings it sends. */
function defaultWarnings(keys: readonly (readonly string[])[]): string[] {
  const devices = keys.filter(({ length }) => length > 0).length;
  if (devices === 0) return [];
  const counts = [...grouped(keys.flat(), (key) => key)].map(([key, { length }]) => `${key} (${length})`);
  return [
    `settings that the manifest's defaults declare are not reported by ${devices} of these devices: ${counts.join(", ")}. ` +
      'The next "fleet up" sends these defaults. Check them with a preview; if one does not fit a device, declare ' +
      "the device's own value",
  ];
}

/** Warnings about solar sites with new devices. @param sites the sites before */
function solarWarnings(solarSites: ReadonlySet<string>, sites: Sites, devices: readonly Looked[]): string[] {
  // Readiness ignores a vehicle that declares a policy.
  const parts = devices.filter(({ site, values, defaulted }) => {
    const isLeftOut = values.policy !== undefined || defaulted.includes("policy");
    return solarSites.has(site) && !isLeftOut;
  });
  const cars = parts.filter(({ kind }) => kind === vehicle);
  const lacking = parts.filter(({ remarks, defaulted }) =>
    Object.keys(remarks).some((key) => key !== "policy" && !defaulted.includes(key)),
  );
  const notReady = [...grouped(lacking, ({ site }) => site)];
  const refusal = notReady.some(([site]) => sites.get(site)?.requireReady);
  const namesOf = (some: readonly Looked[]) => firstNames(some.map(({ deviceId }) => `'${deviceId}'`));
  const sitesLacking = notReady.map(([site, some]) => `'${site}' (${namesOf(some)})`);
  return [
    ...(cars.length === 0
      ? []
      : [
          `the next "fleet up" sets the policy of ${counted(cars.length, "vehicle")} (${namesOf(cars)}), as soon as their solar ` +
            "sites are ready. Check it with a preview",
        ]),
    ...(notReady.length === 0
      ? []
      : [
          `these solar sites are not ready until you supply missing settings: ${firstNames(sitesLacking)}` +
            `${refusal ? ". Until then, preview and up fail because of requireReady" : ""}`,
        ]),
  ];
}

/** A warning about existing cars whose policy leaves them out of their site, which gets an inverter. */
function policyWarnings(solarSites: ReadonlySet<string>, sites: Sites, devices: readonly Adopted[]): string[] {
  const cars = [...sites.values()]
    .filter(({ id }) => solarSites.has(id) && devices.some(({ site, kind }) => site === id && kind === inverter))
    .flatMap(membersOf)
    .flatMap(({ deviceId, values }) => (values.policy === undefined ? [] : [`'${deviceId}'`]));
  return cars.length === 0
    ? []
    : [
        `these cars declare their own policy, so their solar site does not set it: ${firstNames(cars)}. Remove the line policy of each car that is to charge by the forecast`,
      ];
}

/** A warning about existing sites for which the list has other values. */
function keptWarnings(sites: Sites, devices: readonly Adopted[]): string[] {
  const kept = [...grouped(devices, ({ site }) => site)].flatMap(([id, [first]]) => {
    const [site, given] = [sites.get(id), omit<unknown>({ ...first?.ofSite }, ["title"])];
    return site && !isDeepStrictEqual(pick<unknown>({ ...site }, Object.keys(given)), given) ? [`'${id}'`] : [];
  });
  return kept.length === 0
    ? []
    : [`the manifest keeps its own values, not those of the list, for the site of ${firstNames(kept)}`];
}

/** The place at which devices are added. */
interface AdditionPlace {
  /** The site, if the manifest has it. */
  readonly site?: Site | undefined;
  /** The business of devices that do not name theirs. */
  readonly businessId: string | undefined;
  /** Whether the site is solar after the adoption. */
  readonly isSolar: boolean;
  /** The manifest's default for that. */
  readonly usual?: boolean | undefined;
}

/** The keys of a site with these devices. @param groups the groups that the site does not have */
function siteNode(devices: readonly Looked[], place: AdditionPlace, groups = GROUPS_IN_ORDER): YAMLMap {
  const added = groups
    .map((group) => [group, groupNode(group, devices, place)] as const)
    .filter(([, { items }]) => items.length > 0);
  const { site, isSolar, usual = true } = place;
  const given = site ?? devices[0]?.ofSite;
  const node = mapOf(site ? {} : { ...given });
  // Without this, its first inverter would make a site solar.
  if (given?.solar === undefined && isSolar !== usual && added.some(([group]) => group === "inverters")) {
    if (isSolar) node.set("solar", true);
    else addNotSolar(node);
  }
  for (const [group, ofGroup] of added) node.set(group, ofGroup);
  return node;
}

/** The devices of a group by name, without those that the site has. */
function groupNode(group: Group, devices: readonly Looked[], { site, businessId }: AdditionPlace): YAMLMap {
  const ofGroup = devices.filter(({ kind }) => kind === kindOf({ group }));
  const ids = grouped(ofGroup, ({ deviceId }) => deviceId);
  const names = new Set(Object.keys(site?.[group] ?? {}));
  const node = mapOf({});
  for (const device of ofGroup) {
    const name = nameFor(device, { isShared: ids.get(device.deviceId)?.length !== 1, names });
    const ofDevice = mapOf({
      deviceId: device.deviceId,
      ...(device.businessId !== businessId && { businessId: device.businessId }),
      onDelete: device.onDelete,
      ...device.values,
    });
    const remarks = remarksOn(device, site);
    if (remarks.length > 0) ofDevice.comment = commentOf(remarks.join("\n"));
    node.set(name, ofDevice);
  }
  return node;
}

/** Longest part of an id in a name that is not the id itself, in characters; a site takes 256 (our choice). */
const LONGEST = 100;

/**
 * A name that no other device of its kind has at its site: its id, otherwise the id with its business, otherwise the
 * id with a number.
 * @param isShared whether another new device of the site has the same id, so that neither gets the id alone as its
 * name
 * @param names the names in use; the new name is added
 */
export function nameFor(
  { businessId, deviceId }: Listed,
  { isShared, names }: { readonly isShared: boolean; readonly names: Set<string> },
): string {
  const full = [businessId, deviceId].map((id) => [...id].slice(0, LONGEST).join("")).join("-");
  let name = isShared || isReserved(deviceId) ? full : deviceId;
  for (let number = 1; names.has(name); number++) name = number === 1 ? full : `${full}-${number}`;
  names.add(name);
  return name;
}

/** The comment about a device. @param site its site, if the manifest has it */
function remarksOn({ values, remarks }: Looked, site: Site | undefined): string[] {
  const isLeftOut = site !== undefined && isSolarManifestSite(site) && values.policy !== undefined;
  return [...Object.values(remarks), ...(isLeftOut ? [LEFT_OUT] : [])];
}

const LEFT_OUT =
  "this policy leaves the vehicle out of the site's readiness; if you remove the line, the site sets the policy";

function mapOf(fields: object): YAMLMap {
  return new Document().createNode(fields) as YAMLMap;
}

/** YAML in our style. Long texts are not folded: folded ones are hard to search for. */
function yamlOf(document: Document): string {
  return document.toString({ lineWidth: 0 });
}

/** `solar: false`, with a comment on how to make the site solar-aware. */
function addNotSolar(site: YAMLMap): void {
  const key = new Scalar("solar");
  key.commentBefore = commentOf(NOT_SOLAR);
  site.add(new Document().createPair(key, false));
}

/** @throws Error if the text declares anything but the earlier devices, unchanged, and `count` new ones */
function verify(file: string, before: Manifest, text: string, count: number): void {
  const devicesIn = ({ sites }: Manifest) =>
    sites.flatMap((site) => membersOf(site).map((device) => JSON.stringify([site.id, device])));
  const [had, has] = [devicesIn(before), new Set(devicesIn(parsedUnwritten(text, file)))];
  if (has.size !== had.length + count || !had.every((one) => has.has(one)))
    throw notLines(file, "lines that are used again with * or <<");
}

/** The manifest in a text that no file has yet, so that a problem names no line. */
function parsedUnwritten(text: string, file: string): Manifest {
  try {
    return parseManifest(text, file);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw new ManifestError(
      file,
      error.problems.map(({ path, message }) => ({ path, message })),
    );
  }
}

function notLines(file: string, what: string): Error {
  return new Error(
    `${file} is not changed, because adopt cannot add lines to ${what} in this layout. Write each key on its own line, without braces and ` +
      "names with *; or give another --output, and copy from it",
  );
}

function commentOf(text: string): string {
  return text.trim().replace(/^/gm, " ");
}
