import type { z } from "zod";
import { type DriftAnswers, driftAnswersOver } from "../settings/declaration";
import { GROUP_NAMES, kindOf, type Place } from "../settings/groups";
import { inverter } from "../settings/inverter";
import { normalize } from "../settings/normalize";
import { defined, isObject, omit, type Properties, pick } from "../settings/objects";
import { FOLDED } from "../settings/planes";
import { keysOfDevice, problemsOf, readLatitude } from "../settings/schema";
import { type DeviceKind, keysOf } from "../settings/setting";
import { deviceProblems, keysInSite, SITE_KEYS, siteProblems } from "../settings/site";
import { vehicle } from "../settings/vehicle";
import { fleetDefaultsSchema, fleetSchema, labelsSchema, siteDefaultsSchema, siteIdProblem, titleSchema } from "./form";
import { deviceIdentity, type Manifest, type ManifestDevice, membersOf, type Site } from "./model";
import { ManifestProblems } from "./report";
import { rolloutOf } from "./rollout";
import type { Path, Source } from "./source";

/** The defaults of devices of each kind, by the name of the kind. */
type Defaults = Readonly<Record<string, Properties>>;

const KINDS = [vehicle, inverter];

/** A valid id, used if only the settings matter or the configuration has the business. */
const ANY_ID = "any";

/** Keys of a site that can have a default in the fleet. */
const SITE_DEFAULTS = ["solar", "latitude"];

/** Keys of a device that cannot have a default. */
const NO_DEFAULTS = ["deviceId", "businessId", "latitude"];

/** Builds a fleet from a parsed manifest. @throws ManifestError with all problems */
export function buildManifest(source: Source, file: string): Manifest {
  const report = new ManifestProblems(source, file);
  if (source.tree === null || source.tree === undefined) report.add([], "is empty: write at least fleet and sites");
  const tree = report.fields(source.tree, [], "fleet and sites");
  if (!tree) return report.throwIfAny() as never;
  report.read(fleetSchema, tree, []);
  const defaults = defaultsOf(tree.defaults, ["defaults"], fleetDefaultsSchema, report);
  const ofSites = siteDefaultsIn(tree.defaults, report);
  const given = report.fields(tree.sites, ["sites"], "the sites by id, such as { berlin: { vehicles: … } }");
  const sites = Object.entries(given ?? {}).map(([id, site]) =>
    checkedSite(id, site, { businessId: tree.businessId, defaults, ofSites }, report),
  );
  reportDuplicates(sites, report);
  const rollout = rolloutOf(tree.rollout, sites, report);
  report.throwIfAny();
  return {
    fleet: tree.fleet as string,
    ...defined({ shards: tree.shards as number | undefined, rollout }),
    sites,
  };
}

/** The defaults of sites. An invalid default is left out. Without this, each site would repeat its problem. */
function siteDefaultsIn(defaults: unknown, report: ManifestProblems): Properties {
  const given = readLatitude(isObject(defaults) ? pick<unknown>(defaults, SITE_DEFAULTS) : {});
  const problems = siteProblems(given);
  for (const { path, reason } of problems) report.add(["defaults", ...path], reason);
  return omit(
    given,
    problems.flatMap(({ path }) => path),
  );
}

/** The defaults of devices at a place. An invalid default is left out. Without this, each device would repeat its problem. */
function defaultsOf(given: unknown, path: Path, schema: z.ZodObject, report: ManifestProblems): Defaults {
  if (given === undefined) return {};
  const fields = report.fields(given, path, "vehicle and inverter") ?? {};
  report.read(schema, fields, path);
  return Object.fromEntries(
    KINDS.filter(({ name }) => fields[name] !== undefined).map((kind) => {
      const at = [...path, kind.name];
      const own = normalize(kind, report.fields(fields[kind.name], at, "settings of devices") ?? {});
      const problems = [
        ...NO_DEFAULTS.filter((key) => key in own).map((property) => ({
          property,
          reason: `cannot be a default for devices: declare it for each ${property === "deviceId" ? "device" : "site"}`,
        })),
        ...problemsOf(
          kind,
          { ...own, deviceId: ANY_ID, businessId: ANY_ID },
          new Set(),
          keysOfDevice(kind).filter((key) => !NO_DEFAULTS.includes(key)),
        ),
      ];
      reportAll(kind, problems, at, report);
      return [
        kind.name,
        omit(
          own,
          problems.map(({ property }) => property),
        ),
      ];
    }),
  );
}

/** The arguments of a fleet that its sites inherit. */
interface FleetDefaults {
  readonly businessId: unknown;
  readonly defaults: Defaults;
  readonly ofSites: Properties;
}

