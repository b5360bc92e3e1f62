import { expect } from "chai";
import { readinessOf } from "../../../../cli/review/change";
import { outcomeIn } from "../../../../cli/stacks/outcome";
import type { SiteView } from "../../../../cli/view/model";
import { type Findings, withReads } from "../../../../cli/view/reads";
import { siteInState } from "../../../../cli/view/state";
import { viewOf } from "../../../../provider/engine/viewOf";
import type { Done } from "../../../../provider/ledger/done";
import { deviceName, deviceSchema } from "../../../../provider/service/device";
import { summarized } from "../../../support/outcomes";
import { appliedSite, CAR_VALUES, FORECAST, refOf, SITE, type SiteStack, siteService } from "../../../support/sites";

const OBSERVED = { peak_power: 9800, azimuth: 180, tilt: 35, cut_in_threshold: 150, base_load: 400 };

/** A ready site: its roof is observed, one car has its own policy, and the site sets the policy of the other one. */
const MIXED = {
  onDelete: "restore",
  vehicles: {
    a: { deviceId: "car-a", ...CAR_VALUES },
    b: { deviceId: "car-b", ...CAR_VALUES, policy: "CHARGE BY" },
  },
  inverters: { p: { deviceId: "roof-p", observe: true } },
};

/** The site in `status`, which reads the state and the cached reads. */
function statusOf({ name, inputs = {}, outputs = {}, service }: SiteStack): SiteView {
  const resource = { kind: "site" as const, urn: "", name, inputs, outputs, secrets: [] };
  const refs = ["car-a", "car-b", "roof-p"].map(refOf);
  const found: Findings = new Map(
    refs.map((ref) => [deviceName(ref), { view: viewOf(ref, deviceSchema.parse(service.get(ref)), {}) }]),
  );
  return withReads(siteInState("dev", resource), found);
}

/** The review of the reports of an operation. */
async function reviewOf(site: SiteStack, operation: "drift" | "destroy") {
  const lines: Done[] = [];
  const own = site.run();
  const run = { ...own, report: { ...own.report, done: (make: () => Done) => void lines.push(make()) } };
  await (operation === "drift" ? site.refresh(run) : site.destroy(run));
  const { devices, ...ofSite } = outcomeIn(lines.at(-1) as Done);
  const about = { fleet: "acme", operation, calls: [], interrupted: false };
  const outcomes = new Map(devices.map((one) => [one.device, one]));
  const review = summarized(about, [{ stack: "dev", outcomes, sites: [ofSite], warnings: [] }]);
  if (!review.sites[0]) throw new Error("no site");
  return review.sites[0];
}

describe("a check for drift shows the same as status", () => {
  const given = async (args: object = MIXED) => {
    const service = siteService();
    service.set(refOf("roof-p"), OBSERVED);
    const { site } = await appliedSite({ ...args }, service);
    expect(site.outputs?.ready).to.equal(true);
    return { site, service };
  };

  for (const [title, deviceId, fields, args, isReady, drift] of [
    ["of an observed inverter that reports another value", "roof-p", { base_load: 500 }, MIXED, true, []],
    ["of an observed inverter that lost a value", "roof-p", { base_load: undefined }, MIXED, false, []],
    ["of a car with its own policy", "car-b", { policy: FORECAST }, MIXED, true, ["vehicle/b"]],
    ["of a car with the policy of its site", "car-a", { policy: "CHARGE BY" }, MIXED, false, ["vehicle/a"]],
    ["of a policy that the program keeps", "car-a", { policy: "CHARGE BY" }, { ...MIXED, onDrift: "keep" }, false, []],
  ] as const) {
    it(title, async () => {
      const { site, service } = await given(args);
      service.set(refOf(deviceId), fields);
      const status = statusOf(site);
      const review = await reviewOf(site, "drift");
      expect(review.drift.map(({ label }) => label)).to.deep.equal(drift);
      expect(status.devices.filter((one) => one.drift.length > 0).map(({ label }) => label)).to.deep.equal(drift);
      expect(readinessOf(review).after).to.equal(isReady);
      expect(status.observed?.verdict).to.equal(isReady ? "ready" : "notReady");
    });
  }

  it("and a removal counts the values that it writes back", async () => {
    const { site } = await given({ ...SITE, onDelete: "restore" });
    const { devices } = await reviewOf(site, "destroy");
    expect(devices.find(({ label }) => label === "vehicle/a")?.settings.map(({ setting }) => setting)).to.have.length(
      3,
    );
    expect(site.shown.join()).to.match(/car-a.*maxCapacity 60 kWh.*policy CHARGE BY/s);
  });

  it("and a removal counts no value that somebody else has set and the program accepted", async () => {
    const accepted = { ...CAR_VALUES, maxCapacity: 70_000 };
    const { site, service } = await given({ ...SITE, onDelete: "restore" });
    service.set(refOf("car-a"), { max_capacity: accepted.maxCapacity });
    await site.refresh();
    await site.up({ ...SITE, onDelete: "restore", vehicles: { a: { deviceId: "car-a", ...accepted } } });
    const { devices } = await reviewOf(site, "destroy");
    const settings = devices.find(({ label }) => label === "vehicle/a")?.settings ?? [];
    expect(settings.flatMap(({ setting, to }) => (to === undefined ? setting : []))).to.deep.equal(["maxCapacity"]);
    expect(service.get(refOf("car-a"))?.max_capacity).to.equal(accepted.maxCapacity);
  });
});
