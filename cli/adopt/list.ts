import { extname } from "node:path";
import { siteIdSchema } from "../../provider/manifest/form";
import { deviceIdentity } from "../../provider/manifest/model";
import { decodedText } from "../../provider/manifest/source";
import { listed, notOneOf } from "../../provider/settings/explain";
import { inverter } from "../../provider/settings/inverter";
import { idSchema } from "../../provider/settings/schema";
import { type DeviceKind, keysOf, type Value, type Values } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import { readCsv } from "../csv";
import { defined } from "../defined";
import { readGiven } from "../files";

/** The devices that the user names. */
export interface GivenDevices {
  /** File of the list of devices; `-` is standard input. */
  readonly devices?: string;
  readonly column?: string;
  readonly site: string;
}

/** A listed device, not checked yet. */
interface Row {
  readonly deviceId: string;
  readonly site?: string;
  readonly businessId?: string;
  readonly kind?: string;
  /** The settings that the row gives. */
  readonly settings?: Values;
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
  /** The settings that the list gives. They count instead of the reported ones. */
  readonly settings?: Values;
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
const COLUMNS = ["site", "businessId", "kind"];
/** Optional columns of settings. */
const SETTINGS = KINDS.flatMap(keysOf);
/** The form of numbers in YAML. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * The devices of a CSV file with a header, with commas, semicolons or tabs between the fields. The columns `site`,
 * `businessId`, `kind` and those of settings are optional. Their case does not matter, and `Business ID` is accepted
 * too.
 * @param column the column of the ids
 * @throws Error that names the problem of the file
 */
export function rowsOfCsv(text: string, source: string, column: string): List {
  const [header, ...lines] = readCsv(text, source);
  const names = header?.record ?? [];
  const idAt = columnOf(names, column, source);
  if (idAt < 0) {
    const found = names.length > 0 ? listed(names) : "nothing";
    throw new Error(
      `${source} has no column ${column}; its header is ${found}. Name the column of the ids with --column`,
    );
  }
  const others = [...COLUMNS, ...SETTINGS]
    .map((name) => [name, columnOf(names, name, source)] as const)
    .filter(([, at]) => at >= 0 && at !== idAt);
  const unused = names.filter((_, at) => at !== idAt && others.every(([, other]) => other !== at));
  const business = unused.find((name) => bare(name) === "business");
  if (business !== undefined) {
    throw new Error(
      `${source}: rename the column ${business} to businessId if it holds business ids; otherwise give it another name`,
    );
  }
  const rows = lines.map(({ record, info }) => {
    const given = others.flatMap(([name, at]): [string, string][] => (record[at] ? [[name, record[at]]] : []));
    const settings = given.filter(([name]) => SETTINGS.includes(name)).map(([name, text]) => [name, cellValue(text)]);
    return {
      deviceId: record[idAt] ?? "",
      ...Object.fromEntries(given.filter(([name]) => COLUMNS.includes(name))),
      ...(settings.length > 0 && { settings: Object.fromEntries(settings) as Values }),
      place: `${source}:${info.lines}`,
    };
  });
  const without = lines.filter(({ record }) => !record[idAt] && record.some(Boolean));
  return {
    rows: rows.filter(({ deviceId }) => deviceId !== ""),
    notes: [
      ...(unused.length > 0 ? [`ignored columns of ${source}: ${listed(unused)}`] : []),
      ...(without.length > 0
        ? [
            `ignored rows of ${source} without an id: ${without.length}, the first one in line ${without[0]?.info.lines}`,
          ]
        : []),
    ],
  };
}

/** The value of a cell: CSV itself has only texts. */
function cellValue(text: string): Value {
  return NUMBER.test(text) ? Number(text) : text;
}

/** The index of a column, in upper or lower case; less than 0 if it is missing. @throws Error if two columns match */
function columnOf(names: readonly string[], column: string, source: string): number {
  const isWritten = names.includes(column);
  const found = names.filter((name) => (isWritten ? name === column : bare(name) === bare(column)));
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
  const text = decoded(readGiven(devices === "-" ? 0 : devices, source), source);
  const isCsv = column !== undefined || extname(devices).toLowerCase() === ".csv";
  const { rows, notes } = isCsv ? rowsOfCsv(text, source, column ?? ID) : { rows: rowsOfText(text, source), notes: [] };
  return { rows: [...named, ...rows], notes };
}

function decoded(bytes: Buffer, source: string): string {
  try {
    return decodedText(bytes);
  } catch (error) {
    throw new Error(`${source} ${(error as Error).message}`);
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
  const problems: string[] = [];
  for (const row of rows) {
    const { deviceId, site = defaults.site, businessId = defaults.businessAt(site), settings, place } = row;
    const kind = KINDS.find(({ name }) => name === row.kind);
    const wrong = [
      ...problemsWith("the id of the device", idSchema, deviceId),
      ...problemsWith("the business", idSchema, businessId, ": give --business, or set SOLAR_CHARGING_BUSINESS_ID"),
      ...problemsWith(`the site ${JSON.stringify(site)}`, siteIdSchema, site),
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
      devices.set(key, defined({ deviceId, businessId: businessId as string, site, kind, settings, place }));
    }
  }
  return { devices: [...devices.values()], problems };
}

function problemsWith(what: string, schema: typeof idSchema | typeof siteIdSchema, id?: string, advice = ""): string[] {
  const { error } = schema.safeParse(id);
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
