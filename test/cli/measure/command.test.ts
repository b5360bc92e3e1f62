import { truncateSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { EXPORTS, simulatedCar } from "../../support/charging";
import { givenCommandLine } from "../../support/commandLine";
import { outputIn } from "../../support/output";

const BLUE = simulatedCar(21, { car: "Blue car" });
const SMALL = simulatedCar(22, { car: "Small" });

const fleet = (capacity: number, power = BLUE.power) => `fleet: acme
sites:
  home:
    vehicles:
      car: { deviceId: c, maxCapacity: ${Math.round(capacity)}, maxChargePower: ${Math.round(power)} }
  two:
    vehicles:
      small: { deviceId: s }
      blue: { deviceId: b, maxCapacity: ${Math.round(capacity)} }
`;

describe("cli: measure", () => {
  const given = givenCommandLine();
  const { path } = given;
  const run = (args: readonly string[], input?: string) =>
    given.run(["measure", "--manifest", "fleet.yaml", ...args], { input });
  const HOME = ["--site", "home"];
  beforeEach(() => {
    writeFileSync(path("fleet.yaml"), fleet(BLUE.capacity));
    writeFileSync(path("sessions.csv"), EXPORTS.TeslaMate(BLUE.sessions));
    writeFileSync(path("both.csv"), EXPORTS.evcc([...BLUE.sessions, ...SMALL.sessions]));
  });

  it("agrees with a right declaration, shows how it read the file, and sends nothing", async () => {
    const { code, stdout, stderr } = await run([...HOME, "--sessions", "sessions.csv"]);
    expect(code).to.equal(0);
    expect(stdout).to.match(
      /^car: capacity declared [\d.]+ kWh, measured [\d.]+ ± [\d.]+ kWh usable \(\d+ sessions; [\d.]+ kWh at the charger\); charge power declared .*, measured [\d.]+ ± [\d.]+ kW \(\d+ sessions; about \d × \d+ A\)\nThe declared capacity agrees\. The declared charge power agrees\.\n$/,
    );
    expect(stderr).to.match(/^sessions\.csv: TeslaMate, 60 sessions, without names of cars, 60 with states of charge/);
    expect(given.simulator.requests).to.deep.equal([]);
  });

  it("measures a car without a fleet, a project or any declared value", async () => {
    for (const file of ["sessions.csv", "car=sessions.csv"]) {
      const { code, stdout } = await given.run(["measure", "--sessions", file, "--cwd", path("nowhere"), "--json"]);
      expect(code, file).to.equal(0);
      const [car] = JSON.parse(stdout).sites[0].vehicles;
      expect(car).to.deep.include({ verdict: "notDeclared", differs: [] });
      expect(car.settings.maxCapacity.measured.value).to.be.closeTo(BLUE.capacity, 0.05 * BLUE.capacity);
    }
    const site = await given.run(["measure", "--sessions", "sessions.csv", "--site", "home", "--cwd", path("nowhere")]);
    expect(site.code).to.equal(1);
  });

  it("names the declared values that no file measures", async () => {
    const declared = ["--declared", "maxCapacity=77kWh azimuth=S baseLoad=400W"];
    const args = ["measure", "--sessions", "sessions.csv", "--cwd", path("nowhere"), ...declared];
    const { stderr } = await given.run(args);
    const named = [...stderr.matchAll(/^--declared (\w+) .*(--\w+)$/gm)].map(([, ...names]) => names);
    expect(named).to.deep.equal([
      ["baseLoad", "--meter"],
      ["azimuth", "--production"],
    ]);
  });

  it("reads more sessions than one call can have arguments", async () => {
    const rows = Array.from({ length: 150_000 }, (_, i) => {
      const [start, end] = [0, 3_600_000].map((more) => new Date(1e12 + 7_200_000 * i + more).toISOString());
      return `${start},${end},7`;
    });
    const text = ["start,end,energy (kWh)", ...rows].join("\n");
    expect((await run([...HOME, "--sessions", "-"], text)).stderr).to.contain("150,000 sessions");
  });

  it("ends with 2 if a value differs, and names the likely mistake, as JSON too", async () => {
    writeFileSync(path("fleet.yaml"), fleet(1.11 * BLUE.capacity, 125_000));
    const { code, stdout } = await run([...HOME, "--sessions", "car=-", "--json"], EXPORTS.TeslaMate(BLUE.sessions));
    expect(code).to.equal(2);
    outputIn("measure", stdout);
    const [{ name, vehicles }] = JSON.parse(stdout).sites;
    expect(name).to.equal("home");
    expect(vehicles[0]).to.deep.include({
      name: "car",
      verdict: "differs",
      differs: ["maxCapacity", "maxChargePower"],
    });
    const { maxCapacity, maxChargePower } = vehicles[0].settings;
    expect(maxCapacity).to.include({ verdict: "differs", mistake: "grossOrNew", from: "battery", until: "2025-04-01" });
    expect(maxCapacity.measured.value / BLUE.capacity).to.be.within(0.98, 1.02);
    expect(maxChargePower).to.include({ verdict: "differs", mistake: "fastCharging", declared: 125_000 });
  });

  it("reads two cars from one compressed file, by name", async () => {
    writeFileSync(path("both.csv.gz"), gzipSync(EXPORTS.evcc([...BLUE.sessions, ...SMALL.sessions])));
    const files = ["--sessions", "blue=both.csv.gz", "small=both.csv.gz"];
    const { code, stdout } = await run(["--site", "two", ...files, "--car", "blue=Blue car", "--json"]);
    expect(code).to.equal(0);
    outputIn("measure", stdout);
    const [blue, small] = JSON.parse(stdout).sites[0].vehicles;
    expect(blue.settings.maxCapacity.measured.value / BLUE.capacity).to.be.within(0.95, 1.05);
    expect(small.settings.maxCapacity.measured.value / SMALL.capacity).to.be.within(0.95, 1.05);
    expect(small.verdict).to.equal("notDeclared");
  });

  it("reads Excel's texts, and a file that was compressed twice", async () => {
    const text = EXPORTS.TeslaMate(BLUE.sessions);
    const little = Buffer.from(`\ufeff${text}`, "utf16le");
    const files: Readonly<Record<string, Buffer>> = {
      "little.csv": little,
      "big.csv": Buffer.from(little).swap16(),
      "twice.csv.gz": gzipSync(gzipSync(text)),
    };
    for (const [file, bytes] of Object.entries(files)) {
      writeFileSync(path(file), bytes);
      expect((await run([...HOME, "--sessions", file])).stderr).to.contain("TeslaMate, 60 sessions");
    }
  });

  it("shows in Markdown the differences, and that two cars without names are mixed", async () => {
    writeFileSync(path("fleet.yaml"), fleet(2 * BLUE.capacity));
    const differs = await run([...HOME, "--sessions", "sessions.csv", "--markdown"]);
    expect(differs.stdout).to.match(
      /^\*\*`car`\*\*: capacity declared .*\n\n⚠️ The declared capacity differs\. The declared charge power agrees\.\n/,
    );
    const half = BLUE.sessions.map((one) => ({ ...one, start: one.start + 7200, drawn: (one.drawn ?? 0) / 2 }));
    const nameless = [...BLUE.sessions, ...half].map((one) => ({ ...one, car: "" }));
    writeFileSync(path("mixed.csv"), EXPORTS.evcc(nameless));
    const mixed = await run([...HOME, "--sessions", "mixed.csv"]);
    expect(mixed.stdout).to.contain("sessions of two cars").and.to.contain("Export the sessions of one car");
  });

  it("ends with 0 if there is not enough data, with the reason", async () => {
    writeFileSync(path("zaptec.csv"), EXPORTS.Zaptec(BLUE.sessions));
    const { code, stdout } = await run([...HOME, "--sessions", "zaptec.csv"]);
    expect(code).to.equal(0);
    expect(stdout).to.contain("sessions has a state of charge").and.to.contain("times of the plug");
  });

  it("ends with 1 and the next step if a file or an option is wrong", async () => {
    writeFileSync(path("empty.csv"), "");
    writeFileSync(path("cut.csv.gz"), gzipSync(EXPORTS.evcc(BLUE.sessions)).subarray(0, 500));
    writeFileSync(path("large.csv"), "");
    truncateSync(path("large.csv"), 300_000_000);
    const part = gzipSync(Buffer.alloc(100_000_000));
    writeFileSync(path("bomb.csv.gz"), Buffer.concat([part, part, part]));
    writeFileSync(path("login.csv"), "<!DOCTYPE html>\n<html>2025-01-01</html>\n");
    const wrong: readonly (readonly [string[], RegExp])[] = [
      [[...HOME, "--sessions", "none.csv"], /none\.csv: the file cannot be read \(ENOENT\)/],
      [[...HOME, "--sessions", "login.csv"], /login\.csv: this is a web page/],
      [[...HOME, "--sessions", "empty.csv"], /empty\.csv: the file is empty/],
      [[...HOME, "--sessions", "cut.csv.gz"], /cut\.csv\.gz: the compressed file is cut off/],
      [[...HOME, "--sessions", "large.csv"], /large\.csv: the file has more than 256 MB/],
      [[...HOME, "--sessions", "bomb.csv.gz"], /bomb\.csv\.gz: the file has more than 256 MB/],
      [[...HOME, "--sessions", "both.csv"], /give --car car=<name>, with 'Blue car' or 'Small'/],
      [
        [...HOME, "--sessions", "both.csv", "--car", "car=Red"],
        /no session is of 'Red'. The file has 'Blue car' and 'Small'/,
      ],
      [[...HOME, "--sessions", "cra=both.csv"], /site 'home' has no vehicle 'cra'/],
      [["--site", "two", "--sessions", "both.csv"], /give --sessions <vehicle>=<file>.*small and blue/],
      [["--sessions", "both.csv"], /give --site/],
      [["--site", "hom", "--sessions", "both.csv"], /no site 'hom'/],
      [HOME, /give --sessions, --meter or --production/],
    ];
    for (const [args, expected] of wrong) {
      const { code, stderr, stdout } = await run(args);
      expect(stderr).to.match(expected);
      expect(code).to.equal(1);
      expect(stdout).to.equal("");
    }
  });
});
