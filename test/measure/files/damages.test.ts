import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { formOf, SYSTEMS } from "../../../measure/files/forms";
import { LAYOUTS } from "../../../measure/files/layouts";
import { meterOf } from "../../../measure/files/meter";
import { productionOf } from "../../../measure/files/production";
import { sessionsOf } from "../../../measure/files/sessions";
import { exportedText, type Pieces } from "../../../measure/files/text";
import { baseLoadOf } from "../../../measure/sky/baseLoad";
import { capacityOf } from "../../../measure/sky/capacity";
import { chargePowerOf } from "../../../measure/sky/chargePower";
import { EXPORTS, randomOf, simulatedCar } from "../../support/charging";
import { METERS, productionExport, simulatedHouse, simulatedInverter } from "../../support/houses";
import { LAYOUTS_OF_METERS, LAYOUTS_OF_PRODUCTION, LAYOUTS_OF_SESSIONS } from "../../support/layouts";

const HOUSE = simulatedHouse(91, { days: 20, step: 60, hasSolar: true });
const FINE = simulatedHouse(91, { days: 20, step: 15, hasSolar: true });
const CAR = simulatedCar(91, { car: "car" });
const ZONE = { timeZone: "UTC" };

/** The numbers that a file gives; each with what it may differ by. */
type Value = Readonly<Record<string, number>>;

const READERS: Readonly<Record<string, (pieces: Pieces) => Value>> = {
  meter: (pieces) => {
    const found = baseLoadOf(meterOf([pieces], ZONE).house);
    if (found.kind !== "measured") throw new Error(`no base load: ${found.reason}`);
    return { base: found.value };
  },
  production: (pieces) => {
    const { from, to, watts } = productionOf([pieces], ZONE).mornings;
    const all = watts.reduce((sum, one) => sum + one, 0);
    const middleOf = (i: number) => (((from[i] as number) + (to[i] as number)) / 2) % 86_400;
    const noon = watts.reduce((sum, one, i) => sum + one * middleOf(i), 0);
    return { peak: Math.max(...watts), noon: noon / all };
  },
  sessions: (pieces) => {
    const { sessions } = sessionsOf([pieces], "UTC");
    const [capacity, power] = [capacityOf(sessions), chargePowerOf(sessions)];
    return {
      energy: sessions.reduce((sum, { drawn = 0, added = 0 }) => sum + Math.max(drawn, added), 0),
      ...(capacity.kind === "measured" && { capacity: capacity.value }),
      ...(power.kind === "measured" && { power: power.value }),
    };
  },
};

const SAMPLES: readonly (readonly [reader: string, name: string, text: string])[] = [
  ...Object.entries(METERS).map(([name, of]) => ["meter", name, of(HOUSE)] as const),
  ...Object.entries(LAYOUTS_OF_METERS).map(
    ([name, of]) => ["meter", name, of(name === "i-DE" ? HOUSE : FINE)] as const,
  ),
  ["production", "a portal", productionExport(simulatedInverter(91, 15, 12))],
  ...Object.entries(LAYOUTS_OF_PRODUCTION).map(([name, of]) => ["production", name, of(HOUSE)] as const),
  ...Object.entries(EXPORTS).map(([name, of]) => ["sessions", name, of(CAR.sessions)] as const),
  ...Object.entries(LAYOUTS_OF_SESSIONS).map(([name, of]) => ["sessions", name, of(CAR.sessions)] as const),
];

