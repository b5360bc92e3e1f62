import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { outputOf, ROOT } from "../support/project";

/** The examples, each with what runs it. */
const EXAMPLES = { ci: "ci.test.ts", home: "npm start" };

describe("engine: the examples", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "solar-charging-start-"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const start = async () => {
    const { SOLAR_CHARGING_BASE_URL, ...env } = process.env;
    const script = join(ROOT, "dist", "scripts", "start.js");
    return await outputOf(
      spawn(process.execPath, [script, "--folder", folder], { cwd: ROOT, env: { ...env, NO_COLOR: "1" } }),
    );
  };

  it("are all run here", () => {
    expect(readdirSync(join(ROOT, "examples"))).to.have.members(Object.keys(EXAMPLES));
  });

  it("home is applied and shown by npm start, and the second time nothing changes", async () => {
    const first = await start();
    expect(first.code, first.text).to.equal(0);
    expect(first.text).to.match(/\+ 3 created/);
    expect(first.text).to.contain(
      `PATCH /api/v1/businesses/acme/devices/car {"max_capacity":77000,"max_charge_power":11000,"policy":"CHARGE BY FORECAST"}`,
    );
    expect(first.text).to.match(/shows now[\s\S]*car: .*"max_capacity":77000/);
    expect(first.text.trim().split("\n").slice(-3)).to.deep.equal([
      "export SOLAR_CHARGING_BASE_URL=https://<host> SOLAR_CHARGING_BUSINESS_ID=<business_id>",
      "export SOLAR_CHARGING_ACCESS_TOKEN=<token>",
      "npm start -- --vehicle <dev_id> --inverter <dev_id>",
    ]);

    const second = await start();
    expect(second.code, second.text).to.equal(0);
    expect(second.text).to.match(/3 unchanged/);
    expect(second.text).to.contain("Nothing: everything is as declared.");
  });
});
