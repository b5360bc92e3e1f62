import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { readManifest } from "../../../provider/manifest/manifest";
import { membersOf } from "../../../provider/manifest/model";
import { givenCommandLine } from "../../support/commandLine";
import { expectFacts } from "../../support/facts";
import { outputIn } from "../../support/output";
import { takeRequests } from "../../support/project";

const OWNER = "Ada's canary 4f1d";
const fleet = {
  businesses: {
    acme: {
      car: { type: "vehicle", title: OWNER, settings: { max_capacity: 60_000 } },
      odd: { type: "vehicle", settings: { max_capacity: 60 } },
      roof: { type: "inverter", title: OWNER, settings: { peak_power: 9800, azimuth: 180 } },
    },
    other: { van: { type: "vehicle" } },
  },
} as const;

describe("cli: adopt", () => {
  const given = givenCommandLine(fleet);
  const { path } = given;
  const out = () => path("fleet.yaml");
  const adopt = (...args: string[]) => given.run(["adopt", "--output", out(), ...args]);
  /** Ends with a refused token after all devices before the roof have been read. */
  const cutShort = async (...args: string[]) => {
    given.simulator.fail({ deviceId: "roof", status: 401 });
    const env = { SOLAR_CHARGING_MAX_CONCURRENCY: "1" };
    expect((await given.run(["adopt", "--output", out(), ...args], { env })).code).to.equal(1);
    takeRequests(given.simulator);
  };
  /** Starts an adoption that waits for its device. @returns a function that ends it, as Ctrl-C does */
  const whileStalled = async (...args: string[]) => {
    given.simulator.fail({ kind: "stall-headers" });
    const terminal = given.terminal(["adopt", "--output", out(), ...args]);
    while (given.simulator.requests.length < 1) await setTimeout(5);
    return async () => {
      await terminal.answer(/ 0 \w+ 1 devices/, "\x03");
      expect(await terminal.code).to.equal(130);
      expect(terminal.text).to.match(/interrupted: 1 device /);
    };
  };
  const devicesIn = (file: string) =>
    readManifest(file).sites.map((site) => [
      site.id,
      ...membersOf(site)
        .reverse()
        .map(({ deviceId, values }) => [deviceId, values]),
    ]);

  it("makes a manifest of a CSV with settings, which count instead of the reported values", async () => {
    const rows = ["car,berlin,77 kWh,", "roof,berlin,,202.5", "nope,berlin,70 kWh,"];
    writeFileSync(path("list.csv"), ["deviceId,site,maxCapacity,azimuth", ...rows].join("\n"));
    const { code, stdout, stderr } = await adopt("--devices", path("list.csv"), "--json");
    expect(code).to.equal(1);
    expect(stderr).to.match(/^not adopted: 1 device\b/m);
    const { file, adopted, failed } = outputIn("adopt", stdout);
    expect([file, adopted.map(({ device }) => device)]).to.deep.equal([out(), ["acme/car", "acme/roof"]]);
    expect(failed.map(({ device }) => device)).to.deep.equal(["acme/nope"]);
    expect(devicesIn(out())).to.deep.equal([
      ["berlin", ["car", { maxCapacity: 77_000, policy: "CHARGE BY" }], ["roof", { peakPower: 9800, azimuth: 202.5 }]],
    ]);
  });

  it("reads nothing if the list has a mistake, and names all of them", async () => {
    const rows = ["car;berlin;77,5;", "roof;Berlin;;1.250", "odd;berlin;900;", "a b;berlin;;"];
    writeFileSync(path("list.csv"), ["deviceId;site;maxCapacity (kWh);baseLoad", ...rows].join("\n"));
    const { code, stderr } = await adopt("--devices", path("list.csv"));
    expect(code).to.equal(1);
    for (const fact of ["list.csv:3: column baseLoad", '"Berlin"', "list.csv:4: maxCapacity"])
      expect(stderr).to.contain(fact);
    expect(takeRequests(given.simulator)).to.deep.equal([]);
    expect(existsSync(out())).to.equal(false);
  });

  it("writes the reported values, and reads each device once, from the cache", async () => {
    const { code, stdout, stderr } = await adopt("car", "roof", "--site", "berlin");
    expect(code, stderr).to.equal(0);
    expect(devicesIn(out())).to.deep.equal([
      ["berlin", ["car", { maxCapacity: 60_000, policy: "CHARGE BY" }], ["roof", { peakPower: 9800, azimuth: 180 }]],
    ]);
    expect(takeRequests(given.simulator).sort()).to.deep.equal(["GET car", "GET roof"]);
    expect(stdout).to.equal("");
    expect(stderr, "progress of a short run").to.not.match(/^read \d/m);
    expectFacts(stderr, [": 1 site, 1 vehicle, 1 inverter; 4 settings ", "'Inverter' (1) "]);
  });

  it("writes nothing personal and no token", async () => {
    await adopt("car", "roof", "nope");
    expect(existsSync(path(".solar-charging"))).to.equal(false);
    const text = readFileSync(out(), "utf8");
    expect(text).to.contain("car");
    expect(text).to.not.contain(OWNER);
    expect(text).to.not.contain(given.simulator.token);
    expect(text).to.not.match(/[0-9a-f]{8}-/); // The id of the physical device.
  });

  it("takes ids from standard input, and sites from a CSV file", async () => {
    expect((await given.run(["adopt", "--output", out(), "--devices", "-"], { input: "car # one\n" })).code).to.equal(
      0,
    );
    writeFileSync(path("crm.csv"), "id,site,businessId,owner\nroof,berlin,,\nvan,depot,other,Ada\nroof,berlin,,\n");
    const { code, stderr } = await adopt("--devices", path("crm.csv"), "--column", "id", "--force");
    expect(code, stderr).to.equal(0);
    expect(stderr)
      .to.match(/^note: .*columns .*crm\.csv: owner\./m)
      .and.match(/^note: .*crm\.csv:4: .*'roof'.*crm\.csv:2$/m)
      .and.not.contain("warning");
    expect(devicesIn(out()).map(([id]) => id)).to.deep.equal(["berlin", "depot"]);
    expect(readManifest(out()).sites[1]?.vehicles?.van).to.include({ deviceId: "van", businessId: "other" });
  });

  it("names the devices that it cannot adopt, writes the rest, and ends with 1", async () => {
    writeFileSync(path("list.csv"), "deviceId,kind\ncar,inverter\nnope,\nroof,\nodd,\n");
    const { code, stderr } = await adopt("--devices", path("list.csv"));
    expect(code).to.equal(1);
    expect(stderr).to.match(/list\.csv:2: .*'car'.*'Electric vehicle'/);
    expect(stderr).to.match(/list\.csv:3: .*'nope'/);
    expect(stderr).to.match(/'odd': maxCapacity .* 1 kWh .* 60 Wh/);
    expect(devicesIn(out())).to.deep.equal([
      ["main", ["odd", { policy: "CHARGE BY" }], ["roof", { peakPower: 9800, azimuth: 180 }]],
    ]);
  });

  it("writes the values read before the token was refused; the next run reads only the rest", async () => {
    await cutShort("car", "roof");
    expect(devicesIn(out())[0]).to.have.length(2);
    expect((await adopt("car", "roof")).code).to.equal(0);
    expect(takeRequests(given.simulator)).to.deep.equal(["GET roof"]);
    expect(devicesIn(out())[0]).to.have.length(3);
  });

  it("does the same when Ctrl-C interrupts it", async () => {
    given.simulator.fail({ deviceId: "roof", kind: "stall-headers" });
    const env = { SOLAR_CHARGING_MAX_CONCURRENCY: "1" };
    const terminal = given.terminal(["adopt", "--output", out(), "car", "roof"], env);
    await terminal.answer(/ 1 \w+ 2 devices/, "\x03");
    expect(await terminal.code, terminal.text).to.equal(130);
    expect(terminal.text).to.match(/interrupted: 1 device /);
    expect(devicesIn(out())[0]).to.have.length(2);
  });

  it("leaves the manifest as it is when it is cut short with --force: it would lose devices", async () => {
    await adopt("car", "roof");
    const before = readFileSync(out(), "utf8");
    await cutShort("odd", "roof", "--force");
    expect(readFileSync(out(), "utf8")).to.equal(before);
  });

  it("reads a device again that could not be adopted", async () => {
    writeFileSync(path("list.csv"), "deviceId,kind\ncar,inverter\n");
    for (const _ of ["once", "again"]) {
      expect((await adopt("--devices", path("list.csv"))).code).to.equal(1);
      expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);
    }
  });

  it("adds the missing devices to an existing manifest, and reads no others", async () => {
    await adopt("car", "--site", "berlin");
    const before = readFileSync(out(), "utf8");
    takeRequests(given.simulator);
    const { code, stderr } = await adopt("car", "roof", "--site", "berlin");
    expect(code, stderr).to.equal(0);
    expect(stderr).to.match(/^[^:]*fleet\.yaml: 1 device/m);
    expect(takeRequests(given.simulator)).to.deep.equal(["GET roof"]);
    expect(readFileSync(out(), "utf8").startsWith(before)).to.equal(true);
    expect(devicesIn(out())[0]).to.have.length(3);

    const again = await adopt("car", "roof", "--site", "elsewhere");
    expect(again).to.include({ code: 0, stdout: "" });
    expect(given.simulator.requests).to.deep.equal([]);
  });

  it("warns of defaults that the next update sends, and adopts the devices that they fit", async () => {
    writeFileSync(
      out(),
      "fleet: a\ndefaults:\n  vehicle: { maxChargePower: 11 kW }\n  inverter: { cutInThreshold: 10 kW }\nsites:\n  main:\n    solar: false\n",
    );
    const { code, stderr } = await adopt("car", "roof");
    expect(code).to.equal(1);
    expect(stderr).to.match(/command line: .*defaults .*'roof'/);
    expect(stderr).to.match(/warning: .* by 1 .*devices: maxChargePower \(1\)/);
    expect(stderr).to.contain("1 vehicle, 0 inverters\n");
    expect(devicesIn(out())).to.deep.equal([
      ["main", ["car", { maxCapacity: 60_000, maxChargePower: 11_000, policy: "CHARGE BY" }]],
    ]);
  });

  it("reports the number of removed devices if it overwrites a manifest, and the next command", async () => {
    const args = ["adopt", "--fleet", "mine", "--output", path("my fleet.yaml")];
    await given.run([...args, "car", "roof"]);
    const { stderr } = await given.run([...args, "--force", "odd"]);
    expect(stderr).to.match(/^warning: .*my fleet\.yaml \w+ 2 devices.* 1$/m);
    expect(stderr).to.match(/^next: npx solar-charging fleet preview --manifest '.*my fleet\.yaml'$/m);
  });

  it("takes the business of the manifest and its sites if there is one, and not the environment's", async () => {
    writeFileSync(
      out(),
      "fleet: a\nbusinessId: acme\nsites:\n  main:\n    solar: false\n  depot:\n    businessId: other\n",
    );
    writeFileSync(path("list.csv"), "deviceId,site\ncar,\nvan,depot\n");
    for (const business of ["", "elsewhere"]) {
      const args = ["adopt", "--output", out(), "--devices", path("list.csv")];
      const { code, stderr } = await given.run(args, { env: { SOLAR_CHARGING_BUSINESS_ID: business } });
      expect(code, stderr).to.equal(0);
    }
    const members = readManifest(out()).sites.flatMap(membersOf);
    expect(members.map(({ businessId, deviceId }) => `${businessId}/${deviceId}`)).to.deep.equal([
      "acme/car",
      "other/van",
    ]);
  });

  it("loses no device if another adopt of the same manifest is at work", async () => {
    const release = await whileStalled("car");
    expect((await adopt("roof")).code).to.equal(0);
    await release();
    expect((await adopt("car")).code).to.equal(0);
    expect(
      readManifest(out())
        .sites.flatMap(membersOf)
        .map(({ deviceId }) => deviceId),
    ).to.deep.equal(["roof", "car"]);
  });

  it("adds to a manifest that appeared while it read", async () => {
    given.onRequest = () =>
      writeFileSync(out(), "fleet: fleet\nsites:\n  main:\n    vehicles:\n      van: { deviceId: van }\n");
    const { code, stderr } = await adopt("car");
    expect(code, stderr).to.equal(0);
    expect(devicesIn(out())).to.deep.equal([
      ["main", ["car", { maxCapacity: 60_000, policy: "CHARGE BY" }], ["van", {}]],
    ]);
  });

  it("leaves a file alone that is no manifest, or another fleet's, and reads nothing", async () => {
    writeFileSync(out(), "mine");
    const { code, stderr } = await adopt("car");
    expect(code).to.equal(1);
    expect(stderr).to.match(/fleet\.yaml:1:1: .*fleet and sites/);
    expect(readFileSync(out(), "utf8")).to.equal("mine");
    writeFileSync(out(), "fleet: ours\nsites: {}\n");
    expect((await adopt("car", "--fleet", "theirs")).stderr).to.match(/ ours, .* theirs: .*--fleet/);
    expect(given.simulator.requests).to.deep.equal([]);
  });

  it("names a manifest that cannot be written", async () => {
    mkdirSync(out());
    const { code, stderr } = await adopt("car", "--force");
    expect(code).to.equal(1);
    expect(stderr).to.match(/^\S*fleet\.yaml .*: EISDIR/m);
  });

  it("refuses a file name of a format that it does not write, and reads nothing", async () => {
    for (const [name, form] of [
      ["fleet.json", "JSON"],
      ["fleet.CSV", "CSV"],
    ] as const) {
      const { code, stderr } = await given.run(["adopt", "--output", path(name), "car"]);
      expect(code).to.equal(1);
      expectFacts(stderr, ["YAML, ", form, path(name), ".yaml"]);
    }
    expect(given.simulator.requests).to.deep.equal([]);
  });

  it("stops at a token that is refused, and writes nothing", async () => {
    const many = Array.from({ length: 50 }, (_, index) => `car-${index}`);
    const { code, stderr } = await given.run(["adopt", "--output", out(), ...many], {
      env: { SOLAR_CHARGING_ACCESS_TOKEN: "wrong", SOLAR_CHARGING_MAX_CONCURRENCY: "2" },
    });
    expect(code).to.equal(1);
    expect(stderr).to.match(/HTTP 401.*SOLAR_CHARGING_ACCESS_TOKEN/);
    expect(given.simulator.requests.length).to.be.lessThan(4);
    expect(existsSync(out())).to.equal(false);
  });

  it("writes nothing if no device can be adopted", async () => {
    const { code, stderr } = await adopt("nope");
    expect(code).to.equal(1);
    expectFacts(stderr, ["'nope'", "fleet.yaml"]);
    expect(readdirSync(dirname(out()))).to.not.include("fleet.yaml");
  });

  it("tells everything that is wrong before it reads", async () => {
    const list = await adopt("car", "--site", "北京");
    expect(list).to.include({ code: 1, stdout: "" });
    expect(list.stderr).to.match(/ {2}command line: .*"北京"/);
    const named = await given.run(["adopt", "--output", path("my fleet.yaml"), "car"]);
    expect(named.stderr).to.match(/"my fleet".*--fleet/);
    const unset = { SOLAR_CHARGING_BASE_URL: "", SOLAR_CHARGING_ACCESS_TOKEN: "" };
    const { stderr } = await given.run(["adopt", "car"], { env: unset });
    expect(stderr).to.match(/ {2}SOLAR_CHARGING_BASE_URL .*\n {2}SOLAR_CHARGING_ACCESS_TOKEN /);
    expect((await adopt()).stderr).to.contain("--devices");
    const piped = await given.run(["adopt", "--devices", "-"], { input: "deviceId,site\ncar,berlin\n" });
    expect(piped.stderr).to.match(/standard input:1: .* --column/);
    expect((await adopt("--devices", path("nope.txt"))).stderr).to.match(/nope\.txt: there is no such file\n/);
    expect(given.simulator.requests).to.deep.equal([]);
  });
});
