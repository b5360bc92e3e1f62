import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { expect } from "chai";
import type { Printed } from "../../cli/output/printed";
import { readinessWords, verdictOf } from "../../cli/review/verdict";
import type { Status } from "../../cli/status/model";
import { readinessOf } from "../../cli/view/compare";
import { FleetProject, summaryIn } from "../support/fleetProject";
import { outputIn } from "../support/output";

const ROOF = "peakPower: 9.8 kWp, azimuth: S, tilt: 35, cutInThreshold: 150 W, baseLoad: 400 W";
const SITES = ["berlin", "oslo", "paris", "rome"];

describe("engine: one picture of a fleet", () => {
  let project: FleetProject;
  before(async () => {
    project = await FleetProject.create(SITES.map((site) => `car-${site}`));
    project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
    for (const site of SITES) project.simulator.add("acme", `roof-${site}`, { type: "inverter" });
  });
  after(() => project.close());

  const manifest = (sites: readonly string[]) => `fleet: acme
businessId: acme
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

  /** The output of a command with `--json`. Exit code 2 only means that something needs attention. */
  async function json<Command extends keyof Printed>(command: Command, ...args: string[]): Promise<Printed[Command]> {
    const { stdout, stderr } = await project.solarCharging(command, "--json", ...args);
    if (!stdout.startsWith("{")) throw new Error(stderr);
    return outputIn(command, stdout);
  }

  // One test, because all commands look at the same state.
  it("has the same numbers in review, status, report and sun, with a refused car, a drifted roof and a site that leaves", async () => {
    const { simulator } = project;
    project.declare(manifest(SITES));
    // In the wave of its site, and in the last one, which runs the whole stack again.
    simulator.fail({ method: "PATCH", deviceId: "car-oslo", status: 422, body: "no", times: 2 });
    await project.summary("up", "--yes", "--max-failures", "100%");
    simulator.appUserSets("acme", "roof-paris", { azimuth: 22.5 });
    project.declare(manifest(SITES.filter((site) => site !== "rome")));

    const status = await json("status", "--manifest", "fleet.yaml");
    expect(status.counts).to.deep.include({
      ...{ sites: 4, solar: 3, leaving: 1, ready: 2, drifted: 1 },
      observed: { ready: 1, notReady: 2, unknown: 0 },
    });

    const drift = await project.run("drift", "--json");
    summaryIn(drift);
    writeFileSync(join(project.folder, "drift.json"), drift.stdout);
    const review = await json("review", "drift.json");
    const { counts } = status;
    expect(readinessWords(review)).to.equal(`${counts.observed?.ready} of ${counts.solar} sites ready now`);
    const countOf = (what: string) => verdictOf(review).parts.find((part) => part.what === what)?.count;
    expect(countOf("drifted")).to.equal(counts.drifted);
    expect(countOf("notReadyNow")).to.equal(counts.observed?.notReady);
    for (const { name, observed, change } of status.sites) {
      const site = review.sites.find((one) => one.name === name);
      if (!site) throw new Error(`the review has no ${name}`);
      const now = change === "leaving" ? undefined : observed?.verdict === "ready";
      expect([name, readinessOf(site).after]).to.deep.equal([name, now]);
    }
    const driftedIn = (sites: Status["sites"]) =>
      sites.flatMap(({ name, devices }) =>
        devices.filter((one) => one.drift.length > 0).map((one) => [name, one.label]),
      );
    expect(review.sites.flatMap(({ name, drift: all }) => all.map(({ label }) => [name, label]))).to.deep.equal(
      driftedIn(status.sites),
    );

    await project.solarCharging("report", "--manifest", "fleet.yaml", "--output", "report.html");
    const html = readFileSync(join(project.folder, "report.html"), "utf8");
    const [, data = ""] = /id="data">([^<]*)</.exec(html) ?? [];
    const report = JSON.parse(inflateRawSync(Buffer.from(data, "base64")).toString()) as Status;
    expect({ ...report, time: "" }).to.deep.equal({ ...status, time: "" });

    // The sun of the drift is that of a change to the drifted value.
    project.write("drifted.yaml", manifest(["paris"]).replace("azimuth: S", "azimuth: 22.5"));
    const sunOf = async (...args: string[]) =>
      (await json("sun", ...args)).sites.find(({ name }) => name === "paris")?.change;
    const ofDrift = await sunOf("--preview", "drift.json", "--site", "paris");
    const ofChange = await sunOf("--manifest", "drifted.yaml", "--before", "fleet.yaml", "--site", "paris");
    expect(ofDrift?.year?.roofs).to.be.below(0);
    expect(ofDrift?.year).to.deep.equal(ofChange?.year);
    expect(verdictOf(review).energy.map(({ site }) => site)).to.deep.equal(["paris"]);
  });
});