/** The lines of a table, and the place of its first row with numbers. Undefined for JSON and for rows that are days. */
function tableIn(text: string) {
  if (/^\ufeff?\s*[[{]/.test(text)) return undefined;
  const lines = text.trimEnd().split("\n");
  const delimiter = [";", "\t", ","].find((one) => (lines[lines.length - 2] as string).includes(one)) as string;
  const width = (lines.at(-2) as string).split(delimiter).length;
  const isRow = (line: string) =>
    line.split(delimiter).length === width && /(^|[;,"\t ])\d{1,4}[-/.]\d{1,2}[-/.]\d|^\d{8}/.test(line);
  const first = lines.findIndex(isRow);
  return width > 60 || first < 1 ? undefined : { lines, delimiter, width, first };
}

/** The unit in the name of a column. */
const UNIT_OF_NAME = /[([](k?Wh?)[)\]]/;
const UNITS_OF_NAMES = / ?[([]k?Wh?[)\]]/g;

type Damage = (text: string) => string | Buffer | undefined;

const onTable =
  (change: (table: NonNullable<ReturnType<typeof tableIn>>) => readonly string[] | undefined): Damage =>
  (text) => {
    const table = tableIn(text);
    return table && change(table)?.join("\n").concat("\n");
  };

/** The lines with others above them; a line `sep=` stays the first. */
const above = (lines: readonly string[], more: readonly string[]) =>
  /^\ufeff?(sep=|entity_id)/.test(lines[0] as string) ? undefined : [...more, ...lines];

const DAMAGES: Readonly<Record<string, Damage>> = {
  "a title with a date and a name": onTable(({ lines }) =>
    above(lines, ["Report of 01.02.2025 for Jane Doe, 12 Main Street", ""]),
  ),
  "a serial number of ten digits": onTable(({ lines, delimiter }) => above(lines, [`Device${delimiter}3005124937`])),
  "a period above the table": onTable(({ lines, delimiter }) =>
    above(lines, [`From${delimiter}2025-04-01${delimiter}To${delimiter}2025-04-20`]),
  ),
  "a footer": onTable(({ lines, delimiter, width }) => [
    ...lines,
    ...["Total", "Mean", "Note", "Page 1", "Jane Doe"].map((word) =>
      [word, ...Array(width - 1).fill("")].join(delimiter),
    ),
  ]),
  "shuffled rows": onTable(({ lines, first }) => {
    const random = randomOf(5);
    const rows = lines.slice(first).map((line) => [random(), line] as const);
    return [...lines.slice(0, first), ...rows.sort(([a], [b]) => a - b).map(([, line]) => line)];
  }),
  "rows from new to old": onTable(({ lines, first }) => [...lines.slice(0, first), ...lines.slice(first).reverse()]),
  "doubled rows": onTable(({ lines, first }) =>
    lines.flatMap((line, i) => (i >= first && i % 10 === 3 ? [line, line] : [line])),
  ),
  "every row doubled": onTable(({ lines, first }) => lines.flatMap((line, i) => (i >= first ? [line, line] : [line]))),
  "a column of numbers of a device": onTable(({ lines, first, delimiter, width }) =>
    lines.map((line, i) => {
      const isOfTable = line.split(delimiter).length === width;
      return `${i >= first ? "2712000101" : i === first - 1 ? "SN" : ""}${isOfTable ? delimiter : ""}${line}`;
    }),
  ),
  "UTF-16": (text) => Buffer.from(`\ufeff${text.replace(/^\ufeff/, "")}`, "utf16le"),
  "UTF-16 without a mark": (text) => Buffer.from(text.replace(/^\ufeff/, ""), "utf16le"),
  "Latin-1": (text) => Buffer.from(text.replace(/^\ufeff/, ""), "latin1"),
  "Windows' line ends": (text) => text.replaceAll("\n", "\r\n"),
  "decimal commas": onTable(({ lines, first, delimiter }) =>
    delimiter === "," && !lines.some((line) => line.includes('"'))
      ? lines.map((line, i) => {
          const cells = line.split(",");
          return (i < first ? cells : cells.map((cell) => cell.replace(/^(-?\d+)\.(\d+)$/, "$1,$2"))).join(";");
        })
      : undefined,
  ),
  "times with another offset": (text) =>
    /\d{4}-\d\d-\d\dT\d\d:\d\d:00.000Z/.test(text)
      ? text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.000Z/g, (time) =>
          new Date(Date.parse(time) - 5 * 3_600_000).toISOString().replace(".000Z", "-05:00"),
        )
      : undefined,
  "a second series without a name": onTable(({ lines, first }) =>
    lines.flatMap((line, i) =>
      i < first ? [line] : [line, line.replace(/(\d)(?=[^\d:-]*$)/, (digit) => String((Number(digit) + 4) % 10))],
    ),
  ),
  "a second series of gas": onTable(({ lines, first, delimiter, width }) =>
    lines.flatMap((line, i) =>
      i < first
        ? [line.split(delimiter).length < width ? line : `${line}${delimiter}${i === first - 1 ? "Medium" : ""}`]
        : [`${line}${delimiter}Electricity`, `${line.replace(/(\d)(?=[^\d:-]*$)/, "9")}${delimiter}Gas`],
    ),
  ),
  "the unit in the cells in place of the header": onTable(({ lines, first, delimiter }) => {
    const cellsOf = (line: string) => line.split(delimiter);
    const units = cellsOf(lines[first - 1] as string).map((name) => UNIT_OF_NAME.exec(name)?.[1]);
    if (lines.some((line) => line.includes('"')) || units.every((unit) => unit === undefined)) return undefined;
    return lines.map((line, i) => {
      if (i === first - 1) return line.replaceAll(UNITS_OF_NAMES, "");
      if (i < first) return line;
      const cells = cellsOf(line).map((cell, at) =>
        units[at] && /^-?[\d.,]+$/.test(cell) ? `${cell} ${units[at]}` : cell,
      );
      return cells.join(delimiter);
    });
  }),
  "the unit in a column in place of the header": onTable(({ lines, first, delimiter }) => {
    const units = (lines[first - 1] as string).split(delimiter).flatMap((name) => UNIT_OF_NAME.exec(name)?.[1] ?? []);
    if (new Set(units).size !== 1) return undefined;
    return lines.map((line, i) =>
      i < first - 1
        ? line
        : i === first - 1
          ? `${line.replaceAll(UNITS_OF_NAMES, "")}${delimiter}Unit`
          : `${line}${delimiter}${units[0]}`,
    );
  }),
  "NaN by night": onTable(({ lines, first, delimiter }) =>
    lines.map((line, i) =>
      i < first
        ? line
        : line
            .split(delimiter)
            .map((cell) => (/^0([.,]0+)?$/.test(cell) ? "NaN" : cell))
            .join(delimiter),
    ),
  ),
  "a renamed column": onTable(({ lines, first, delimiter }) =>
    lines.map((line, i) => {
      if (i !== first - 1) return line;
      const cells = line.split(delimiter);
      return cells
        .with(
          cells.findLastIndex((cell) => cell.trim() !== ""),
          "Foo",
        )
        .join(delimiter);
    }),
  ),
};

/** Damages that are not of a kind of file: no reader can know of more sessions, and only panels have nothing by night. */
const NOT_OF: Readonly<Record<string, readonly string[]>> = {
  sessions: ["a second series without a name", "a second series of gas", "NaN by night"],
  meter: ["NaN by night"],
};

describe("damaged files", () => {
  const folder = mkdtempSync(join(tmpdir(), "measure-damages-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Reads a file as the command does. */
  async function read(reader: string, text: string | Buffer): Promise<Value> {
    const file = join(folder, "file");
    writeFileSync(file, text);
    return (READERS[reader] as (pieces: Pieces) => Value)(await exportedText(file));
  }

  it("have a sample of each layout and of each form", () => {
    const formats = SAMPLES.flatMap(([reader, , text]) => {
      const of = { meter: meterOf, production: productionOf }[reader];
      return of ? [of([[Buffer.from(text)]], ZONE).took.format] : [];
    });
    expect(LAYOUTS.map(({ system }) => system).filter((one) => !formats.includes(one))).to.deep.equal([]);
    const systems = SAMPLES.filter(([reader]) => reader === "sessions").map(([, name]) => name);
    expect(SYSTEMS.filter((one) => !systems.some((name) => name.includes(one)))).to.deep.equal([]);
    expect(formOf({ names: ["start", "end", "energy (Wh)"] })?.system).to.equal("table");
  });

  let count = 0;
  for (const [reader, name, text] of SAMPLES)
    it(`of ${name} give the same ${reader}, or an error, whatever the damage`, async () => {
      const right = await read(reader, text);
      for (const [damage, damaged] of Object.entries(DAMAGES)) {
        if (NOT_OF[reader]?.includes(damage)) continue;
        const file = damaged(text);
        if (file === undefined) continue;
        count++;
        let value: Value;
        try {
          value = await read(reader, file);
        } catch (error) {
          if (process.env.SHOW_DAMAGES) console.log(`${name}, ${damage}: ${(error as Error).message}`);
          expect((error as Error).message, damage).not.to.match(/Jane|Main Street|3005124937|Cannot read|undefined/);
          continue;
        }
        for (const [key, one] of Object.entries(right))
          expect(value[key] ?? one, `${damage}: ${key}`).to.be.closeTo(one, 0.03 * one);
      }
    }).timeout(60_000);

  it("are in hundreds of combinations", () => {
    console.log(`      ${count} combinations`);
    expect(count).to.be.above(700);
  });
});
