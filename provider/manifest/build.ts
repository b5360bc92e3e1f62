import { typeName } from "../settings/explain";
import { inverter } from "../settings/inverter";
import { normalize } from "../settings/normalize";
import { keysOfDevice, problemsOf, readLatitude } from "../settings/schema";
import { type DeviceKind, isObject, omit } from "../settings/setting";
import { deviceProblems, GROUP_NAMES, type Group, kindOf, SITE_KEYS, siteProblems } from "../settings/site";
import { vehicle } from "../settings/vehicle";
import { reportDuplicates } from "./duplicates";
import { FLEET_KEYS, fleetFields, notAKey, secretProblem, siteIdSchema } from "./form";
import type { Devices, Manifest, ManifestDevice, Site } from "./model";
import { Report } from "./report";
import type { Path, Source } from "./source";

type Fields = Readonly<Record<string, unknown>>;

/** The defaults of devices of each kind, by the name of the kind. */
type Defaults = Readonly<Record<string, Fields>>;

const KINDS = [vehicle, inverter];

/** Ids that the check accepts, if only the settings matter or the configuration has the business. */
const ANY_ID = "any";

/** Keys of a device that are its own. */
const NO_DEFAULTS = ["deviceId", "businessId", "latitude"];

/** Makes a fleet of what has been read. @throws ManifestError with everything that is wrong */
export function buildManifest(source: Source, file: string): Manifest {
  const report = new Report(source, file);
  if (source.tree === null || source.tree === undefined) report.add([], "is empty: a manifest has fleet and sites");
  const tree = settingsAt(source.tree, [], "fleet and sites", report);
  if (!isObject(source.tree)) report.throwIfAny();
  for (const [key, schema] of Object.entries(fleetFields)) {
    const { error } = schema.safeParse(tree[key]);
    if (error) report.add([key], error.issues[0]?.message as string);
  }
  for (const key of Object.keys(tree)) {
    if (!FLEET_KEYS.includes(key)) report.add([key], notAKey(key, "a manifest", FLEET_KEYS), "key");
  }
  const defaults = defaultsOf(tree.defaults, ["defaults"], report);
  const given = fieldsAt(tree.sites, ["sites"], "the sites by id", report);
  const sites = Object.entries(given).map(([id, site]) =>
    siteOf(id, site, { businessId: tree.businessId, defaults }, report),
  );
  reportDuplicates(sites, report);
  report.throwIfAny();
  return {
    fleet: tree.fleet as string,
    ...(tree.shards !== undefined && { shards: tree.shards as number }),
    sites,
  };
}

/** The fields of what has to be an object; none if it is not. Keys without a value are left out. */
function fieldsAt(value: unknown, path: Path, what: string, report: Report): Fields {
  if (!isObject(value)) {
    report.add(path, value === undefined ? "is required" : `has to be an object with ${what}, not ${typeName(value)}`);
    return {};
  }
  const defined = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(defined);
}

/** Fields that may hold a secret by mistake. */
function settingsAt(value: unknown, path: Path, what: string, report: Report): Fields {
  const fields = fieldsAt(value, path, what, report);
  reportSecrets(fields, path, report);
  return fields;
}

function reportSecrets(fields: Fields, path: Path, report: Report): void {
  for (const key of Object.keys(fields)) {
    const problem = secretProblem(key);
    if (problem) report.add([...path, key], problem, "key");
  }
}

