import { expect } from "chai";
import { EACH_DOOR, givenProject, takeRequests, takeUpdates } from "../support/project";

const BEFORE = { peak_power: 1000, azimuth: 7, tilt: 8, cut_in_threshold: 9, base_load: 10 };
const devices = () => ({
  roof: { type: "inverter", settings: { ...BEFORE } },
  gable: { type: "inverter", settings: { ...BEFORE } },
});

/** The same planes for two inverters: one of a site, and one with its own resource. */
const planes = (tilt: number) => [
  { peakPower: "5 kWp", azimuth: "E", tilt: 30 },
  { peakPower: "5 kWp", azimuth: "W", tilt },
];
const program = (tilt: number, { secret = false, ignoreChanges = [] as string[] } = {}) => {
  const rest = `cutInThreshold: 150, baseLoad: 400, onDelete: "restore"`;
  const given = JSON.stringify(planes(tilt));
  const own = secret ? given.replace('"5 kWp"', 'require("@pulumi/pulumi").secret("5 kWp")') : given;
  const options = (path: string) => JSON.stringify({ ignoreChanges: ignoreChanges.map((one) => path + one) });
  return `
    new SiteSettings("home", {
      latitude: 50, solar: false, inverters: { roof: { deviceId: "roof", planes: ${own}, ${rest} } },
    }, ${options("inverters.roof.")});
    new InverterSettings("gable", { deviceId: "gable", latitude: 50, planes: ${own}, ${rest} }, ${options("")});`;
};

const SENT = { peak_power: 9075, azimuth: 180, tilt: 0, cut_in_threshold: 150, base_load: 400 };
const CHECKED = [
  { peakPower: 5000, azimuth: 90, tilt: 30 },
  { peakPower: 5000, azimuth: 270, tilt: 30 },
];

for (const door of EACH_DOOR) {
  describe(`engine: planes of an inverter, over the ${door} door`, () => {
    const given = givenProject({ businesses: { acme: devices() } } as never, "for each");
    beforeEach(() => {
      Object.assign(given.project.env, { SOLAR_CHARGING_INVERTER_FIELDS: "{}" });
    });
    const declare = (body: string) => given.project.program(body, door);
    const reported = () => ["roof", "gable"].map((id) => given.simulator.device("acme", id));
    const inputs = () => {
      const site = given.project.resource("home").inputs as { inverters: { roof: { planes: unknown } } };
      return [site.inverters.roof.planes, given.project.resource("gable").inputs.planes];
    };

    it("are sent as one, stay in the inputs, survive repaired drift, and are restored in the end", async () => {
      const { project, simulator } = given;
      declare(program(30));
      const first = await project.succeeds("preview", "--diff");
      expect(first).to.contain("9.075 kW");
      await project.up();
      expect(reported()).to.deep.equal([SENT, SENT]);
      expect(inputs()).to.deep.equal([CHECKED, CHECKED]);
      takeRequests(simulator);
      await project.succeeds("preview", "--diff", "--expect-no-changes");
      await project.refresh("--expect-no-changes");
      expect(inputs()).to.deep.equal([CHECKED, CHECKED]);

      for (const id of ["roof", "gable"]) simulator.appUserSets("acme", id, { azimuth: 190 });
      const seen = await project.refresh("--diff");
      expect(seen).to.match(/azimuth *: 180 => 190/);
      expect(inputs()).to.deep.equal([CHECKED, CHECKED]);
      const repair = await project.succeeds("preview", "--diff");
      expect(repair).to.match(/azimuth 190° → 180° \(S\)/);
      takeRequests(simulator);
      await project.up();
      expect(takeUpdates(simulator)).to.have.members(['PATCH roof {"azimuth":180}', 'PATCH gable {"azimuth":180}']);
      await project.succeeds("preview", "--expect-no-changes");

      // A path in `ignoreChanges` keeps its value, whether it is all planes or a part of one.
      for (const path of ["planes", "planes[1].tilt"]) {
        declare(program(10, { ignoreChanges: [path] }));
        await project.up("--expect-no-changes");
        expect(inputs(), path).to.deep.equal([CHECKED, CHECKED]);
      }
      declare(program(10));
      expect(await project.succeeds("preview", "--diff")).to.contain("planes");
      await project.up();
      expect(reported()[0]).to.deep.equal(reported()[1]).and.not.deep.equal(SENT);
      await project.destroy();
      expect(reported()).to.deep.equal([BEFORE, BEFORE]);
      expect(simulator.latestReads).to.equal(0);
    });

    it("with one secret value hide all values that are sent for them", async () => {
      const { project } = given;
      declare(program(30, { secret: true }));
      const shown = [await project.succeeds("preview", "--diff"), await project.up()].join("\n");
      expect(shown).not.to.match(/9075|5000|5 kW/);
      expect(reported()).to.deep.equal([SENT, SENT]);
      const { outputs } = project.resource("gable");
      for (const key of ["planes", "peakPower", "azimuth", "tilt"]) {
        expect(JSON.stringify(outputs[key]), key).to.contain("4dabf18193072939515e22adb298388d");
      }
      await project.refresh("--expect-no-changes");
      expect(JSON.stringify(project.resource("gable").outputs.peakPower)).not.to.contain("9.075 kW");
      await project.succeeds("preview", "--expect-no-changes");
    });
  });
}