function checkedSite(id: string, given: unknown, ofFleet: FleetDefaults, report: ManifestProblems): Site {
  const path = ["sites", id];
  const problemOfId = siteIdProblem(id);
  if (problemOfId) report.add(path, problemOfId, "key");
  const { defaults, labels, title, ...own } = report.fields(given, path, "vehicles and inverters") ?? {};
  const notes = { ...report.read(titleSchema, { title }, path), ...report.read(labelsSchema, { labels }, path) };
  const args = { ...ofFleet.ofSites, ...readLatitude(own) };
  const problems = siteProblems(args, undefined, [...SITE_KEYS, "title", "labels", "defaults"]);
  for (const {
    path: [key = "", ...rest],
    reason,
  } of problems) {
    const what = rest.length > 0 ? "key" : SITE_KEYS.includes(key) ? "value" : "stranger";
    report.add([...path, key, ...rest], reason, what);
  }
  const onDelete = problems.some(({ path: [key] }) => key === "onDelete") ? undefined : args.onDelete;
  const ofDevices = {
    defaults: merged(ofFleet.defaults, defaultsOf(defaults, [...path, "defaults"], siteDefaultsSchema, report), args),
    onDelete,
    latitude: args.latitude,
  };
  const businessId = args.businessId ?? ofFleet.businessId;
  const groups = GROUP_NAMES.filter((group) => isObject(args[group])).map((group) => [
    group,
    Object.fromEntries(
      Object.entries(args[group] as Properties)
        .filter(([, device]) => isObject(device))
        .map(([name, device]) => [name, checkedDevice({ group, name, given: device, site: id }, ofDevices, report)]),
    ),
  ]);
  return {
    ...args,
    id,
    ...defined({ ...notes, businessId }),
    ...Object.fromEntries(groups),
  } as Site;
}

/** The defaults of a site, then those of the fleet. The site's own `onDelete` and `onDrift` win over the fleet's defaults. */
function merged(ofFleet: Defaults, ofSite: Defaults, site: Properties): Defaults {
  const own = ["onDelete", "onDrift"].filter((key) => site[key] !== undefined);
  return Object.fromEntries(
    KINDS.map((kind) => [kind.name, over(kind, omit(ofFleet[kind.name] ?? {}, own), ofSite[kind.name] ?? {})]),
  );
}

/** Declarations, merged over those that they inherit. */
function over(kind: DeviceKind, outer: Properties, inner: Properties): Properties {
  const answers = [outer.onDrift, inner.onDrift] as (DriftAnswers | undefined)[];
  const onDrift = driftAnswersOver(answers[0], answers[1], keysOf(kind));
  return { ...declaredOver(outer, inner), ...defined({ onDrift }) };
}

/**
 * Merges the arguments of an inverter with its defaults. Planes of the inverter override the three settings in the
 * defaults, and the three settings of the inverter override planes in the defaults.
 */
export function declaredOver(outer: Properties, inner: Properties): Record<string, unknown> {
  const hasPlane = FOLDED.some((key) => inner[key] !== undefined);
  const replaced = inner.planes !== undefined ? FOLDED : hasPlane ? ["planes"] : [];
  return { ...omit<unknown>(outer, replaced), ...inner };
}

/** The arguments of a site that its devices inherit. */
interface SiteDefaults {
  readonly defaults: Defaults;
  /** The site's `onDelete`. */
  readonly onDelete: unknown;
  readonly latitude: unknown;
}

/** A device, checked with the same rules as a program's. */
function checkedDevice(
  { site, group, name, given }: Place & { readonly site: string; readonly given: unknown },
  ofSite: SiteDefaults,
  report: ManifestProblems,
): ManifestDevice {
  const [kind, path] = [kindOf({ group }), ["sites", site, group, name]];
  const own = report.fields(given, path, "deviceId and settings") ?? {};
  const inherited = own.observe === true ? {} : ofSite.defaults[kind.name];
  const device = normalize(kind, over(kind, inherited ?? {}, own));
  const { observe: _, ...settings } = device;
  const onDelete = ofSite.onDelete !== undefined && own.observe !== true && { onDelete: ofSite.onDelete };
  // The latitude affects the plane that is sent for several. An invalid latitude is a problem of the site.
  const place = typeof ofSite.latitude === "number" && "planes" in device && { latitude: ofSite.latitude };
  const inputs = { ...onDelete, ...place, businessId: ANY_ID, ...settings };
  const problems = problemsOf(kind, inputs, new Set(), keysInSite(kind)).filter(
    ({ property }) => property !== "latitude" || "latitude" in own,
  );
  reportAll(kind, deviceProblems(own, problems), path, report);
  return device as ManifestDevice;
}

function reportAll(
  kind: DeviceKind,
  problems: readonly { readonly property: string; readonly reason: string }[],
  path: Path,
  report: ManifestProblems,
): void {
  const known = ["observe", ...keysOfDevice(kind)];
  for (const { property, reason } of problems) {
    const way = property.startsWith("planes[") ? property.split(/[[\].]+/).filter(Boolean) : [property];
    report.add([...path, ...way], reason, way.length > 1 || known.includes(property) ? "value" : "stranger");
  }
}

/** Reports devices that are declared twice. A device that is only observed may be declared elsewhere. */
function reportDuplicates(sites: readonly Site[], report: ManifestProblems): void {
  const places = new Map<string, Path>();
  for (const site of sites) {
    for (const { group, name, businessId, deviceId, observe } of membersOf(site)) {
      if (observe || typeof deviceId !== "string") continue;
      const key = deviceIdentity(businessId, deviceId);
      const path = ["sites", site.id, group, name];
      const first = places.get(key);
      if (first) report.add(path, `the device is already declared ${report.placeOf(first)}: declare it once`, "key");
      else places.set(key, path);
    }
  }
}
