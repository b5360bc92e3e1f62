import { extname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { textOf } from "../../measure/files/rows";
import { grouped } from "../../measure/sky/numbers";
import { siteIdOf, siteIdProblem } from "../../provider/manifest/form";
import { deviceIdentity, type Site } from "../../provider/manifest/model";
import { firstNames, listed, nearest, notOneOf } from "../../provider/settings/explain";
import { inverter } from "../../provider/settings/inverter";
import { normalize } from "../../provider/settings/normalize";
import { defined, isEmpty, omit, type Properties, pick } from "../../provider/settings/objects";
import { readQuantity, unitsOf } from "../../provider/settings/quantity";
import { idSchema, LATITUDE, problemsOf, readLatitude } from "../../provider/settings/schema";
import {
  type DeviceKind,
  isWithin,
  keysOf,
  type NumberSetting,
  type Setting,
  type Value,
  type Values,
} from "../../provider/settings/setting";
import { siteProblems } from "../../provider/settings/site";
import { vehicle } from "../../provider/settings/vehicle";
import { readGiven } from "../files";
import { counted } from "../words";
import { readCsv } from "./csv";
import { SOME_DEVICE } from "./declarable";

/** The devices that the user names. */
interface GivenDevices {
  /** File of the list of devices; `-` is standard input. */
  readonly devices?: string;
  readonly column?: string;
  readonly site?: string;
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
  readonly ofSite?: Properties;
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
  /** The columns and rows that are ignored. */
  readonly notes: readonly string[];
  /** The mistakes in the header and in the form of numbers. */
  readonly problems: readonly string[];
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
const ALL_COLUMNS = [...COLUMNS, ...SITE_COLUMNS, ...Object.keys(SETTINGS)];
/** The form of numbers in YAML. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** `9.800,5 W`: a number with a decimal comma, and points between its thousands. */
const DECIMAL_COMMA = /^([+-]?)(\d{1,3}(?:\.\d{3})+|\d+),(\d+)(?![\d.,])/;
/** `1.250`: a decimal number, or thousands. */
const THOUSANDS = /^[+-]?[1-9]\d{0,2}\.\d{3}(?![\d.,])/;
/** A number with one point. */
const POINT = /^[+-]?\d*\.\d+(?![\d.,])/;
/** `Max Capacity (kWh)`: a column, and the unit of its numbers. */
const WITH_UNIT = /^([^([]*)[([](.*)[)\]]$/;
/** Whether a site is solar. */
const YES = /^(true|yes|ja|oui|si|1)$/i;
const NO = /^(false|no|nein|nee|non|0)$/i;
/** The largest numbers that need no unit of their own, in W (our choice). Larger ones are often W in a column of kW. */
const LARGEST: Readonly<Record<string, number>> = { peakPower: 1_000_000, cutInThreshold: 10_000, baseLoad: 100_000 };

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
 * @param site the site of devices without one, if the user names it
 * @throws Error if it is not CSV
 */
export function rowsOfCsv(text: string, source: string, column: string, site?: string): List {
  const { header, lines, hasCommas } = readCsv(text, source);
  const problems: string[] = [];
  const refuseFile = (problem: string) => problems.push(`${source}${problem}`);
  // The place of a column. An exact title wins over one in another case. With `hasUnit`, a unit in brackets may follow.
  const find = (name: string, { hasUnit } = { hasUnit: false }) => {
    const isWritten = header.includes(name);
    const nameOf = (title: string) => (hasUnit ? (WITH_UNIT.exec(title)?.[1] ?? title) : title);
    const found = header.filter((one) => (isWritten ? one === name : bare(nameOf(one)) === bare(name)));
    if (found.length > 1) refuseFile(` has the columns ${found.join(" and ")}: keep only one of them`);
    return header.indexOf(found[0] as string);
  };
  const idAt = find(column);
  if (idAt < 0) {
    refuseFile(
      ` has no column ${column}; its header is ${listed(header) || "nothing"}. Name the column of the ids with --column`,
    );
  }
  if (lines.length === 0) refuseFile(" has only a header: add a row for each device");
  const columns = ALL_COLUMNS.flatMap((name): Column[] => {
    const measure = measureOf(name);
    const at = find(name, { hasUnit: measure !== undefined });
    if (at < 0 || at === idAt) return [];
    if (!measure) return [{ name, at }];
    const [, , unit] = WITH_UNIT.exec(header[at] as string) ?? [];
    if (unit === undefined || "value" in readQuantity(measure, `1 ${unit}`))
      return [{ name, at, measure, ...defined({ unit }) }];
    refuseFile(`: the unit of the column ${header[at]} must be ${listed(Object.keys(unitsOf(measure)), "or")}`);
    return [{ name: "", at }];
  });
  const unused = header.flatMap((name, at) =>
    // Excel writes empty columns.
    name === "" || at === idAt || columns.some((one) => one.at === at) ? [] : [{ name, at }],
  );
  const business = unused.find(({ name }) => bare(name) === "business");
  if (business) {
    refuseFile(
      `: rename the column ${business.name} to businessId if it holds business ids; otherwise give it another name`,
    );
  }
  // Without this, the devices of all sites would be at one.
  const differing = unused.filter(({ at }) => new Set(lines.flatMap(({ record }) => record[at] || [])).size > 1);
  if (site === undefined && !columns.some(({ name }) => name === "site") && differing.length > (idAt < 0 ? 1 : 0)) {
    const others = differing.map(({ name }) => name);
    const meant = others.filter((name) => nearest(name, ["site"]));
    refuseFile(
      ` has no column site, so all devices would be at one. Rename the column that names their sites to site (${listed(
        meant.length > 0 ? meant : others,
        "or",
      )}?), or give --site`,
    );
  }
  const numbersIn = ({ at }: Column) => lines.map(({ record, info }) => ({ text: record[at] ?? "", line: info.lines }));
  const measured = hasCommas ? [] : columns.filter(({ measure }) => measure);
  const hasDecimalCommas = measured.flatMap(numbersIn).some(({ text }) => DECIMAL_COMMA.test(text));
  const doubtful = measured.flatMap((one) => doubtfulIn(numbersIn(one), one));
  const [first] = doubtful;
  if (first) {
    const others = doubtful.length > 1 ? `, as in ${counted(doubtful.length - 1, "more number")}` : "";
    refuseFile(
      `:${first.line}: column ${header[first.column.at]}: the point in ${first.text} can separate thousands or decimals${others}. ` +
        `Write ${first.text.replace(".", "")}, or ${first.text.replace(".", ",")} with a decimal comma`,
    );
  }
  const pointed: Pointed = (text) =>
    hasDecimalCommas
      ? text.replace(DECIMAL_COMMA, (_, sign, whole, part) => `${sign}${whole.replaceAll(".", "")}.${part}`)
      : text;
  const inThousands = columns.filter((one) => isInThousands(numbersIn(one), one, pointed));
  for (const { at, name, measure } of inThousands) {
    const [, kilo] = Object.keys(unitsOf(measure as NumberSetting));
    refuseFile(
      `: column ${header[at]}: all its numbers are too small for ${measure?.unit}. If they are in ${kilo}, write the unit into the header: ${name} (${kilo})`,
    );
  }
  for (const one of columns) {
    const odd = oddIn(numbersIn(one), one, pointed);
    if (odd[0])
      refuseFile(
        `:${firstNames(odd.map(({ line }) => line))}: column ${header[one.at]}: ${odd[0].full} looks wrong. Correct it. If it is right, write it in the field with its unit, as here`,
      );
  }
  const used = columns.filter((one) => !inThousands.includes(one) && doubtful.every(({ column }) => column !== one));
  const rows = lines.map(({ record, info }) => {
    const given = Object.fromEntries(
      used.flatMap((one) => {
        const text = record[one.at];
        return text ? [[one.name, cellValue(one, text, pointed)]] : [];
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
  const without = idAt < 0 ? [] : lines.filter(({ record }) => !record[idAt] && record.some(Boolean));
  return {
    rows: rows.filter(({ deviceId }) => deviceId !== ""),
    problems,
    notes: [
      ...(hasDecimalCommas ? [`commas in the numbers of ${source} are decimal`] : []),
      ...(unused.length > 0
        ? [
            `ignored columns of ${source}: ${listed(unused.map(({ name }) => guessed(name, columns)))}. adopt reads the columns ${listed([column, ...ALL_COLUMNS])}`,
          ]
        : []),
      ...(without.length > 0
        ? [
            `ignored rows of ${source} without an id: ${without.length}, the first one in line ${without[0]?.info.lines}`,
          ]
        : []),
    ],
  };
}

/** The setting of a column of numbers. */
function measureOf(name: string): NumberSetting | undefined {
  const setting = name === "latitude" ? LATITUDE : SETTINGS[name];
  return setting?.type === "number" ? setting : undefined;
}

/** An ignored column, with the columns that its name and its unit fit: `Kapazität (kWh) (rename it to maxCapacity (kWh)?)`. */
function guessed(title: string, used: readonly Column[]): string {
  const [, name = title, unit] = WITH_UNIT.exec(title) ?? [];
  const free = ALL_COLUMNS.filter((key) => used.every((one) => one.name !== key));
  const ofUnit = free.filter((key) => {
    const measure = measureOf(key);
    return measure && "value" in readQuantity(measure, `1 ${unit}`);
  });
  const ofName = (unit === undefined ? free : ofUnit).filter((key) => nearest(name, [key]));
  // Without the unit, 77 kWh would be read as 77 Wh.
  const fitting = (ofName.length > 0 ? ofName : ofUnit).map((key) => (unit === undefined ? key : `${key} (${unit})`));
  return fitting.length > 0 ? `${title} (rename it to ${listed(fitting, "or")}?)` : title;
}

/** A number in a column, with its line. */
interface Cell {
  readonly text: string;
  readonly line: number;
}

/** The numbers of a column whose point can separate thousands or decimals, unless another number there shows which. */
function doubtfulIn(numbers: readonly Cell[], column: Column): (Cell & { readonly column: Column })[] {
  const { measure, unit = measure?.unit } = column;
  const texts = numbers.map(({ text }) => text);
  const isDecimal = texts.some((text) => POINT.test(text) && !THOUSANDS.test(text));
  if (!measure || (isDecimal && !texts.some((text) => DECIMAL_COMMA.test(text)))) return [];
  // A latitude of 48.137 cannot be 48137.
  const isInRange = (text: string) => {
    const read = readQuantity(measure, NUMBER.test(text) ? `${text} ${unit}` : text);
    return "value" in read && read.value <= measure.maximum;
  };
  return numbers
    .filter(({ text }) => THOUSANDS.test(text) && isInRange(text.replace(".", "")))
    .map((one) => ({ ...one, column }));
}

/** Degrees between the latitude of a site and the middle one of a fleet, above which it is doubted (our choice). */
const FAR = 25;

/** Numbers without a unit of their own that probably lack a digit, such as a latitude of 5.23, or are in another unit. */
function oddIn(numbers: readonly Cell[], { name, measure, unit = measure?.unit }: Column, pointed: Pointed) {
  const read = numbers.flatMap(({ text, line }) => {
    const full = `${pointed(text)} ${unit}`;
    const reading = measure && readQuantity(measure, full);
    return reading && "value" in reading ? { line: `${line}`, ...reading, full } : [];
  });
  const middle = read.map(({ value }) => value).sort((one, other) => one - other)[read.length >> 1] ?? 0;
  return read.filter(({ value }) =>
    name === "latitude" ? Math.abs(value - middle) > FAR : value > (LARGEST[name] ?? value),
  );
}

/** Whether the unit of a column is missing: as in 77, 52 and 58 under `maxCapacity`. Without this, each cell would be an error. */
function isInThousands(numbers: readonly Cell[], { measure, unit }: Column, pointed: Pointed): boolean {
  const own = numbers.map(({ text }) => pointed(text)).filter((text) => NUMBER.test(text));
  const isSmall = (text: string) =>
    measure && !isWithin(measure, Number(text)) && isWithin(measure, Number(text) * 1000);
  return unit === undefined && own.length > 1 && own.every(isSmall);
}

/** The values, unless there are none. */
function some<Of extends object>(values: Of): Of | undefined {
  return isEmpty(values) ? undefined : values;
}

/** The text of a number, with a decimal point. */
type Pointed = (text: string) => string;

/** The value of a cell: CSV itself has only texts. */
function cellValue({ name, measure, unit }: Column, text: string, pointed: Pointed): unknown {
  if (name === "labels") return text.split(/[,;|]/).flatMap((label) => label.trim() || []);
  if (name === "solar") return YES.test(text) || (!NO.test(text) && text);
  if (!measure) return text;
  const number = pointed(text);
  if (!NUMBER.test(number)) return number;
  return unit === undefined ? Number(number) : `${number} ${unit}`;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

/**
 * The devices that a command is given: as arguments, and in a file or on standard input.
 * @throws Error that names the problem of the file
 */
export function readRows(ids: readonly string[], { devices, column, site }: GivenDevices): List {
  const file = ids.find((id) => /\.(csv|txt)$/i.test(id));
  if (file !== undefined) throw new Error(`${file} is not an id: name the file of a list with --devices`);
  const named = ids.map((deviceId) => ({ deviceId, place: "command line" }));
  if (devices === undefined) return { rows: named, notes: [], problems: [] };
  const source = devices === "-" ? "standard input" : devices;
  const text = listText(readGiven(devices === "-" ? 0 : devices, source), source);
  const isCsv = column !== undefined || extname(devices).toLowerCase() === ".csv";
  if (!isCsv) return { rows: [...named, ...rowsOfText(text, source)], notes: [], problems: [] };
  const list = rowsOfCsv(text, source, column ?? ID, site);
  return { ...list, rows: [...named, ...list.rows] };
}

/** The text of a list, in any encoding that `measure` reads. */
function listText(bytes: Buffer, source: string): string {
  try {
    return textOf(bytes);
  } catch (error) {
    throw new Error(`${source}: ${(error as Error).message}`);
  }
}

/** The site of devices whose list does not name one, unless `--site` does. */
const USUAL_SITE = "main";

/**
 * The devices of a list, each once.
 * @param defaults the values of rows that do not give their own, and the sites that the manifest has
 * @returns also `problems`: all mistakes in the list, each with its place, and `repeated`: the equal rows, each of which
 * may be meant for another device
 */
export function devicesOfList(
  rows: readonly Row[],
  defaults: {
    readonly businessAt: (site: string) => string | undefined;
    readonly site?: string | undefined;
    readonly present?: { readonly file: string; readonly sites: readonly Site[] } | undefined;
  },
): { devices: Listed[]; problems: string[]; repeated: readonly string[] } {
  const devices = new Map<string, Listed>();
  const sites = new Map<string, FoundSite>();
  const { site: usual = USUAL_SITE, present = { file: "", sites: [] } } = defaults;
  for (const { id, title = id } of present.sites) {
    const names = [id, title, ...(sites.get(id.toLowerCase())?.names ?? [])];
    sites.set(id.toLowerCase(), { names, values: {}, place: present.file });
  }
  const problems: { readonly problem: string; readonly place: string }[] = [];
  const repeated: string[] = [];
  for (const row of rows) {
    const { deviceId, settings, onDelete, place } = row;
    const { site, problems: wrongSite } = siteOf(row, usual, sites);
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
      ...valueProblems(row, kind),
    ];
    const key = deviceIdentity(businessId, deviceId);
    const before = devices.get(key);
    if (before) {
      const own = defined({ ...before, site, kind, settings, onDelete });
      if (isDeepStrictEqual(own, before)) repeated.push(`${place}: device '${deviceId}' is also in ${before.place}`);
      else wrong.push(`device '${deviceId}' is also in ${before.place}, with other values: list it once`);
    }
    problems.push(...wrong.map((problem) => ({ problem, place })));
    if (wrong.length === 0 && !before) {
      devices.set(key, defined({ deviceId, businessId: businessId as string, site, kind, settings, onDelete, place }));
    }
  }
  return {
    devices: [...devices.values()].map((one) =>
      defined({ ...one, ofSite: some(sites.get(one.site.toLowerCase())?.values ?? {}) }),
    ),
    problems: [...grouped(problems, ({ problem }) => problem)].map(
      ([problem, some]) => `${firstNames(some.map(({ place }) => place))}: ${problem}`,
    ),
    repeated,
  };
}

/** The mistakes in the values of a row, as far as they do not depend on the kind of its device. */
function valueProblems({ settings = {}, onDelete }: Row, kind: DeviceKind | undefined): string[] {
  if (kind) return settingsOfList({ settings, onDelete }, kind).problems;
  // Only an inverter cannot be reset.
  return KINDS.flatMap((one) => {
    const own = { settings: pick<Value>(settings, keysOf(one)), onDelete: one === vehicle ? onDelete : undefined };
    return settingsOfList(own, one).problems;
  });
}

/** The settings that a list gives a device, in the units of the settings, and their mistakes. */
export function settingsOfList(
  { onDelete, settings = {} }: { readonly onDelete?: string | undefined; readonly settings?: Values },
  kind: DeviceKind,
) {
  const values = normalize(kind, settings) as Values;
  const problems = problemsOf(kind, defined({ ...SOME_DEVICE, onDelete, ...values }), new Set());
  return { values, problems: problems.map(({ property, reason }) => `${property}: ${reason}`) };
}

/** A site in a list. */
interface FoundSite {
  /** The name in the list, which can be another one than its id; of a site in the manifest, its id and its title. */
  readonly names: readonly string[];
  readonly values: Record<string, unknown>;
  /** The row that named it first, or the manifest. */
  readonly place: string;
}

/**
 * The id of a row's site, and the problems of the site's values in the row.
 * @param sites those of the manifest and of earlier rows, by their ids in lower case
 */
function siteOf(
  { site: name, ofSite = {}, place }: Row,
  usual: string,
  sites: Map<string, FoundSite>,
): { site: string; problems: string[] } {
  // Two files can have two spellings of ü.
  const given = (name ?? usual).normalize();
  const problem = siteIdProblem(given);
  const site = problem === undefined ? given : (siteIdOf(given) ?? given);
  const values = readLatitude(ofSite);
  const title = site !== given && { title: given };
  const key = site.toLowerCase();
  const known = sites.get(key) ?? { names: [given], values: { ...title }, place };
  sites.set(key, known);
  const differing = Object.keys(values).filter(
    (key) => key in known.values && !isDeepStrictEqual(known.values[key], values[key]),
  );
  Object.assign(known.values, { ...values, ...known.values });
  const wrong = [
    ...(problem !== undefined && site === given ? [`the site ${JSON.stringify(given)} ${problem}`] : []),
    ...siteProblems(omit(values, ["labels"])).map(({ path, reason }) => `${path.join(".")} ${reason}`),
    ...differing.map((key) => {
      const [own, other] = [values[key], known.values[key]].map((value) => JSON.stringify(value));
      return `${key} is ${own}, and ${other} in ${known.place}: a site has one`;
    }),
    ...(known.names.includes(given)
      ? []
      : [
          `the site ${JSON.stringify(given)} would have the id ${site}, and ${JSON.stringify(known.names.at(-1))} in ${known.place} has the same one (case does not count). Give them one name if they are one site, otherwise different ids`,
        ]),
  ];
  return { site, problems: wrong };
}

function problemsWith(what: string, id?: string, advice = ""): string[] {
  const { error } = idSchema.safeParse(id);
  return error ? [`${what} ${error.issues[0]?.message}${advice}`] : [];
}

/**
 * The devices that ids or a list name.
 * @param defaults as of `devicesOfList`, without the site
 * @throws Error if no device is named, or the list of devices has a mistake
 */
export function listedDevices(
  ids: readonly string[],
  options: GivenDevices,
  defaults: Omit<Parameters<typeof devicesOfList>[1], "site">,
): Listed[] {
  const { rows, notes, problems: ofFile } = readRows(ids, options);
  const { devices, problems, repeated } = devicesOfList(rows, { ...defaults, site: options.site });
  const again = repeated.length > 0 ? [`ignored repeated rows: ${firstNames(repeated)}`] : [];
  for (const note of [...notes, ...again]) console.error(`note: ${note}`);
  refuse([...ofFile, ...problems], "the list of devices cannot be used, so nothing was read");
  if (devices.length === 0) throw new Error("no device is named. Give ids, or a list with --devices");
  return devices;
}

export function refuse(problems: readonly string[], what: string): void {
  if (problems.length > 0) throw new Error([`${what}:`, ...problems.map((problem) => `  ${problem}`)].join("\n"));
}
