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

const SCENARIOS = [
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

/** Describes one device of each kind, from its create to its delete with this `onDelete`. */
export function describeDeviceLives(choice: OnDelete): void {
  const scenarios = SCENARIOS.filter(({ onDelete }) => choice in onDelete);
  const kinds = scenarios.map(({ resource }) => resource).join(" and ");
  describe(`engine: the life of ${kinds} with onDelete ${choice}`, () => {
    const given = givenProject(fleet, "for all");
    before(() => {
      const resources = scenarios.map(
        ({ resource, device, declared }) =>
          `new ${resource}("${device}", { deviceId: "${device}", ${declared}, onDelete: "${choice}" });`,
      );
      given.project.program(resources.join("\n"));
    });

    /** Compares the requests of each device since the last call, in order. */
    const expectRequests = (step: string, expected: (scenario: (typeof scenarios)[number]) => readonly string[]) => {
      const requests = takeRequests(given.simulator);
      for (const scenario of scenarios) {
        const own = requests.filter((request) => request.split(" ")[1] === scenario.device);
        expect(own, `${scenario.device}: ${step}`).to.deep.equal(expected(scenario));
      }
      expect(requests, step).to.have.lengthOf(scenarios.flatMap(expected).length);
    };

    // One test, because each step needs the one before.
    it("is applied, is stable, shows drift, is repaired, and is given back", async () => {
      const { project, simulator } = given;
      expect(await project.succeeds("preview")).to.match(new RegExp(`\\+ ${scenarios.length + 1} to create`));
      expectRequests("preview", () => []);

      await project.up();
      expectRequests("up", ({ device, patch }) => [
        `GET ${device}`,
        `PATCH ${device} ${JSON.stringify(patch)}`,
        `GET ${device}`,
      ]);
      for (const { device, patch } of scenarios) {
        expect(simulator.device("acme", device)).to.include(patch);
        const records = Object.values(project.resource(device).outputs.settings as Record<string, { status?: string }>);
        expect(new Set(records.map(({ status }) => status))).to.deep.equal(new Set([undefined]));
      }

      await project.up("--expect-no-changes");
      expectRequests("up without changes", () => []);

      await project.refresh("--expect-no-changes");
      expectRequests("refresh", ({ device }) => [`GET ${device}`]);

      for (const { device, drift } of scenarios) simulator.appUserSets("acme", device, drift);
      const drifted = await project.refresh("--diff");
      for (const { driftShown } of scenarios) expect(drifted).to.match(driftShown);
      expectRequests("refresh of drift", ({ device }) => [`GET ${device}`]);

      expect(await project.up("--diff")).to.match(new RegExp(`~ ${scenarios.length} updated`));
      expectRequests("repair", ({ device, repair }) => [`PATCH ${device} ${repair}`, `GET ${device}`]);

      await project.destroy();
      const left = ({ onDelete }: (typeof scenarios)[number]) =>
        (onDelete as Readonly<Partial<Record<OnDelete, object | undefined>>>)[choice];
      expectRequests("destroy", (scenario) => {
        const sent = left(scenario);
        return sent ? [`GET ${scenario.device}`, `PATCH ${scenario.device} ${JSON.stringify(sent)}`] : [];
      });
      for (const scenario of scenarios) {
        expect(simulator.device("acme", scenario.device)).to.include(left(scenario) ?? scenario.patch);
      }
      expect(simulator.latestReads).to.equal(0);
    });
  });
}
