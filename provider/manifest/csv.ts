import { basename, extname } from "node:path";
import { type CsvError, parse } from "csv-parse/sync";
import { didYouMean, notOneOf } from "../settings/explain";
import { inverter } from "../settings/inverter";
import { keysOf } from "../settings/setting";
import { GROUP_NAMES, type Group, kindOf } from "../settings/site";
import { vehicle } from "../settings/vehicle";
import { type Position, type Source, type SyntaxProblem, UnreadableError } from "./source";

/** A line of the table. */
interface Row {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

/**
 * Columns about the fleet, or about the site of a device. All rows of a fleet or a site have the same value, or leave
 * it empty.
 */
const OF_FLEET = ["shards"];
const OF_SITE = ["latitude", "solar", "requireReady", "labels"];
const LISTS = ["ignoreLints", "labels"];
const OF_DEVICE = ["name", "deviceId", "businessId", "observe", "onDelete", "ignoreLints"];
const FLAGS = ["solar", "requireReady", "observe"];
const COLUMNS = [
  ...new Set(["site", "kind", ...OF_DEVICE, ...OF_SITE, ...OF_FLEET, ...keysOf(vehicle), ...keysOf(inverter)]),
];
/** The form of numbers in YAML. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const REQUIRED = ["site", "kind", "deviceId"];
const GROUP_OF: ReadonlyMap<string, Group> = new Map(GROUP_NAMES.map((group) => [kindOf({ group }).name, group]));

/** The merged fields of several rows, each with its row. */
interface Part {
  readonly fields: Map<string, unknown>;
  readonly rows: Map<string, Row>;
}

interface Site extends Part {
  readonly row: Row;
  /** Devices by name. */
  readonly groups: Map<Group, Map<string, { readonly fields: Record<string, unknown>; readonly row: Row }>>;
}

interface Fleet extends Part {
  readonly sites: Map<string, Site>;
}

/**
 * Reads a manifest in CSV: a header, and one device per row. The header decides between commas, semicolons and tabs.
 * @throws UnreadableError with all problems of the table itself
 */
export function readCsv(text: string, file: string): Source {
  const delimiter = delimiterOf(text);
  const [header, ...rows] = rowsOf(text, delimiter);
  if (!header)
    throw new UnreadableError([
      {
        line: 1,
        column: 1,
        message: `is empty: write the columns into the first line, at least ${REQUIRED.join(",")}`,
      },
    ]);
  const names = header.record.map((name) => name.trim());
  const place = (row: Row, column: number) => placeOf(row, delimiter, column);
  const problems: SyntaxProblem[] = [
    ...names.flatMap((name, index) => {
      const message = headerProblem(name, names.indexOf(name) < index);
      return message === undefined ? [] : [{ ...place(header, index), message }];
    }),
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) => ({
      ...place(header, 0),
      message: `there is no column ${name}: add it`,
    })),
    ...rows
      .filter(({ record }) => record.length !== names.length)
      .map((row) => ({
        ...place(row, 0),
        message: `this row has ${row.record.length} fields, but the header has ${names.length} columns`,
      })),
  ];
  if (problems.length > 0) throw new UnreadableError(problems);

  const fleet: Fleet = { fields: new Map(), rows: new Map(), sites: new Map() };
  for (const row of rows) {
    const cells = new Map(names.map((name, index) => [name, (row.record[index] as string).trim()]));
    problems.push(
      ...addRow(fleet, row, cells).map(([name, message]) => ({ ...place(row, names.indexOf(name)), message })),
    );
  }
  if (problems.length > 0) throw new UnreadableError(problems);
  const start = { line: 1, column: 1 };
  return {
    tree: treeOf(basename(file, extname(file)), fleet),
    at([top = "", id = "", part = "", name = "", key = ""]) {
      const ofFleet = fleet.rows.get(top);
      if (ofFleet) return place(ofFleet, names.indexOf(top));
      const site = top === "sites" ? fleet.sites.get(id) : undefined;
      if (!site) return start;
      const device = site.groups.get(part as Group)?.get(name);
      const row = device?.row ?? site.rows.get(part) ?? site.row;
      return place(row, Math.max(names.indexOf(device ? key || "name" : part || "site"), 0));
    },
  };
}

/** The fleet in the form of a manifest. */
function treeOf(fleet: string, { fields, sites }: Fleet): unknown {
  const ofSites = [...sites].map(([id, site]) => {
    const groups = [...site.groups].map(([group, devices]) => [
      group,
      Object.fromEntries([...devices].map(([name, device]) => [name, device.fields])),
    ]);
    return [id, Object.fromEntries([...site.fields, ...groups])];
  });
  return { fleet, ...Object.fromEntries(fields), sites: Object.fromEntries(ofSites) };
}

