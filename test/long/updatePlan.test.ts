import { expect } from "chai";
import { FLEET } from "../support/devices";
import { EACH_DOOR, givenProject, takeUpdates } from "../support/project";

for (const door of EACH_DOOR) {
  describe(`engine: an update plan (preview --save-plan, up --plan) with ${door}`, () => {
    const given = givenProject(FLEET, "for each");

    it("holds for a new site and car, and for changes of them", async () => {
      const { project } = given;
      const declare = (maxCapacity: number) =>
        project.program(
          `const pulumi = require("@pulumi/pulumi");
          new VehicleSettings("own", { deviceId: "van", maxCapacity: pulumi.secret(${maxCapacity}) });
          const { id } = new VehicleSettings("first", { deviceId: "car", policy: "CHARGE BY" });
          new SiteSettings("home", { vehicles: id.apply(() => ({
            car: { deviceId: "car", maxCapacity: ${maxCapacity}, maxChargePower: 11_000 },
          })) });`,
          door,
        );
      for (const maxCapacity of [70_000, 71_000]) {
        declare(maxCapacity);
        await project.succeeds("preview", "--save-plan", "plan.json");
        await project.up("--plan", "plan.json");
        const sent = takeUpdates(given.simulator).filter((update) => update.includes(`"max_capacity":${maxCapacity}`));
        expect(sent).to.have.lengthOf(2);
      }
    });

    it("holds with a live preview, also if a device changes before the update", async () => {
      const { project, simulator } = given;
      project.env.SOLAR_CHARGING_LIVE_PREVIEW = "true";
      for (const power of [11_000, 7_000]) {
        project.program(
          `new SiteSettings("home", {
            vehicles: { car: { deviceId: "car", maxChargePower: ${power} }, van: { deviceId: "van", maxCapacity: 70000 } },
            inverters: { roof: { deviceId: "roof", peakPower: 9800, azimuth: 200, tilt: 35, cutInThreshold: 150, baseLoad: 400 } },
          });`,
          door,
        );
        await project.succeeds("preview", "--save-plan", "plan.json");
        for (const id of ["car", "van"]) simulator.appUserSets("acme", id, { max_capacity: 50_000 + power });
        await project.up("--plan", "plan.json");
        const sent = takeUpdates(simulator).filter((update) => update.includes(`"max_charge_power":${power}`));
        expect(sent).to.have.lengthOf(1);
      }
    });
  });
}
