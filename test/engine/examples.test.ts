import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { describeExample } from "../support/example";
import { outputOf, ROOT } from "../support/project";

describeExample("fleet", 3);

describe("engine: the first steps of a newcomer", () => {
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
    return output;
  };

  it("is the example home, which npm start applies", async () => {
    const { text: first, stdout } = await start();
    expect(first).to.match(/\+ 2 created/);
    expect(first.match(/^PATCH .*/gm)?.map((line) => line.replace(/.*\/devices\//, ""))).to.deep.equal([
      `roof {"peak_power":9800,"azimuth":202.5,"tilt":35,"cut_in_threshold":150,"base_load":400}`,
      `car {"max_capacity":77000,"max_charge_power":11000,"policy":"CHARGE BY FORECAST"}`,
    ]);
    expect(first).to.match(/shows now[\s\S]*car: .*"max_capacity":77000/);
    expect(first).to.contain("✅ 2 unchanged").and.to.contain("1 of 1 site ready");
    expect(first).to.contain("51 kWh for the cars on a clear day in March");
    expect(readFileSync(join(folder, "report.html"), "utf8")).to.contain("home");
    expect(stdout.trim().split("\n").slice(-3)).to.deep.equal([
      "export SOLAR_CHARGING_BASE_URL=https://<host> SOLAR_CHARGING_BUSINESS_ID=<business_id>",
      "export SOLAR_CHARGING_ACCESS_TOKEN=<token>",
      "npm start -- --vehicle <dev_id> --inverter <dev_id>",
    ]);
  });
});
