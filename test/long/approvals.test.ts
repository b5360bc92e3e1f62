import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import type { Approval } from "../../cli/review/approve";
import type { ApprovedSet } from "../../provider/lifecycle/approval/approved";
import { CAR, FLEET } from "../support/devices";
import { failureOf } from "../support/failure";
import { FleetProject } from "../support/fleetProject";
import { EACH_DOOR, type EngineFolder, givenProject, takeRequests, takeUpdates } from "../support/project";

/** The result of a review with --approve. */
interface Approved {
  readonly approval: Approval;
  readonly set: ApprovedSet;
  readonly text: string;
  /** The commands that apply the change. */
  readonly next: readonly string[];
}

/** Reviews a preview with --approve. */
async function approved(folder: EngineFolder, preview: string, ...args: string[]): Promise<Approved> {
  folder.write("preview.json", preview);
  const options = ["--approve", "approved.json", ...args, "preview.json"];
  const { stdout, stderr, code } = await folder.solarCharging("review", "--json", ...options);
  if (code !== 0) throw new Error(stderr);
  const text = readFileSync(folder.path("approved.json"), "utf8");
  const { approval, next } = JSON.parse(stdout);
  return { approval, set: JSON.parse(text), text, next };
}

/** The values that a set allows, by device. */
function valuesIn({ stacks }: ApprovedSet): Record<string, unknown> {
  const devices = stacks.flatMap((stack) => stack.devices);
  return Object.fromEntries(
    devices.map(({ deviceId, sends }) => [
      deviceId,
      Object.fromEntries(sends.map(({ field, value }) => [field, value])),
    ]),
  );
}

