import { expect } from "chai";
import { CAR, FLEET } from "../support/devices";
import { EACH_DOOR, givenProject, takeRequests, takeUpdates } from "../support/project";
import { car, FORECAST, roof } from "../support/siteProject";

for (const door of EACH_DOOR) {
  describe(`engine: onDrift, ${door}`, () => {
    const given = givenProject(FLEET, "for each");
    const declare = (onDrift: string) =>
      given.project.program(
        `const home = new SiteSettings("home", {
          vehicles: { car: ${car("car", onDrift)} },
          inverters: { roof: ${roof("roof")} },
          onDelete: "restore",
        });
        exports.ready = home.ready;
        exports.gaps = home.gaps;`,
        door,
      );
    const KEEP = `, onDrift: { policy: "keep" }`;
    beforeEach(async () => {
      given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
      declare(KEEP);
      await given.project.up();
      given.simulator.appUserSets("acme", "car", { policy: "CHARGE BY" });
      takeRequests(given.simulator);
    });

    it("keeps a driver's policy through up --refresh, and the site is not ready", async () => {
      await given.project.succeeds("up", "--yes", "--skip-preview", "--refresh");
      await given.project.up();
      expect(takeUpdates(given.simulator)).to.deep.equal([]);
      expect(given.simulator.device("acme", "car")).to.include({ policy: "CHARGE BY" });
      const gap = { device: "vehicle/car", setting: "policy", reason: "otherPolicy" };
      expect(await given.project.outputs()).to.deep.include({ ready: false, gaps: [gap] });
    });

    it("is no change for a preview that expects none", async () => {
      await given.project.refresh();
      await given.project.succeeds("preview", "--refresh", "--expect-no-changes");
    });

    it("repairs the policy as soon as the program asks for it", async () => {
      await given.project.refresh();
      declare("");
      await given.project.up();
      expect(given.simulator.device("acme", "car")).to.include({ policy: FORECAST });
      expect(await given.project.outputs()).to.deep.include({ ready: true, gaps: [] });
    });

    it("restores the device when the site is deleted", async () => {
      await given.project.refresh();
      await given.project.succeeds("destroy", "--yes", "--skip-preview");
      expect(given.simulator.device("acme", "car")).to.include(CAR);
    });
  });
}
