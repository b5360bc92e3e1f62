import { expect } from "chai";
import type { Fleet } from "solar-charging-simulator";
import { CAR, ROOF } from "../support/devices";
import { EACH_DOOR, givenProject, takeRequests } from "../support/project";
import { DECLARED } from "../support/siteProject";

/** The first arguments of a site. Each site has its own devices. */
const first = (site: number) => ({
  onDelete: "restore",
  requireReady: true,
  vehicles: { car: { deviceId: `car-${site}`, maxCapacity: 77_000, maxChargePower: 11_000 } },
  inverters: {
    roof: { deviceId: `roof-${site}`, peakPower: 9800, azimuth: 202.5, tilt: 35, cutInThreshold: 150, baseLoad: 400 },
  },
});

type Site = ReturnType<typeof first>;
const ofCar = ({ vehicles: { car } }: Site, change: object) => ({ vehicles: { car: { ...car, ...change } } });
const ofRoof = ({ inverters: { roof } }: Site, change: object) => ({ inverters: { roof: { ...roof, ...change } } });

/** The change that the program makes at each ignored path. */
const CHANGES: Readonly<Record<string, (site: Site) => object>> = {
  vehicles: () => ({ vehicles: {} }),
  "vehicles.car": (site) => ofCar(site, { maxCapacity: 50_000, policy: "CHARGE BY", onDelete: "retain" }),
  "vehicles.car.maxCapacity": (site) => ofCar(site, { maxCapacity: 50_000 }),
  "vehicles.car.policy": (site) => ofCar(site, { policy: "CHARGE BY" }),
  "inverters.roof.azimuth": (site) => ofRoof(site, { azimuth: 22.5 }),
  onDelete: () => ({ onDelete: "retain" }),
  businessId: () => ({ businessId: "north" }),
  solar: () => ({ solar: false }),
  requireReady: () => ({ requireReady: false }),
  "*": (site) => ({
    ...ofCar(site, { maxCapacity: 50_000 }),
    ...ofRoof(site, { tilt: 5 }),
    onDelete: "retain",
    businessId: "north",
  }),
};
const SITES = Object.keys(CHANGES).map((_, site) => site);

const devices = Object.fromEntries(
  SITES.flatMap((site) => [
    [`car-${site}`, { type: "vehicle", settings: CAR }],
    [`roof-${site}`, { type: "inverter", settings: ROOF }],
  ]),
);
const fleet: Fleet = { businesses: { acme: devices, north: devices } };

for (const door of EACH_DOOR) {
  describe(`engine: changes that the program ignores, over the ${door} door`, () => {
    const given = givenProject(fleet, "for all");
    before(() => {
      Object.assign(given.project.env, {
        SOLAR_CHARGING_INVERTER_FIELDS: "{}",
        SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "0",
      });
    });

    it("are no change: nothing is sent, the sites stay ready, and a delete restores the baselines", async () => {
      const { project, simulator } = given;
      const declare = (declared: readonly { args: object; ignoreChanges: readonly string[] }[]) => {
        const body = declared.map(
          ({ args, ignoreChanges }, site) =>
            `new SiteSettings("home-${site}", ${JSON.stringify(args)}, ${JSON.stringify({ ignoreChanges })});`,
        );
        project.program(body.join("\n"), door);
      };
      const shown = (business: string) =>
        SITES.map((site) => [simulator.device(business, `car-${site}`), simulator.device(business, `roof-${site}`)]);
      declare(SITES.map((site) => ({ args: first(site), ignoreChanges: [] })));
      await project.up();
      for (const [car] of shown("acme")) expect(car).to.deep.equal(DECLARED);
      takeRequests(simulator);

      const changed = Object.entries(CHANGES).map(([path, change], site) => {
        const args = first(site);
        return { args: { ...args, ...change(args) }, ignoreChanges: [path] };
      });
      declare(changed);
      await project.up("--expect-no-changes");
      expect(takeRequests(simulator)).to.deep.equal([]);
      for (const [site, path] of Object.keys(CHANGES).entries()) {
        const { inputs } = project.resource(`home-${site}`);
        expect(inputs, path).to.deep.include({ ...first(site), businessId: "acme", ready: true });
      }

      await project.destroy();
      for (const business of ["acme", "north"]) {
        expect(shown(business)).to.deep.equal(SITES.map(() => [CAR, ROOF]));
      }
    });
  });
}
