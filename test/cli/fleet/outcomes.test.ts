import type { EngineEvent } from "@pulumi/pulumi/automation";
import { expect } from "chai";
import { type Outcome, OutcomeCollector } from "../../../cli/fleet/outcomes";
import type { Operation } from "../../../cli/fleet/stack";
import { exitCode, type Summary, summaryOf, textOf } from "../../../cli/fleet/summary";

const TYPE = "pulumi-nodejs:dynamic/solar-charging:VehicleSettings";
const urn = (name: string) => `urn:pulumi:shard-1-of-2::acme::${TYPE}::${name}`;

function step(op: string, name: string, before?: object, after?: object, type = TYPE) {
  const state = (inputs?: object) =>
    inputs && { inputs: { businessId: "acme", deviceId: name, __provider: op, ...inputs } };
  return { metadata: { op, urn: urn(name), type, old: state(before), new: state(after) } };
}

function collected(...events: object[]): OutcomeCollector {
  const collector = new OutcomeCollector();
  for (const event of events) collector.take(event as EngineEvent);
  return collector;
}

describe("cli fleet: what becomes of devices", () => {
  it("counts an update when it is done, and shows what it changed", () => {
    const event = step("update", "car", { maxCapacity: 1, tilt: 2 }, { maxCapacity: 3, tilt: 2 });
    expect(collected({ resourcePreEvent: event }).outcomes.size).to.equal(0);
    const { outcomes } = collected({ resourcePreEvent: event }, { resOutputsEvent: event });
    expect([...outcomes.values()]).to.deep.equal([
      { device: "acme/car", result: "changed", changes: [{ key: "maxCapacity", from: 1, to: 3 }] },
    ]);
  });

  it("tells what is let go of, and how, from what another resource takes over", () => {
    const gone = step("delete", "car", { tilt: 2, onDelete: "restore" });
    expect(collected({ resOutputsEvent: gone }).outcomes.get("acme/car")).to.deep.equal({
      device: "acme/car",
      result: "changed",
      changes: [{ key: "tilt", from: 2, to: undefined }],
      letGo: "restore",
    });
    const renamed = step("create", "car", undefined, { tilt: 2 });
    for (const events of [
      [renamed, gone],
      [gone, renamed],
    ]) {
      const { outcomes } = collected(...events.map((event) => ({ resOutputsEvent: event })));
      expect(outcomes.get("acme/car")).to.deep.equal({ device: "acme/car", result: "changed", changes: [] });
    }
  });

  it("counts a refresh that finds nothing as unchanged", () => {
    const { outcomes } = collected({ resOutputsEvent: step("refresh", "car", { tilt: 2 }, { tilt: 2 }) });
    expect(outcomes.get("acme/car")?.result).to.equal("unchanged");
  });

  it("takes the worst of a device's resources", () => {
    const { outcomes } = collected(
      { resOutputsEvent: step("update", "car", { tilt: 1 }, { tilt: 2 }) },
      { resourcePreEvent: step("same", "car", { policy: "a" }, { policy: "a" }) },
    );
    expect(outcomes.get("acme/car")?.result).to.equal("changed");
  });

  it("tells why a device failed, and leaves components out", () => {
    const { outcomes, errors } = collected(
      { resourcePreEvent: step("create", "car", undefined, { tilt: 1 }) },
      { diagnosticEvent: { urn: urn("car"), severity: "error", message: "<{%reset%}>no such car<{%reset%}>\n" } },
      { resOpFailedEvent: step("create", "car", undefined, { tilt: 1 }) },
      { resOutputsEvent: step("create", "site", undefined, {}, "solar-charging:index:SolarReadiness") },
    );
    expect([...outcomes.values()]).to.deep.equal([
      { device: "acme/car", result: "failed", reason: "no such car", changes: [] },
    ]);
    expect(errors).to.deep.equal([]);
  });

  it("tells that the state could not be written", () => {
    const message = "post-step event returned an error: failed to save snapshot: no space left on device";
    expect(collected({ diagnosticEvent: { urn: urn("car"), severity: "error", message } }).isUnsaved).to.equal(true);
    expect(collected({ diagnosticEvent: { urn: urn("car"), severity: "error", message: "503" } }).isUnsaved).to.equal(
      false,
    );
  });

  it("keeps warnings, also those that come before the first step of their resource", () => {
    const warning = { severity: "warning", message: "device 'car': the tilt looks like radians" };
    const { warnings } = collected(
      { diagnosticEvent: { urn: urn("car"), ...warning } },
      { resourcePreEvent: step("create", "car", undefined, { tilt: 1 }) },
      { diagnosticEvent: { severity: "warning", message: "SOLAR_CHARGING_LEDGERFILE has no effect" } },
    );
    expect(warnings).to.deep.equal([
      { device: "acme/car", reason: "device 'car': the tilt looks like radians" },
      { reason: "SOLAR_CHARGING_LEDGERFILE has no effect" },
    ]);
  });

  it("keeps errors of the stack, and sites that are not ready", () => {
    const notReady = "site 'home' is not ready for solar-aware charging: vehicle/car: maxCapacity not declared";
    const { errors, notReady: sites } = collected(
      { diagnosticEvent: { severity: "error", message: "no such module" } },
      { diagnosticEvent: { severity: "warning", message: notReady } },
      { diagnosticEvent: { severity: "error", message: notReady } },
    );
    expect([...errors]).to.deep.equal(["no such module"]);
    expect([...sites]).to.deep.equal([notReady]);
  });
});

