import { median } from "../sky/numbers";
import { type Cells, type Row, rowsOf } from "./rows";
import { joined, plainTableOf, type Table } from "./table";
import { beginningOf, type Pieces } from "./text";
import { isTime, timeKindOf } from "./times";

/**
 * Numbers of values of a day: hours, half hours, quarters of an hour, or 5 minutes. The days on which the clock changes
 * have them too.
 */
const NOMINAL = [24, 48, 96, 288] as const;

/** A name of a column that is a time of day: `00:30`, `H1`, `Ora 13`. */
const OF_DAY = /^\W{0,3}[a-z]{0,12}\W{0,3}\d{1,3}(\W?\d{2})?\b/i;

/**
 * Reads the files of one device as rows, each with one time.
 * @throws Error if no row has a time
 */
export function tableOf(files: readonly Pieces[]): Table {
  return joined(files.map(rowsIn));
}

function rowsIn(pieces: Pieces): Table {
  // A byte order mark is a space, too.
  if (/^\s*"?entity_id"?,"?type"?,"?unit"?,/.test(beginningOf(pieces, 200).toString())) return dashboardOf(pieces);
  const table = plainTableOf(pieces);
  return dayRowsOf(table) ?? table;
}

/**
 * The table with a row for each value, if each row of the file is a day; otherwise undefined. In Australian files
 * (NEM12), a line before the days names their register, unit and step.
 */
function dayRowsOf(table: Table): Table | undefined {
  const { samples, time, names } = table;
  const days = samples.filter((cells) => timeKindOf(cells[time.day] ?? "") === "day");
  if (time.hour !== undefined || days.length < 0.5 * samples.length) return undefined;
  const isNem = days.every(([code]) => code === "300");
  const valuesIn = (cells: Cells) => {
    const rest = cells.slice(time.day + 1);
    const end = rest.findLastIndex((cell) => /^-?[\d.,]+$/.test(cell.trim()));
    const wrong = rest.findIndex((cell) => !/^(-?[\d.,]+)?$/.test(cell.trim()));
    return rest.slice(0, wrong < 0 ? end + 1 : wrong);
  };
  const usual = median(days.map((cells) => valuesIn(cells).length));
  const count = NOMINAL.find((one) => Math.abs(one - usual) <= one / 24);
  const own = names.slice(time.day + 1, time.day + 1 + usual).filter(Boolean);
  if (count === undefined || (!isNem && own.some((name) => !OF_DAY.test(name)))) return undefined;
  const dayOf = (cells: Cells) => cells[time.day] ?? "";
  function* rows(): Generator<Row> {
    let [register, unit] = ["", ""];
    const note = (cells: Cells) => {
      if (cells[0] === "200")
        [register, unit] = [`${/^B/.test(cells[4] ?? "") ? "export" : "import"} ${cells[4]}`, cells[7] ?? ""];
    };
    for (const line of table.head.split("\n")) note(line.split(table.delimiter));
    let number = 0;
    for (const { cells } of table.rows()) {
      note(cells);
      if (timeKindOf(dayOf(cells)) !== "day" || (isNem && cells[0] !== "300")) continue;
      const values = valuesIn(cells).slice(0, isNem ? count : undefined);
      const minutes = 1440 / (count as number);
      const shift = values.length < (count as number) ? 60 : values.length > (count as number) ? -60 : 0;
      for (const [i, value] of values.entries()) {
        const at = i * minutes + (i * minutes >= (shift > 0 ? 120 : 180) ? shift : 0);
        const hour = `${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
        yield { cells: [`${dayOf(cells)} ${hour}`, value, register, unit], number: ++number };
      }
    }
  }
  return { ...table, ...madeOf(["start", "value", "register", "unit"], rows) };
}

/** The rows of the export of Home Assistant's energy dashboard: in the file, each sensor has one, with all hours. */
function dashboardOf(pieces: Pieces): Table {
  function* rows(): Generator<Row> {
    let times: readonly string[] = [];
    for (const { cells, number } of rowsOf(pieces, ",")) {
      const [sensor = "", type, unit = "", ...rest] = cells;
      if (sensor !== "entity_id") {
        for (const [i, time] of times.entries())
          yield { cells: [`${type} of ${sensor}`, unit, time, rest[i] ?? ""], number };
        continue;
      }
      // Files that were joined have a header each, with hours of its own.
      times = rest;
      const wrong = times.findIndex((time) => !isTime(time));
      if (wrong >= 0) throw new Error(`line ${number}, column ${wrong + 4}: not a time`);
    }
  }
  const names = ["sensor", "unit", "start", "energy"];
  return { ...madeOf(names, rows), noun: "line", delimiter: ",", head: names.join() };
}

/** A table of rows that were made of others. */
function madeOf(names: readonly string[], rows: () => Iterable<Row>) {
  const some = [...rows()];
  const samples = some.filter((_, i) => i % Math.ceil(some.length / 5000) === 0).map(({ cells }) => cells);
  return { names, rows, samples, time: { day: names.indexOf("start") }, last: some.length };
}
