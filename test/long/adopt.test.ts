import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { blocksOf } from "../support/markdown";
import { givenProject, takeRequests } from "../support/project";

const fleet = {
  businesses: {
    acme: {
      "car-1": { type: "vehicle", settings: { max_capacity: 60_000 } },
      "roof-1": { type: "inverter", settings: { peak_power: 9800, azimuth: 180 } },
      "car-2": {
        type: "vehicle",
        settings: { max_capacity: 45_000, max_charge_power: 11_000, policy: "CHARGE BY FORECAST" },
      },
    },
  },
} as const;

describe("engine: docs/adopting.md", () => {
  const given = givenProject(fleet, "for all");
  const [devices, adopt, manifest, rollout] = blocksOf("docs/adopting.md").map(({ text }) => text);

  const runs = (script = "") => given.project.shell(script);

  it("is right about the manifest, and that neither a live preview, nor the first update, nor the preview after it has anything to send", async () => {
    given.project.write("devices.csv", devices ?? "");
    await runs(adopt);
    const written = readFileSync(join(given.project.folder, "fleet.yaml"), "utf8");
    expect(written.replace(/^#.*\n/gm, "").trim()).to.equal(manifest?.trim());
    const reads = ["GET car-1", "GET car-2", "GET roof-1"];
    expect(takeRequests(given.simulator).sort()).to.deep.equal(reads);

    const live = "SOLAR_CHARGING_LIVE_PREVIEW=true npx solar-charging fleet preview -m fleet.yaml || test $? = 2";
    expect(await runs(live))
      .to.match(/car-1: new, maxCapacity 60 kWh/)
      .and.not.contain("sets it to");
    expect(takeRequests(given.simulator).sort()).to.deep.equal(reads);

    await runs(rollout);
    expect(new Set(takeRequests(given.simulator))).to.deep.equal(new Set(reads));
  });
});
