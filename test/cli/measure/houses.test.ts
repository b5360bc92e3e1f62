import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { EXPORTS, simulatedCar } from "../../support/charging";
import { givenCommandLine } from "../../support/commandLine";
import { METERS, productionExport, simulatedHouse, simulatedInverter } from "../../support/houses";
import { outputIn } from "../../support/output";

const HOUSE = simulatedHouse(31);
const INVERTER = simulatedInverter(31, 5);

const fleet = (baseLoad: number, cutIn = INVERTER.cutIn, shed = "") => `fleet: acme
sites:
  home:
    vehicles:
      car: { deviceId: c }
    inverters:
      roof: { deviceId: r, baseLoad: ${Math.round(baseLoad)}, cutInThreshold: ${Math.round(cutIn)} }
${shed}`;

describe("cli: measure, meters and mornings", () => {
  const given = givenCommandLine();
  const { path } = given;
  const run = (args: readonly string[], input?: string) =>
    given.run(["measure", "--manifest", "fleet.yaml", "--time-zone", "UTC", ...args], { input });
  beforeEach(() => {
    writeFileSync(path("fleet.yaml"), fleet(HOUSE.base));
    writeFileSync(path("meter.csv"), METERS["a table of loads"](HOUSE));
    writeFileSync(path("production.csv"), productionExport(INVERTER));
  });

  it("agrees with right values, shows the night and the mean by day, and how it read the files", async () => {
    const { code, stdout, stderr } = await run(["--meter", "roof=meter.csv", "--production", "roof=production.csv"]);
    expect(code).to.equal(0);
    expect(stdout).to.match(
      /^roof: base load declared \d+ W, measured \d+ ± \d+ W \(75 days; \d+ W on average by day\); cut-in threshold declared \d+ W, measured \d+ ± \d+ W \(\d+ mornings\)\nThe declared base load agrees\. The declared cut-in threshold agrees\.\n {2}usual night +[▁-█]+ [\d.]{1,4} k?W\n {2}measured +[▁-█]+/,
    );
    expect(stderr).to.match(
      /^meter\.csv: table, load from 'Consumption \(W\)' \(--column corrects it\), 7,200 values in W/,
    );
    expect(given.simulator.requests).to.deep.equal([]);
  });

  it("adds the files of the phases of a house, and joins those of months", async () => {
    const phase = (letter: string, share: number, from = 0, to = HOUSE.times.length) => {
      const rows = Array.from(HOUSE.times.slice(from, to), (at, i) => {
        const wh = ((HOUSE.load[from + i] as number) * share * HOUSE.step) / 60;
        return `${new Date(at * 1000).toISOString().slice(0, 16).replace("T", " ")},${wh.toFixed(2)},0.00`;
      });
      // Shelly's rows are in blocks, in another order in each file.
      const blocks = letter === "A" ? rows : [...rows.slice(3000), ...rows.slice(0, 3000)];
      return `Date/time UTC,Active energy Wh (${letter}),Returned energy Wh (${letter})\n${blocks.join("\n")}\n`;
    };
    const baseIn = (stdout: string) => JSON.parse(stdout).sites[0].inverters[0].settings.baseLoad.measured.value;
    for (const [letter, share] of Object.entries({ A: 0.5, B: 0.3, C: 0.2 }))
      writeFileSync(path(`${letter}.csv`), phase(letter, share));
    const all = await run(["--meter", "roof=A.csv", "roof=B.csv", "roof=C.csv", "--json"]);
    expect(baseIn(all.stdout) / HOUSE.base).to.be.within(0.95, 1.05);
    // The letter of the first file is no name for the others.
    const columns = [1, 2, 3].map((file) => `'L${file} Active energy Wh'`).join(" + ");
    expect(all.stderr).to.contain(`A.csv + B.csv + C.csv: Shelly 3EM, import from ${columns} (`);
    const one = await run(["--meter", "A.csv"]);
    expect(one.code).to.equal(1);
    expect(one.stderr).to.contain(
      "one of three phases: give the files of all of them, such as --meter a.csv b.csv c.csv",
    );
    const [header, ...rows] = METERS["a table of loads"](HOUSE).trimEnd().split("\n");
    writeFileSync(path("first.csv"), `${[header, ...rows.slice(0, 3000)].join("\n")}\n`);
    writeFileSync(path("second.csv"), `${[header, ...rows.slice(3000)].join("\n")}\n`);
    const months = await run(["--meter", "first.csv", "second.csv", "--json"]);
    expect(baseIn(months.stdout) / HOUSE.base).to.be.within(0.95, 1.05);
    const other = await run(["--meter", "first.csv", "A.csv"]);
    expect(other.stderr).to.contain("need the same columns");
  });

  it("ends with 2 if a value differs, names the likely mistake, and compares the sum of all inverters", async () => {
    writeFileSync(path("fleet.yaml"), fleet(24 * HOUSE.base, 12 * INVERTER.cutIn));
    const wrong = await run(["--meter", "meter.csv", "--production", "production.csv", "--json"]);
    expect(wrong.code).to.equal(2);
    outputIn("measure", wrong.stdout);
    const [{ vehicles, inverters }] = JSON.parse(wrong.stdout).sites;
    expect(vehicles).to.deep.equal([]);
    expect(inverters[0]).to.deep.include({ name: "roof", verdict: "differs", differs: ["baseLoad", "cutInThreshold"] });
    const { baseLoad } = inverters[0].settings;
    expect(baseLoad).to.include({ verdict: "differs", mistake: "perDay", days: 75, until: "2025-06-14" });
    expect(baseLoad.measured.value / HOUSE.base).to.be.within(0.95, 1.05);
    expect(baseLoad.daytime).to.be.above(baseLoad.measured.value);
    const half = `      shed: { deviceId: s, baseLoad: ${Math.round(HOUSE.base / 2)} }\n`;
    writeFileSync(path("fleet.yaml"), fleet(HOUSE.base / 2, INVERTER.cutIn, half));
    const both = await run(["--meter", "roof=meter.csv"]);
    expect(both.code).to.equal(0);
    expect(both.stdout).to.contain("with the other inverters");
  });

  it("keeps the results of each run beside those of other settings and devices", async () => {
    writeFileSync(path("sessions.csv"), EXPORTS.TeslaMate(simulatedCar(21).sessions));
    for (const args of [
      ["--meter", "meter.csv"],
      ["--sessions", "sessions.csv"],
      ["--production", "production.csv"],
    ])
      expect((await run([...args, "--write", "measured.json"])).code).to.equal(0);
    const [home] = JSON.parse(readFileSync(path("measured.json"), "utf8")).sites;
    expect(home.vehicles.map(({ name }: { name: string }) => name)).to.deep.equal(["car"]);
    expect(Object.keys(home.inverters[0].settings)).to.have.members(["baseLoad", "cutInThreshold"]);
    writeFileSync(path("measured.json"), "{}");
    const { code, stderr } = await run(["--meter", "meter.csv", "--write", "measured.json"]);
    expect(code).to.equal(1);
    expect(stderr).to.contain("measured.json is not a result of 'solar-charging measure --write'");
  });

  it("hides the hours in which a car charges, from a file of sessions in the same run", async () => {
    const house = simulatedHouse(32, { hasCar: true, hasSolar: true });
    // Nights of a car that never rests: only without them, the base load shows.
    const nights = Array.from({ length: 75 }, (_, day) => {
      const start = Date.UTC(2025, 3, 1, 23) / 1000 + day * 86_400;
      return { start, end: start + 3600, drawn: 7000, hours: 1, from: 20, to: 40, car: "" };
    });
    writeFileSync(path("sessions.csv"), EXPORTS.evcc(nights));
    writeFileSync(path("meter.csv"), METERS["an import"](house));
    const { stdout } = await run(["--sessions", "sessions.csv", "--meter", "meter.csv", "--json"]);
    outputIn("measure", stdout);
    const { settings } = JSON.parse(stdout).sites[0].inverters[0];
    expect(settings.baseLoad.measured.value / house.base).to.be.within(0.9, 1.1);
    expect(settings.baseLoad).not.to.have.property("daytime");
  });

  it("draws the night in Markdown, and reports that a battery hides the load", async () => {
    const markdown = await run(["--meter", "meter.csv", "--markdown"]);
    expect(markdown.stdout).to.match(/^\*\*`roof`\*\*: base load declared/);
    expect(markdown.stdout).to.contain("```mermaid").and.to.contain("usual night");
    writeFileSync(
      path("meter.csv.gz"),
      gzipSync(METERS.Tibber(simulatedHouse(33, { hasSolar: true, hasBattery: true, step: 60 }))),
    );
    const { code, stdout } = await run(["--meter", "meter.csv.gz"]);
    expect(code).to.equal(0);
    expect(stdout).to.contain("a battery may supply the house");
    const told = await run(["--meter", "meter.csv.gz", "--battery"]);
    expect(told.stdout).to.contain("a battery supplies the house");
  });

  it("ends with 1 and the next step if a file is another one, or options contradict", async () => {
    writeFileSync(path("sessions.csv"), EXPORTS.TeslaMate(simulatedCar(21).sessions));
    writeFileSync(path("table.xlsx"), "PK\u0003\u0004");
    writeFileSync(path("table.xls"), Buffer.from("d0cf11e0a1b11ae1", "hex"));
    writeFileSync(path("table.parquet"), "PAR1");
    writeFileSync(path("unicode.csv"), Buffer.from(`\ufeff${METERS["a table of loads"](HOUSE)}`, "utf16le"));
    expect((await run(["--meter", "unicode.csv"])).code).to.equal(0);
    const wrong: readonly (readonly [string[], RegExp])[] = [
      [["--meter", "production.csv"], /production\.csv: .*--production/],
      [["--meter", "sessions.csv"], /sessions\.csv: this is a list of charging sessions: give it with --sessions/],
      [["--production", "sessions.csv"], /sessions\.csv: this is a list of charging sessions: give it with --sessions/],
      [["--sessions", "meter.csv"], /meter\.csv: this is not a list of charging sessions/],
      [["--meter", "table.xlsx"], /ZIP or Excel/],
      [["--meter", "table.xls"], /ZIP or Excel/],
      [["--meter", "table.parquet"], /Parquet/],
      [["--meter", "meter.csv", "--production", "production.csv", "--unit", "W"], /one by one/],
      [["--meter", "meter.csv", "--column", "none"], /there is no column 'none'. The file has 'Consumption \(W\)'/],
    ];
    for (const [args, expected] of wrong) {
      const { code, stderr, stdout } = await run(args);
      expect(stderr).to.match(expected);
      expect(code).to.equal(1);
      expect(stdout).to.equal("");
    }
  });
});
