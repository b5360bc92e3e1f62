import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { readMeasured } from "../../../cli/measured/read";
import { givenCommandLine } from "../../support/commandLine";
import { outputIn } from "../../support/output";
import { measuredRoofs } from "../../support/roofs";
import { simulatedRoof } from "../../support/simulatedRoofs";

const [ROOF] = measuredRoofs().filter(({ file }) => file.startsWith("02"));
if (!ROOF) throw new Error("there is no such roof");
const [PANELS] = ROOF.planes;

const fleet = (azimuth: number) => `fleet: acme
sites:
  home:
    latitude: ${ROOF.latitude}
    inverters:
      roof: { deviceId: roof, peakPower: ${PANELS?.peakPower}, azimuth: ${azimuth}, tilt: ${PANELS?.tilt} }
      shed: { deviceId: shed, peakPower: 2 kWp }
  south:
    inverters: { roof: { deviceId: other, peakPower: 5 kWp, azimuth: S, tilt: 30 } }
`;

describe("cli: measure, roofs", () => {
  const given = givenCommandLine();
  const { path } = given;
  const run = (args: readonly string[], input?: string) =>
    given.run(["measure", "--manifest", "fleet.yaml", ...args], { input });
  const PLACE = ["--longitude", String(ROOF.longitude), "--time-zone", ROOF.timeZone];
  const HOME = ["--site", "home", ...PLACE];
  beforeEach(() => {
    writeFileSync(path("fleet.yaml"), fleet(PANELS?.azimuth ?? 0));
    writeFileSync(path("production.csv"), ROOF.text);
  });

  it("agrees with a right declaration, shows the best day, and sends nothing", async () => {
    const { code, stdout, stderr } = await run([...HOME, "--production", "roof=production.csv"]);
    expect(code).to.equal(0);
    expect(stdout).to.match(
      /^roof: declared 256\.6° \(WSW\), measured 2\d\d° ± \d+° \(W(SW)?\), \d+ clear days; tilt 37\.7°, measured/,
    );
    expect(stdout)
      .to.match(/measured roof +▁[▁-█]+/)
      .and.to.contain("declared roof");
    expect(stderr).to.match(/'System Production \(W\)' \w+ W.*15 minutes \(--column corrects it\), .*Europe\/Helsinki/);
    expect(given.simulator.requests).to.deep.equal([]);
  });

  it("says how to overrule offsets of the file that are wrong", async () => {
    const rows = (offset: string) =>
      ["time,PV power (W)", ...["10", "11", "12"].map((hour) => `2025-06-01T${hour}:00:00${offset},500`)].join("\n");
    const zoned = await run([...HOME, "--production", "roof=-"], rows("Z"));
    expect(zoned.stderr).to.contain("--time-zone").and.not.to.contain(ROOF.timeZone);
    const local = await run([...HOME, "--production", "roof=-"], rows(""));
    expect(local.stderr).to.contain(`in ${ROOF.timeZone}`);
  });

  it("shows the peak power of each month of a year, and since when it is lower", async () => {
    const { series, place, panels } = simulatedRoof(3, {
      begin: "2025-01-01",
      days: 365,
      step: 60,
      change: { day: 180, factor: 0.67 },
    });
    const rows = Array.from(series.times, (time, i) => {
      const start = new Date((time - 1800) * 1000).toISOString();
      return `${start},${Math.round((series.power[i] as number) * series.scale)}`;
    });
    writeFileSync(path("year.csv"), ["time,PV power (W)", ...rows].join("\n"));
    const { latitude, longitude } = place;
    const inverter = `{ deviceId: roof, peakPower: ${Math.round(panels.peakPower)}, azimuth: ${Math.round(panels.azimuth)}, tilt: ${Math.round(panels.tilt)} }`;
    writeFileSync(
      path("fleet.yaml"),
      `fleet: acme\nsites:\n  home:\n    latitude: ${latitude}\n    inverters:\n      roof: ${inverter}\n`,
    );
    const given = ["--longitude", String(longitude), "--label", "start", "--production", "roof=year.csv"];
    const { stdout } = await run([...given, "--json", "--write", "measured.json"]);
    outputIn("measure", stdout);
    const { trend } = JSON.parse(stdout).sites[0].inverters[0];
    expect(trend.change.since).to.match(/^2025-0[67]-/);
    expect(Math.abs(trend.change.share.value + 0.33)).to.be.below(trend.change.share.uncertainty);
    expect(readMeasured(path("measured.json"))).to.deep.equal(JSON.parse(stdout));
    const months: string[] = trend.months.map(({ month }: { month: string }) => month);
    const text = (await run(given)).stdout;
    expect(text.split("\n").filter((line) => months.some((month) => line.startsWith(`  ${month}  `)))).to.have.length(
      months.length,
    );
    expect(text).to.contain(trend.change.since);
    const markdown = (await run([...given, "--markdown"])).stdout;
    expect(markdown).to.contain(`x-axis "month" [${months.map((month) => `"${month}"`).join(",")}]`);
  });

  it("says since when the clock of a file is an hour off, and shows no azimuth that it cannot know", async () => {
    const { series, place, panels } = simulatedRoof(4, { begin: "2025-09-15", days: 80, step: 60 });
    const { azimuth, tilt, peakPower } = panels;
    writeFileSync(
      path("fleet.yaml"),
      `fleet: a\nsites: { home: { latitude: ${place.latitude}, inverters: { roof: { deviceId: r, peakPower: ${peakPower}, azimuth: ${azimuth}, tilt: ${tilt} } } } }`,
    );
    const jump = Date.UTC(2025, 9, 26) / 1000;
    const rows = Array.from(series.times, (time, i) => {
      const start = new Date((time - 1800 - (time < jump ? 0 : 3600)) * 1000).toISOString();
      return `${start},${Math.round((series.power[i] as number) * series.scale)}`;
    });
    writeFileSync(path("roof.csv"), ["time,PV power (W)", ...rows].join("\n"));
    const args = ["--production", "roof=roof.csv", "--label", "start", "--longitude", String(place.longitude)];
    const { code, stdout } = await run(args);
    expect(code, stdout).to.equal(0);
    expect(stdout).to.contain("2025-10-26").and.to.not.contain("flat");
    expect((await run([...args, "--markdown"])).stdout).to.contain("⚠️ Since 2025-10-26");
    const json = (await run([...args, "--json", "--write", "measured.json"])).stdout;
    outputIn("measure", json);
    expect(JSON.parse(json).sites[0].inverters[0].clockJumps).to.deep.equal([
      { since: "2025-10-26", minutesLate: -60 },
    ]);
    expect(readMeasured(path("measured.json"))).to.deep.equal(JSON.parse(json));
  });

  it("ends with 2 if a value differs, and names the likely mistake, as JSON too", async () => {
    writeFileSync(path("fleet.yaml"), fleet(76.6));
    const { code, stdout } = await run([...HOME, "--production", "roof=-", "--json"], ROOF.text);
    expect(code).to.equal(2);
    outputIn("measure", stdout);
    const [{ name, inverters }] = JSON.parse(stdout).sites;
    expect(name).to.equal("home");
    expect(inverters[0]).to.deep.include({
      name: "roof",
      verdict: "differs",
      differs: ["azimuth"],
      mistake: "azimuthFromSouth",
    });
    expect(inverters[0].measured.azimuth.uncertainty).to.be.within(1, 15);
    expect(inverters[0].declared).to.deep.equal({ azimuth: 76.6, tilt: 37.7, peakPower: 8500 });
  });

  it("asks for the unit and the longitude of the file before it blames the declaration", async () => {
    const unit = await run([...HOME, "--production", "roof=production.csv", "--unit", "kW"]);
    expect(unit.stdout).to.match(/peak power .*different units: check --unit first/);
    const away = String(ROOF.longitude + 18);
    const place = ["--site", "home", "--longitude", away, "--time-zone", ROOF.timeZone];
    const { stdout, code } = await run([...place, "--production", "roof=production.csv"]);
    expect(stdout).to.match(/--longitude is (1[4-9]|2[0-2])° too far east: check/);
    expect(code).to.equal(0);
  });

  it("reports too little clear sky, and ends with 0", async () => {
    writeFileSync(path("short.csv"), ROOF.text.split("\n").slice(0, 500).join("\n"));
    const { code, stdout } = await run([...HOME, "--production", "roof=short.csv"]);
    expect(code).to.equal(0);
    expect(stdout).to.match(
      /^roof: .*, not enough to measure: [0-6] of [67] days have 3 hours of clear sky; 7 are needed/,
    );
  });

  it("draws the best day in Markdown, and keeps results beside those of other inverters", async () => {
    writeFileSync(path("measured.json"), JSON.stringify({ sites: [{ name: "south", inverters: [] }] }));
    const { stdout } = await run([
      ...HOME,
      "--production",
      "roof=production.csv",
      "--markdown",
      "--write",
      "measured.json",
    ]);
    expect(stdout).to.contain("```mermaid").and.to.contain("bars measured, line declared");
    expect(stdout).to.match(/^\*\*`roof`\*\*: declared 256\.6° \(WSW\), measured 2\d\d° ± \d+° /);
    const kept = JSON.parse(readFileSync(path("measured.json"), "utf8"));
    expect(kept.sites.map(({ name }: { name: string }) => name)).to.deep.equal(["south", "home"]);
  });

  it("compares declared planes with measured ones, and keeps both", async () => {
    const [twin] = measuredRoofs().filter(({ planes }) => planes.length > 1);
    if (!twin) throw new Error("there is no such roof");
    writeFileSync(path("twin.csv"), twin.text);
    const declare = (turn: number) => {
      const planes = twin.planes.map((plane) => ({ ...plane, azimuth: (plane.azimuth + turn) % 360 }));
      const sites = { home: { latitude: twin.latitude, inverters: { roof: { deviceId: "roof", planes } } } };
      writeFileSync(path("fleet.yaml"), JSON.stringify({ fleet: "acme", sites }));
      return planes;
    };
    const place = ["--longitude", String(twin.longitude), "--production", "twin.csv"];
    const planes = declare(0);
    const right = await run([...place, "--write", "measured.json"]);
    expect(right.code).to.equal(0);
    expect(right.stdout).to.match(/^roof: declared 2 planes: 5\.5 kW \w+ 84\.6° \(E\).*; measured 2 planes: .* 2\d\d°/);
    const [{ inverters }] = JSON.parse(readFileSync(path("measured.json"), "utf8")).sites;
    expect(inverters[0]).to.deep.include({ verdict: "agrees", differs: [] });
    expect(inverters[0].declared.planes).to.deep.equal(planes);
    expect(inverters[0].planes).to.have.lengthOf(2);
    const known = readMeasured(path("measured.json"));
    expect(known.sites[0]?.inverters?.[0]?.declared?.planes).to.deep.equal(planes);
    declare(90);
    const wrong = await run([...place, "--json"]);
    expect(wrong.code).to.equal(2);
    outputIn("measure", wrong.stdout);
    expect(JSON.parse(wrong.stdout).sites[0].inverters[0]).to.deep.include({
      verdict: "differs",
      differs: ["azimuth"],
    });
  });

  it("names what is missing", async () => {
    const error = async (args: string[]) => (await run(args)).stderr;
    expect(await error(["--production", "roof=production.csv"])).to.contain("--site");
    expect(await error([...HOME, "--production", "production.csv"])).to.contain("roof and shed");
    expect(await error([...HOME, "--production", "roof=production.csv", "other.csv"])).to.contain(
      "'other.csv' names none",
    );
    expect(await error([...HOME, "--production", "rof=production.csv"]))
      .to.contain("'rof'")
      .and.to.contain("roof");
    const missing = await run([...HOME, "--production", "roof=nowhere.csv"]);
    expect(missing.code).to.equal(1);
    expect(missing.stderr).to.match(/^nowhere\.csv.*\(ENOENT\)\n$/);
    writeFileSync(path("broken.csv"), ROOF.text.split("\n").toSpliced(50, 0, "yesterday,5").join("\n"));
    expect(await error([...HOME, "--production", "roof=broken.csv"])).to.contain(
      "broken.csv: line 51, column 1 (Time)",
    );
  });

  it("measures a roof without any declared value", async () => {
    writeFileSync(
      path("fleet.yaml"),
      `fleet: acme
sites: { home: { latitude: ${ROOF.latitude}, inverters: { roof: { deviceId: roof } } } }
`,
    );
    const { code, stdout } = await run([...PLACE, "--production", "production.csv", "--json"]);
    expect(code).to.equal(0);
    const [roof] = JSON.parse(stdout).sites[0].inverters;
    expect(roof).to.deep.include({ verdict: "notDeclared", differs: [], declared: {} });
    expect(roof.measured).to.have.keys("azimuth", "tilt", "peakPower");
    expect((await run([...PLACE, "--production", "production.csv"])).stdout).to.match(
      /^roof: azimuth not declared, measured 2\d\d°.*; tilt not declared, measured .*; peak not declared, measured/,
    );
  });

  it("says which file suffices if there is neither a manifest nor a project, and measures with that", async () => {
    const none = await given.run(["measure", ...PLACE, "--production", "production.csv", "--cwd", path("nowhere")]);
    expect(none.code).to.equal(1);
    expect(none.stderr).to.match(/--latitude .*--declared /);
    const named = await given.run([
      "measure",
      ...PLACE,
      "--production",
      "production.csv",
      "--manifest",
      path("no.yaml"),
    ]);
    expect(named.code).to.equal(1);
    expect(named.stderr).to.match(/^\S+no\.yaml: .*--latitude .*--declared [\s\S]*fleet: home/);
    writeFileSync(path("fleet.yaml"), none.stderr.slice(none.stderr.indexOf("fleet: home")));
    expect((await run([...PLACE, "--production", "production.csv"])).code).to.equal(0);
  });

  it("takes declared values without a fleet, in the units of a manifest, and suggests a misspelled one", async () => {
    const of = (...args: string[]) => given.run(["measure", ...PLACE, "--production", "production.csv", ...args]);
    const values = `azimuth=WSW tilt=${PANELS?.tilt} peakPower=${(PANELS?.peakPower ?? 0) / 1000} kWp`;
    const right = await of("--declared", values, "--latitude", String(ROOF.latitude), "--json");
    expect(right.code).to.equal(0);
    const [roof] = JSON.parse(right.stdout).sites[0].inverters;
    expect(roof.declared).to.deep.equal({ azimuth: 247.5, tilt: PANELS?.tilt, peakPower: PANELS?.peakPower });
    expect(roof).to.deep.include({ verdict: "agrees" });
    const none = await of("--latitude", String(ROOF.latitude), "--json");
    expect(JSON.parse(none.stdout).sites[0].inverters[0]).to.deep.include({ verdict: "notDeclared", declared: {} });
    expect((await of("--latitude", "52,5")).stderr).to.contain("such as 50.1");
    expect((await of("--latitude", "95")).stderr).to.contain("-90 to 90");
    const commas = await of(
      "--declared",
      values.replace(/ (?=\w+=)/g, ", "),
      "--latitude",
      String(ROOF.latitude),
      "--json",
    );
    expect(commas.stdout).to.equal(right.stdout);
    expect((await of("--declared", "azimut=S")).stderr).to.contain("did you mean azimuth?");
    expect((await of("--declared", "tilt=350", "azimuth=SSSW")).stderr).to.match(/azimuth.*"SSSW"[\s\S]*not 350°/);
    expect((await of("--declared", "peakPower=9.8")).stderr).to.match(/^--declared: .*peakPower/);
    expect((await of("--declared", "tilt=35", "--manifest", "fleet.yaml")).code).to.equal(1);
  });

  it("measures only the cut-in threshold, and names the values that the panels need", async () => {
    const only = async (args: string[], expected: RegExp) => {
      const { code, stdout, stderr } = await run(args);
      expect(stderr).to.match(expected);
      expect(code).to.equal(0);
      expect(stdout).to.contain("cut-in threshold").and.not.to.contain("clear days");
    };
    await only(["--site", "south", ...PLACE, "--production", "production.csv"], /give a latitude/);
    writeFileSync(path("utc.csv"), ROOF.text.replace(/^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d)/gm, "$3-$1-$2T$4:00Z"));
    await only(["--site", "home", "--production", "roof=utc.csv"], /give --longitude/);
  });
});
