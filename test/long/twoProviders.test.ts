import { join } from "node:path";
import { expect } from "chai";
import { CAR, FLEET, ROOF } from "../support/devices";
import { type Door, givenProject, takeRequests, takeUpdates } from "../support/project";

/** The programs of the two updates. The second one has the same devices with other names and another provider. */
const explicit = (name: string) => `{ provider: new Provider("${name}", {}) }`;
const VARIANTS = {
  "the default one to an explicit one": [
    ["native", "{}"],
    ["native", explicit("a")],
  ],
  "an explicit one to the default one": [
    ["native", explicit("a")],
    ["native", "{}"],
  ],
  "an explicit one to another one": [
    ["native", explicit("a")],
    ["native", explicit("b")],
  ],
  "the dynamic resources to the plugin": [
    ["dynamic", "{}"],
    ["native", "{}"],
  ],
} as const;

describe("engine: two providers of one program", () => {
  const given = givenProject(FLEET, "for each");
  beforeEach(() => {
    given.project.env.SOLAR_CHARGING_LEDGER_FILE = join(given.project.folder, "ledger.jsonl");
  });

  const write = ([door, options]: readonly [Door, string], suffix: string, maxCapacity: number) =>
    given.project.program(
      `const options = ${options};
  new VehicleSettings("car${suffix}", { deviceId: "car", maxCapacity: ${maxCapacity}, onDelete: "restore" }, options);
  new SiteSettings("home${suffix}", {
    onDelete: "restore", inverters: { roof: { deviceId: "roof", peakPower: ${maxCapacity / 10} } },
  }, options);`,
      door,
    );

  for (const [title, [first, second]] of Object.entries(VARIANTS)) {
    it(`has devices as declared, and their baselines, after another name and a move from ${title}`, async () => {
      const { project, simulator } = given;
      // Names can have any characters, and the providers have to know of each other's resources all the same.
      write(first, "☀️\\u200b", 77_000);
      await project.up();
      write(second, "-again\\t☀️", 80_000);
      await project.up();
      expect(simulator.device("acme", "car")).to.deep.equal({ ...CAR, max_capacity: 80_000 });
      expect(simulator.device("acme", "roof")).to.deep.equal({ ...ROOF, peak_power: 8000 });
      takeRequests(simulator);
      expect(await project.succeeds("preview")).to.not.match(/to (update|create|delete|replace)/);
      expect(project.resource("car-again\t☀️").outputs.settings).to.deep.include({
        maxCapacity: { baseline: 60_000 },
      });
      await project.destroy();
      expect(simulator.device("acme", "car")).to.deep.equal(CAR);
      expect(simulator.device("acme", "roof")).to.deep.equal(ROOF);
    });
  }

  it("refuses two providers that declare one setting, and sends nothing", async () => {
    const { project, simulator } = given;
    const car = (name: string, capacity: number, options: string) =>
      `new VehicleSettings("${name}", { deviceId: "car", maxCapacity: ${capacity} }, ${options});`;
    project.program(`${car("one", 77_000, "{}")}\n${car("two", 78_000, explicit("a"))}`, "native");
    for (const args of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const text = await project.fails(...args);
      expect(text).to.match(/maxCapacity .*VehicleSettings '(one|two)'/);
    }
    const patches = takeUpdates(simulator);
    expect(patches.length, patches.join(", ")).to.be.at.most(1);
  });
});
