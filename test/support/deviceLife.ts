import { expect } from "chai";
import type { OnDelete } from "../../provider/settings/declaration";
import { givenProject, takeRequests } from "./project";

const fleet = {
  businesses: {
    acme: {
      car: { type: "vehicle", settings: { max_capacity: 60_000, max_charge_power: 7_400 } },
      roof: {
        type: "inverter",
        settings: { peak_power: 5_000, azimuth: 90, tilt: 10, cut_in_threshold: 20, base_load: 100 },
      },
    },
  },
} as const;

const scenarios = [
  {
    resource: "VehicleSettings",
    device: "car",
    declared: `maxCapacity: 77000, maxChargePower: 11000, policy: "CHARGE BY FORECAST"`,
    patch: { max_capacity: 77_000, max_charge_power: 11_000, policy: "CHARGE BY FORECAST" },
    drift: { max_capacity: 75_000 },
    repair: `{"max_capacity":77000}`,
    driftShown: /maxCapacity\s*: 77000 => 75000/,
    onDelete: {
      retain: undefined,
      restore: { max_capacity: 60_000, max_charge_power: 7_400, policy: "CHARGE BY" },
      reset: { max_capacity: 80_000, max_charge_power: 7_200, policy: "CHARGE BY" },
    },
  },
  {
    resource: "InverterSettings",
    device: "roof",
    declared: "peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400",
    patch: { peak_power: 9_800, azimuth: 180, tilt: 35, cut_in_threshold: 150, base_load: 400 },
    drift: { tilt: 30 },
    repair: `{"tilt":35}`,
    driftShown: /tilt\s*: 35 => 30/,
    onDelete: {
      retain: undefined,
      restore: { peak_power: 5_000, azimuth: 90, tilt: 10, cut_in_threshold: 20, base_load: 100 },
    },
  },
];

/** Describes the life of a device of each kind that ends as `onDelete` says. */
export function describeDeviceLives(choices: readonly OnDelete[]): void {
  for (const scenario of scenarios)
    for (const choice of choices) if (choice in scenario.onDelete) describeLife(scenario, choice);
}

function describeLife(scenario: (typeof scenarios)[number], choice: OnDelete): void {
  const { resource, device, declared, patch, drift, repair, driftShown } = scenario;
  const left = (scenario.onDelete as Readonly<Partial<Record<OnDelete, object | undefined>>>)[choice];
  describe(`engine: the life of ${resource} with onDelete ${choice}`, () => {
    const given = givenProject(fleet, "for all");
    before(() => {
      given.project.program(`new ${resource}("it", { deviceId: "${device}", ${declared}, onDelete: "${choice}" });`);
    });
    const requests = () => takeRequests(given.simulator);

    // One device has one life: each step needs the one before, so that they are one test.
    it("is applied, is stable, shows drift, is repaired, and is given back", async () => {
      expect(await given.project.succeeds("preview")).to.match(/\+ 2 to create/);
      expect(requests(), "preview").to.deep.equal([]);

      await given.project.up();
      expect(requests(), "up").to.deep.equal([
        `GET ${device}`,
        `PATCH ${device} ${JSON.stringify(patch)}`,
        `GET ${device}`,
      ]);
      expect(given.simulator.device("acme", device)).to.include(patch);
      expect(new Set(Object.values(given.project.resource("it").outputs.verification as object))).to.deep.equal(
        new Set(["verified"]),
      );

      await given.project.up("--expect-no-changes");
      expect(requests(), "up without changes").to.deep.equal([]);

      await given.project.refresh("--expect-no-changes");
      expect(requests(), "refresh").to.deep.equal([`GET ${device}`]);

      given.simulator.appUserSets("acme", device, drift);
      expect(await given.project.refresh("--diff")).to.match(driftShown);
      requests();

      expect(await given.project.up("--diff")).to.match(/~ 1 updated/);
      expect(requests(), "repair").to.deep.equal([`PATCH ${device} ${repair}`, `GET ${device}`]);
      await given.project.refresh("--expect-no-changes");
      requests();

      await given.project.destroy();
      expect(requests(), "destroy").to.deep.equal(
        left ? [`GET ${device}`, `PATCH ${device} ${JSON.stringify(left)}`] : [],
      );
      expect(given.simulator.device("acme", device)).to.include(left ?? patch);
      expect(given.simulator.latestReads).to.equal(0);
    });
  });
}
