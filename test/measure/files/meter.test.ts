import { expect } from "chai";
import type { GivenHouse } from "../../../measure/files/meter";
import { baseLoadOf, showsOnlyNights } from "../../../measure/sky/baseLoad";
import { meterOf } from "../../support/exports";
import { METERS, productionExport, type SimulatedHouse, simulatedHouse, simulatedInverter } from "../../support/houses";
import { LAYOUTS_OF_METERS } from "../../support/layouts";

const UTC: GivenHouse = { timeZone: "UTC" };

describe("meters in a file", () => {
  const HOUSE = simulatedHouse(51, { hasSolar: true, step: 60 });
  /** The forms, each with the flows that are read of it, and whether only nights tell. */
  const FORMS: Readonly<Record<keyof typeof METERS, readonly [roles: string, isNight: boolean]>> = {
    "a table of loads": ["load", false],
    "an import": ["import", true],
    "Home Assistant's energy dashboard": ["import return production", false],
    "Home Assistant's history": ["load", false],
    Shelly: ["import return", true],
    Tibber: ["import", true],
    "Tibber's API": ["import", true],
    Fronius: ["load", false],
    FusionSolar: ["production return import", false],
    "HomeWizard's counter": ["import", false],
    "E3DC, in German": ["load", false],
  };
  for (const [form, [roles, isNight]] of Object.entries(FORMS)) {
    it(`of ${form} are read with their flows and units`, () => {
      const { house, took } = meterOf(METERS[form as keyof typeof METERS](HOUSE), UTC);
      expect(took.roles.map(([role]) => role).join(" ")).to.equal(roles);
      expect(showsOnlyNights(house)).to.equal(isNight);
      const found = baseLoadOf(house);
      expect(found.kind === "measured" && found.value / HOUSE.base).to.be.within(0.93, 1.07);
      expect(house.step).to.equal(60);
    });
  }

  it("add the phases and the meters of one kind", () => {
    const sumOf = (form: keyof typeof METERS) =>
      meterOf(METERS[form](HOUSE), UTC).house.power.reduce((a, b) => a + b, 0);
    expect(sumOf("Shelly") / sumOf("Tibber")).to.be.within(0.999, 1.001);
    expect(sumOf("FusionSolar") / sumOf("Home Assistant's energy dashboard")).to.be.within(0.99, 1.01);
  });

  it("tell a return from a negative import", () => {
    const net = Array.from(HOUSE.times, (at, i) => {
      const watts = (HOUSE.imported[i] ?? 0) - (HOUSE.returned[i] ?? 0);
      return `${new Date(at * 1000).toISOString()},${watts.toFixed(0)}`;
    });
    const { house } = meterOf(`time,grid power (W)\n${net.join("\n")}\n`, UTC);
    expect(Math.max(...(house.returned ?? []))).to.be.above(1000);
    expect(Math.min(...house.power)).to.equal(0);
    expect(showsOnlyNights(house)).to.equal(true);
  });

  it("are compared in steps of 15 minutes, and shown with the step of the file", () => {
    const rows = Array.from(Array(5000), (_, i) => `${new Date(i * 300_000).toISOString()},${400 + (i % 7)}`);
    const { house, took } = meterOf(`time,load (W)\n${rows.join("\n")}\n`, UTC);
    expect([house.step, took.step]).to.deep.equal([15, 5]);
  });

  it("are placed on the clock of the house, also by its longitude", () => {
    const text = METERS.Tibber(HOUSE);
    const hours = (given: GivenHouse) => {
      const { times, local } = meterOf(text, given).house;
      return ((local[0] ?? 0) - (times[0] ?? 0)) / 3600;
    };
    expect(hours({ timeZone: "Europe/Berlin" })).to.equal(2);
    expect(hours({ longitude: -120 })).to.equal(-8);
    expect(() => meterOf(text, {})).to.throw("--time-zone");
  });

  it("hide the hours around a charging session", () => {
    const start = (HOUSE.times[100] ?? 0) + 600;
    const charging = { from: start, to: start + 60, isPlug: false };
    const { power } = meterOf(METERS["a table of loads"](HOUSE), UTC, [charging]).house;
    expect(Array.from(power.keys()).filter((i) => Number.isNaN(power[i]))).to.deep.equal([99, 100]);
  });

  it("hide only the large loads while a car is at the plug, so that a car that is there every night hides no day", () => {
    const house = simulatedHouse(53, { hasCar: true, step: 60 });
    const plugged = Array.from({ length: 75 }, (_, day) => {
      const from = (house.times[0] as number) + day * 86_400 + 17 * 3600;
      return { from, to: from + 15 * 3600, isPlug: true };
    });
    const found = baseLoadOf(meterOf(METERS["a table of loads"](house), UTC, plugged).house);
    expect(found.kind === "measured" && found.value / house.base).to.be.within(0.93, 1.07);
  });

  it("take the column that is asked for", () => {
    const text = METERS["E3DC, in German"](HOUSE);
    expect(meterOf(text, { ...UTC, column: ["Netzbezug"] }).took.roles).to.deep.equal([["import", ["Netzbezug [W]"]]]);
    expect(meterOf(text, { ...UTC, column: ["Hausverbrauch [W]"] }).took.roles[0]?.[0]).to.equal("load");
    expect(() => meterOf(text, { ...UTC, column: ["x"] })).to.throw(/no column 'x'.*'Netzbezug \[W\]'/);
  });

  for (const form of ["FusionSolar", "Home Assistant's energy dashboard"] as const)
    it(`may be in several files of ${form} that were joined, each with its beginning`, () => {
      const part = (from: number, to?: number) => {
        const { times, load, imported, returned, produced, ...house } = HOUSE;
        const cut = (one: Float64Array) => one.slice(from, to);
        const series = { times: cut(times), load: cut(load), imported: cut(imported), returned: cut(returned) };
        return `\ufeff${METERS[form]({ ...house, ...series, produced: cut(produced) })}`;
      };
      const half = HOUSE.times.length / 2;
      const [joined, whole] = [part(0, half) + part(half), part(0)].map((text) => meterOf(text, UTC));
      expect(joined).to.deep.equal(whole);
    });

  it("of Home Assistant are the same whatever the order of sensors and columns, beside a sensor with wrong times", () => {
    const [, ...load] = METERS["Home Assistant's history"](HOUSE).trimEnd().split("\n");
    const level = load.map((line, i) => `sensor.car_battery_level,${i % 90},${i === 9 ? "soon" : line.split(",")[2]}`);
    const mixed = load.flatMap((line, i) => [level[i] as string, line]);
    const read = (names: string, lines: readonly string[]) => meterOf([names, ...lines, ""].join("\n"), UTC);
    const right = read("entity_id,state,last_changed", load);
    expect(read("entity_id,state,last_changed", [...level, ...load])).to.deep.equal(right);
    expect(read("entity_id,state,last_changed", mixed)).to.deep.equal(right);
    const quoted = mixed.map((line) => line.replace(/^[^,]*/, '"$&"'));
    expect(read("entity_id,state,last_changed", quoted)).to.deep.equal(right);
  });

  it("may have steps of a second", () => {
    const values = Array.from({ length: 20_000 }, (_, i) => `${1_746_057_600 + i},${i < 10_000 ? 300 : 500}`);
    const { power } = meterOf(`time,load (W)\n${values.join("\n")}\n`, UTC).house;
    expect([power[0], power.at(-1)]).to.deep.equal([300, 500]);
  });

  const rows = (header: string, count = 200) =>
    `${header}\n${Array.from(
      { length: count },
      (_, i) =>
        `${new Date(Date.UTC(2025, 4, 1) + i * 3_600_000).toISOString()}${header
          .split(",")
          .slice(1)
          .map((_, at) => `,${100 + 50 * at + (i % 7)}`)
          .join("")}`,
    ).join("\n")}\n`;
  const WRONG: Readonly<Record<string, readonly [text: string, expected: RegExp]>> = {
    "of production only": [productionExport(simulatedInverter(1, 15)), /production.*--production/],
    "of zeros": [
      METERS["a table of loads"]({ ...HOUSE, load: new Float64Array(HOUSE.load.length) }),
      /no column has numbers other than 0/,
    ],
    "with several loads": [
      rows("time,House (W),Consumption (W)"),
      /several of them may be the load.*'House \(W\)' or 'Consumption \(W\)'/,
    ],
    "of another quantity": [rows("time,Temperature (C)"), /not clear.*--column.*'Temperature \(C\)'/],
    "of days": [
      `Datum und Uhrzeit,Gesamt Verbrauch\n[dd.MM.yyyy],[Wh]\n${Array.from({ length: 28 }, (_, i) => `${String(i + 1).padStart(2, "0")}.06.2025,${9000 + i}`).join("\n")}\n`,
      /1440 minutes apart: export steps of an hour or less/,
    ],
    "with names that say nothing": [rows("time,a,b"), /not clear.*--column.*'a' and 'b'/],
    "of words": ["hello\nworld\n", /no row with a date/],
    "of a broken dashboard": [
      "entity_id,type,unit,2025-03-12T23:00:00.000Z,x\nsensor.a,grid_consumption,kWh,1,2\n",
      /line 1, column 5: not a time/,
    ],
    "with two values": [rows("time,load (W)", 2), /fewer than three values/],
  };
  for (const [name, [text, expected]] of Object.entries(WRONG)) {
    it(`cannot be read from a file ${name}`, () => {
      expect(() => meterOf(text, UTC)).to.throw(expected);
    });
  }

  it("list only columns with numbers if a name fits several", () => {
    const text = (LAYOUTS_OF_METERS.Fluvius as (house: SimulatedHouse) => string)(HOUSE);
    const refused = (column: string) => () => meterOf(text, { ...UTC, column: [column] });
    for (const column of ["Offtake", "Foo"]) {
      expect(refused(column), column).to.throw(/'Offtake Night Volume'/);
      expect(refused(column), column).not.to.throw(/EAN|Digital|Validation/);
    }
    expect(refused("Night Volume")).to.throw("fits several");
  });

  it("cannot be read from a column of the sun, whatever its name", () => {
    const text = productionExport(simulatedInverter(51, 15));
    for (const name of ["System Production (W)", "Feed-in (W)", "Power (W)"]) {
      const renamed = text.replace("System Production (W)", name);
      expect(() => meterOf(renamed, { ...UTC, column: [name] }), name).to.throw("--production");
    }
  });

  it("can be cut off anywhere: the rest is read, or there is an error", () => {
    const short: SimulatedHouse = simulatedHouse(52, { days: 3, step: 60, hasSolar: true });
    for (const exportOf of Object.values(METERS)) {
      const text = exportOf(short);
      for (let end = 10; end < text.length; end += Math.ceil(text.length / 25)) {
        try {
          expect(baseLoadOf(meterOf(text.slice(0, end), UTC).house).kind).to.equal("notEnough");
        } catch (error) {
          expect((error as Error).message).to.match(
            /not a time|no row with a date|fewer than three|not clear|numbers other than 0|neither a load|several of them|cut off/,
          );
        }
      }
    }
  });
});
