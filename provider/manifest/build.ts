import type { z } from "zod";
import type { OnDelete } from "../settings/declaration";
import { inverter } from "../settings/inverter";
import type { LintName } from "../settings/lints";
import { readQuantity } from "../settings/quantity";
import { LATITUDE, latitudeSchema, problemsOf } from "../settings/schema";
import { type DeviceKind, isObject, keysOf, normalize, pick, type Values } from "../settings/setting";
import { vehicle } from "../settings/vehicle";
import { manifestForm, notAKey } from "./form";
import type { Manifest, Member, Site } from "./model";
import { Report } from "./report";
import type { Path, Source } from "./source";
import { refuseTwins } from "./twins";

/** Why a name cannot have an asterisk: the engine has no way to write one that is none of a pattern. */
const PATTERN =
  'must not have "*" in it, as it becomes the name of a resource, and --target takes that for a pattern: give a name without it';

type Fields = Readonly<Record<string, unknown>>;

/** What holds for devices of each kind that do not say it themselves, by the name of the kind. */
type Defaults = Readonly<Record<string, Fields>>;

/** What a problem with a device is checked as, where the manifest leaves the business to the configuration. */
const ANY_ID = "any";

/** Makes a fleet of what has been read. @throws ManifestError with everything that is wrong */
export function buildManifest(source: Source, file: string): Manifest {
  const report = new Report(source, file);
  reportForm(source.tree, report);
  const tree = fieldsOf(source.tree);
  const defaults = defaultsOf(tree, [], {}, report);
  const sites = listOf(tree.sites).map((site, index) =>
    siteOf(fieldsOf(site), ["sites", index], { businessId: tree.businessId, defaults, report }),
  );
  refuseTwins(sites, report);
  report.throwIfAny();
  return {
    fleet: tree.fleet as string,
    ...(tree.shards !== undefined && { shards: tree.shards as number }),
    sites,
  };
}

/** What the form alone tells: keys, types, and texts that cannot be read. */
function reportForm(tree: unknown, report: Report): void {
  if (tree === null || tree === undefined) {
    report.add([], "is empty: a manifest has fleet and sites");
    return;
  }
  const { error } = manifestForm.safeParse(tree);
  for (const issue of error?.issues ?? []) {
    if (issue.code !== "unrecognized_keys") {
      report.add(issue.path as Path, issue.message);
      continue;
    }
    for (const key of issue.keys)
      report.add([...(issue.path as Path), key], notAKey(key, knownKeys(issue.path as Path)), "key");
  }
}

/** The keys that the form has at a place. */
function knownKeys(path: Path): string[] {
  let schema: unknown = manifestForm;
  for (const part of path) {
    schema = innermost(schema);
    schema = typeof part === "number" ? (schema as z.ZodArray).element : (schema as z.ZodObject).shape[part];
  }
  return Object.keys((innermost(schema) as z.ZodObject).shape ?? {});
}

function innermost(schema: unknown): unknown {
  const { def } = schema as z.ZodOptional;
  return def.type === "optional" ? def.innerType : schema;
}

/** The defaults at a place: its own over those of the place around. */
function defaultsOf(fields: Fields, path: Path, around: Defaults, report: Report): Defaults {
  const given = fieldsOf(fields.defaults);
  return Object.fromEntries(
    [vehicle, inverter].map((kind) => {
      const at = [...path, "defaults", kind.name];
      const own = readable(kind, fieldsOf(given[kind.name]), at, report);
      reportProblems(kind, own, at, report);
      // What is wrong with a default is told there, and not again for each device.
      const sound = Object.entries(own).filter(([key]) => !report.has([...at, key]));
      return [kind.name, { ...around[kind.name], ...Object.fromEntries(sound) }];
    }),
  );
}

interface Around {
  readonly businessId: unknown;
  readonly defaults: Defaults;
  readonly report: Report;
}

function siteOf(site: Fields, path: Path, { businessId, defaults, report }: Around): Site {
  const around = {
    businessId: site.businessId ?? businessId,
    defaults: defaultsOf(site, path, defaults, report),
    report,
  };
  const membersOf = (kind: DeviceKind) =>
    listOf(site[`${kind.name}s`]).map((device, index) =>
      memberOf(kind, fieldsOf(device), [...path, `${kind.name}s`, index], around),
    );
  const vehicles = membersOf(vehicle);
  const inverters = membersOf(inverter);
  const latitude = latitudeOf(site.latitude, [...path, "latitude"], report);
  return {
    id: site.id as string,
    ...(latitude !== undefined && { latitude }),
    isSolar: (site.solar as boolean | undefined) ?? inverters.length > 0,
    requireReady: (site.requireReady as boolean | undefined) ?? false,
    vehicles,
    inverters,
  };
}

function latitudeOf(given: unknown, path: Path, report: Report): number | undefined {
  const reading = typeof given === "string" ? readQuantity(LATITUDE, given) : { value: given };
  if (!("value" in reading) || typeof reading.value !== "number") return undefined;
  const { error } = latitudeSchema.safeParse(reading.value);
  if (error) report.add(path, error.issues[0]?.message as string);
  return reading.value;
}

function memberOf(kind: DeviceKind, device: Fields, path: Path, { businessId, defaults, report }: Around): Member {
  const declared: Fields = { ...defaults[kind.name], ...readable(kind, device, path, report) };
  reportProblems(kind, declared, path, report);
  const named = device.name === undefined ? "deviceId" : "name";
  if (String(device[named]).includes("*")) report.add([...path, named], PATTERN);
  const business = device.businessId ?? businessId;
  return {
    name: device[named] as string,
    deviceId: device.deviceId as string,
    ...(business !== undefined && { businessId: business as string }),
    ...(declared.onDelete !== undefined && { onDelete: declared.onDelete as OnDelete }),
    ...(declared.ignoreLints !== undefined && { ignoreLints: declared.ignoreLints as LintName[] }),
    values: pick(declared, keysOf(kind)) as Values,
  };
}

/** What is declared, in the units of the settings, without what the form has refused. */
function readable(kind: DeviceKind, fields: Fields, path: Path, report: Report): Fields {
  const known = pick<unknown>(fields, [...keysOf(kind), "onDelete", "ignoreLints"]);
  const read = Object.entries(known)
    .filter(([key]) => !report.has([...path, key]))
    .map(([key, given]) => {
      const setting = kind.settings[key];
      const reading =
        typeof given === "string" && setting?.type === "number" ? readQuantity(setting, given) : undefined;
      return [key, reading && "value" in reading ? reading.value : given] as const;
    });
  return normalize(kind, Object.fromEntries(read));
}

/** What the check of a resource would say. */
function reportProblems(kind: DeviceKind, declared: Fields, path: Path, report: Report): void {
  for (const { property, reason } of problemsOf(
    kind,
    { ...declared, deviceId: ANY_ID, businessId: ANY_ID },
    new Set(),
  )) {
    report.add([...path, property], reason);
  }
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