describe("cli fleet: the summary", () => {
  const about = {
    fleet: "acme",
    operation: "up" as Operation,
    calls: { get: 3, patch: 2, latest: 0 },
    interrupted: false,
  };
  const failed = (device: string, reason: string) => ({ device, reason, result: "failed" as const, changes: [] });
  const result = (...outcomes: { device: string }[]) => ({
    stack: "shard-1-of-2",
    outcomes: new Map(outcomes.map((one) => [one.device, one])) as never,
    notReady: [],
    warnings: [],
  });

  it("makes one line of a thousand failures that are the same", () => {
    const all = Array.from({ length: 1_000 }, (_, n) => failed(`acme/car-${n}`, `device car-${n}: 503`));
    const text = textOf(summaryOf(about, [result(...all)]));
    expect(text.split("\n")).to.deep.equal([
      "failed: 1000 × device <device>: 503 (acme/car-0, acme/car-1, acme/car-2, acme/car-3, acme/car-4, …)",
      "acme: 0 devices changed, 0 unchanged, 1000 failed",
      "calls: 3 GET, 2 PATCH, 0 latest reads",
    ]);
  });

  it("leaves out the ids of devices alone, not what is a part of a word", () => {
    const { failures } = summaryOf(about, [result(failed("acme/e", "device 'e' cannot be read, service acme/e"))]);
    expect(failures.map(({ reason }) => reason)).to.deep.equal(["device '<device>' cannot be read, service <device>"]);
  });

  it("tells a warning once, however many devices it is about, and however often it was given", () => {
    const warnings = Array.from({ length: 9 }, (_, n) => {
      return { device: `acme/car-${n % 8}`, reason: `device 'car-${n % 8}': the tilt looks like radians` };
    });
    const misspelled = { reason: "SOLAR_CHARGING_LEDGERFILE has no effect" };
    const text = textOf(summaryOf(about, [{ ...result(), warnings: [...warnings, misspelled, misspelled] }]));
    expect(text.split("\n").slice(0, 2)).to.deep.equal([
      "warning: 8 × device '<device>': the tilt looks like radians (acme/car-0, acme/car-1, acme/car-2, acme/car-3, acme/car-4, …)",
      "warning: SOLAR_CHARGING_LEDGERFILE has no effect",
    ]);
  });

  it("is no longer for ten thousand reasons than for fifty", () => {
    const all = Array.from({ length: 10_000 }, (_, n) => failed(`acme/car-${n}`, `reason ${n}x`));
    const lines = textOf(summaryOf(about, [result(...all)])).split("\n");
    expect(lines).to.have.length(53);
    expect(lines[50]).to.equal("and 9950 more failures, see --json");
  });

  it("tells once what is wrong with all stacks", () => {
    const error = "passphrase must be set";
    const held = ["shard-1-of-3", "shard-2-of-3"].map((stack) => ({ ...result(), stack, error }));
    const lines = textOf(summaryOf(about, [...held, { ...result(), stack: "shard-3-of-3", error: "held" }])).split(
      "\n",
    );
    expect(lines.slice(0, 2)).to.deep.equal([
      "failed: stacks shard-1-of-3, shard-2-of-3: passphrase must be set",
      "failed: stack shard-3-of-3: held",
    ]);
  });

  it("says of a device that it is let go of, or that it is not there any more", () => {
    const gone = { device: "acme/car", result: "changed" as const, changes: [], letGo: "retain" };
    const first = (operation: Operation) => textOf(summaryOf({ ...about, operation }, [result(gone)])).split("\n")[0];
    expect(first("preview")).to.equal("acme/car: let go of (onDelete: retain)");
    expect(first("drift")).to.equal("acme/car: there is no such device any more");
  });

  it("tells a change from what is declared for the first time, or no longer", () => {
    const changes = [
      { key: "maxCapacity", from: undefined, to: 77_000 },
      { key: "policy", from: "CHARGE BY", to: "CHARGE BY FORECAST" },
      { key: "tilt", from: 30, to: undefined },
    ];
    const preview = summaryOf({ ...about, operation: "preview" }, [
      result({ device: "acme/car", result: "changed", changes } as { device: string }),
    ]);
    expect(textOf(preview).split("\n")[0]).to.equal(
      "acme/car: maxCapacity 77000 (new: sent where the device has another value), " +
        "policy CHARGE BY → CHARGE BY FORECAST, tilt 30 (no longer declared)",
    );
  });

  it("says of a device that only what is no setting changes", () => {
    const onDelete = { device: "acme/car", result: "changed" as const, changes: [] };
    const preview = summaryOf({ ...about, operation: "preview" }, [result(onDelete)]);
    expect(textOf(preview).split("\n")[0]).to.equal("acme/car: no setting");
  });

  it("makes one line of a state that cannot be written, whatever the engine calls its file", () => {
    const unsaved = (step: string, tmp: string) =>
      `${step}-step event returned an error: failed to save snapshot: write a.json.${tmp}.tmp: full`;
    const reasons = [unsaved("pre", "18ea1d9d3e33b58f"), unsaved("post", "18ea1dac3af106d7")];
    const { failures } = summaryOf(about, [result(...reasons.map((reason, n) => failed(`acme/car-${n}`, reason)))]);
    expect(failures.map(({ reason }) => reason)).to.deep.equal(["failed to save snapshot: write a.json: full"]);
  });

  it("counts the canary's devices once, as changed", () => {
    const one = { device: "acme/car", changes: [] };
    const summary = summaryOf(about, [
      result({ ...one, result: "changed" } as never),
      result({ ...one, result: "unchanged" } as never),
    ]);
    expect(summary).to.include({ changed: 1, unchanged: 0 });
  });

  it("tells of a device that has moved to another stack what changes of it", () => {
    const left = {
      device: "acme/car",
      result: "changed" as const,
      changes: [
        { key: "maxCapacity", from: 1, to: undefined },
        { key: "policy", from: "CHARGE BY", to: undefined },
      ],
      letGo: "restore",
    };
    const taken = {
      device: "acme/car",
      result: "changed" as const,
      changes: [
        { key: "policy", from: undefined, to: "CHARGE BY" },
        { key: "maxCapacity", from: undefined, to: 2 },
      ],
    };
    const ofStacks = [result(left), { ...result(taken), stack: "shard-2-of-2" }];
    for (const results of [ofStacks, ofStacks.toReversed()]) {
      expect(summaryOf(about, results).devices).to.deep.equal([
        { device: "acme/car", result: "changed", changes: [{ key: "maxCapacity", from: 1, to: 2 }], isMoved: true },
      ]);
    }
  });

  it("says of a device that another stack declares that it has moved, where only the one that it left was run", () => {
    const left = {
      device: "acme/car",
      result: "changed" as const,
      changes: [{ key: "maxCapacity", from: 1, to: undefined }],
      letGo: "restore",
    };
    const preview = { ...about, operation: "preview" as const };
    const elsewhere = summaryOf(preview, [result(left)], { expected: [], declared: ["acme/car"] });
    expect(textOf(elsewhere).split("\n")[0]).to.equal("acme/car: is in another stack now");
    const gone = summaryOf(preview, [result(left)], { expected: [], declared: ["acme/van"] });
    expect(textOf(gone).split("\n")[0]).to.equal("acme/car: let go of (onDelete: restore)");
  });

  it("says of no device that it has moved which two stacks have, or let go of, as in the middle of a move", () => {
    const same = { device: "acme/car", result: "unchanged" as const, changes: [] };
    const drifted = { ...same, result: "changed" as const };
    const gone = { ...drifted, letGo: "restore" };
    const ofBoth = (one: Outcome, other: Outcome) =>
      summaryOf(about, [result(one), { ...result(other), stack: "shard-2-of-2" }]);
    expect(ofBoth(same, same)).to.include({ changed: 0, unchanged: 1 });
    expect(ofBoth(same, drifted).devices).to.deep.equal([drifted]);
    expect(ofBoth(drifted, same).devices).to.deep.equal([drifted]);
    expect(ofBoth(gone, gone).devices).to.deep.equal([gone]);
  });

  it("counts a device as not done that one stack has let go of, where the one that it moved to was not run", () => {
    const left = { device: "acme/car", result: "changed" as const, changes: [], letGo: "restore" };
    const devices = { expected: ["acme/car"], declared: ["acme/car"] };
    const summary = summaryOf(about, [result(left)], devices);
    expect(summary).to.include({ changed: 0, notDone: 1 });
    expect(summary.devices).to.deep.equal([{ device: "acme/car", result: "notDone", changes: [] }]);
  });

  it("counts a device that has moved to another stack as failed where one of them failed, and as changed where it was set before", () => {
    const left = { device: "acme/car", result: "changed" as const, changes: [], letGo: "restore" };
    const elsewhere = (outcome: Outcome) => ({ ...result(outcome), stack: "shard-2-of-2" });
    const unset = summaryOf(about, [elsewhere(failed("acme/car", "no")), result(left)]);
    expect(unset).to.include({ changed: 0, failed: 1 });
    const known = elsewhere({ device: "acme/car", result: "unchanged", changes: [] });
    expect(summaryOf(about, [result(left), known])).to.include({ changed: 1, unchanged: 0 });
  });

  it("tells the devices that were to be done and are not", () => {
    const one = { device: "acme/car", result: "changed", changes: [] };
    const stacks = [result(one), { ...result(), stack: "shard-2-of-2", error: "held" }];
    const devices = ["acme/car", "acme/van"];
    const summary = summaryOf(about, stacks, { expected: devices, declared: devices });
    expect(summary).to.include({ changed: 1, failed: 0, notDone: 1 });
    expect(summary.devices).to.deep.equal([one, { device: "acme/van", result: "notDone", changes: [] }]);
    expect(textOf(summary).split("\n").slice(0, 2)).to.deep.equal([
      "failed: stack shard-2-of-2: held",
      "acme: 1 devices changed, 0 unchanged, 0 failed, 1 not done",
    ]);
  });

  const nothing = summaryOf(about, []);
  const codes: [string, Partial<Summary>, number][] = [
    ["nothing to do", {}, 0],
    ["an update", { changed: 1 }, 0],
    ["a preview with changes", { operation: "preview", changed: 1 }, 2],
    ["a preview without", { operation: "preview" }, 0],
    ["drift", { operation: "drift", changed: 1 }, 2],
    ["a failure", { failed: 1, changed: 1 }, 1],
    ["a stack that did not run", { stackErrors: [{ stack: "a", error: "b" }] }, 1],
    ["a stack that did not run in a wave", { stackErrors: [{ stack: "a", error: "b" }], stopped: "why" }, 1],
    ["a record that could not be written", { changed: 1, broken: "why" }, 1],
    ["a stop between waves", { failed: 1, stopped: "why" }, 3],
    ["an interruption", { failed: 1, interrupted: true }, 130],
  ];
  for (const [what, given, code] of codes) {
    it(`ends ${what} with ${code}`, () => expect(exitCode({ ...nothing, ...given })).to.equal(code));
  }
});
