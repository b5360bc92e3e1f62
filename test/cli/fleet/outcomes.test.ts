import type { EngineEvent } from "@pulumi/pulumi/automation";
import { expect } from "chai";
import type { Review } from "../../../cli/review/review";
import { reviewText } from "../../../cli/review/terminal";
import { OutcomeCollector } from "../../../cli/stacks/collector";
import { inTurn, type Outcome } from "../../../cli/stacks/outcome";
import type { Reports } from "../../../cli/stacks/runFile";
import type { DeviceStep } from "../../../cli/stacks/stack";
import type { Done } from "../../../provider/ledger/done";
import type { Message, RunMessage } from "../../../provider/messages/message";
import { textOf } from "../../../provider/messages/message";
import { nameOf } from "../../../provider/service/device";
import { said } from "../../support/fakes";
import { type GivenOutcome, outcomeOf, summarized, valuesIn } from "../../support/outcomes";
import { type Devices, inputsOf, outputsOf, stepOf, urnOf } from "../../support/siteDevices";

const car = { maxCapacity: 77_000 };
const one: Devices = { "vehicle/car": { values: car } };
const failed = (step: object, initErrors?: readonly string[]) => ({
  resOpFailedEvent: { metadata: { ...step, new: { ...("new" in step ? (step.new as object) : {}), initErrors } } },
});
const done = (op: string, site = "oslo") => ({ resOutputsEvent: { metadata: stepOf(op, site, one, one) } });
const error = (message: string, site = "oslo") => {
  return { diagnosticEvent: { urn: urnOf(site), severity: "error", message } };
};
const refused = (finding: string): Message => ({ code: "requestRefused", finding });
const notice = (severity: "warning" | "info", finding: string, rest: Partial<RunMessage> = {}): RunMessage => {
  return { severity, urn: urnOf("oslo"), code: "adjusted", finding, ...rest };
};

/** A site with a car of this capacity, and one that a read has found drifted to it. */
const carOf = (maxCapacity: number): Devices => ({ "vehicle/car": { values: { maxCapacity } } });
const driftedTo = (value: number): Devices => {
  return { "vehicle/car": { values: car, records: { maxCapacity: { status: "drifted", value, ours: 77_000 } } } };
};

/** A provider's line about a site with a car, which nothing changes. */
function doneOf(operation: Done["operation"], rest: Partial<Done> = {}): Done {
  const state = outputsOf(one);
  return { urn: urnOf("oslo"), operation, before: state, after: state, sent: {}, problems: {}, ...rest };
}

/** A line about an operation that changes the car. */
const changeOf = (operation: Done["operation"]) =>
  doneOf(operation, {
    ...{ after: operation === "diff" ? undefined : outputsOf(carOf(1)), planned: inputsOf(carOf(1)) },
    sent: { "acme/car": ["maxCapacity"] },
  });

/** A line about a device that could not be read or changed. */
const failureOf = (operation: Done["operation"], problem: Message) =>
  doneOf(operation, { problems: { "acme/car": problem } });

/** A line about a device that is new in the site. */
const adoption = doneOf("update", { before: outputsOf({}), planned: inputsOf(one) });

/** Gives these reports one time. */
function reporting(reports: Partial<Reports>): () => Reports {
  const all = [reports];
  return () => ({ messages: [], done: [], ...all.pop() });
}

function collectorOf(reports: Partial<Reports>, { refresh = false } = {}): OutcomeCollector {
  return new OutcomeCollector({ operation: "up", refresh, newReports: reporting(reports) });
}

/** The result of the car, and the reason in words. */
function resultOf({ outcomes }: OutcomeCollector): unknown[] {
  const { result, problem } = outcomes.get("acme/car") ?? {};
  return [result, problem && textOf(problem, { isBesideDevice: true })];
}

function collected(events: readonly object[], collector = collectorOf({})): OutcomeCollector {
  for (const event of events) collector.take(event as EngineEvent);
  collector.end([]);
  return collector;
}

