import { expect } from "chai";
import { FLEET } from "../support/devices";
import { EACH_DOOR, givenProject } from "../support/project";
import { car, roof } from "../support/siteProject";

/**
 * Number of unchanged resources for which a run writes the whole state again. The engine says so only in its log. A run
 * that writes once a resource takes seconds longer with hundreds of sites.
 */
function writesIn(log: string): number {
  return log.split("\n").filter((line) => line.includes("mustWrite() true")).length;
}

for (const door of EACH_DOOR) {
  describe(`engine: writes of the state, ${door}`, () => {
    const given = givenProject(FLEET, "for each");
    const LOGGED = ["--yes", "--skip-preview", "-v=9", "--logtostderr"];
    const declare = (maxCapacity = "77 kWh") =>
      given.project.program(
        `const { secret } = require("@pulumi/pulumi");
        new SiteSettings("home", { vehicles: { car: ${car("car")} }, inverters: { roof: ${roof("roof")} } });
        new VehicleSettings("van", { deviceId: "van", maxCapacity: "${maxCapacity}", maxChargePower: secret(7400) });`,
        door,
      );
    beforeEach(async () => {
      given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
      declare();
      await given.project.up();
    });

    it("do not occur in a run without a change after a refresh", async () => {
      await given.project.refresh();
      expect(writesIn(await given.project.succeeds("up", ...LOGGED))).to.equal(0);
    });

    it("do not occur in a run that refreshes and finds nothing", async () => {
      expect(writesIn(await given.project.succeeds("up", "--refresh", ...LOGGED))).to.equal(0);
    });

    it("do not occur for the resources beside a changed one, also after a refresh", async () => {
      await given.project.refresh();
      declare("70 kWh");
      expect(writesIn(await given.project.succeeds("up", ...LOGGED))).to.equal(0);
    });

    it("do not occur after a refresh that found drift, and its repair", async () => {
      given.simulator.appUserSets("acme", "van", { max_capacity: 50_000 });
      await given.project.refresh();
      await given.project.up();
      await given.project.refresh();
      expect(writesIn(await given.project.succeeds("up", ...LOGGED))).to.equal(0);
    });

    it("keep a secret setting a secret after a refresh that found drift in it", async () => {
      given.simulator.appUserSets("acme", "van", { max_charge_power: 3611 });
      const refreshed = await given.project.refresh("--diff");
      const preview = await given.project.succeeds("preview", "--diff");
      expect(refreshed + preview).to.not.match(/3611|3[.,]611|7400|7[.,]4 kW/);
    });
  });
}
