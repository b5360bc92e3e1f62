import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { readinessOf, removedWords } from "../../cli/review/change";
import { readinessWords, verdictOf } from "../../cli/review/verdict";
import { isExpectedReady } from "../../cli/status/model";
import { FleetProject, type Summary, summaryIn } from "../support/fleetProject";
import { BUSINESS, countIn, driftedIn, driftIn, json, reported, SITES } from "../support/picture";

const ROOF = "peakPower: 9.8 kWp, azimuth: S, tilt: 35, cutInThreshold: 150 W, baseLoad: 400 W";

/** The number of devices that a run has found. */
function devicesIn({ sites }: Pick<Summary, "sites">): number {
  return sites.reduce((sum, { devices, drift, unchanged }) => sum + devices.length + drift.length + unchanged, 0);
}

describe("engine: one picture of a fleet", () => {
  let project: FleetProject;
  before(async () => {
    project = await FleetProject.create([]);
    project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
    const settings = { max_capacity: 60_000, max_charge_power: 7_400 };
    for (const site of SITES) project.simulator.add(BUSINESS, `car-${site}`, { type: "vehicle", settings });
    for (const site of SITES) project.simulator.add(BUSINESS, `roof-${site}`, { type: "inverter" });
  });
  after(() => project.close());

  const manifest = (sites: readonly string[]) => `fleet: acme
businessId: ${BUSINESS}
shards: 1
sites:
${sites
  .map(
    (site) => `  ${site}:
    latitude: 50
    vehicles: { car: { deviceId: car-${site}, maxCapacity: 77 kWh, maxChargePower: 11 kW } }
    inverters: { roof: { deviceId: roof-${site}, ${ROOF} } }`,
  )
  .join("\n")}
`;

  /** A run of the fleet, and its review. */
  async function run(operation: "preview" | "drift") {
    const printed = await project.run(operation, "--json");
    const file = `${operation}.json`;
    writeFileSync(project.path(file), printed.stdout);
    return { summary: summaryIn(printed), review: await json(project, "review", file) };
  }

  // One test, because all commands look at the same state.
  it("has the same numbers in fleet, review, status, report and sun, with a refused car, a drifted roof and a site that leaves", async () => {
    const { simulator } = project;
    project.declare(manifest(SITES));
    // In the wave of its site, and in the last one, which runs the whole stack again.
    simulator.fail({ method: "PATCH", deviceId: "car-oslo", status: 422, body: "no", times: 2 });
    const up = await project.summary("up", "--yes", "--max-failures", "100%");
    simulator.appUserSets(BUSINESS, "roof-paris", { azimuth: 22.5 });
    project.declare(manifest(SITES.filter((site) => site !== "rome")));

    const status = await json(project, "status", "--manifest", "fleet.yaml");
    const { counts } = status;
    expect(counts).to.deep.include({
      ...{ sites: 4, solar: 3, leaving: 1, ready: 2, drifted: 1, toApply: 1, devices: 8 },
      observed: { ready: 1, notReady: 2, unknown: 0 },
    });
    expect([up.failed, devicesIn(up)]).to.deep.equal([counts.toApply, counts.devices]);

    const preview = await run("preview");
    expect(preview.summary.counts).to.deep.equal(preview.review.counts);
    expect(preview.summary).to.include({ leaving: 2, added: 1, failed: 0 });
    expect(preview.review.sites.flatMap((site) => removedWords(site) ?? [])).to.deep.equal(["removed (was ready)"]);
    expect(readinessWords(preview.review)).to.equal(`${counts.solar} of ${counts.solar} sites ready`);

    const { summary: drift, review } = await run("drift");
    expect(drift.counts).to.deep.equal(review.counts);
    // The refused car has no state to compare with.
    expect([drift.drifted, devicesIn(drift)]).to.deep.equal([counts.drifted, counts.devices - counts.toApply]);
    const lacking = drift.sites.filter(({ after }) => after && isExpectedReady(after) && after.gaps.length > 0);
    expect(lacking).to.have.lengthOf(counts.solar - counts.ready);
    expect(readinessWords(review)).to.equal(`${counts.observed?.ready} of ${counts.solar} sites ready now`);
    expect(countIn(review, "notReadyNow")).to.equal(counts.observed?.notReady);
    for (const { name, observed, change } of status.sites) {
      const site = review.sites.find((one) => one.name === name);
      if (!site) throw new Error(`the review has no ${name}`);
      const now = change === "leaving" ? undefined : observed?.verdict === "ready";
      expect([name, readinessOf(site).after]).to.deep.equal([name, now]);
    }
    expect(driftIn(review)).to.deep.equal(driftedIn(status));
    expect({ ...(await reported(project, "--manifest", "fleet.yaml")), time: "" }).to.deep.equal({
      ...status,
      time: "",
    });

    const sunOf = async (...args: string[]) =>
      (await json(project, "sun", ...args)).sites.find(({ name }) => name === "paris")?.change;
    const ofDrift = await sunOf("--preview", "drift.json", "--site", "paris");
    expect(ofDrift?.year?.roofs).to.be.below(0);
    expect(verdictOf(review).energy.map(({ site }) => site)).to.deep.equal(["paris"]);
  });
});
