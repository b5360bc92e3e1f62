import { expect } from "chai";

import { meterOf as meterIn } from "../../../measure/files/meter";
import { baseLoadOf } from "../../../measure/sky/baseLoad";
import { capacityOf } from "../../../measure/sky/capacity";
import { chargePowerOf } from "../../../measure/sky/chargePower";
import { cutInOf } from "../../../measure/sky/cutIn";
import { EXPORTS, simulatedCar } from "../../support/charging";
import { meterOf, productionOf, sessionsOf } from "../../support/exports";
import { METERS, productionExport, simulatedHouse, simulatedInverter } from "../../support/houses";

const CAR = simulatedCar(71, { car: "Blue car" });
const HOUSE = simulatedHouse(71, { days: 20, step: 60, hasSolar: true });
const INVERTER = simulatedInverter(71, 5, 12);

/** Right exports of each kind. */
const RIGHT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(EXPORTS).map(([form, exportOf]) => [`sessions of ${form}`, exportOf(CAR.sessions)]),
  ),
  ...Object.fromEntries(Object.entries(METERS).map(([form, exportOf]) => [`a meter of ${form}`, exportOf(HOUSE)])),
  production: productionExport(INVERTER),
};

/** The change of a file before it is given. */
const DAMAGE: Readonly<Record<string, (text: string) => string>> = {
  "cut off": (text) => text.slice(0, text.length / 2),
  "cut off in its header": (text) => text.slice(0, 12),
  "of zeros": (text) =>
    text
      .replace(/(":|~ )\d+(\.\d+)?/g, "$10")
      .split("\n")
      .map((line, i) =>
        i < 2 && /[A-Za-z]{3}/.test(line) ? line : line.replace(/([,;]"?)[\d]+([.,]\d+)?(?=[\s",;]|$)/g, "$10"),
      )
      .join("\n"),
  "without its header": (text) => text.split("\n").slice(2).join("\n"),
  "with one broken time": (text) => text.replace(/\n([^\n]*\n){15}/, (all) => `${all}never,1,2,3\n`),
  "with a quote that never ends": (text) => text.replace(/\n([^\n]*\n){15}/, (all) => `${all}"`),
  "with random bytes": (text) => text.replace(/\d/g, (digit, at: number) => (at % 7 === 3 ? "\u0001" : digit)),
};

/** Each way to read a text, with the answers that it may give. */
const READERS: Readonly<Record<string, (text: string) => readonly { readonly kind: string }[]>> = {
  sessions: (text) => {
    const { sessions } = sessionsOf(text);
    return [capacityOf(sessions), chargePowerOf(sessions)];
  },
  meter: (text) => [baseLoadOf(meterOf(text, { timeZone: "UTC" }).house)],
  production: (text) => [cutInOf(productionOf(text, { timeZone: "UTC" }).mornings)],
};

/** A message for people: what is wrong with the file, and no failure of the program. */
function expectClear(error: unknown): void {
  expect(error).not.to.be.instanceOf(TypeError);
  expect(error).not.to.be.instanceOf(RangeError);
  expect((error as Error).message).to.match(/^[a-z'].{20,1500}$/s);
}

const KINDS = /^(measured|notEnough|severalCars)$/;

describe("wrong files", () => {
  for (const [reader, read] of Object.entries(READERS)) {
    it(`are answered with what is missing, if they are read as ${reader}`, () => {
      let count = 0;
      for (const [name, text] of Object.entries(RIGHT))
        for (const [damage, damaged] of Object.entries({ ...DAMAGE, "of another kind": (same: string) => same })) {
          count++;
          try {
            const answers = read(damaged(text));
            for (const { kind } of answers) expect(kind, `${name} ${damage}`).to.match(KINDS);
            // Nothing is measured from nothing.
            if (damage === "of zeros")
              expect(
                answers.map(({ kind }) => kind),
                name,
              ).not.to.include("measured");
          } catch (error) {
            if ((error as Error).name === "AssertionError") throw error;
            expectClear(error);
          }
        }
      expect(count).to.be.above(100);
    });
  }

  it("are read in pieces: a large one takes less memory than its text has bytes", () => {
    const row = (i: number) => `${1_746_057_600 + 900 * i},${300 + (i % 7)}${",230.1".repeat(50)}\n`;
    const begin = Buffer.from(`time,load (W)${",volt".repeat(50)}\n`);
    const piece = Buffer.from(Array.from({ length: 3000 }, (_, i) => row(i)).join(""));
    const pieces = [begin, ...Array.from({ length: 150 }, () => piece)];
    const before = process.memoryUsage().rss;
    expect(meterIn([pieces], { timeZone: "UTC" }).took.rows).to.equal(3000);
    expect(process.memoryUsage().rss - before).to.be.below(150 * piece.length);
  });

  const LARGE: Readonly<Record<string, () => string>> = {
    "one line": () => `Time,${"2025-01-01 00:00,".repeat(400_000)}`,
    "many short lines": () => `Time,W\n2025-01-01 00:00,1\n${"a\n".repeat(4_000_000)}`,
    "a table of words": () => "aaa,bbb\n".repeat(1_000_000),
    "quotes that never end": () => '"aaa\n'.repeat(1_000_000),
  };
  for (const [name, textOf] of Object.entries(LARGE)) {
    it(`are refused soon, also if they are large: ${name}`, () => {
      const text = textOf();
      const started = performance.now();
      expect(() => meterOf(text, { timeZone: "UTC" })).to.throw(/too long|no row with a date|more than \d+ lines/);
      expect(performance.now() - started).to.be.below(10_000);
    });
  }
});
