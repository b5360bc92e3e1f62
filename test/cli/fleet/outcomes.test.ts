import type { EngineEvent } from "@pulumi/pulumi/automation";
import { expect } from "chai";
import { OutcomeCollector } from "../../../cli/stacks/collector";
import { inTurn, type Outcome } from "../../../cli/stacks/outcome";
import type { DeviceStep } from "../../../cli/stacks/stack";
import type { RunMessage } from "../../../provider/messages/message";
import { textOf } from "../../../provider/messages/message";
import { type Devices, stepOf, urnOf } from "./sites";

const car = { maxCapacity: 77_000 };
const one: Devices = { "vehicle/car": { values: car } };
const changed: Devices = { "vehicle/car": { values: { maxCapacity: 1 } } };
const failed = (step: object, initErrors?: readonly string[]) => ({
  resOpFailedEvent: { metadata: { ...step, new: { ...("new" in step ? (step.new as object) : {}), initErrors } } },
});

type Failure = Extract<RunMessage, { readonly severity: "error" }>;
const problem = (rest: Partial<Failure>): Failure => {
  return { severity: "error", operation: "create", urn: urnOf("oslo"), code: "requestRefused", finding: "", ...rest };
};
const notice = (severity: "warning" | "info", finding: string, rest: Partial<RunMessage> = {}): RunMessage => {
  return { severity, urn: urnOf("oslo"), code: "adjusted", finding, ...rest } as RunMessage;
};

/** The outcome of the car, and the reason in words. */
function brief({ outcomes }: OutcomeCollector): unknown[] {
  const { result, problem } = outcomes.get("acme/car") ?? {};
  return [result, problem && textOf(problem, { isBesideDevice: true })];
}

/** A collector to which the provider reports that it has sent something to the car. */
function sending(readsFirst: boolean): OutcomeCollector {
  return new OutcomeCollector(readsFirst, undefined, () => ({ messages: [], sent: ["acme/car"] }));
}

function collected(events: readonly object[], collector = new OutcomeCollector()): OutcomeCollector {
  for (const event of events) collector.take(event as EngineEvent);
  collector.end([]);
  return collector;
}

