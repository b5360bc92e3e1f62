import { expect } from "chai";
import { gateEnvironment, waveReportOf, waveText } from "../../../cli/fleet/waveReport";
import type { Wave } from "../../../cli/fleet/waves";
import type { Outcome } from "../../../cli/stacks/outcome";
import { planOf } from "../../../cli/stacks/plan";
import { notReviewed } from "../../../provider/lifecycle/run/messages";
import { like } from "../../support/facts";
import { said } from "../../support/fakes";
import { fleetOf } from "./fleets";

describe("cli fleet: the result of a wave", () => {
  const stacks = planOf(fleetOf(1, 4), []).stacks.map((stack) => ({ ...stack, own: stack.sites, isPart: false }));
  const wave: Wave = { name: "share", stacks, isRemoval: false, failureLimit: 1 };
  const next: Wave = { ...wave, name: "rest" };
  const result = (results: readonly Outcome["result"][], reason?: string, error?: string) => {
    const outcomes = results.map((result, index): Outcome => {
      const one = { device: `acme/car-${index}`, site: `site-0${index}`, label: "vehicle/car" };
      return { ...one, result, ...(reason !== undefined && { problem: said(reason) }) };
    });
    return {
      stack: "shard-1-of-1",
      outcomes: new Map(outcomes.map((one) => [one.device, one])),
      sites: [],
      warnings: [],
      ...(error !== undefined && { error: said(error) }),
    };
  };

  it("is a line that names a failure, and the next wave", () => {
    const report = waveReportOf(wave, stacks, [result(["changed", "failed", "unchanged", "failed"], "HTTP 422\n no")]);
    expect(report).to.include({ ok: 2, failed: 2, notDone: 0 });
    expect(waveText(report, next)).to.match(
      like("wave share: 2 ok, 2 failed (site-01 acme/car-1: HTTP 422 no; … 1 …). …: rest, 4 devices, 4 sites"),
    );
  });

  it("counts unknown devices, and names the stack that could not run", () => {
    const report = waveReportOf(wave, stacks, [result(["changed"], undefined, "held")]);
    expect(report).to.include({ ok: 1, failed: 0, notDone: 3 });
    expect(waveText(report)).to.match(like("wave share: 1 ok, 0 failed, 3 …, 1 stack … (shard-1-of-1: held)"));
  });

  it("counts a device that is held by a failure as not done", () => {
    const report = waveReportOf(wave, stacks, [result(["failed", "held", "changed", "unchanged"])]);
    expect(report).to.include({ ok: 2, failed: 1, notDone: 1 });
  });

  it("counts a device that is left because nobody has approved its change", () => {
    const [first, ...rest] = [...result(["held", "changed"]).outcomes.values()] as [Outcome, ...Outcome[]];
    const left = { ...first, problem: notReviewed([], "sha256:a") };
    const outcomes = new Map([left, ...rest].map((one) => [one.device, one]));
    const report = waveReportOf(wave, stacks, [{ ...result([]), outcomes }]);
    expect(report).to.include({ ok: 1, failed: 0, notDone: 3, left: 1 });
    expect(waveText(report)).to.match(like("wave share: 1 ok, 0 failed, 2 not done, 1 not approved"));
  });

  it("leaves out the sites of the stack's earlier waves, unless something was done with them", () => {
    const last = { ...wave, stacks: stacks.map((stack) => ({ ...stack, own: stack.sites.slice(0, 2) })) };
    const report = waveReportOf(last, last.stacks, [result(["changed", "unchanged", "unchanged", "failed"])]);
    expect(report).to.include({ ok: 2, failed: 1, notDone: 0 });
    const held = waveReportOf(last, last.stacks, [result(["changed", "changed", "held", "held"])]);
    expect(held).to.include({ ok: 2, failed: 0, notDone: 0, run: 2 });
  });

  it("is short, however long a reason is", () => {
    const report = waveReportOf(wave, stacks, [result(["failed"], "x".repeat(5_000))]);
    expect(waveText(report, next)).to.have.length.below(250);
  });

  it("counts the devices that a removal finds, and gives the gate before it no number of them", () => {
    const gone = { ...result(["changed"]) };
    const emptied = [{ name: "shard-1-of-1", sites: [], own: [], isPart: false }];
    const removal: Wave = { name: "removal", stacks: emptied, isRemoval: true, failureLimit: 0 };
    const outcomes = new Map([...gone.outcomes].map(([id, one]) => [id, { ...one, onDelete: "retain" as const }]));
    const report = waveReportOf(removal, removal.stacks, [{ ...gone, outcomes }]);
    expect(report).to.include({ ok: 1, failed: 0, notDone: 0 });
    expect(waveText(report, removal)).to.match(/: \w+ 1 stack /);
    expect(gateEnvironment("acme", report, removal)).to.include({
      SOLAR_CHARGING_NEXT_STACKS: "1",
      SOLAR_CHARGING_NEXT_DEVICES: "",
    });
  });
});
