import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { givenCommandLine } from "../../support/commandLine";
import { expectFacts } from "../../support/facts";
import { outputIn } from "../../support/output";
import { takeRequests } from "../../support/project";
import { fleet } from "./fleet";

describe("cli: doctor with options", () => {
  const given = givenCommandLine(fleet);
  const { path } = given;
  const doctor = (...args: string[]) => given.run(["doctor", ...args]);

  describe("identity PATCH", () => {
    it("shows its request, sends a present value, and reads once more", async () => {
      const { code, stdout, stderr } = await doctor("--device", "car", "--identity-patch", "maxCapacity", "--yes");
      expect(code, stdout).to.equal(0);
      expect(stderr).to.contain('PATCH {"max_capacity":60000}').and.contain("'car'");
      expect(stdout).to.match(/✓ identity PATCH: .*max_capacity/);
      expect(takeRequests(given.simulator)).to.deep.equal(["GET car", 'PATCH car {"max_capacity":60000}', "GET car"]);
    });

    it("is a line in the ledger", async () => {
      const file = path("ledger.jsonl");
      await given.run(["doctor", "--device", "car", "--identity-patch", "maxCapacity", "--yes"], {
        env: { SOLAR_CHARGING_LEDGER_FILE: file },
      });
      const line = JSON.parse(readFileSync(file, "utf8"));
      expect(line).to.deep.include({ operation: "identity", businessId: "acme", deviceId: "car", outcome: "accepted" });
      expect(line.changes).to.deep.equal([
        { key: "maxCapacity", old: 60_000, new: 60_000, secret: true, verification: "verified" },
      ]);
    });

    it("sends nothing if the file of the ledger is something else, which stays as it is", async () => {
      const file = path("fleet.yaml");
      writeFileSync(file, "fleet: acme\n");
      const { code } = await given.run(["doctor", "--device", "car", "--identity-patch", "maxCapacity", "--yes"], {
        env: { SOLAR_CHARGING_LEDGER_FILE: file },
      });
      expect(code).to.equal(1);
      expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);
      expect(readFileSync(file, "utf8")).to.equal("fleet: acme\n");
    });

    it("tells a name that the service refuses", async () => {
      given.simulator.behave({ inverterFields: { peakPower: "kwp" } });
      const { code, stdout } = await doctor("--device", "roof", "--identity-patch", "peakPower", "--yes");
      expect(code).to.equal(1);
      expect(stdout).to.match(/✗ identity PATCH: .*peak_power: .*HTTP 422.*\n {4}\w/);
    });

    it("is a line in the ledger if the service refuses it", async () => {
      given.simulator.behave({ inverterFields: { peakPower: "kwp" } });
      const file = path("ledger.jsonl");
      await given.run(["doctor", "--device", "roof", "--identity-patch", "peakPower", "--yes"], {
        env: { SOLAR_CHARGING_LEDGER_FILE: file },
      });
      const line = JSON.parse(readFileSync(file, "utf8"));
      expect(line).to.deep.include({ operation: "identity", deviceId: "roof", outcome: "refused", status: 422 });
    });

    for (const status of [401, 403, 404, 409]) {
      it(`does not take ${status} for an answer about the name`, async () => {
        given.simulator.fail({ method: "PATCH", status });
        const { code, stdout } = await doctor("--device", "car", "--identity-patch", "maxCapacity", "--yes");
        expect(code).to.equal(1);
        expect(stdout).to.contain(`HTTP ${status}`).and.not.contain("Try another name");
      });
    }

    it("sends nothing, and still gives its checks, if the ledger cannot be written", async () => {
      const { code, stdout } = await given.run(
        ["doctor", "--device", "car", "--identity-patch", "maxCapacity", "--yes", "--json"],
        { env: { SOLAR_CHARGING_LEDGER_FILE: path("no/ledger") } },
      );
      expect(code).to.equal(1);
      expect(outputIn("doctor", stdout).checks.at(-1)).to.include({ name: "identity PATCH", outcome: "failed" });
      expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);
    });

    it("sends nothing for an unknown setting, or one that is not reported", async () => {
      const absent = await doctor("--device", "car", "--identity-patch", "maxChargePower", "--yes");
      expect(absent.stdout).to.match(/✗ identity PATCH: .*maxChargePower .*max_charge_power\n/);
      expect(absent.code).to.equal(1);
      const none = await doctor("--device", "car", "--identity-patch", "max_capacity", "--yes");
      expect(none.stdout).to.match(/✗ identity PATCH: .*maxCapacity\?/);
      expect(takeRequests(given.simulator)).to.deep.equal(["GET car", "GET car"]);
    });

    it("sends nothing without --yes if there is nobody to ask", async () => {
      const { code, stderr } = await doctor("--device", "car", "--identity-patch", "maxCapacity");
      expect(code).to.equal(1);
      expectFacts(stderr, ["--identity-patch ", " --yes"]);
      expect(given.simulator.requests).to.deep.equal([]);
    });
  });
});
