import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { givenCommandLine } from "../../support/commandLine";
import { outputIn } from "../../support/output";
import { takeRequests } from "../../support/project";

const fleet = {
  businesses: {
    acme: { car: { type: "vehicle", settings: { max_capacity: 77_000 } }, roof: { type: "inverter" } },
    "north/1": { car: { type: "vehicle" } },
  },
} as const;

describe("cli: adopt --import-file", () => {
  const given = givenCommandLine(fleet);
  const { path } = given;
  const adopt = (...args: string[]) => given.run(["adopt", "--import-file", path("import.json"), ...args]);
  const resources = () => JSON.parse(readFileSync(path("import.json"), "utf8")).resources;

  it("writes what pulumi import takes: types, unique names, encoded ids and the version of the plugin", async () => {
    const list = "deviceId,businessId\ncar,acme\nroof,acme\ncar,north/1\n";
    const { code, stderr } = await given.run(
      ["adopt", "--import-file", path("import.json"), "--devices", "-", "--column", "deviceId"],
      { input: list },
    );
    expect(code, stderr).to.equal(0);
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    const [vehicle, inverter] = ["VehicleSettings", "InverterSettings"].map((name) => `solar-charging:index:${name}`);
    const named = resources().map(({ inputs: _, outputs: __, ...one }: Record<string, unknown>) => one);
    expect(named).to.deep.equal([
      { type: vehicle, name: "acme-car", id: "acme/car", version },
      { type: inverter, name: "roof", id: "acme/roof", version },
      { type: vehicle, name: "north/1-car", id: "north%2F1/car", version },
    ]);
    const policy = { policy: { baseline: "CHARGE BY" } };
    const ids = { businessId: "acme", deviceId: "car" };
    const settings = { maxCapacity: { baseline: 77_000 }, ...policy };
    expect(resources()[0].inputs).to.deep.equal({ ...ids, maxCapacity: 77_000, policy: "CHARGE BY" });
    expect(resources()[0].outputs).to.deep.equal({ ...resources()[0].inputs, settings });
    expect(takeRequests(given.simulator).sort()).to.deep.equal(["GET car", "GET car", "GET roof"]);
  });

  it("leaves out a device that is not there, and says so", async () => {
    const { code, stdout, stderr } = await adopt("car", "nobody", "--json");
    expect(code).to.equal(1);
    expect(stderr).to.contain("nobody");
    const { file, adopted, failed } = outputIn("adopt", stdout);
    expect({ file, adopted }).to.deep.equal({
      file: path("import.json"),
      adopted: [{ device: "acme/car", kind: "vehicle", site: "main" }],
    });
    expect(failed.map(({ device }) => device)).to.deep.equal(["acme/nobody"]);
    expect(resources()).to.have.lengthOf(1);
  });

  it("writes nothing over a file that is there, unless it is forced to", async () => {
    expect((await adopt("car")).code).to.equal(0);
    expect((await adopt("roof")).code).to.equal(1);
    expect(resources()[0]).to.include({ name: "car" });
    expect((await adopt("roof", "--force")).code).to.equal(0);
    expect(resources()[0]).to.include({ name: "roof" });
  });

  const line = (changes: object[], deviceId = "car") => {
    const device = { businessId: "acme", deviceId };
    const time = "2026-11-21T14:03:07.412Z";
    writeFileSync(
      path("ledger.jsonl"),
      `${JSON.stringify({ time, run: "1", by: "me", operation: "create", ...device, changes, outcome: "planned" })}\n`,
    );
  };

  /** The output of a preview that creates one resource. */
  const preview = (type: string, name: string, inputs: object) => {
    const urn = `urn:pulumi:dev::test::solar-charging:index:${type}::${name}`;
    const provider = "urn:pulumi:dev::test::pulumi:providers:solar-charging::default_0_1_0::1";
    const newState = { urn, inputs, provider, parent: "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev" };
    writeFileSync(path("preview.json"), JSON.stringify({ steps: [{ op: "create", urn, newState }] }));
  };
  const ofPreview = () => adopt("--preview", path("preview.json"), "--ledger", path("ledger.jsonl"));

  it("takes the baselines of listed devices from a ledger, also of one that is not the environment's", async () => {
    line([{ key: "maxCapacity", old: 55_000, new: 77_000 }]);
    expect((await adopt("car", "--ledger", path("ledger.jsonl"))).code).to.equal(0);
    expect(resources()[0].outputs.settings.maxCapacity).to.deep.equal({ baseline: 55_000 });
  });

  it("imports the site of a preview: baselines by device, what nobody reports by the ledger, drift as it is", async () => {
    given.simulator.behave({ reports: "nowhere" }, "acme", "roof");
    line([{ key: "peakPower", old: 9000, new: 9800 }], "roof");
    const vehicles = { mine: { deviceId: "car", maxCapacity: 80_000, maxChargePower: "[secret]" } };
    const inverters = { roof: { deviceId: "roof", peakPower: 9800, tilt: 35 } };
    preview("SiteSettings", "home", { businessId: "acme", vehicles, inverters, ready: false, gaps: [] });
    const { code, stderr } = await ofPreview();
    expect(code, stderr).to.equal(0);
    expect(stderr).to.contain("vehicles.mine.maxChargePower");
    const [{ inputs, outputs, ...named }] = resources();
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(named).to.deep.equal({ type: "solar-charging:index:SiteSettings", name: "home", id: "home", version });
    expect(inputs.vehicles).to.deep.equal({ mine: { deviceId: "car", maxCapacity: 80_000 } });
    expect(outputs.devices["vehicle/mine"]).to.deep.include({ deviceId: "car", maxCapacity: 77_000 });
    expect(outputs.devices["inverter/roof"]).to.deep.equal({
      deviceId: "roof",
      peakPower: 9800,
      settings: { peakPower: { status: "notReported", baseline: 9000 } },
    });
  });

  it("writes no present value of a setting that the program declares as a secret", async () => {
    const car = { businessId: "acme", deviceId: "car" };
    const roof = { deviceId: "roof", planes: [{ peakPower: 9800, azimuth: 180, tilt: "[secret]" }] };
    given.simulator.appUserSets("acme", "roof", { peak_power: 71_234 });
    writeFileSync(path("ledger.jsonl"), "");
    for (const [type, inputs] of [
      ["VehicleSettings", { ...car, maxCapacity: "[secret]" }],
      ["SiteSettings", { businessId: "acme", vehicles: { mine: { deviceId: "car", maxCapacity: "[secret]" } } }],
      ["SiteSettings", { businessId: "acme", inverters: { roof } }],
      ["SiteSettings", { businessId: "acme", inverters: { roof: { deviceId: "roof", peakPower: "[secret]" } } }],
    ] as const) {
      preview(type, "it", inputs);
      const { code, stderr } = await adopt("--preview", path("preview.json"), "--force");
      expect(code, stderr).to.equal(0);
      expect(readFileSync(path("import.json"), "utf8")).to.not.match(/77000|71234|\[secret\]/);
    }
    const [type, urn] = [
      "solar-charging:index:VehicleSettings",
      "urn:pulumi:dev::test::solar-charging:index:VehicleSettings::it",
    ];
    const settings = { maxCapacity: { baseline: 71_234 } };
    const resource = { urn, type, inputs: car, outputs: { ...car, maxCapacity: 77_000, settings } };
    writeFileSync(path("state.json"), JSON.stringify({ deployment: { resources: [resource] } }));
    preview("VehicleSettings", "it", { ...car, maxCapacity: "[secret]" });
    await adopt("--preview", path("preview.json"), "--state", path("state.json"), "--force");
    expect(readFileSync(path("import.json"), "utf8")).to.not.match(/77000|71234/);
  });

  it("names the ids that a preview hides, and asks the service for no other device", async () => {
    preview("SiteSettings", "depot", { businessId: "acme", vehicles: { mine: { deviceId: "[secret]" } } });
    const { code, stderr } = await adopt("--preview", path("preview.json"));
    expect(code).to.equal(1);
    expect(stderr).to.contain("vehicles.mine.deviceId of 'depot'");
    expect(takeRequests(given.simulator)).to.deep.equal([]);
  });

  it("refuses files that are something else, before it reads a device", async () => {
    writeFileSync(path("other.json"), "{}");
    line([]);
    preview("VehicleSettings", "car", { businessId: "acme", deviceId: "car", maxCapacity: 77_000 });
    for (const args of [
      ["--preview", path("other.json")],
      ["--preview", path("preview.json"), "car"],
      ["--preview", path("preview.json"), "--ledger", path("nobody.jsonl")],
      ["--preview", path("preview.json"), "--state", path("preview.json")],
      ["--state", path("other.json"), "car"],
    ]) {
      const { code } = await adopt(...args);
      expect(code, args.join(" ")).to.equal(1);
    }
    expect(takeRequests(given.simulator)).to.deep.equal([]);
    expect(existsSync(path("import.json"))).to.equal(false);
    expect((await ofPreview()).code).to.equal(0);
  });

  it("writes no file if no device can be imported", async () => {
    expect((await adopt("nobody")).code).to.equal(1);
    expect(existsSync(path("import.json"))).to.equal(false);
  });
});