/** The defaults at a place. A default with a problem is left out, as each device would have the problem again. */
function defaultsOf(given: unknown, path: Path, report: Report): Defaults {
  if (given === undefined) return {};
  const names = KINDS.map(({ name }) => name as string);
  const fields = fieldsAt(given, path, "vehicle and inverter", report);
  for (const key of Object.keys(fields)) {
    if (!names.includes(key)) report.add([...path, key], notAKey(key, "defaults", names), "key");
  }
  return Object.fromEntries(
    KINDS.filter(({ name }) => fields[name] !== undefined).map((kind) => {
      const at = [...path, kind.name];
      const own = normalize(kind, settingsAt(fields[kind.name], at, "settings of devices", report));
      const problems = [
        ...NO_DEFAULTS.filter((key) => key in own).map((property) => ({
          property,
          reason: "is no default: each device has its own",
        })),
        ...problemsOf(kind, { ...own, deviceId: ANY_ID, businessId: ANY_ID }, new Set()),
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

interface Around {
  readonly businessId: unknown;
  readonly defaults: Defaults;
}

function siteOf(id: string, given: unknown, around: Around, report: Report): Site {
  const path = ["sites", id];
  const { error } = siteIdSchema.safeParse(id);
  if (error) report.add(path, error.issues[0]?.message as string, "key");
  const { defaults, ...own } = settingsAt(given, path, "vehicles and inverters", report);
  const args = readLatitude(own);
  const problems = siteProblems(args);
  for (const {
    path: [key = "", ...rest],
    reason,
  } of problems) {
    const isValue = rest.length === 0 && SITE_KEYS.includes(key);
    report.add([...path, key, ...rest], reason, isValue ? "value" : "key");
  }
  const onDelete = problems.some(({ path: [key] }) => key === "onDelete") ? undefined : args.onDelete;
  const ofDevices = {
    defaults: merged(around.defaults, defaultsOf(defaults, [...path, "defaults"], report), onDelete !== undefined),
    onDelete,
  };
  const businessId = args.businessId ?? around.businessId;
  const groups = GROUP_NAMES.filter((group) => isObject(args[group])).map((group) => [
    group,
    devicesOf(group, args[group] as Fields, [...path, group], ofDevices, report),
  ]);
  return { ...args, id, ...(businessId !== undefined && { businessId }), ...Object.fromEntries(groups) } as Site;
}

/** The defaults of a site over those of the fleet. What the site says of a delete is nearer than the fleet's default. */
function merged(ofFleet: Defaults, ofSite: Defaults, hasOnDelete: boolean): Defaults {
  return Object.fromEntries(
    KINDS.map(({ name }) => {
      const outer = ofFleet[name] ?? {};
      return [name, { ...(hasOnDelete ? omit(outer, ["onDelete"]) : outer), ...ofSite[name] }];
    }),
  );
}

interface AroundDevices {
  readonly defaults: Defaults;
  /** The site's `onDelete`. */
  readonly onDelete: unknown;
}

function devicesOf(group: Group, devices: Fields, path: Path, around: AroundDevices, report: Report): Devices {
  const entries = Object.entries(devices).filter(([, given]) => isObject(given));
  return Object.fromEntries(
    entries.map(([name, given]) => [name, deviceOf(kindOf({ group }), given, [...path, name], around, report)]),
  );
}

/** A device, checked as a program's. */
function deviceOf(kind: DeviceKind, given: unknown, path: Path, around: AroundDevices, report: Report): ManifestDevice {
  const own = settingsAt(given, path, "deviceId and settings", report);
  const inherited = own.observe === true ? {} : around.defaults[kind.name];
  const device = normalize(kind, { ...inherited, ...own });
  const { observe: _, ...settings } = device;
  const ofSite = around.onDelete !== undefined && own.observe !== true && { onDelete: around.onDelete };
  const problems = problemsOf(kind, { ...ofSite, businessId: ANY_ID, ...settings }, new Set());
  reportAll(kind, deviceProblems(own, problems), path, report);
  return device as ManifestDevice;
}

function reportAll(
  kind: DeviceKind,
  problems: readonly { readonly property: string; readonly reason: string }[],
  path: Path,
  report: Report,
): void {
  const known = ["observe", ...keysOfDevice(kind)];
  for (const { property, reason } of problems) {
    report.add([...path, property], reason, known.includes(property) ? "value" : "key");
  }
}
