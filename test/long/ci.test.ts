import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { givenProject, outputOf, ROOT, takeRequests, takeUpdates } from "../support/project";

const CAR_AT_SERVICE = { type: "vehicle", settings: { max_capacity: 60_000 } } as const;

const fleet = {
  token: "a-token-of-its-own",
  businesses: { acme: { car: CAR_AT_SERVICE, van: CAR_AT_SERVICE } },
} as const;

const CAR = `new VehicleSettings("car", { deviceId: "car", maxCapacity: 77000 });`;

describe("engine: the scripts of the pipelines", () => {
  const given = givenProject(fleet, "for each");
  beforeEach(() => {
    given.project.env.PULUMI_STACK = "dev";
    given.project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
    given.project.program(CAR);
    given.project.write("npx", `#!/bin/sh\nshift\nexec node ${ROOT}/dist/cli/main.js "$@"\n`);
    chmodSync(join(given.project.folder, "npx"), 0o755);
  });

  /** Runs a script to its end. Its reports may not contain the token. */
  const run = async (script: string, env: NodeJS.ProcessEnv = given.project.env) => {
    const { folder } = given.project;
    const path = `${folder}:${env.PATH}`;
    const output = await outputOf(
      spawn(join(ROOT, "examples", "ci", script), { cwd: folder, env: { ...env, PATH: path } }),
    );
    const report = readFileSync(join(folder, "report.md"), "utf8");
    expect(report).not.to.contain(fleet.token);
    return { ...output, report };
  };

  describe("preview.sh", () => {
    it("reports the changes, without a request to the service", async () => {
      await given.project.up();
      given.project.program(CAR.replace("77000", "70000"));
      takeRequests(given.simulator);

      const { SOLAR_CHARGING_ACCESS_TOKEN, ...env } = given.project.env;
      const { code, text, report } = await run("preview.sh", env);
      expect(code, text).to.equal(0);
      expect(report).to.match(/^<!-- solar-charging review of dev -->\n### .*1 device changes\n/);
      expect(report).to.contain("`car`: maxCapacity 77 → 70 kWh");
      expect(text).to.contain("`car`: maxCapacity 77 → 70 kWh");
      expect(takeRequests(given.simulator)).to.deep.equal([]);
    });

    it("fails if the change meets a condition, unless a person has accepted it", async () => {
      await given.project.up();
      given.project.program("");
      const env = { ...given.project.env, FAIL_ON: "removed,drift" };
      const { code, text, report } = await run("preview.sh", env);
      expect(code, text).to.equal(2);
      expect(report).to.match(/\n### ❌ Failed: removed \(1 removed: `car`\)\n/);
      const accepted = await run("preview.sh", { ...env, ACCEPTED_BY: "the label review-accepted" });
      expect(accepted.code, accepted.text).to.equal(0);
      expect(accepted.report).to.contain("\n### ⚠️ Accepted by ").and.to.contain("removed (");
    });

    it("fails for a program that is refused, and reports why", async () => {
      given.project.program(CAR.replace("77000", "77"));
      const { code, text, report } = await run("preview.sh");
      expect(code, text).to.be.greaterThan(0);
      expect(report).to.contain("### ❌ 1 refused");
      expect(report).to.match(/maxCapacity .* 1 kWh .* 77 Wh/);
    });

    it("reports Pulumi's output if Pulumi fails", async () => {
      const { code, report } = await run("preview.sh", { ...given.project.env, PULUMI_STACK: "none" });
      expect(code).to.be.greaterThan(0);
      expect(report).to.contain("### ❌ 1 error").and.to.contain("no stack selected");
    });

    it("shows a fork, which has neither token nor state, everything as new", async () => {
      const { SOLAR_CHARGING_BUSINESS_ID, SOLAR_CHARGING_BASE_URL, ...others } = given.project.env;
      const { PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE, PULUMI_STACK, ...env } = others;
      given.project.write(
        "Pulumi.fork.yaml",
        `config: { solar-charging:baseUrl: "${SOLAR_CHARGING_BASE_URL}", solar-charging:businessId: acme }\n`,
      );
      // A pipeline passes a missing secret as an empty variable.
      Object.assign(env, { PULUMI_ACCESS_TOKEN: "", SOLAR_CHARGING_ACCESS_TOKEN: "" });
      const { code, text, report } = await run("preview.sh", env);
      expect(code, text).to.equal(0);
      expect(report).to.contain("### ⚠️ 1 new · 1 warning\n\nPreview of `fork`\n");
      expect(report).to.contain("SOLAR_CHARGING_ACCESS_TOKEN");
      expect(takeRequests(given.simulator)).to.deep.equal([]);
    });
  });

  describe("approve.sh and up.sh", () => {
    const digest = () =>
      `sha256:${createHash("sha256")
        .update(readFileSync(given.project.path("approved.json")))
        .digest("hex")}`;
    const up = () => run("up.sh", { ...given.project.env, SOLAR_CHARGING_APPROVED: `approved.json#${digest()}` });
    const approve = async () => {
      const { code, text, report } = await run("approve.sh");
      expect(code, text).to.equal(0);
      return report;
    };

    it("show and approve the program, apply it, and report the result", async () => {
      const report = await approve();
      expect(report).to.contain("### ⚠️ 1 new · 1 warning\n").and.to.contain(`\n🔏 Approved set: \`${digest()}\``);
      expect(takeUpdates(given.simulator)).to.deep.equal([]);
      const { code, text, report: result } = await up();
      expect(code, text).to.equal(0);
      expect(result).to.equal("**✅ Applied.**\n");
      expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });
    });

    it("show drift, and repair what was approved", async () => {
      await given.project.up();
      given.simulator.appUserSets("acme", "car", { max_capacity: 50_000 });
      expect(await approve()).to.contain("### ⚠️ 1 device drifted\n");
      const { code, text } = await up();
      expect(code, text).to.equal(0);
      expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });
    });

    it("leave a device that has drifted since the approval, update the others, and fail", async () => {
      await given.project.up();
      given.project.program(`${CAR}\nnew VehicleSettings("van", { deviceId: "van", maxCapacity: 66000 });`);
      await approve();
      given.simulator.appUserSets("acme", "car", { max_capacity: 50_000 });
      const { code, text, report } = await up();
      expect(code, text).to.be.greaterThan(0);
      expect(text).to.contain("does not contain");
      expect(report).to.match(/^\*\*❌ The update failed with exit code \d+: see the log of the job\.\*\*\n$/);
      expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 50_000 });
      expect(given.simulator.device("acme", "van")).to.include({ max_capacity: 66_000 });
    });

    it("approve nothing while a part of the program is refused, and send nothing without a digest", async () => {
      await approve();
      given.project.program(`${CAR}\nnew VehicleSettings("van", { deviceId: "van", maxCapacity: 77 });`);
      const { code, text, report } = await run("approve.sh");
      expect(code, text).to.be.greaterThan(0);
      expect(report).to.contain("1 refused").and.to.contain("No approved set");
      expect(existsSync(given.project.path("approved.json"))).to.equal(false);
      given.project.program(CAR);
      takeRequests(given.simulator);
      for (const setting of ["", "approved.json#"]) {
        const refused = await run("up.sh", { ...given.project.env, SOLAR_CHARGING_APPROVED: setting });
        expect(refused.code, refused.text).to.be.greaterThan(0);
      }
      expect(takeRequests(given.simulator)).to.deep.equal([]);
    });
  });

  describe("drift.sh", () => {
    beforeEach(() => given.project.up());

    it("exits with 0 when all is as declared, whatever an undeclared setting is", async () => {
      given.simulator.appUserSets("acme", "car", { max_charge_power: 9_000 });
      const { code, text, report } = await run("drift.sh");
      expect(code, text).to.equal(0);
      expect(report).to.contain("### ✅ 1 unchanged\n\nDrift check of `dev`\n");
    });

    it("exits with 7 when somebody changed a declared setting, reports it, and changes nothing", async () => {
      given.simulator.appUserSets("acme", "car", { max_capacity: 50_000 });
      takeRequests(given.simulator);
      const { code, text, report } = await run("drift.sh");
      expect(code, text).to.equal(7);
      expect(report).to.contain("### ⚠️ 1 device drifted\n\nDrift check of `dev`\n");
      expect(report).to.contain("- `car`: maxCapacity 77 → 50 kWh");
      expect(report).to.contain("To restore the applied values, run `pulumi up --refresh`");
      expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);
    });

    it("exits with another code when the service is down, and reports that", async () => {
      // Nothing listens on port 1. The port of a stopped service could belong to another server by now.
      const env = { ...given.project.env, SOLAR_CHARGING_BASE_URL: "http://127.0.0.1:1" };
      const { code, text, report } = await run("drift.sh", env);
      expect(code, text).not.to.be.oneOf([0, 7, null]);
      expect(report).to.contain("### ❌ 1 refused");
      expect(report).to.match(/read device 'car' .*ECONNREFUSED/);
    });

    it("exits with another code when the program is refused", async () => {
      given.project.program(CAR.replace("77000", "77"));
      const { code, text, report } = await run("drift.sh");
      expect(code, text).not.to.be.oneOf([0, 7, null]);
      expect(report).to.match(/maxCapacity .* 1 kWh .* 77 Wh/);
    });
  });
});