describe("cli fleet: what becomes of devices", () => {
  it("is counted when a step is done, not when it begins", () => {
    const metadata = stepOf("update", "oslo", one, changed);
    expect(collected([{ resourcePreEvent: { metadata } }]).outcomes.size).to.equal(0);
    const { outcomes, sites } = collected([{ resourcePreEvent: { metadata } }, { resOutputsEvent: { metadata } }]);
    expect([...outcomes.keys()]).to.deep.equal(["acme/car"]);
    expect([...sites.keys()]).to.deep.equal(["oslo"]);
  });

  it("comes with what providers note, as baselines, but not with progress", () => {
    const said = (severity: string, message: string, ephemeral?: boolean) => ({
      diagnosticEvent: { severity, message, ...(ephemeral && { ephemeral }) },
    });
    const baseline = "device 'car': before it was managed: {}";
    const reported = [notice("info", "fold"), notice("info", "car: tilt 3 → 4", { code: "changes" })];
    const collector = new OutcomeCollector(
      false,
      () => {},
      () => ({ messages: reported.splice(0), sent: [] }),
    );
    const events = [
      said("info", `<{%reset%}>${baseline}<{%reset%}>\n`),
      said("info", baseline),
      said("info", "312 of 500 devices read", true),
      said("warning", "a lint"),
      said("debug", "a request"),
    ];
    const { notes } = collected(events, collector);
    expect([...notes]).to.deep.equal(["oslo: fold", baseline]);
  });

  it("leaves out sites that the run is not about: the engine shows them as they are in state", () => {
    const events = ["oslo", "rome"].map((site) => ({ resOutputsEvent: { metadata: stepOf("same", site, one, one) } }));
    const { sites } = collected(events, new OutcomeCollector(false, undefined, undefined, ["rome"]));
    expect([...sites.keys()]).to.deep.equal(["rome"]);
  });

  it("leaves out other resources", () => {
    const metadata = { ...stepOf("update", "oslo", one, changed), type: "solar-charging:index:FleetSettings" };
    expect(collected([{ resOutputsEvent: { metadata } }]).outcomes.size).to.equal(0);
  });

  it("takes the reasons of a failure from the provider, else from the resource, else from what the engine says of it", () => {
    const step = stepOf("create", "oslo", undefined, one, undefined);
    const error = (message: string) => ({ diagnosticEvent: { urn: urnOf("oslo"), severity: "error", message } });
    const reported = [
      problem({ device: "vehicle/car", finding: "HTTP 422" }),
      problem({ urn: urnOf("rome"), finding: "other" }),
    ];
    const ofProvider = new OutcomeCollector(
      false,
      () => {},
      () => ({ messages: reported.splice(0), sent: [] }),
    );
    const inFile = collected([error("1 error occurred"), failed(step, ["vehicle/car: …"])], ofProvider);
    expect(brief(inFile)).to.deep.equal(["failed", "HTTP 422"]);
    const inState = collected([error("1 error occurred"), failed(step, ["HTTP 422"])]);
    expect(brief(inState)).to.deep.equal(["failed", "HTTP 422"]);
    const said = collected([error("<{%reset%}>HTTP 503<{%reset%}>\n"), failed(step)]);
    expect(brief(said)).to.deep.equal(["failed", "HTTP 503"]);
    expect([...inFile.errors, ...inState.errors, ...said.errors]).to.deep.equal([]);
  });

  it("has the code of a refusal of the whole site", () => {
    const step = stepOf("update", "oslo", one, changed, undefined);
    const refused = problem({ operation: "update", code: "notReady", finding: "it lacks a tilt" });
    const ofProvider = new OutcomeCollector(
      false,
      () => {},
      () => ({ messages: [refused], sent: [] }),
    );
    const error = { diagnosticEvent: { urn: urnOf("oslo"), severity: "error", message: "it lacks a tilt" } };
    const { outcomes } = collected([error, failed(step)], ofProvider);
    expect(outcomes.get("acme/car")?.problem).to.deep.equal({ code: "notReady", finding: "it lacks a tilt" });
  });

  it("has failed for a device that a refresh could not read, though the refresh of its site is done", () => {
    const unread = problem({ operation: "read", device: "vehicle/car", finding: "HTTP 503" });
    const refresh = { resOutputsEvent: { metadata: stepOf("refresh", "oslo", one, one) } };
    const found = collected(
      [refresh],
      new OutcomeCollector(
        false,
        () => {},
        () => ({ messages: [unread], sent: [] }),
      ),
    );
    expect(brief(found)).to.deep.equal(["failed", "HTTP 503"]);
    const same = { resOutputsEvent: { metadata: stepOf("same", "oslo", one, one) } };
    const first = collected(
      [refresh, same],
      new OutcomeCollector(
        true,
        () => {},
        () => ({ messages: [unread], sent: [] }),
      ),
    );
    expect(first.isUnread).to.equal(false);
    expect(brief(first)).to.deep.equal(["failed", "HTTP 503"]);
  });

  it("is a failure of all declared devices of a site that is refused before its first step", () => {
    const collector = new OutcomeCollector();
    const refusal = { urn: urnOf("oslo"), severity: "error", message: "the site is not ready" };
    for (const urn of [urnOf("oslo"), urnOf("rome")]) {
      collector.take({ diagnosticEvent: { ...refusal, urn } } as EngineEvent);
    }
    collector.end([{ device: "acme/car", site: "oslo", label: "vehicle/car" }]);
    expect(brief(collector)).to.deep.equal(["failed", "the site is not ready"]);
    expect(collector.errors).to.deep.equal(["the site is not ready"]);
  });

  it("tells that the state could not be written", () => {
    const error = (message: string) =>
      collected([{ diagnosticEvent: { urn: urnOf("oslo"), severity: "error", message } }]);
    const message = "post-step event returned an error: failed to save snapshot: no space left on device";
    expect(error(message).isUnsaved).to.equal(true);
    expect(error("503").isUnsaved).to.equal(false);
  });

  it("keeps warnings once, with the device that they are about, but not what outcomes say", () => {
    const metadata = stepOf("create", "oslo", undefined, one);
    // A provider with the name of the site.
    const type = "pulumi:providers:solar-charging";
    const provider = { ...metadata, type, urn: `urn:pulumi:a::acme::${type}::oslo`, new: { inputs: {}, outputs: {} } };
    const warning = (message: string, urn?: string) => ({ diagnosticEvent: { urn, severity: "warning", message } });
    const reported = [
      notice("warning", "the tilt looks like radians", { device: "vehicle/car" }),
      notice("warning", "base loads are high"),
      notice("warning", "site 'oslo' is not ready", { code: "notReady" }),
      notice("warning", "SOLAR_CHARGING_LEDGERFILE has no effect", { urn: undefined }),
    ];
    const { warnings } = collected(
      [
        warning("something of the engine", urnOf("oslo")),
        { resourcePreEvent: { metadata } },
        { resourcePreEvent: { metadata: provider } },
        { resOutputsEvent: { metadata } },
      ],
      new OutcomeCollector(
        false,
        () => {},
        () => ({ messages: reported.splice(0), sent: [] }),
      ),
    );
    const shown = warnings.map(({ problem: { finding }, ...about }) => ({ ...about, said: finding }));
    expect(shown).to.deep.equal([
      { site: "oslo", device: "acme/car", said: "the tilt looks like radians" },
      { site: "oslo", said: "base loads are high" },
      { said: "SOLAR_CHARGING_LEDGERFILE has no effect" },
      { site: "oslo", said: "something of the engine" },
    ]);
  });

  it("keeps errors of the stack", () => {
    const { errors } = collected([{ diagnosticEvent: { severity: "error", message: "no such module" } }]);
    expect(errors).to.deep.equal(["no such module"]);
  });

  describe("in a run that reads first", () => {
    const reading = stepOf("refresh", "oslo", one, changed);
    const begun = { resourcePreEvent: { metadata: reading } };

    it("counts what is read for half done, and drift for no change by itself", () => {
      const steps: DeviceStep[] = [];
      const collector = new OutcomeCollector(true, (step) => steps.push(step));
      const same = stepOf("same", "oslo", changed, changed);
      const { outcomes } = collected(
        [begun, { resOutputsEvent: { metadata: reading } }, { resOutputsEvent: { metadata: same } }],
        collector,
      );
      expect([...outcomes.values()].map(({ result }) => result)).to.deep.equal(["unchanged"]);
      expect([...outcomes.values()].map(({ drifted }) => drifted)).to.deep.equal([
        { before: car, after: { maxCapacity: 1 } },
      ]);
      expect(steps.map(({ stage }) => stage)).to.deep.equal(["read", "done"]);
    });

    it("knows that the engine ended because a site could not be read, and counts its devices as failed unless they are set", () => {
      const unread = [begun, failed(reading, ["HTTP 403"])];
      const first = new OutcomeCollector(true);
      for (const event of unread) first.take(event as EngineEvent);
      expect(first.isUnread).to.equal(true);
      const repaired = stepOf("update", "oslo", changed, one);
      const second = collected([...unread, { resOutputsEvent: { metadata: repaired } }], sending(true));
      expect(second.isUnread).to.equal(false);
      expect(second.outcomes.get("acme/car")?.result).to.equal("changed");
      const same = stepOf("same", "oslo", one, one);
      const third = collected([...unread, { resOutputsEvent: { metadata: same } }], new OutcomeCollector(true));
      expect(brief(third)).to.deep.equal(["failed", "HTTP 403"]);
    });
  });

  describe("in two steps", () => {
    const outcome = (rest: Partial<Outcome>): Outcome => {
      return { device: "acme/car", site: "oslo", label: "vehicle/car", result: "unchanged", before: {}, ...rest };
    };
    const left = outcome({ result: "unmanaged", before: { maxCapacity: 1 }, onDelete: "restore" });
    const both = (a: Outcome, b: Outcome) => {
      expect(inTurn(a, b)).to.deep.equal(inTurn(b, a));
      return inTurn(a, b);
    };

    it("is what the site does that declares it, if it moves, from what the other one knew", () => {
      const joined = outcome({ site: "rome", result: "changed", after: { maxCapacity: 2 } });
      expect(both(left, joined)).to.deep.equal({ ...joined, before: { maxCapacity: 1 } });
    });

    it("is a failure if either site failed with it", () => {
      const no = problem({});
      const joined = outcome({ site: "rome", result: "adopted", after: {} });
      expect(both({ ...left, result: "failed", problem: no }, joined)).to.include({ result: "failed", problem: no });
      expect(both(left, { ...joined, result: "failed", problem: no })).to.include({ result: "failed", problem: no });
    });

    it("is the worse one, if two sites have it, as in the middle of a move", () => {
      const drifted = outcome({ site: "rome", result: "changed" });
      expect(both(outcome({}), drifted)).to.equal(drifted);
    });
  });
});
