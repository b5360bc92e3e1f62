import { basename, extname } from "node:path";
import { type CsvError, parse } from "csv-parse/sync";
import { didYouMean } from "../settings/explain";
import { inverter } from "../settings/inverter";
import { keysOf } from "../settings/setting";
import { vehicle } from "../settings/vehicle";
import { type Position, type Source, type SyntaxProblem, UnreadableError } from "./source";

/** A line of the table. */
interface Row {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

/** Columns that tell of the fleet, or of the site of a device; its rows agree in them, or leave them empty. */
const OF_FLEET = ["shards"];
const OF_SITE = ["latitude", "solar", "requireReady"];
const OF_DEVICE = ["name", "deviceId", "businessId", "onDelete", "ignoreLints"];
const COLUMNS = [
  ...new Set(["site", "kind", ...OF_DEVICE, ...OF_SITE, ...OF_FLEET, ...keysOf(vehicle), ...keysOf(inverter)]),
];
/** As YAML has them. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const REQUIRED = ["site", "kind", "deviceId"];
const LISTS: Readonly<Record<string, string>> = { [vehicle.name]: "vehicles", [inverter.name]: "inverters" };

/** What several rows tell together, and the row that each field is from. */
interface Told {
  readonly fields: Record<string, unknown>;
  readonly rows: Map<string, Row>;
}

interface Site extends Told {
  readonly members: Map<string, Row[]>;
}

interface Fleet extends Told {
  readonly sites: Map<string, Site>;
}

/**
 * Reads a manifest in CSV: one device a row, with a header. Commas, semicolons or tabs between the fields, as the
 * header has them. @throws UnreadableError with all that is wrong with the table itself
 */
export function readCsv(text: string, file: string): Source {
  const delimiter = delimiterOf(text);
  const [header, ...rows] = rowsOf(text, delimiter);
  if (!header)
    throw new UnreadableError([{ line: 1, column: 1, message: `is empty: the first line is ${REQUIRED.join(",")},…` }]);
  const names = header.record.map((name) => name.trim());
  const place = (row: Row, column: number) => placeOf(row, delimiter, column);
  const problems: SyntaxProblem[] = [
    ...names.flatMap((name, index) => {
      const message = headerProblem(name, names.indexOf(name) < index);
      return message === undefined ? [] : [{ ...place(header, index), message }];
    }),
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) => ({
      ...place(header, 0),
      message: `there is no column ${name}`,
    })),
    ...rows
      .filter(({ record }) => record.length !== names.length)
      .map((row) => ({
        ...place(row, 0),
        message: `there are ${row.record.length} fields, and ${names.length} columns`,
      })),
  ];
  if (problems.length > 0) throw new UnreadableError(problems);

  const fleet: Fleet = { fields: { fleet: basename(file, extname(file)) }, rows: new Map(), sites: new Map() };
  for (const row of rows) {
    const cells = new Map(names.map((name, index) => [name, (row.record[index] as string).trim()]));
    problems.push(
      ...addRow(fleet, row, cells).map(([name, message]) => ({ ...place(row, names.indexOf(name)), message })),
    );
  }
  if (problems.length > 0) throw new UnreadableError(problems);
  const all = [...fleet.sites.values()];
  return {
    tree: { ...fleet.fields, sites: all.map(({ fields }) => fields) },
    at([list, index, part, member, key]) {
      const ofFleet = fleet.rows.get(String(list));
      if (ofFleet) return place(ofFleet, names.indexOf(String(list)));
      const site = list === "sites" ? all[Number(index)] : undefined;
      if (!site) return { line: 1, column: 1 };
      const row =
        (typeof member === "number" && site.members.get(String(part))?.[member]) ||
        site.rows.get(String(part === "id" ? "site" : part)) ||
        (site.rows.get("site") as Row);
      const column = names.indexOf(String(key ?? (part === "id" ? "site" : part)));
      return place(row, Math.max(column, 0));
    },
  };
}

/** What is between the fields of a text in CSV: what its header has outside of quotes. */
export function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, "");
  return ["\t", ";"].find((sign) => header.includes(sign)) ?? ",";
}

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
    const { message, lines } = error as CsvError & { lines: number };
    throw new UnreadableError([{ line: lines, column: 1, message }]);
  }
}

function headerProblem(name: string, isRepeated: boolean): string | undefined {
  if (isRepeated) return `there are two columns ${name}`;
  if (COLUMNS.includes(name)) return undefined;
  return `${JSON.stringify(name)} is no column of a manifest${didYouMean(name, COLUMNS)}`;
}

/** Adds the device of a row to its site. @returns what is wrong, by column */
function addRow(fleet: Fleet, row: Row, cells: ReadonlyMap<string, string>): [name: string, message: string][] {
  const id = cells.get("site") as string;
  const kind = cells.get("kind") as string;
  const list = Object.hasOwn(LISTS, kind) ? LISTS[kind] : undefined;
  const problems: [string, string][] = [];
  if (id === "") problems.push(["site", "there is no site: each device stands at one"]);
  if (list === undefined) problems.push(["kind", `${JSON.stringify(kind)} is neither vehicle nor inverter`]);
  if (problems.length > 0) return problems;
  const site: Site = fleet.sites.get(id) ?? { fields: { id }, rows: new Map([["site", row]]), members: new Map() };
  fleet.sites.set(id, site);
  const member: Record<string, unknown> = {};
  for (const [name, text] of cells) {
    if (text === "" || name === "site" || name === "kind") continue;
    const value = cellValue(name, text);
    const [told, whose] = OF_FLEET.includes(name) ? [fleet, ""] : [site, ` of site '${id}'`];
    if (told === site && !OF_SITE.includes(name)) member[name] = value;
    else if (told.fields[name] === undefined) {
      told.fields[name] = value;
      told.rows.set(name, row);
    } else if (told.fields[name] !== value) {
      problems.push([name, `the rows${whose} give ${name} as ${told.fields[name]} and as ${text}`]);
    }
  }
  const members = (site.fields[list as string] ?? []) as unknown[];
  const rows = site.members.get(list as string) ?? [];
  members.push(member);
  rows.push(row);
  site.fields[list as string] = members;
  site.members.set(list as string, rows);
  return problems;
}

/** What a cell says: a CSV file has nothing but texts. */
function cellValue(name: string, text: string): unknown {
  if (name === "ignoreLints") return text.split(/\s+/);
  if (name === "solar" || name === "requireReady")
    return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text;
  const isId = OF_DEVICE.includes(name) || name === "policy";
  return !isId && NUMBER.test(text) ? Number(text) : text;
}

/** Where a field of a row stands. It is looked for only where there is a problem. */
function placeOf({ raw, info }: Row, delimiter: string, column: number): Position {
  const record = raw.replace(/^[\r\n]+/, "").replace(/[\r\n]+$/, "");
  let line = info.lines - (record.match(/\r\n|\r|\n/g) ?? []).length;
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
