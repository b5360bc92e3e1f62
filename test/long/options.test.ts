import { join } from "node:path";
import { expect } from "chai";
import { showsBaseline } from "../support/baselines";
import { FLEET, VAN } from "../support/devices";
import { givenProject, takeUpdates } from "../support/project";
import { servedByTwoProviders } from "../support/twoProviders";

const site = (deviceId: string, opts = "{}") => `new SiteSettings("home", {
  onDelete: "restore", solar: false, vehicles: { one: { deviceId: "${deviceId}", maxCapacity: 70000 } },
}, ${opts});`;
const host = 'const host = new VehicleSettings("host", { deviceId: "car", maxCapacity: 77000, onDelete: "restore" });';

describe("engine: the options of a resource, as docs/resources.md describes them", () => {
  const given = givenProject(FLEET, "for each");
  const capacityOf = (id: string) => given.simulator.device("acme", id)?.max_capacity;
  const patches = () => takeUpdates(given.simulator);

  it("retainOnDelete sends nothing, and the baseline goes", async () => {
    const { project } = given;
    project.program(site("van", "{ retainOnDelete: true }"), "native");
    await project.up();
    patches();
    await project.destroy();
    expect(patches()).to.deep.equal([]);
    expect(capacityOf("van")).to.equal(70_000);
  });

  it("deletedWith sends nothing if the other resource goes too, and restores if it stays", async () => {
    const { project } = given;
    project.program(`${host}\n${site("van", "{ deletedWith: host }")}`, "native");
    await project.up();
    project.program(host, "native");
    await project.up();
    expect(capacityOf("van")).to.equal(VAN.max_capacity);

    project.program(`${host}\n${site("van", "{ deletedWith: host }")}`, "native");
    await project.up();
    await project.destroy();
    expect(capacityOf("van")).to.equal(70_000);
    expect(capacityOf("car")).to.equal(60_000);
  });

  const replaced: readonly [comesBack: string, opts: string, ledger: string | undefined, after: number][] = [
    ["no more", "{}", undefined, 70_000],
    ["from the ledger", "{}", "ledger.jsonl", VAN.max_capacity],
    ["with deleteBeforeReplace", "{ deleteBeforeReplace: true }", undefined, VAN.max_capacity],
  ];
  for (const [comesBack, opts, ledger, after] of replaced) {
    it(`--replace sends nothing and prints the baseline, which comes back ${comesBack}`, async () => {
      const { project } = given;
      if (ledger) project.env.SOLAR_CHARGING_LEDGER_FILE = join(project.folder, ledger);
      project.program(site("van", opts), "native");
      await project.up();
      const { urn } = project.resource("home");
      patches();
      const shown = await project.up("--replace", urn);
      expect(shown).to.contain("1 replaced");
      expect(showsBaseline(shown, "maxCapacity", VAN.max_capacity)).to.equal(true);
      expect(patches()).to.deep.equal([]);
      await project.destroy();
      expect(capacityOf("van")).to.equal(after);
    });
  }

  it("state delete loses the baseline: the managed value becomes it", async () => {
    const { project } = given;
    project.program(site("van"), "native");
    await project.up();
    patches();
    await project.succeeds("state", "delete", project.resource("home").urn, "--yes");
    await project.up();
    expect(patches()).to.deep.equal([]);
    await project.destroy();
    expect(capacityOf("van")).to.equal(70_000);
  });

  for (const path of ["vehicles.one.deviceId", "vehicles.one", "vehicles"]) {
    it(`replaceOnChanges: ["${path}"] replaces the site of a device that is swapped`, async () => {
      const { project } = given;
      const stays = 'vehicles: { stays: { deviceId: "car", maxCapacity: 65000 },';
      const program = (deviceId: string) =>
        site(deviceId, `{ replaceOnChanges: ["${path}"] }`).replace("vehicles: {", stays);
      project.program(program("van"), "native");
      await project.up();
      project.program(program("bus"), "native");
      expect(await project.up())
        .to.contain("1 replaced")
        .and.match(/'car'.*maxCapacity was 60 kWh/);
      expect([capacityOf("van"), capacityOf("bus"), capacityOf("car")]).to.deep.equal([
        VAN.max_capacity,
        70_000,
        65_000,
      ]);
    });
  }

  it("envVarMappings gives each explicit provider a token of its own, and no token reaches a state", async () => {
    const { project, simulator } = given;
    const token = simulator.token;
    const { SOLAR_CHARGING_ACCESS_TOKEN: _, ...env } = project.env;
    Object.assign(project, { env: { ...env, ACME_TOKEN: token, NORTH_TOKEN: token } });
    const mappings = '{ [businessId.toUpperCase() + "_TOKEN"]: "SOLAR_CHARGING_ACCESS_TOKEN" }';
    const state = await servedByTwoProviders(
      given,
      `new Provider(businessId, { businessId }, { envVarMappings: ${mappings} })`,
    );
    expect(state).to.not.contain(token).and.not.contain("ciphertext");
  });
});