for (const door of EACH_DOOR) {
  describe(`engine: approvals, ${door}`, () => {
    const given = givenProject(FLEET, "for each");
    const declare = (site: string, more = "") =>
      given.project.program(
        `const pulumi = require("@pulumi/pulumi");
        ${site === "" ? "" : `new SiteSettings("home", ${site});`} ${more}`,
        door,
      );
    const capacity = (wattHours: number | string) =>
      `{ onDelete: "restore", vehicles: { car: { deviceId: "car", maxCapacity: ${wattHours} } } }`;

    /** Approves the preview of the program. */
    async function review(
      command: readonly string[] = ["preview", "--show-sames"],
      ...args: string[]
    ): Promise<Approved> {
      const { project } = given;
      const { stdout, code, text } = await project.pulumi([...command, "--json"]);
      if (code !== 0) throw new Error(text);
      const found = await approved(project, stdout, ...args);
      project.env.SOLAR_CHARGING_APPROVED = `approved.json#${found.approval.digest}`;
      return found;
    }

    beforeEach(() => {
      given.project.env.SOLAR_CHARGING_LEDGER_FILE = given.project.path("ledger.jsonl");
      given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
    });

    it("refuse a secret, pass the reviewed change, and refuse an edit of it before the first request", async () => {
      declare(capacity("pulumi.secret(61_235)"));
      expect((await failureOf(review())).message).to.contain("maxCapacity of vehicle/car changes");
      declare(capacity(61_234));
      const { set, approval } = await review();
      expect(valuesIn(set)).to.deep.equal({ car: { max_capacity: 61_234 } });
      declare(capacity(61_235));
      expect(await given.project.fails("up", "--yes", "--skip-preview")).to.contain(approval.digest);
      expect(takeRequests(given.simulator)).to.deep.equal([]);
      declare(capacity(61_234));
      await given.project.up();
      expect(takeUpdates(given.simulator)).to.deep.equal(['PATCH car {"max_capacity":61234}']);
      const lines = readFileSync(given.project.path("ledger.jsonl"), "utf8").trim().split("\n");
      expect(new Set(lines.map((line) => JSON.parse(line).approved))).to.deep.equal(new Set([approval.digest]));
    });

    it("need a review of their own for a removal and for a destroy", async () => {
      const plain = `{ onDelete: "restore", vehicles: { car: { deviceId: "car", maxCapacity: 77000 } } }`;
      const van = `new VehicleSettings("two", { deviceId: "van", maxCapacity: 66000, onDelete: "reset" });`;
      declare(plain, van);
      await given.project.up();
      const first = await review(); // Nothing changes.
      expect(valuesIn(first.set)).to.deep.equal({});
      takeRequests(given.simulator);
      declare(plain);
      expect(await given.project.fails("up", "--yes", "--skip-preview")).to.contain(first.approval.digest);
      expect(takeRequests(given.simulator)).to.deep.equal([]);
      expect(valuesIn((await review()).set)).to.deep.equal({ van: { max_capacity: 80_000 } });
      await given.project.up();
      expect(takeUpdates(given.simulator)).to.deep.equal(['PATCH van {"max_capacity":80000}']);
      await given.project.fails("destroy", "--yes", "--skip-preview");
      expect(takeRequests(given.simulator)).to.deep.equal([]);
      const { set } = await review(["destroy", "--preview-only"]);
      expect(valuesIn(set)).to.deep.equal({ car: { max_capacity: CAR.max_capacity } });
      await given.project.destroy();
      expect(given.simulator.device("acme", "car")).to.include(CAR);
    });

    it("repair drift only if the review says so, and work from the stack's configuration", async () => {
      declare(`{ vehicles: { car: { deviceId: "car", maxCapacity: 77000 } } }`);
      await given.project.up();
      const { approval } = await review();
      given.simulator.appUserSets("acme", "car", { max_capacity: 50_000 });
      takeRequests(given.simulator);
      delete given.project.env.SOLAR_CHARGING_APPROVED;
      const configure = (digest: string) =>
        given.project.succeeds("config", "set", "solar-charging:approved", `approved.json#${digest}`);
      await configure(approval.digest);
      await given.project.fails("up", "--yes", "--skip-preview", "--refresh");
      expect(takeUpdates(given.simulator)).to.deep.equal([]);
      await configure((await review(["preview", "--show-sames"], "--approve-repair")).approval.digest);
      delete given.project.env.SOLAR_CHARGING_APPROVED;
      await given.project.succeeds("up", "--yes", "--skip-preview", "--refresh");
      expect(takeUpdates(given.simulator)).to.deep.equal(['PATCH car {"max_capacity":77000}']);
    });

    it("are of the changed program if the preview refreshes first", async () => {
      const program = (wattHours: number) =>
        declare(
          `{ vehicles: { car: { deviceId: "car", maxCapacity: ${wattHours} } } }`,
          `new VehicleSettings("own", { deviceId: "bus", maxCapacity: ${wattHours} });`,
        );
      program(61_000);
      delete given.project.env.SOLAR_CHARGING_APPROVED;
      await given.project.up();
      program(62_000);
      const { set } = await review(["preview", "--refresh"]);
      expect(valuesIn(set)).to.deep.equal({ car: { max_capacity: 62_000 }, bus: { max_capacity: 62_000 } });
      takeRequests(given.simulator);
      await given.project.succeeds("up", "--yes", "--skip-preview", "--refresh");
      expect(takeUpdates(given.simulator)).to.have.members([
        'PATCH car {"max_capacity":62000}',
        'PATCH bus {"max_capacity":62000}',
      ]);
    });

    it("have both devices of a resource that gets another one, for the provider that it has", async () => {
      const ofProgram = door === "native" ? `, { provider: new Provider("north", {}) }` : "";
      const settings = 'maxCapacity: 66000, onDelete: "restore"';
      const resource = (device: string) =>
        `new VehicleSettings("one", { deviceId: "${device}", ${settings} }${ofProgram});`;
      declare("", resource("van"));
      await given.project.up();
      declare("", resource("bus"));
      const { set } = await review();
      expect(valuesIn(set)).to.deep.equal({ van: { max_capacity: 61_000 }, bus: { max_capacity: 66_000 } });
      takeRequests(given.simulator);
      await given.project.up();
      expect(takeUpdates(given.simulator)).to.have.members([
        'PATCH bus {"max_capacity":66000}',
        'PATCH van {"max_capacity":61000}',
      ]);
    });

    it("allow the change of another setting beside a secret, and refuse the secret if it changes too", async () => {
      const secret = (wattHours: number, watts: number) =>
        declare(
          `{ vehicles: { car: { deviceId: "car", maxCapacity: pulumi.secret(${wattHours}), maxChargePower: ${watts} } } }`,
        );
      secret(61_235, 7400);
      await given.project.up();
      secret(61_235, 11_000);
      expect(valuesIn((await review()).set)).to.deep.equal({ car: { max_charge_power: 11_000 } });
      takeRequests(given.simulator);
      await given.project.up();
      expect(takeUpdates(given.simulator)).to.deep.equal(['PATCH car {"max_charge_power":11000}']);
      secret(61_236, 7400);
      const { set, text } = await review();
      expect(valuesIn(set)).to.deep.equal({ car: { max_charge_power: 7400 } });
      expect(text).not.to.contain("61236");
      expect(await given.project.fails("up", "--yes", "--skip-preview")).not.to.match(/61.?236/);
      secret(61_236, 11_000);
      expect((await failureOf(review())).message).to.contain("a secret of vehicle/car");
      expect(takeUpdates(given.simulator)).to.deep.equal([]);
    });

    it("leave a site that has drifted since the review, and update and remove the others", async () => {
      const site = (name: string, device: string, wattHours: number) =>
        `new SiteSettings("${name}", { onDelete: "restore", vehicles: { car: { deviceId: "${device}", maxCapacity: ${wattHours} } } });`;
      const home = site("home", "car", 77_000);
      const old = `new VehicleSettings("old", { deviceId: "bus", maxCapacity: 55000, onDelete: "restore" });`;
      declare("", [home, old].join("\n"));
      await given.project.up();
      declare("", [home, site("next", "van", 66_000)].join("\n"));
      const { next } = await review();
      given.simulator.appUserSets("acme", "car", { max_capacity: 50_000 });
      takeRequests(given.simulator);
      const [command = ""] = next;
      const text = await given.project.fails(...command.split(" ").slice(1), "--refresh", "--parallel", "1");
      expect(takeUpdates(given.simulator), text).to.deep.equal([
        'PATCH van {"max_capacity":66000}',
        'PATCH bus {"max_capacity":60000}',
      ]);
    });
  });
}

