import { expect } from "chai";
import { outcomeIn, type SiteInRun } from "../../../../cli/stacks/outcome";
import { compare } from "../../../../cli/view/compare";
import type { SiteView } from "../../../../cli/view/model";
import type { Done } from "../../../../provider/ledger/done";
import { siteOperations } from "../../../../provider/lifecycle/siteOperations";
import type { MessageCode } from "../../../../provider/messages/codes";
import type { Message } from "../../../../provider/messages/message";
import type { Properties } from "../../../../provider/settings/objects";
import { omit } from "../../../../provider/settings/objects";
import { COMPLETE, contextOf, fleet, runOf } from "../../../support/fakes";
import { valuesIn } from "../../../support/outcomes";
import { type Devices, inputsOf, outputsOf, urnOf } from "../../../support/siteDevices";

const FORECAST = "CHARGE BY FORECAST";
const roof = { peakPower: 9_000, tilt: 30 };
const car = { maxCapacity: 77_000, maxChargePower: 11_000 };
const SENT = { "acme/car": ["maxCapacity"] };
const site: Devices = { "inverter/roof": { values: roof }, "vehicle/car": { values: car } };

/** The outcome of an operation. @param rest among other things, the states of the site */
function found(operation: Done["operation"], rest: Partial<Done>): SiteInRun {
  return outcomeIn({ urn: urnOf("oslo"), operation, sent: {}, problems: {}, ...rest });
}

/** The plan that a provider reports. Without a report, the state before is that of the engine's event. */
async function planned(before: Devices | undefined, news: Properties): Promise<SiteInRun> {
  const run = runOf(COMPLETE, fleet());
  const lines: Done[] = [];
  const done = (make: () => Done) => void lines.push(JSON.parse(JSON.stringify(make())));
  const operations = siteOperations(() => ({ ...run, report: { ...run.report, done } }));
  const olds = before && omit<unknown>(outputsOf(before), ["__provider"]);
  await operations.diff(contextOf(urnOf("oslo")), olds, news);
  return lines[0] ? outcomeIn(lines[0]) : found("diff", { before: olds });
}

const planFor = (before: Devices | undefined, after: Devices) => planned(before, inputsOf(after));

/** @param kept the devices in state after the update */
function updateOf(
  before: Devices | undefined,
  after: Devices,
  { kept = after, ...rest }: { kept?: Devices | null } & Partial<Pick<Done, "sent" | "problem" | "problems">> = {},
): SiteInRun {
  const states = { before: before && outputsOf(before), after: kept ? outputsOf(kept) : undefined };
  return found("update", { ...states, planned: inputsOf(after), ...rest });
}

const refused = (finding: string, code: MessageCode = "requestRefused"): Message => ({ code, finding });

/** The result of each device, by its label. */
function results({ devices }: SiteInRun): Record<string, string> {
  return Object.fromEntries(devices.map(({ label, result }) => [label, result]));
}

const valuesBefore = ({ devices }: SiteInRun) => devices.map((one) => valuesIn(one.before));
const reasons = ({ devices }: SiteInRun) => devices.map(({ problem }) => problem?.finding);

