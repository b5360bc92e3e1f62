import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { inverter } from "../../../provider/settings/inverter";
import { declaredValues } from "../../../provider/settings/planes";
import { givenCommandLine } from "../../support/commandLine";
import { outputIn } from "../../support/output";
import { recorded } from "../../unit/cli/review/previews";

const FLEET = `fleet: acme
sites:
  berlin:
    latitude: 48.1
    vehicles: { van: { deviceId: van, maxCapacity: 77 kWh, maxChargePower: 11 kW } }
    inverters:
      roof: { deviceId: roof, peakPower: 9.8 kWp, azimuth: SSW, tilt: 35, cutInThreshold: 150 W, baseLoad: 400 W }
  hamburg:
    vehicles: { pool: { deviceId: car, maxCapacity: 45 kWh } }
`;
const ROOF = / {2}roof: azimuth SSW → NNE \(202\.5° → 22\.5°\): 56 → 14 kWh .*March, −60 % .*; .* 12:50 .* 09:30 .*\n/;

describe("cli: sun", () => {
  const given = givenCommandLine();
  const { path } = given;
  const run = (args: string[], input?: string) => given.run(["sun", ...args], { input });
  beforeEach(() => {
    writeFileSync(path("old.yaml"), FLEET);
    writeFileSync(path("fleet.yaml"), FLEET.replace("SSW", "22.5"));
  });

  it("shows the fleet of its folder if nothing is named, and lists the sites for a wrong name", async () => {
    const { stdout, stderr } = await run([]);
    expect(stdout)
      .to.match(/^berlin\n/)
      .and.not.contain("hamburg");
    expect(stderr).to.match(/^1 site not shown: .*--site/m);
    expect((await run(["--site", "nowhere"])).stderr).to.match(/ nowhere: .*berlin, hamburg/);
  });

  it("shows what a preview would do", async () => {
    const { stdout } = await run(["--preview", "-"], recorded("mistakes"));
    expect(stdout).to.match(new RegExp(`home\n${ROOF.source}`));
    expect(stdout).to.match(/ {4}before {2} +▁[▁-█]+/);
  });

  it("shows a site that is named as it is, and what has to be declared first", async () => {
    const { stdout } = await run(["--manifest", "old.yaml", "--site", "berlin", "hamburg"]);
    expect(stdout).to.match(/51 kWh .*March/);
    expect(stdout).to.match(/hamburg\n {2}.*: latitude, site: inverters\n/);
  });

  it("says without a fleet what suffices, and shows with a part of that what is missing", async () => {
    const { stderr } = await run(["--cwd", path("nowhere")]);
    expect(stderr).to.match(/give 'measure' --latitude[\s\S]*see the sun, add peakPower, azimuth and tilt/);
    writeFileSync(path("fleet.yaml"), stderr.slice(stderr.indexOf("fleet: home")));
    expect((await run([])).stdout).to.match(/^home\n {2}.* peakPower.*\n/);
  });

  it("has the days, powers and energies as JSON", async () => {
    const { losses, sites } = outputIn("sun", (await run(["--manifest", "old.yaml", "--json"])).stdout);
    expect(losses).to.equal(0.14);
    expect(sites.map(({ name }) => name)).to.deep.equal(["berlin"]);
    expect(sites[0]?.change?.after[0]).to.include({ date: "2026-03-20", peakAt: "12:50" });
  });

  it("uses the planes of an inverter themselves, and shows beside them the values that the service gets", async () => {
    const west = "peakPower: 5 kWp, azimuth: W, tilt: 45";
    const planes = FLEET.replace(
      "peakPower: 9.8 kWp, azimuth: SSW, tilt: 35",
      `planes: [{ ${west.replace("W,", "E,")} }, { ${west} }]`,
    );
    writeFileSync(path("planes.yaml"), planes);
    const { stdout } = await run(["--manifest", "planes.yaml", "--site", "berlin"]);
    expect(stdout).to.match(
      /roof: 5 kW E 45° \+ 5 kW W 45° .*\(peakPower 8\.2\d* kW, azimuth 0°, tilt 2°\).* −9 %.* 9 %.* inverters/,
    );
    const energyOf = async (file: string) => {
      const { sites } = outputIn("sun", (await run(["--manifest", file, "--site", "berlin", "--json"])).stdout);
      return (sites[0]?.change?.after ?? []).reduce((sum, { roofKilowattHours }) => sum + roofKilowattHours, 0);
    };
    const steep = [90, 270].map((azimuth) => ({ peakPower: 5000, azimuth, tilt: 45 }));
    const { peakPower, azimuth, tilt } = declaredValues(inverter, { planes: steep }, 48.1);
    const folded = `peakPower: ${peakPower}, azimuth: ${azimuth}, tilt: ${tilt}`;
    writeFileSync(path("folded.yaml"), FLEET.replace("peakPower: 9.8 kWp, azimuth: SSW, tilt: 35", folded));
    // Steep roofs to east and west produce a tenth more than the single plane in place of them.
    expect((await energyOf("planes.yaml")) / (await energyOf("folded.yaml"))).to.be.within(1.08, 1.12);
  });

  it("sends nothing", async () => {
    await run(["--manifest", "fleet.yaml"]);
    expect(given.simulator.requests).to.deep.equal([]);
  });

  it("tells what was probably meant, and what it needs", async () => {
    expect((await run(["--manifest", "fleet.yaml", "--site", "berln"])).stderr).to.contain(" berlin?");
    expect((await run(["--preview", "p.json", "--manifest", "old.yaml"])).stderr).to.match(/--preview .*--manifest/);
    const { code, stderr } = await run(["--preview", "fleet.yaml"]);
    expect(code).to.equal(1);
    expect(stderr).to.contain("fleet.yaml is not the result of a preview");
  });
});
