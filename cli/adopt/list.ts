import { extname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { textOf } from "../../measure/files/rows";
import { siteIdOf, siteIdProblem } from "../../provider/manifest/form";
import { deviceIdentity, type Site } from "../../provider/manifest/model";
import { listed, notOneOf } from "../../provider/settings/explain";
import { inverter } from "../../provider/settings/inverter";
import { readQuantity, unitsOf } from "../../provider/settings/quantity";
import { idSchema, LATITUDE, readLatitude } from "../../provider/settings/schema";
import {
  type DeviceKind,
  type NumberSetting,
  omit,
  pick,
  type Setting,
  type Value,
  type Values,
} from "../../provider/settings/setting";
import { siteProblems } from "../../provider/settings/site";
import { vehicle } from "../../provider/settings/vehicle";
import { defined } from "../defined";
import { readGiven } from "../files";
import { readCsv } from "./csv";

/** The devices that the user names. */
interface GivenDevices {
  /** File of the list of devices; `-` is standard input. */
  readonly devices?: string;
  readonly column?: string;
  readonly site: string;
}

/** The values that a list gives a site. */
type ListedSite = Pick<Site, "title" | "latitude" | "labels" | "solar">;

/** A listed device, not checked yet. */
interface Row {
  readonly deviceId: string;
  readonly site?: string;
  readonly businessId?: string;
  readonly kind?: string;
  readonly onDelete?: string;
  /** The settings that the row gives. */
  readonly settings?: Values;
  /** The values of its site that the row gives. */
  readonly ofSite?: Readonly<Record<string, unknown>>;
  /** The place of the row in the list, for messages. */
  readonly place: string;
}

/** A device to adopt. */
export interface Listed {
  readonly deviceId: string;
  readonly businessId: string;
  readonly site: string;
  /** The kind of the device, if the list names one; otherwise the device's type decides. */
  readonly kind?: DeviceKind;
  /** The settings that the list gives. They replace the reported ones. */
  readonly settings?: Values;
  readonly onDelete?: string;
  /** The values that the list gives its site, in any of the site's rows. */
  readonly ofSite?: ListedSite;
  readonly place: string;
}

const KINDS = [vehicle, inverter];

/** The content of a list. */
interface List {
  readonly rows: readonly Row[];
  /** The columns that are ignored. */
  readonly notes: readonly string[];
}

/**
 * The devices of a text: an id on each line. A line that begins with `#`, and the text after ` #`, are comments.
 * @throws Error if it is CSV or JSON
 */
export function rowsOfText(text: string, source: string): Row[] {
  const rows = text.split(/\r?\n/).flatMap((line, index) => {
    const deviceId = line
      .replace(/^\uFEFF/, "")
      .replace(/(^|\s)#.*/s, "")
      .trim();
    return deviceId === "" ? [] : [{ deviceId, place: `${source}:${index + 1}` }];
  });
  const [first] = rows;
  if (first && /^[[{]/.test(first.deviceId)) throw new Error(`${source} looks like JSON: write one id a line, or CSV`);
  const odd = rows.find((row) => /[,;\t]/.test(row.deviceId) || (row === first && bare(row.deviceId) === bare(ID)));
  if (odd) {
    throw new Error(
      `${odd.place}: ${JSON.stringify(odd.deviceId)} looks like CSV, not like an id: name the column of the ids with --column`,
    );
  }
  return rows;
}

const ID = "deviceId";

/** Optional columns about a device. */
const COLUMNS = ["site", "businessId", "kind", "onDelete"];
/** Optional columns about its site. */
const SITE_COLUMNS = ["latitude", "labels", "solar"];
/** Optional columns of settings. */
const SETTINGS: Readonly<Record<string, Setting>> = { ...vehicle.settings, ...inverter.settings };
/** The form of numbers in YAML. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** `9.800,5 W`: a number with a decimal comma, and points between its thousands. */
const DECIMAL_COMMA = /^([+-]?)(\d{1,3}(?:\.\d{3})+|\d+),(\d+)(?![\d.,])/;
/** `9.800`: a decimal number, or thousands. */
const THOUSANDS = /^[+-]?\d{1,3}(\.\d{3})+(?![\d.,])/;
/** `Max Capacity (kWh)`: a column, and the unit of its numbers. */
const WITH_UNIT = /^([^([]*)[([](.*)[)\]]$/;
/** Whether a site is solar. */
const YES = /^(true|yes|1)$/i;
const NO = /^(false|no|0)$/i;

/** A column of a list that is read. */
interface Column {
  readonly name: string;
  readonly at: number;
  /** The setting of a column of numbers, and the unit of those without one. */
  readonly measure?: NumberSetting;
  readonly unit?: string;
}

/**
 * The devices of a CSV file with a header, with commas, semicolons or tabs between the fields. All columns but that of
 * the ids are optional: about the device, its site, and settings. Their case does not matter, and `Business ID` and
 * `maxCapacity (kWh)` are accepted too.
 * @param column the column of the ids
 * @throws Error that names the problem of the file
 */
export function rowsOfCsv(text: string, source: string, column: string): List {
  const { header, lines, hasCommas } = readCsv(text, source);
  const idAt = columnOf(header, column, source);
  if (idAt < 0) {
    const found = header.length > 0 ? listed(header) : "nothing";
    throw new Error(
      `${source} has no column ${column}; its header is ${found}. Name the column of the ids with --column`,
    );
  }
  if (lines.length === 0) throw new Error(`${source} has only a header: add a row for each device`);
  const columns = [...COLUMNS, ...SITE_COLUMNS, ...Object.keys(SETTINGS)].flatMap((name): Column[] => {
    const setting = name === "latitude" ? LATITUDE : SETTINGS[name];
    const measure = setting?.type === "number" ? setting : undefined;
    const at = columnOf(header, name, source, { hasUnit: measure !== undefined });
    if (at < 0 || at === idAt) return [];
    return [{ name, at, ...(measure && { measure, ...unitIn(header[at] as string, measure, source) }) }];
  });
  const unused = header.filter((_, at) => at !== idAt && columns.every((one) => one.at !== at));
  const business = unused.find((name) => bare(name) === "business");
  if (business !== undefined) {
    throw new Error(
      `${source}: rename the column ${business} to businessId if it holds business ids; otherwise give it another name`,
    );
  }
  const numbers = lines.flatMap(({ record, info }) =>
    columns.flatMap(({ at, measure }) => (measure ? [{ text: record[at] ?? "", line: info.lines }] : [])),
  );
  const hasDecimalCommas = !hasCommas && numbers.some(({ text }) => DECIMAL_COMMA.test(text));
  const doubtful = hasDecimalCommas ? numbers.find(({ text }) => THOUSANDS.test(text)) : undefined;
  if (doubtful) {
    throw new Error(
      `${source}:${doubtful.line}: ${doubtful.text} has a point, and other numbers have decimal commas: write it with a comma, or without thousands`,
    );
  }
  const rows = lines.map(({ record, info }) => {
    const given = Object.fromEntries(
      columns.flatMap((one) => {
        const text = record[one.at];
        return text ? [[one.name, cellValue(one, text, { hasDecimalCommas })]] : [];
      }),
    );
    return {
      deviceId: record[idAt] ?? "",
      ...pick<string>(given as Record<string, string>, COLUMNS),
      ...defined({
        settings: some(pick<Value>(given as Values, Object.keys(SETTINGS))),
        ofSite: some(pick(given, SITE_COLUMNS)),
      }),
      place: `${source}:${info.lines}`,
    };
  });
  const without = lines.filter(({ record }) => !record[idAt] && record.some(Boolean));
  return {
    rows: rows.filter(({ deviceId }) => deviceId !== ""),
    notes: [
      ...(hasDecimalCommas ? [`commas in the numbers of ${source} are decimal`] : []),
      ...(unused.length > 0 ? [`ignored columns of ${source}: ${listed(unused)}`] : []),
      ...(without.length > 0
        ? [
            `ignored rows of ${source} without an id: ${without.length}, the first one in line ${without[0]?.info.lines}`,
          ]
        : []),
    ],
  };
}

/** The values, unless there are none. */
function some<Of extends object>(values: Of): Of | undefined {
  return Object.keys(values).length > 0 ? values : undefined;
}

/**
 * The unit in the name of a column.
 * @throws Error if the setting has another unit
 */
function unitIn(name: string, measure: NumberSetting, source: string): { readonly unit?: string } {
  const [, , unit] = WITH_UNIT.exec(name) ?? [];
  if (unit === undefined) return {};
  if ("value" in readQuantity(measure, `1 ${unit}`)) return { unit };
  throw new Error(`${source}: the unit of the column ${name} must be ${listed(Object.keys(unitsOf(measure)), "or")}`);
}

/** The value of a cell: CSV itself has only texts. */
function cellValue(
  { name, measure, unit }: Column,
  text: string,
  { hasDecimalCommas }: { readonly hasDecimalCommas: boolean },
): unknown {
  if (name === "labels") return text.split(/[,;|]/).flatMap((label) => label.trim() || []);
  if (name === "solar") return YES.test(text) || (!NO.test(text) && text);
  if (!measure) return text;
  const number = hasDecimalCommas
    ? text.replace(DECIMAL_COMMA, (_, sign, whole, part) => `${sign}${whole.replaceAll(".", "")}.${part}`)
    : text;
  if (!NUMBER.test(number)) return number;
  return unit === undefined ? Number(number) : `${number} ${unit}`;
}

/**
 * The index of the column with this name, in upper or lower case; less than 0 if it is missing.
 * @param options `hasUnit`: whether its name may end in a unit in brackets
 * @throws Error if two columns match
 */
function columnOf(names: readonly string[], column: string, source: string, { hasUnit = false } = {}): number {
  const isWritten = names.includes(column);
  const nameIn = (name: string) => (hasUnit ? (WITH_UNIT.exec(name)?.[1] ?? name) : name);
  const found = names.filter((name) => (isWritten ? name === column : bare(nameIn(name)) === bare(column)));
  if (found.length > 1) throw new Error(`${source} has the columns ${found.join(" and ")}: keep only one of them`);
  return names.indexOf(found[0] as string);
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

/**
 * The devices that a command is given: as arguments, and in a file or on standard input.
 * @throws Error that names the problem of the file
 */
export function readRows(ids: readonly string[], { devices, column }: { devices?: string; column?: string }): List {
  const named = ids.map((deviceId) => ({ deviceId, place: "command line" }));
  if (devices === undefined) return { rows: named, notes: [] };
  const source = devices === "-" ? "standard input" : devices;
  const text = listText(readGiven(devices === "-" ? 0 : devices, source), source);
  const isCsv = column !== undefined || extname(devices).toLowerCase() === ".csv";
  const { rows, notes } = isCsv ? rowsOfCsv(text, source, column ?? ID) : { rows: rowsOfText(text, source), notes: [] };
  return { rows: [...named, ...rows], notes };
}

/** The text of a list, in any encoding that `measure` reads. */
function listText(bytes: Buffer, source: string): string {
  try {
    return textOf(bytes);
  } catch (error) {
    throw new Error(`${source}: ${(error as Error).message}`);
  }
}

/**
 * The devices of a list, each once. Repeated rows are ignored.
 * @param defaults the values of rows that do not give their own
 * @returns also `problems`: all mistakes in the list, each with its place
 */
export function devicesOfList(
  rows: readonly Row[],
  defaults: { readonly businessAt: (site: string) => string | undefined; readonly site: string },
): { devices: Listed[]; problems: string[] } {
  const devices = new Map<string, Listed>();
  const sites = new Map<string, FoundSite>();
  const problems: string[] = [];
  for (const row of rows) {
    const { deviceId, settings, onDelete, place } = row;
    const { site, problems: wrongSite } = siteOf(row, defaults.site, sites);
    const { businessId = defaults.businessAt(site) } = row;
    const kind = KINDS.find(({ name }) => name === row.kind);
    const wrong = [
      ...problemsWith("the id of the device", deviceId),
      ...problemsWith("the business", businessId, ": give --business, or set SOLAR_CHARGING_BUSINESS_ID"),
      ...wrongSite,
      ...(row.kind === undefined || kind
        ? []
        : [
            `the kind ${notOneOf(
              KINDS.map(({ name }) => name),
              row.kind,
            )}`,
          ]),
    ];
    const key = deviceIdentity(businessId, deviceId);
    const before = devices.get(key);
    if (before && (before.site !== site || before.kind !== kind)) {
      wrong.push(`device '${deviceId}' is also in ${before.place}, with another site or kind: list it once`);
    }
    problems.push(...wrong.map((problem) => `${place}: ${problem}`));
    if (wrong.length === 0 && !before) {
      devices.set(key, defined({ deviceId, businessId: businessId as string, site, kind, settings, onDelete, place }));
    }
  }
  return {
    devices: [...devices.values()].map((one) => defined({ ...one, ofSite: some(sites.get(one.site)?.values ?? {}) })),
    problems,
  };
}

/** A site in a list. */
interface FoundSite {
  /** The name in the list, which can be another one than its id. */
  readonly name: string;
  readonly values: Record<string, unknown>;
  /** The row that named it first. */
  readonly place: string;
}

/**
 * The id of a row's site, and the problems of the site's values in the row.
 * @param sites those of earlier rows
 */
function siteOf(
  { site: name, ofSite = {}, place }: Row,
  usual: string,
  sites: Map<string, FoundSite>,
): { site: string; problems: string[] } {
  const given = name ?? usual;
  const problem = siteIdProblem(given);
  const site = problem === undefined ? given : (siteIdOf(given) ?? given);
  const values = readLatitude(ofSite);
  const title = site !== given && { title: given };
  const known = sites.get(site) ?? { name: given, values: { ...title }, place };
  sites.set(site, known);
  const differing = Object.keys(values).filter(
    (key) => key in known.values && !isDeepStrictEqual(known.values[key], values[key]),
  );
  Object.assign(known.values, { ...values, ...known.values });
  const wrong = [
    ...(problem !== undefined && site === given ? [`the site ${JSON.stringify(given)} ${problem}`] : []),
    ...siteProblems(omit(values, ["labels"])).map(({ path, reason }) => `${path.join(".")} ${reason}`),
    ...differing.map((key) => `${key} is another one than in ${known.place}: a site has one`),
    ...(known.name === given
      ? []
      : [
          `the site ${JSON.stringify(given)} would have the id ${site} of ${JSON.stringify(known.name)} in ${known.place}: rename one of them`,
        ]),
  ];
  return { site, problems: wrong };
}

function problemsWith(what: string, id?: string, advice = ""): string[] {
  const { error } = idSchema.safeParse(id);
  return error ? [`${what} ${error.issues[0]?.message}${advice}`] : [];
}

/** @throws Error if no device is named, or the list of devices has a mistake */
export function listedDevices(
  ids: readonly string[],
  options: GivenDevices,
  businessAt: (site: string) => string | undefined,
): Listed[] {
  const { rows, notes } = readRows(ids, options);
  for (const note of notes) console.error(`note: ${note}`);
  const { devices, problems } = devicesOfList(rows, { businessAt, site: options.site });
  refuse(problems, "the list of devices cannot be used, so nothing was read");
  if (devices.length === 0) throw new Error("no device is named. Give ids, or a list with --devices");
  return devices;
}

export function refuse(problems: readonly string[], what: string): void {
  if (problems.length > 0) throw new Error([`${what}:`, ...problems.map((problem) => `  ${problem}`)].join("\n"));
}