/** The separator of the fields in CSV: the one in its header outside of quotes. */
export function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, "");
  return ["\t", ";"].find((sign) => header.includes(sign)) ?? ",";
}

/** The problems of quotes, by the codes of the parser. */
const QUOTES: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a field begins with a quote (") and has none at its end: add it, or remove the first one',
  CSV_INVALID_CLOSING_QUOTE:
    'there is more text after the quote (") that ends a field: write a quote inside of a field twice, as ""',
  INVALID_OPENING_QUOTE:
    'there is a quote (") inside of a field: put the whole field in quotes, and write the inner one twice, as ""',
};

function rowsOf(text: string, delimiter: string): Row[] {
  const options = {
    delimiter,
    info: true,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  };
  try {
    return parse(text, options) as unknown as Row[];
  } catch (error) {
    const { code, lines } = error as CsvError & { lines: number };
    throw new UnreadableError([{ line: lines, column: 1, message: QUOTES[code] ?? "is not a row of CSV" }]);
  }
}

function headerProblem(name: string, isRepeated: boolean): string | undefined {
  if (isRepeated) return `there are two columns ${name}: remove one`;
  if (COLUMNS.includes(name)) return undefined;
  return `${JSON.stringify(name)} is not a column of a manifest${didYouMean(name, COLUMNS)}`;
}

/** Adds the device of a row to its site. @returns the problems, by column */
function addRow(fleet: Fleet, row: Row, cells: ReadonlyMap<string, string>): [column: string, message: string][] {
  const id = cells.get("site") as string;
  const kind = cells.get("kind") as string;
  const group = GROUP_OF.get(kind);
  const problems: [string, string][] = [];
  if (id === "") problems.push(["site", "there is no site: give each device one"]);
  if (group === undefined) problems.push(["kind", notOneOf([...GROUP_OF.keys()], kind)]);
  if (id === "" || group === undefined) return problems;
  const site: Site = fleet.sites.get(id) ?? { row, fields: new Map(), rows: new Map(), groups: new Map() };
  fleet.sites.set(id, site);
  const device: Record<string, unknown> = {};
  for (const [column, text] of cells) {
    if (text === "" || ["site", "kind", "name"].includes(column)) continue;
    const value = cellValue(column, text);
    const part = OF_FLEET.includes(column) ? fleet : OF_SITE.includes(column) ? site : undefined;
    if (!part) device[column] = value;
    else if (!part.fields.has(column)) {
      part.fields.set(column, value);
      part.rows.set(column, row);
    } else if (String(part.fields.get(column)) !== String(value)) {
      const whose = part === site ? ` of site '${id}'` : "";
      problems.push([
        column,
        `the rows${whose} differ in ${column}: ${part.fields.get(column)} and ${text}. Write the same value, or only one`,
      ]);
    }
  }
  const name = cells.get("name") || (cells.get("deviceId") as string);
  const devices = site.groups.get(group) ?? new Map();
  site.groups.set(group, devices);
  const before = devices.get(name);
  if (before) {
    const reason = `site '${id}' already has the ${kind} '${name}', in line ${lineOf(before.row)}: give this one another name`;
    problems.push([cells.has("name") ? "name" : "deviceId", reason]);
  }
  devices.set(name, { fields: device, row });
  return problems;
}

/** The value of a cell: CSV itself has only texts. */
function cellValue(column: string, text: string): unknown {
  if (LISTS.includes(column)) return text.split(/\s+/);
  if (FLAGS.includes(column)) return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text;
  const isId = OF_DEVICE.includes(column) || column === "policy";
  return !isId && NUMBER.test(text) ? Number(text) : text;
}

/** The line that a row begins in. */
function lineOf({ raw, info }: Row): number {
  return info.lines - (bare(raw).match(/\r\n|\r|\n/g) ?? []).length;
}

function bare(raw: string): string {
  return raw.replace(/^[\r\n]+/, "").replace(/(?<![\r\n])[\r\n]+$/, "");
}

/** The place of a field of a row. Computed only for problems. */
function placeOf(row: Row, delimiter: string, column: number): Position {
  const record = bare(row.raw);
  let line = lineOf(row);
  let start = 0;
  let isQuoted = false;
  let fields = 0;
  for (let offset = 0; offset < record.length && fields < column; offset++) {
    const sign = record[offset];
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === "\n") {
      line++;
      start = offset + 1;
    } else if (sign === delimiter && !isQuoted) {
      fields++;
      if (fields === column) return { line, column: offset + 2 - start };
    }
  }
  return { line, column: 1 };
}