describe("engine: approvals of a fleet", () => {
  let fleet: FleetProject;
  beforeEach(async () => {
    fleet = await FleetProject.create(["car-oslo", "car-rome"]);
    fleet.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
  });
  afterEach(() => fleet.close());
  const declare = (capacities: Readonly<Record<string, string>>) =>
    fleet.declare(
      [
        "fleet: acme",
        "shards: 2",
        "defaults: { vehicle: { onDelete: restore, ignoreLints: [ignored-metadata] } }",
        "sites:",
        ...Object.entries(capacities).map(
          ([id, value]) => `  ${id}: { vehicles: { car: { deviceId: car-${id}, maxCapacity: ${value} } } }`,
        ),
      ].join("\n"),
    );

  async function review(...args: string[]): Promise<Approved> {
    delete fleet.env.SOLAR_CHARGING_APPROVED;
    const { stdout } = await fleet.run("preview", "--json", ...args);
    const found = await approved(fleet, stdout);
    return found;
  }
  const run = async (operation: "up" | "destroy", digest: string) => {
    fleet.env.SOLAR_CHARGING_APPROVED = `approved.json#${digest}`;
    const { code, text } = await fleet.run(operation, "--yes");
    return { code, text, updates: takeUpdates(fleet.simulator) };
  };

  it("roll out what was reviewed, remove sites, and destroy, each with its own digest", async () => {
    declare({ oslo: "77 kWh", rome: "66 kWh" });
    const { approval } = await review();
    expect(approval).to.include({ devices: 2, values: 2, repair: false });
    const other = `sha256:${"0".repeat(64)}`;
    expect(await run("up", other)).to.deep.include({ code: 1, updates: [] });
    declare({ oslo: "77 kWh", rome: "67 kWh" });
    const first = await run("up", approval.digest);
    expect(first, first.text).to.deep.include({ code: 2, updates: ['PATCH car-oslo {"max_capacity":77000}'] });
    expect(first.text).to.match(/left as it is: 1 device \(.*\): .* vehicle\/car maxCapacity 67 kWh/);
    declare({ oslo: "77 kWh", rome: "66 kWh" });
    expect(await run("up", approval.digest)).to.deep.include({
      code: 0,
      updates: ['PATCH car-rome {"max_capacity":66000}'],
    });

    declare({ oslo: "77 kWh" });
    const kept = await run("up", approval.digest);
    expect(kept, kept.text).to.deep.include({ code: 2, updates: [] });
    const removal = await review();
    expect(valuesIn(removal.set)).to.deep.equal({ "car-rome": { max_capacity: 60_000 } });
    expect(await run("up", removal.approval.digest)).to.deep.include({
      code: 0,
      updates: ['PATCH car-rome {"max_capacity":60000}'],
    });

    const undestroyed = await run("destroy", removal.approval.digest);
    expect(undestroyed, undestroyed.text).to.deep.include({ code: 2, updates: [] });
    // A move to another site hides no repair of drift, and no baseline of a device that is removed later.
    declare({ oslo: "77 kWh" });
    fleet.simulator.appUserSets("acme", "car-oslo", { max_capacity: 50_000 });
    fleet.declare(
      `fleet: acme\nshards: 2\nsites:\n  bergen: { vehicles: { car: { deviceId: car-oslo, maxCapacity: 77 kWh, onDelete: restore } } }`,
    );
    const move = await review();
    expect(await run("up", move.approval.digest)).to.deep.include({ code: 2, updates: [] });
    declare({ rome: "66 kWh" });
    expect(await run("up", move.approval.digest)).to.deep.include({ code: 2, updates: [] });
    expect(fleet.simulator.device("acme", "car-oslo")).to.include({ max_capacity: 50_000 });
    fleet.simulator.appUserSets("acme", "car-oslo", { max_capacity: 60_000 });
    declare({ oslo: "77 kWh" });
    expect(await run("up", (await review()).approval.digest)).to.deep.include({ code: 0 });

    const end = await review("--destroy");
    expect(valuesIn(end.set)).to.deep.equal({ "car-oslo": { max_capacity: 60_000 } });
    writeFileSync(fleet.path("approved.json"), end.text.replace("60000", "50000"));
    expect(await run("destroy", end.approval.digest)).to.deep.include({ code: 1, updates: [] });
    writeFileSync(fleet.path("approved.json"), end.text);
    const { code, updates } = await run("destroy", end.approval.digest);
    expect([code, updates]).to.deep.equal([0, ['PATCH car-oslo {"max_capacity":60000}']]);
  });
});
