import { readFileSync } from "node:fs";
import { expect } from "chai";
import { startSimulator } from "solar-charging-simulator";
import { readinessOf } from "../../cli/view/compare";
import { removedWords } from "../../cli/view/words";
import { BUSINESS, driftedIn, driftIn, json, reported, SITES } from "../support/picture";
import { EACH_DOOR, Project } from "../support/project";

describe("engine: one picture of a program's sites", () => {
  /** A secret capacity and the value before it, with or without separators, in Wh and in kWh. */
  const SECRET = /[57]1[.,\u202f]?234/;

  const program = (sites: readonly string[]) => `const { secret } = require("@pulumi/pulumi");
for (const site of ${JSON.stringify(sites)})
  new SiteSettings(site, {
    businessId: "${BUSINESS}", latitude: 50,
    vehicles: { car: { deviceId: \`car-\${site}\`, maxChargePower: 11000, maxCapacity: site === "berlin" ? secret(71234) : 77000 } },
    inverters: { roof: { deviceId: \`roof-\${site}\`, peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 } },
  });`;

  for (const door of EACH_DOOR) {
    it(`has the same numbers in review, status and report, and shows a secret capacity in no command (${door})`, async () => {
      const simulator = await startSimulator({ fleet: { businesses: { acme: {} } } });
      const project = await Project.create(simulator);
      try {
        project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
        for (const site of SITES) {
          simulator.add(BUSINESS, `car-${site}`, {
            type: "vehicle",
            settings: { max_capacity: site === "berlin" ? 51_234 : 60_000 },
          });
          simulator.add(BUSINESS, `roof-${site}`, { type: "inverter" });
        }
        project.program(program(SITES), door);
        simulator.fail({ method: "PATCH", deviceId: "car-oslo", status: 422, body: "no", times: 1 });
        await project.fails("up", "--yes", "--skip-preview");
        simulator.appUserSets(BUSINESS, "roof-paris", { azimuth: 22.5 });
        project.program(program(SITES.filter((site) => site !== "rome")), door);
        await project.shell("pulumi preview --json --refresh > preview.json");

        const status = await json(project, "status");
        expect(status.counts).to.deep.include({ sites: 4, solar: 4, ready: 3, drifted: 1, devices: 8 });
        const review = await json(project, "review", "preview.json");
        expect(driftIn(review)).to.deep.equal(driftedIn(status));
        expect(review.sites.filter((site) => readinessOf(site).before)).to.have.lengthOf(status.counts.ready);
        expect(review.sites.flatMap((site) => removedWords(site) ?? [])).to.deep.equal(["removed (was ready)"]);
        const page = await reported(project);
        expect({ ...page, time: "" }).to.deep.equal({ ...status, time: "" });

        await project.shell("pulumi stack init other && pulumi preview --stack other --json > create.json");
        for (const args of [
          ...["--json", "--devices", "--prometheus"].map((option) => ["status", option]),
          ...["--json", "--markdown", "--name=it"].map((option) => ["review", "preview.json", option]),
          ["sun", "--preview", "preview.json", "--site", "berlin", "--json"],
          ["adopt", "--preview", "create.json", "--import-file", "import.json"],
        ]) {
          const { stdout, stderr } = await project.solarCharging(...args);
          expect(`${stdout}${stderr}`, args.join(" "))
            .to.match(/berlin|paris/)
            .and.not.match(SECRET);
        }
        expect(JSON.stringify(page)).to.not.match(SECRET);
        expect(readFileSync(project.path("import.json"), "utf8"))
          .to.contain("car-berlin")
          .and.not.match(/71.?234/);
      } finally {
        project.remove();
        await simulator.close();
      }
    });
  }
});