describe("cli fleet: the outcomes of devices", () => {
  it("count when a step is done, and not when it begins", () => {
    const collector = collectorOf({ done: [changeOf("update")] });
    expect(collected([{ resourcePreEvent: done("update").resOutputsEvent }], collector).outcomes.size).to.equal(0);
    const { outcomes, sites } = collected([done("update")], collector);
    expect([...outcomes.values()].map(({ device, result }) => [device, result])).to.deep.equal([
      ["acme/car", "changed"],
    ]);
    expect([...sites.keys()]).to.deep.equal(["oslo"]);
  });

  for (const [now, result] of [
    [70_000, "changed"],
    [77_000, "unchanged"],
  ] as const) {
    it(`of a check for drift compare with the applied values after a refresh has recorded drift: ${result}`, () => {
      const drifted = driftedTo(70_000);
      const after = outputsOf(now === 70_000 ? drifted : one);
      const event = { resOutputsEvent: { metadata: stepOf("refresh", "oslo", drifted, drifted) } };
      for (const operation of ["drift", "refresh"] as const) {
        const read = doneOf("read", { before: outputsOf(drifted), after });
        const run = { operation, newReports: reporting({ done: [read] }) };
        const outcome = collected([event], new OutcomeCollector(run)).outcomes.get("acme/car");
        expect(outcome?.result).to.equal(result);
        expect([outcome?.before, outcome?.after].map(valuesIn)).to.deep.equal([car, { maxCapacity: now }]);
      }
    });
  }

  it("are the provider's last report: the result of the update, not its plan", () => {
    const lines = [changeOf("diff"), adoption];
    expect(resultOf(collected([done("update")], collectorOf({ done: lines })))).to.deep.equal(["changed", undefined]);
  });

  it("are failures of all declared devices if the provider dies before it reports on a new site", () => {
    const died = "error reading from server: EOF";
    const event = failed({ ...stepOf("create", "oslo", one, one), old: null });
    const collector = collectorOf({});
    for (const one of [error(died), event]) collector.take(one as unknown as EngineEvent);
    collector.end([{ site: "oslo", label: "vehicle/car", device: "acme/car" }]);
    expect(resultOf(collector)[0]).to.equal("failed");
    expect(resultOf(collector)[1]).to.contain(died);
  });

  it("are known without a report for a site that a preview will delete, and for one that does not change", () => {
    expect(resultOf(collected([done("delete")]))[0]).to.equal("changed");
    expect(resultOf(collected([done("same")]))[0]).to.equal("unchanged");
  });

  it("are failures in the preview of a delete if a newer version wrote the state of the site", () => {
    const step = stepOf("delete", "oslo", one, one);
    const devices = { "vehicle/car": { ...Object(outputsOf(one).devices)["vehicle/car"], colour: "red" } };
    const old = { ...step.old, outputs: { ...outputsOf(one), devices } };
    const [result, reason] = resultOf(collected([{ resOutputsEvent: { metadata: { ...step, old } } }]));
    expect(result).to.equal("failed");
    expect(reason).to.contain("colour");
  });

  it("include the providers' notes, such as baselines, but not progress", () => {
    const printed = (severity: string, message: string, ephemeral?: boolean) => ({
      diagnosticEvent: { severity, message, ...(ephemeral && { ephemeral }) },
    });
    const baseline = "device 'car': before it was managed: {}";
    const messages = [notice("info", "fold"), notice("info", "car: tilt 3 → 4", { code: "changes" })];
    const events = [
      printed("info", `<{%reset%}>${baseline}<{%reset%}>\n`),
      printed("info", baseline),
      printed("info", "312 of 500 devices read", true),
      printed("warning", "a lint"),
      printed("debug", "a request"),
    ];
    const { notes } = collected(events, collectorOf({ messages }));
    expect(notes.map(({ site, problem }) => [site, problem.finding])).to.have.deep.members([
      ["oslo", "fold"],
      [undefined, baseline],
      [undefined, baseline],
    ]);
  });

  it("leave out sites that are not part of the run, which the engine shows as they are in state", () => {
    const collector = new OutcomeCollector({ operation: "up", only: ["rome"], newReports: reporting({}) });
    const { sites } = collected([done("same"), done("same", "rome")], collector);
    expect([...sites.keys()]).to.deep.equal(["rome"]);
  });

  it("leave out other resources", () => {
    const metadata = { ...stepOf("update", "oslo", one, one), type: "solar-charging:index:FleetSettings" };
    expect(collected([{ resOutputsEvent: { metadata } }]).outcomes.size).to.equal(0);
  });

  it("have the reason of a failure from the provider, else from the resource, else from the engine's messages", () => {
    const step = stepOf("create", "oslo", undefined, one, undefined);
    const known = { done: [failureOf("create", refused("HTTP 422"))] };
    const ofProvider = collected([error("1 error occurred"), failed(step, ["vehicle/car: …"])], collectorOf(known));
    expect(resultOf(ofProvider)).to.deep.equal(["failed", "HTTP 422"]);
    const planned = () => collectorOf({ done: [changeOf("diff")] });
    const ofResource = collected([error("1 error occurred"), failed(step, ["HTTP 422"])], planned());
    expect(resultOf(ofResource)).to.deep.equal(["failed", "HTTP 422"]);
    const ofEngine = collected([error("<{%reset%}>HTTP 503<{%reset%}>\n"), failed(step)], planned());
    expect(resultOf(ofEngine)).to.deep.equal(["failed", "HTTP 503"]);
    expect([...ofProvider.errors, ...ofResource.errors, ...ofEngine.errors]).to.deep.equal([]);
  });

  it("keep a device that succeeded in a step that failed for another one", () => {
    const step = stepOf("update", "oslo", one, one);
    expect(resultOf(collected([failed(step, ["roof: …"])], collectorOf({ done: [adoption] })))[0]).to.equal("changed");
  });

  it("are failures of the engine if it ends a step of which the provider has only reported the plan, or nothing", () => {
    const step = stepOf("update", "oslo", one, one);
    const planned = collectorOf({ done: [changeOf("diff")] });
    expect(resultOf(collected([failed(step, ["gone"])], planned))).to.deep.equal(["failed", "gone"]);
    expect(valuesIn(planned.outcomes.get("acme/car")?.after)).to.deep.equal(car);
    expect(resultOf(collected([failed(step, ["gone"])]))).to.deep.equal(["failed", "gone"]);
  });

  it("have the code of a check that refuses the whole site", () => {
    const problem: Message = { code: "notReady", finding: "it lacks a tilt" };
    const check = doneOf("check", { before: undefined, after: undefined, problem });
    const collector = collectorOf({ done: [check] });
    collector.take(error("it lacks a tilt") as EngineEvent);
    collector.end([{ device: "acme/car", site: "oslo", label: "vehicle/car" }]);
    expect(collector.outcomes.get("acme/car")?.problem).to.deep.equal(problem);
  });

  it("are failures for a device that a refresh could not read, although the refresh of its site succeeded", () => {
    const unread = failureOf("read", refused("HTTP 503"));
    const read = collectorOf({ done: [unread] });
    expect(resultOf(collected([done("refresh")], read))).to.deep.equal(["failed", "HTTP 503"]);
    const both = { done: [unread, doneOf("diff")] };
    const first = collected([done("refresh"), done("same")], collectorOf(both, { refresh: true }));
    expect(first.isUnread).to.equal(false);
    expect(resultOf(first)).to.deep.equal(["failed", "HTTP 503"]);
  });

  it("are failures of all declared devices of a site that is refused before its first step", () => {
    const collector = collectorOf({});
    for (const site of ["oslo", "rome"]) collector.take(error("the site is not ready", site) as EngineEvent);
    collector.end([{ device: "acme/car", site: "oslo", label: "vehicle/car" }]);
    expect(resultOf(collector)).to.deep.equal(["failed", "the site is not ready"]);
    expect(collector.errors).to.deep.equal(["the site is not ready"]);
  });

  it("have the reasons of a read that fails in a preview, which the engine shows as a text of the site", () => {
    const reads = [
      ["failed", refused("HTTP 503"), "HTTP 503"],
      ["held", { ...refused("not begun"), code: "notBegun" }, undefined],
    ] as const;
    for (const [result, problem, reason] of reads) {
      const collector = collectorOf({ done: [failureOf("read", problem)] }, { refresh: true });
      collected([error("Preview failed: vehicle/car: …")], collector).end([]);
      expect(resultOf(collector)).to.deep.equal([result, reason]);
      expect(collector.errors).to.deep.equal([]);
    }
  });

  it("show whether the state could not be written", () => {
    const message = "post-step event returned an error: failed to save snapshot: no space left on device";
    expect(collected([error(message)]).isUnsaved).to.equal(true);
    expect(collected([error("503")]).isUnsaved).to.equal(false);
  });

  it("show whether a provider died, after which the journal keeps the baselines", () => {
    for (const [message, isCutShort] of [
      ["error reading from server: EOF", true],
      ["Detected that pulumi-resource-solar-charging exited prematurely.", true],
      ["cannot read the device: HTTP 503", false],
    ] as const) {
      expect(collected([error(message)]).isCutShort, message).to.equal(isCutShort);
    }
  });

  it("keep warnings once, with the device that they are about, without those that repeat an outcome", () => {
    const warning = (message: string, urn?: string) => ({ diagnosticEvent: { urn, severity: "warning", message } });
    const { urn: _, ...ofNone } = notice("warning", "SOLAR_CHARGING_LEDGERFILE has no effect");
    const messages = [
      notice("warning", "the tilt looks like radians", { device: "vehicle/car" }),
      notice("warning", "it is not restored", { device: nameOf({ businessId: "acme", deviceId: "car" }) }),
      notice("warning", "it is not restored", { device: nameOf({ businessId: "acme", deviceId: "other" }) }),
      notice("warning", "base loads are high"),
      notice("warning", "site 'oslo' is not ready", { code: "notReady" }),
      ofNone,
    ];
    const collector = collectorOf({ messages, done: [doneOf("create")] });
    const { warnings } = collected([warning("something of the engine", urnOf("oslo")), done("create")], collector);
    const shown = warnings.map(({ problem: { finding }, ...about }) => ({ ...about, finding }));
    expect(shown).to.have.deep.members([
      { site: "oslo", device: "acme/car", finding: "the tilt looks like radians" },
      { site: "oslo", device: "acme/car", finding: "it is not restored" },
      { site: "oslo", finding: "it is not restored" },
      { site: "oslo", finding: "base loads are high" },
      { finding: "SOLAR_CHARGING_LEDGERFILE has no effect" },
      { site: "oslo", finding: "something of the engine" },
    ]);
  });

  const roof = { peakPower: 9_800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400 };
  const full = { ...car, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
  const ready: Devices = { "inverter/roof": { values: roof }, "vehicle/car": { values: full, policyFromSite: true } };
  const withCar = (device: Partial<Devices[string]>): Devices => ({
    ...ready,
    "vehicle/car": { values: full, policyFromSite: true, ...device },
  });
  const drifted = { status: "drifted", value: 1, ours: 77_000 } as const;
  for (const [what, devices, isSettled] of [
    ["that is as declared", ready, true],
    ["with drift", withCar({ records: { maxCapacity: drifted } }), false],
    ["with a value that is not reported", withCar({ reported: { policy: full.policy } }), false],
    ["with an observed car", withCar({ values: {}, reported: full, observe: true, policyFromSite: false }), false],
    ["with a gap", { ...ready, "inverter/roof": { values: { tilt: 35 } } }, false],
  ] as const) {
    it(`of an unchanged site ${what} have its views only in JSON, or if a text shows them`, () => {
      for (const operation of ["preview", "drift"] as const) {
        const resultFor = (json: boolean) => {
          const collector = new OutcomeCollector({ operation, json, newReports: reporting({}) });
          const op = operation === "drift" ? "refresh" : "same";
          const metadata = stepOf(op, "oslo", devices, devices);
          const { outcomes, sites, warnings } = collected([{ resOutputsEvent: { metadata } }], collector);
          return { stack: "shard-1-of-2", outcomes, sites: [...sites.values()], warnings };
        };
        const [brief, whole] = [false, true].map((json) => {
          const about = { fleet: "acme", operation, calls: [], interrupted: false };
          return summarized(about, [resultFor(json)]);
        });
        expect(reviewText(brief as Review)).to.equal(reviewText(whole as Review));
        expect(whole?.sites[0]?.before?.devices).to.have.lengthOf(2);
        expect(brief?.sites[0]?.before?.devices).to.have.lengthOf(isSettled ? 0 : 2);
      }
    });
  }

  it("have the views of a site that has a warning, which is new or not", () => {
    const messages = [notice("warning", "radians", { device: "vehicle/car" })];
    const { sites } = collected(
      [{ resOutputsEvent: { metadata: stepOf("same", "oslo", ready, ready) } }],
      collectorOf({ messages }),
    );
    expect(sites.get("oslo")?.before?.devices).to.have.lengthOf(2);
  });

  it("name the device of a warning about a site that does not change, and of which the provider writes no line", () => {
    const collector = collectorOf({ messages: [notice("warning", "radians", { device: "vehicle/car" })] });
    expect(collected([done("same")], collector).warnings.map(({ device }) => device)).to.deep.equal(["acme/car"]);
  });

  it("keep errors of the stack", () => {
    const { errors } = collected([{ diagnosticEvent: { severity: "error", message: "no such module" } }]);
    expect(errors).to.deep.equal(["no such module"]);
  });

  it("of a check show drift that an earlier refresh recorded, unless the manifest declares the value by now", () => {
    const steps = [{ resOutputsEvent: { metadata: stepOf("same", "oslo", driftedTo(1), driftedTo(1)) } }];
    const found = (maxCapacity: number) => {
      const declared = new Map([["acme/car", { maxCapacity }]]);
      const run = { operation: "drift" as const, declared, newReports: reporting({}) };
      return [...collected(steps, new OutcomeCollector(run)).outcomes.values()].map(({ result, before, after }) => [
        result,
        valuesIn(before),
        valuesIn(after),
      ]);
    };
    expect(found(77_000)).to.deep.equal([["changed", { maxCapacity: 77_000 }, { maxCapacity: 1 }]]);
    expect(found(1)).to.deep.equal([["unchanged", { maxCapacity: 1 }, { maxCapacity: 1 }]]);
  });

  describe("in a run that reads first", () => {
    const drift = doneOf("read", { after: outputsOf(driftedTo(1)) });

    it("count a read as half of a device, and drift alone not as a change", () => {
      const steps: DeviceStep[] = [];
      const reports = reporting({ done: [drift] });
      const collector = new OutcomeCollector({
        operation: "up",
        refresh: true,
        onDevice: (step) => steps.push(step),
        newReports: reports,
      });
      const { outcomes } = collected([done("refresh"), done("same")], collector);
      expect([...outcomes.values()].map(({ result }) => result)).to.deep.equal(["unchanged"]);
      expect([...outcomes.values()].map(({ drifted }) => drifted)).to.deep.equal([
        [{ setting: "maxCapacity", from: 77_000, to: 1 }],
      ]);
      expect(steps.map(({ stage }) => stage)).to.deep.equal(["read", "done"]);
    });

    it("do not show drift again that an earlier run recorded and the program accepts", () => {
      const known = { before: outputsOf(driftedTo(1)), after: outputsOf(driftedTo(1)) };
      const collector = collectorOf({ done: [doneOf("read", known)] }, { refresh: true });
      const steps = ["refresh", "same"].map((op) => ({
        resOutputsEvent: { metadata: stepOf(op as "same", "oslo", driftedTo(1), driftedTo(1)) },
      }));
      const { outcomes } = collected(steps, collector);
      expect([...outcomes.values()].map(({ result, drifted }) => [result, drifted])).to.deep.equal([
        ["unchanged", undefined],
      ]);
    });

    it("are failures if the engine ended because a site could not be read, unless the devices are set later", () => {
      const unread = failureOf("read", refused("HTTP 403"));
      const refresh = failed(stepOf("refresh", "oslo", one, one), ["HTTP 403"]);
      const first = collectorOf({ done: [unread] }, { refresh: true });
      first.take(refresh as EngineEvent);
      expect(first.isUnread).to.equal(true);
      const repaired = collectorOf({ done: [unread, changeOf("update")] }, { refresh: true });
      collected([refresh, done("update")], repaired);
      expect(repaired.isUnread).to.equal(false);
      expect(resultOf(repaired)[0]).to.equal("changed");
      const same = collectorOf({ done: [unread, doneOf("diff")] }, { refresh: true });
      expect(resultOf(collected([refresh, done("same")], same))).to.deep.equal(["failed", "HTTP 403"]);
    });
  });

  describe("in two steps", () => {
    const outcome = (rest: Partial<GivenOutcome>): Outcome =>
      outcomeOf({ device: "acme/car", site: "oslo", label: "vehicle/car", result: "unchanged", ...rest });
    const left = outcome({ result: "changed", before: { maxCapacity: 1 }, onDelete: "restore" });
    const both = (a: Outcome, b: Outcome) => {
      expect(inTurn(a, b)).to.deep.equal(inTurn(b, a));
      return inTurn(a, b);
    };

    it("have the view that the other site knew, if the one that declares the device is settled", () => {
      const { device, site, label } = outcome({ site: "rome" });
      const { before, after, from } = both(left, { device, site, label, result: "unchanged" });
      expect([before, after, from]).to.deep.equal([left.before, left.before, "oslo"]);
    });

    it("are those of the site that declares the device, if it moves, with the values that the other one knew", () => {
      const joined = outcome({ site: "rome", result: "changed", after: { maxCapacity: 2 } });
      expect(both(left, joined)).to.deep.equal({ ...joined, before: left.before, from: "oslo" });
    });

    it("are failures if it failed in either site", () => {
      const no = said("no");
      const joined = outcome({ site: "rome", result: "changed", after: {} });
      expect(both({ ...left, result: "failed", problem: no }, joined)).to.include({ result: "failed", problem: no });
      expect(both(left, { ...joined, result: "failed", problem: no })).to.include({ result: "failed", problem: no });
    });

    it("are the worse one if two sites have the device, for example during a move", () => {
      const drifted = outcome({ site: "rome", result: "changed" });
      expect(both(outcome({}), drifted)).to.equal(drifted);
    });
  });
});
