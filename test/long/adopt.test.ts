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
  const given = givenProject(fleet, "for each");
  const [devices, adopt, manifest, rollout, values, adoptValues, car, previewValues, applyValues] = blocksOf(
    "docs/adopting.md",
  ).map(({ text }) => text);

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

  it("is right about values of a CSV: the first update sends those that differ, and the site is ready", async () => {
    given.project.write("values.csv", values ?? "");
    await runs(adoptValues);
    expect(readFileSync(join(given.project.folder, "ready.yaml"), "utf8")).to.contain(car);
    expect(takeRequests(given.simulator).sort()).to.deep.equal(["GET car-1", "GET roof-1"]);

    expect(await runs(`${previewValues?.trim()} || test $? = 2`)).to.contain("CHARGE BY FORECAST");
    expect(await runs(applyValues)).to.contain("1 of 1 site ready");
    const sent = given.simulator.requests.flatMap(({ method, deviceId, body }) =>
      method === "PATCH" ? [{ deviceId, body }] : [],
    );
    expect(sent).to.deep.equal([
      { deviceId: "roof-1", body: { tilt: 35, cut_in_threshold: 150, base_load: 400 } },
      {
        deviceId: "car-1",
        body: { max_capacity: 77_000, max_charge_power: 11_000, policy: "CHARGE BY FORECAST" },
      },
    ]);
  });
});
