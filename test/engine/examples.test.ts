import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Fleet } from "solar-charging-simulator";
import { DEMO_FLEET } from "solar-charging-simulator";
import { givenProject, outputOf, ROOT } from "../support/project";

const FOLDER = join(ROOT, "examples");
const TOKEN = "canary-91c2a6e3-token";
const fleetOf = (example: string): Fleet => JSON.parse(readFileSync(join(FOLDER, example, "simulator.json"), "utf8"));

/** The examples, each with its devices, how many sites it has, and what a destroy makes of a vehicle. */
const EXAMPLES = {
  home: {
    fleet: DEMO_FLEET,
    sites: 1,
    left: { car: { max_capacity: 77_000, max_charge_power: 11_000, policy: "CHARGE BY FORECAST" } },
  },
  depot: {
    fleet: fleetOf("depot"),
    sites: 1,
    left: { "van-1": { max_capacity: 50_000, max_charge_power: 7_400, policy: "CHARGE BY" } },
  },
  fleet: {
    fleet: fleetOf("fleet"),
    sites: 3,
    left: { "van-1": { max_capacity: 50_000, max_charge_power: 7_400, policy: "CHARGE BY" } },
  },
};

it("engine: every example is run by a test", () => {
  const projects = readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, "Pulumi.yaml")));
  expect(projects).to.have.members(Object.keys(EXAMPLES));
});

for (const [name, { fleet, sites, left }] of Object.entries(EXAMPLES)) {
  describe(`engine: the example ${name}`, () => {
    const given = givenProject({ ...fleet, token: TOKEN }, "for all");
    before(async () => {
      cpSync(join(FOLDER, name), given.project.folder, { recursive: true });
      await given.project.succeeds("stack", "init", "dev"); // The example's Pulumi.yaml names another project.
    });
    const requests = () =>
      given.simulator.requests.splice(0).map(({ operation, deviceId }) => `${operation} ${deviceId}`);

    // One stack has one life: each step needs the one before, so that they are one test.
    it(`previews ${sites} ${sites === 1 ? "site" : "sites"}, ready, is applied, is stable, and is given back, with the token in no file`, async () => {
      const preview = await given.project.succeeds("preview");
      expect(preview.match(/SiteSettings \S+ create/g)).to.have.length(sites);
      expect(preview).to.match(/ready\s*: true/);
      expect(requests(), "the preview").to.deep.equal([]);

      const live = await given.project.pulumi(["preview"], { SOLAR_CHARGING_LIVE_PREVIEW: "true" });
      expect(live.code, live.text).to.equal(0);
      const reads = Object.keys(fleet.businesses.acme ?? {}).map((id) => `read ${id}`);
      expect(requests(), "the live preview").to.have.members(reads);

      await given.project.up();
      expect(JSON.parse(await given.project.succeeds("stack", "output", "--json"))).to.deep.include({
        ready: true,
        missing: [],
        unverified: [],
      });
      requests();
      await given.project.succeeds("preview", "--expect-no-changes");
      expect(requests(), "the second preview").to.deep.equal([]);
      await given.project.refresh("--expect-no-changes");
      const holding = given.project.files().filter((file) => readFileSync(file, "utf8").includes(TOKEN));
      expect(holding).to.deep.equal([]);

      await given.project.destroy();
      for (const [id, device] of Object.entries(left)) {
        expect(given.simulator.device("acme", id)).to.deep.equal(device);
      }
      expect(given.simulator.latestReads).to.equal(0);
    });
  });
}

describe("engine: what a newcomer is shown", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "solar-charging-start-"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const start = async () => {
    const { SOLAR_CHARGING_BASE_URL, ...env } = process.env;
    const output = await outputOf(
      spawn(process.execPath, [join(ROOT, "dist", "scripts", "start.js"), "--folder", folder], {
        cwd: ROOT,
        env: { ...env, NO_COLOR: "1" },
      }),
    );
    expect(output.code, output.text).to.equal(0);
    return output.text;
  };

  it("is the example home, which npm start applies; the second time nothing changes", async () => {
    const first = await start();
    expect(first).to.match(/\+ 2 created/);
    expect(first.match(/^PATCH .*/gm)?.map((line) => line.replace(/.*\/devices\//, ""))).to.deep.equal([
      `roof {"peak_power":9800,"azimuth":202.5,"tilt":35,"cut_in_threshold":150,"base_load":400}`,
      `car {"max_capacity":77000,"max_charge_power":11000,"policy":"CHARGE BY FORECAST"}`,
    ]);
    expect(first).to.match(/shows now[\s\S]*car: .*"max_capacity":77000/);
    expect(first).to.contain("✅ 2 unchanged").and.to.contain("1 of 1 site ready");
    expect(first).to.contain("51 kWh for the cars on a clear day in March");
    expect(readFileSync(join(folder, "report.html"), "utf8")).to.contain("home");
    expect(first.trim().split("\n").slice(-3)).to.deep.equal([
      "export SOLAR_CHARGING_BASE_URL=https://<host> SOLAR_CHARGING_BUSINESS_ID=<business_id>",
      "export SOLAR_CHARGING_ACCESS_TOKEN=<token>",
      "npm start -- --vehicle <dev_id> --inverter <dev_id>",
    ]);

    const second = await start();
    expect(second).to.match(/2 unchanged/);
    expect(second).to.contain("Nothing: everything is as declared.");
  });
});
