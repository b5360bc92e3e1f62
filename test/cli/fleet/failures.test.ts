import { expect } from "chai";
import { afterWatch, FailureWatch, stopOf, UNSTEADY } from "../../../cli/fleet/failures";
import { waveReportOf } from "../../../cli/fleet/waveReport";
import type { Wave } from "../../../cli/fleet/waves";
import type { Outcome } from "../../../cli/stacks/outcome";
import { planOf } from "../../../cli/stacks/plan";
import type { SiteView } from "../../../cli/view/model";
import { notReviewed } from "../../../provider/lifecycle/run/messages";
import { said } from "../../support/fakes";
import { fleetOf } from "./fleets";

describe("cli fleet: the failures that stop a rollout", () => {
  const stacks = planOf(fleetOf(1, 4), []).stacks.map((stack) => ({ ...stack, own: stack.sites, isPart: false }));
  const wave: Wave = { name: "rest", stacks, isRemoval: false, failureLimit: 0.25 };
  const resultOf = (results: readonly Outcome["result"][], about: Partial<Outcome> = {}) => {
    const outcomes = results.map((result, index): [string, Outcome] => {
      const device = `acme/car-${index}`;
      const isOpen = result === "held" || result === "failed";
      return [device, { device, site: `site-0${index}`, label: "vehicle/car", result, ...(isOpen && about) }];
    });
    return { stack: "shard-1-of-1", outcomes: new Map(outcomes), sites: [], warnings: [] };
  };

  it("do not include devices that nobody has approved", () => {
    const results = [resultOf(["failed", "held", "unchanged", "unchanged"], { problem: notReviewed([], "sha256:a") })];
    expect(stopOf(wave, waveReportOf(wave, stacks, results))).to.equal(undefined);
    const waiting = [resultOf(["failed", "held", "unchanged", "unchanged"])];
    expect(stopOf(wave, waveReportOf(wave, stacks, waiting))).to.contain("25%");
  });

  describe("while a wave runs", () => {
    const step = (device: string, stage: "read" | "done", isFailed = false) => ({ device, stage, isFailed });

    it("are a share of the devices that are done, not of those that were only read", () => {
      const watch = new FailureWatch(wave, 2);
      for (const device of ["a", "b", "c", "d"]) expect(watch.take(step(device, "read"))).to.equal(undefined);
      expect(watch.take(step("a", "done", true))).to.equal(undefined);
      expect(watch.take(step("b", "done"))).to.contain("1 of 2");
    });

    it("count a device by its last step", () => {
      const watch = new FailureWatch(wave, 2);
      watch.take(step("a", "done", true));
      watch.take(step("a", "done", true));
      expect(watch.take(step("a", "done"))).to.equal(undefined);
      expect(watch.take(step("b", "done"))).to.equal(undefined);
    });
  });

  describe("after a watch", () => {
    const site = (ready: boolean) => ({ ready }) as SiteView;
    const watched = (before: boolean, after: boolean, ...results: Outcome["result"][]) => {
      const sides = { site: "site-00", before: site(before), after: site(after) };
      const found = { ...resultOf(results, { problem: said("no answer") }), sites: [sides] };
      return [...(afterWatch(wave, [found], new Map()).results[0]?.outcomes.values() ?? [])];
    };

    it("are the devices of a site that stopped being ready, not of one that never was", () => {
      expect(watched(true, false, "unchanged")).to.containSubset([{ result: "failed", problem: UNSTEADY }]);
      expect(watched(false, false, "unchanged")).to.containSubset([{ result: "unchanged" }]);
    });

    it("keep the reason of a device that cannot be read", () => {
      expect(watched(true, false, "failed")).to.containSubset([{ result: "failed", problem: said("no answer") }]);
    });
  });
});