describe("the outcome of an operation on a site", () => {
  it("distinguishes devices that changed from those that did not", () => {
    const after = { ...site, "vehicle/car": { values: { ...car, maxCapacity: 60_000 } } };
    const outcome = updateOf(site, after, { sent: SENT });
    expect(results(outcome)).to.deep.equal({ "inverter/roof": "unchanged", "vehicle/car": "changed" });
    const one = outcome.devices.find(({ label }) => label === "vehicle/car");
    expect(one).to.deep.include({ device: "acme/car", site: "oslo", sent: ["maxCapacity"] });
    expect([one?.before, one?.after].map(valuesIn)).to.deep.equal([car, { ...car, maxCapacity: 60_000 }]);
  });

  it("shows planned values as the result, and what an update will send, and no earlier values of a new device", async () => {
    const outcome = await planFor(undefined, site);
    expect(results(outcome)).to.deep.equal({ "inverter/roof": "changed", "vehicle/car": "changed" });
    expect(outcome.devices.map((one) => [one.before, valuesIn(one.after)])).to.deep.equal([
      [undefined, roof],
      [undefined, car],
    ]);
    expect(outcome.devices[0]?.sent).to.have.members(Object.keys(roof));
  });

  it("promises no policy and no readiness for a car that reports no capacity according to state", async () => {
    const whole = { ...roof, azimuth: 180, cutInThreshold: 150, baseLoad: 400 };
    const silent = { values: {}, reported: { policy: "CHARGE BY" } };
    const before: Devices = { "inverter/roof": { values: whole }, "vehicle/car": silent };
    const after: Devices = {
      "inverter/roof": { values: { ...whole, tilt: 31 } },
      "vehicle/car": { values: { policy: FORECAST }, policyFromSite: true },
    };
    const outcome = await planFor(before, after);
    expect(results(outcome)).to.deep.equal({ "inverter/roof": "changed", "vehicle/car": "unchanged" });
    expect([outcome.after?.ready, outcome.after?.gaps.length]).to.deep.equal([false, 2]);
    const reporting = await planFor({ ...before, "vehicle/car": { ...silent, reported: car } }, after);
    expect(results(reporting)).to.deep.equal({ "inverter/roof": "changed", "vehicle/car": "changed" });
    expect(reporting.after?.ready).to.equal(true);
  });

  it("distinguishes devices that were sent something from those that had all declared values, whatever their baselines", () => {
    const kept = {
      "inverter/roof": { values: roof, baseline: roof },
      "vehicle/car": { values: car, baseline: { ...car, maxCapacity: 1 } },
    };
    const outcome = updateOf(undefined, site, { kept, sent: SENT });
    expect(results(outcome)).to.deep.equal({ "inverter/roof": "changed", "vehicle/car": "changed" });
    expect(valuesBefore(outcome)).to.deep.equal([{}, { ...car, maxCapacity: 1 }]);
    const { devices } = compare(
      { ...outcome.after, devices: outcome.devices.flatMap(({ before = [] }) => before) } as SiteView,
      outcome.after,
    );
    expect(devices.map(({ label, kind }) => [label, kind])).to.deep.equal([
      ["inverter/roof", "new"],
      ["vehicle/car", "new"],
    ]);
    expect(devices[1]?.settings).to.deep.equal([{ setting: "maxCapacity", from: 1, to: 77_000 }]);
    // The baseline is from before a destroy that left the device unchanged.
    const again = updateOf(undefined, site, { kept });
    expect(results(again)).to.deep.equal({ "inverter/roof": "changed", "vehicle/car": "changed" });
    expect(valuesBefore(again)).to.deep.equal([{}, {}]);
  });

  it("counts a declared value that was not accepted before as one to send", async () => {
    const maxCapacity = { status: "uncertain", value: 77_000, sent: [77_000] } as const;
    const before = { "vehicle/car": { values: car, records: { maxCapacity } } };
    expect(results(await planFor(before, { "vehicle/car": { values: car } }))["vehicle/car"]).to.equal("changed");
  });

  it("shows drift that an update repairs as the value before it", async () => {
    const maxCapacity = { status: "drifted", value: 70_000, ours: 77_000 } as const;
    const drifted = { "vehicle/car": { values: car, records: { maxCapacity } } };
    const after = { "vehicle/car": { values: car } };
    for (const outcome of [await planFor(drifted, after), updateOf(drifted, after, { sent: SENT })]) {
      expect(results(outcome)["vehicle/car"]).to.equal("changed");
      expect(valuesBefore(outcome)).to.deep.equal([{ ...car, maxCapacity: 70_000 }]);
      expect(outcome.devices[0]?.drifted).to.deep.equal([{ setting: "maxCapacity", from: 77_000, to: 70_000 }]);
    }
    const kept = await planned(drifted, {
      ...inputsOf({ "vehicle/car": { values: { ...car, maxChargePower: 7_000 } } }),
      onDrift: "keep",
    });
    expect(kept.devices[0]).not.to.have.property("drifted");
  });

  it("shows no change if the program accepts drift, and the drifted value if a repair fails", async () => {
    const maxCapacity = { status: "drifted", value: 70_000, ours: 77_000 } as const;
    const drifted = { ...site, "vehicle/car": { values: car, records: { maxCapacity } } };
    const accepted = {
      "inverter/roof": { values: { ...roof, tilt: 31 } },
      "vehicle/car": { values: { ...car, maxCapacity: 70_000 } },
    };
    for (const outcome of [await planFor(drifted, accepted), updateOf(drifted, accepted)]) {
      expect(results(outcome)["vehicle/car"]).to.equal("unchanged");
      expect(outcome.devices.at(-1)).not.to.have.property("drifted");
    }
    // The state keeps the drift if the site has no other change, and its values are now the declared ones.
    const alone = await planFor(drifted, { ...site, "vehicle/car": accepted["vehicle/car"] });
    expect(alone.after?.devices.flatMap(({ drift }) => drift)).to.deep.equal([]);
    expect(alone.after?.devices.at(-1)?.declared.maxCapacity).to.equal(70_000);
    expect(compare(alone.before, alone.after).devices).to.deep.equal([]);
    const problems = { "acme/car": refused("HTTP 422: no") };
    const failed = updateOf(drifted, site, { kept: drifted, sent: SENT, problems }).devices.at(-1);
    expect([failed?.result, valuesIn(failed?.before).maxCapacity]).to.deep.equal(["failed", 70_000]);
  });

  it("names settings and devices that are no longer managed, and their onDelete", async () => {
    const before: Devices = { ...site, "vehicle/van": { values: car, onDelete: "restore" } };
    const after = { "inverter/roof": { values: { tilt: 30 } }, "vehicle/car": { values: car } };
    for (const outcome of [updateOf(before, after), await planFor(before, after)]) {
      expect(results(outcome)).to.deep.equal({
        "inverter/roof": "changed",
        "vehicle/car": "unchanged",
        "vehicle/van": "changed",
      });
      expect(outcome.devices.at(-1)).to.include({ onDelete: "restore" }).and.not.to.have.property("after");
    }
  });

  it("holds a device whose name has another one that fails, and gives the reason only of that one", () => {
    const before: Devices = { "vehicle/car": { values: car, onDelete: "restore" } };
    const after: Devices = { "vehicle/car": { deviceId: "car-x", values: car } };
    const problems = { "acme/car-x": refused("the service does not know it") };
    const { devices } = updateOf(before, after, { kept: before, problems });
    expect(devices.map(({ device, result, problem }) => [device, result, problem?.finding])).to.deep.equal([
      ["acme/car-x", "failed", "the service does not know it"],
      ["acme/car", "held", undefined],
    ]);
  });

  it("has the failed release of a device as its own, and not as that of the one that gets its name", () => {
    const before: Devices = { "vehicle/car": { values: car, onDelete: "restore" } };
    const after: Devices = { "vehicle/car": { deviceId: "car-x", values: car } };
    const kept: Devices = {
      ...after,
      "vehicle/car (former)": { ...before["vehicle/car"], deviceId: "car" } as Devices[string],
    };
    const { devices } = updateOf(before, after, { kept, problems: { "acme/car": refused("HTTP 503") } });
    expect(devices.map(({ device, result, problem }) => [device, result, problem?.finding])).to.deep.equal([
      ["acme/car-x", "changed", undefined],
      ["acme/car", "failed", "HTTP 503"],
    ]);
  });

  it("keeps a device that is renamed within its site", async () => {
    const { vehicles, ...inputs } = inputsOf(site) as { vehicles: Record<string, unknown> };
    const outcome = await planned(site, { ...inputs, vehicles: { van: vehicles.car } });
    expect(results(outcome)).to.deep.equal({ "inverter/roof": "unchanged", "vehicle/van": "unchanged" });
  });

  it("names the device that failed and the reason, and the one that waits for it", () => {
    const declared: Devices = {
      ...site,
      "vehicle/car": { values: { ...car, policy: FORECAST }, policyFromSite: true },
      "vehicle/van": { values: car },
    };
    const kept: Devices = {
      "vehicle/car": { values: car, policyFromSite: true },
      "vehicle/van": { values: car, baseline: car },
    };
    const problems = { "acme/roof": refused("HTTP 422: no") };
    const outcome = updateOf(undefined, declared, { kept, problems });
    expect(results(outcome)).to.deep.equal({
      "inverter/roof": "failed",
      "vehicle/car": "held",
      "vehicle/van": "changed",
    });
    expect(reasons(outcome)).to.deep.equal(["HTTP 422: no", undefined, undefined]);
  });

  it("shows no change of a device that failed", () => {
    const after = { ...site, "vehicle/car": { values: { ...car, maxCapacity: 60_000 } } };
    const problems = { "acme/car": refused("HTTP 503", "uncertain") };
    const { devices } = updateOf(site, after, { sent: SENT, problems });
    const one = devices.find(({ label }) => label === "vehicle/car");
    expect(one).to.deep.include({ result: "failed", sent: ["maxCapacity"] });
    expect([one?.before, one?.after].map(valuesIn)).to.deep.equal([car, car]);
  });

  it("fails all devices of a site if the failure is that of the site", () => {
    const problem = refused("no token");
    for (const outcome of [
      updateOf(undefined, site, { kept: null, problem }),
      updateOf(site, site, { problem }),
      found("diff", { before: outputsOf(site), after: outputsOf(site), problem }),
    ]) {
      expect(results(outcome)).to.deep.equal({ "inverter/roof": "failed", "vehicle/car": "failed" });
      expect(reasons(outcome)).to.deep.equal(["no token", "no token"]);
    }
  });

  it("holds a site whose change nobody has approved, with the reason, and the devices that wait for it", () => {
    const problem = refused("not in the set", "notReviewed");
    const whole = updateOf(site, site, { problem });
    const part = found("delete", {
      ...{ before: outputsOf(site), after: outputsOf(site) },
      problems: { "acme/car": problem },
    });
    for (const outcome of [whole, part]) {
      expect(results(outcome)).to.deep.equal({ "inverter/roof": "held", "vehicle/car": "held" });
      expect(reasons(outcome)).to.deep.equal(["not in the set", "not in the set"]);
    }
  });

  it("counts a device of such a site as unchanged if the refusal names others, and nothing of it changes", () => {
    const values = { 0: { setting: "maxCapacity", device: "vehicle/car", words: "70 kWh" } };
    const problem = { ...refused("not in the set", "notReviewed"), values };
    const after = { ...site, "vehicle/car": { values: { ...car, maxCapacity: 70_000 } } };
    const outcome = updateOf(site, after, { kept: site, problem });
    expect(results(outcome)).to.deep.equal({ "inverter/roof": "unchanged", "vehicle/car": "held" });
    // The drift of the car is not in state.
    expect(results(updateOf(site, site, { problem }))).to.deep.equal({
      "inverter/roof": "unchanged",
      "vehicle/car": "held",
    });
  });

  it("holds the devices of a site if its delete failed for another one", () => {
    const problems = { "acme/car": refused("HTTP 503") };
    const failed = found("delete", { before: outputsOf(site), after: outputsOf(site), problems });
    expect(results(failed)).to.deep.equal({ "inverter/roof": "held", "vehicle/car": "failed" });
    expect(failed.devices.map((one) => one.onDelete)).to.deep.equal(["retain", "retain"]);
    const outcome = found("delete", { before: outputsOf(site) });
    expect(results(outcome)).to.deep.equal({ "inverter/roof": "changed", "vehicle/car": "changed" });
  });

  it("holds a device that was not started, and gives no reason", () => {
    const problems = { "acme/car": refused("not begun", "notBegun") };
    const kept: Devices = { "inverter/roof": site["inverter/roof"] as Devices[string] };
    const outcome = updateOf(undefined, site, { kept, problems });
    expect(results(outcome)["vehicle/car"]).to.equal("held");
    expect(reasons(outcome)).to.deep.equal([undefined, undefined]);
  });

  it("shows the drift that a read finds, and devices that the service no longer knows", () => {
    const before: Devices = {
      ...site,
      "vehicle/van": { values: car },
      "vehicle/seen": { reported: car, observe: true },
    };
    const tilt = { status: "drifted", value: 10, ours: 30 } as const;
    const after: Devices = {
      "inverter/roof": { values: roof, records: { tilt } },
      "vehicle/car": { values: car },
      "vehicle/seen": { reported: { maxCapacity: 1 }, observe: true },
    };
    const outcome = found("read", { before: outputsOf(before), after: outputsOf(after) });
    expect(results(outcome)).to.deep.equal({
      "inverter/roof": "changed",
      "vehicle/car": "unchanged",
      "vehicle/seen": "unchanged",
      "vehicle/van": "changed",
    });
    const one = outcome.devices[0];
    expect([one?.before, one?.after].map(valuesIn)).to.deep.equal([roof, { ...roof, tilt: 10 }]);
    // Also if an earlier refresh has recorded it.
    const again = found("read", { before: outputsOf(after), after: outputsOf(after) }).devices[0];
    expect([again?.before, again?.after].map(valuesIn)).to.deep.equal([roof, { ...roof, tilt: 10 }]);
  });

  it("counts no change of a device that is only observed", () => {
    const before: Devices = { "vehicle/seen": { reported: car, observe: true } };
    const after: Devices = { "vehicle/seen": { reported: { maxCapacity: 1 }, observe: true } };
    expect(results(updateOf(before, after))).to.deep.equal({ "vehicle/seen": "unchanged" });
  });

  it("says that a device is no longer managed which is only observed from now on", async () => {
    const before: Devices = { "vehicle/car": { values: car } };
    const after: Devices = { "vehicle/car": { reported: car, observe: true } };
    for (const { devices } of [await planFor(before, after), updateOf(before, after)]) {
      expect(devices).to.have.lengthOf(1);
      expect(devices[0]?.result).to.equal("changed");
      expect([devices[0]?.before, devices[0]?.after].map(valuesIn)).to.deep.equal([car, {}]);
    }
  });

  it("has the readiness of the site before and after, and its gaps", () => {
    const ready = { ...site, "vehicle/car": { values: { ...car, policy: FORECAST } } };
    const outcome = updateOf(site, ready);
    expect([outcome.before?.ready, outcome.after?.ready]).to.deep.equal([false, false]);
    const azimuth = { device: "inverter/roof", setting: "azimuth", reason: "notDeclared" as const };
    expect(outcome.after?.gaps).to.deep.include(azimuth);
    expect(found("delete", { before: outputsOf(site) })).not.to.have.property("after");
  });

  it("has the gaps of a value that was not accepted, also of a new device, which has no state", () => {
    const gapOf = (device: string) => ({ device, setting: "maxCapacity", reason: "notAccepted" as const });
    const whole = { ...roof, azimuth: 180, cutInThreshold: 150, baseLoad: 400 };
    const ready: Devices = {
      "inverter/roof": { values: whole },
      "vehicle/car": { values: { ...car, policy: FORECAST } },
    };
    const viewOf = (gaps: readonly object[]) =>
      found("update", { before: outputsOf(ready), after: { ...outputsOf(ready), gaps }, planned: inputsOf(ready) })
        .after;
    expect(viewOf([])?.ready).to.equal(true);
    for (const gap of [gapOf("vehicle/car"), gapOf("vehicle/van")]) {
      expect(viewOf([gap])?.ready).to.equal(false);
      expect(viewOf([gap])?.gaps).to.deep.equal([gap]);
    }
  });

  it("is a failure of all devices if this version does not understand the state", () => {
    const devices = { "boat/one": { businessId: "own", deviceId: "a" }, "vehicle/car": { deviceId: "b" } };
    const failures = (problem?: Message) =>
      found("read", { before: { businessId: "acme", devices }, ...(problem && { problem }) }).devices.map((one) => [
        one.device,
        one.result,
        one.problem?.finding,
      ]);
    const own = failures();
    expect(own.map(([device, result]) => [device, result])).to.deep.equal([
      ["own/a", "failed"],
      ["acme/b", "failed"],
    ]);
    expect(own[0]?.[2]).to.contain("boat/one");
    expect(failures({ code: "internal", finding: "of the provider" })[1]?.[2]).to.equal("of the provider");
    expect(found("read", { before: { gaps: 1 } })).to.deep.equal({ site: "oslo", devices: [] });
  });
});
