import { expect } from "chai";
import type { DeviceOutcome } from "../../../../provider/ledger/outcome";
import { Store } from "../../../../provider/ledger/store";
import type { Properties } from "../../../../provider/lifecycle/device/state";
import {
  appliedSite,
  type Failure,
  type Outcomes,
  plannedSite,
  refreshedSite,
  removedSite,
} from "../../../../provider/lifecycle/site/outcome";
import { planOf } from "../../../../provider/lifecycle/site/plan";
import { fromSiteOutputs, type SiteState } from "../../../../provider/lifecycle/site/state";
import type { MessageCode } from "../../../../provider/messages/codes";
import type { Message } from "../../../../provider/messages/message";
import { declaredSite } from "../../../../provider/settings/planSite";
import { omit } from "../../../../provider/settings/setting";
import { type Devices, inputsOf, outputsOf } from "../../../support/siteDevices";

const FORECAST = "CHARGE BY FORECAST";
const roof = { peakPower: 9_000, tilt: 30 };
const car = { maxCapacity: 77_000, maxChargePower: 11_000 };
const SENT = new Map([["acme/car", ["maxCapacity"]]]);

/** @param devices the reason of each failure, by label */
function failureOf(
  devices: Readonly<Record<string, string>>,
  text?: string,
  code: MessageCode = "requestRefused",
): Failure {
  const problems = Object.entries(devices).map(([device, cause]): [string, Message] => [
    device,
    { device, finding: cause, code },
  ]);
  return { problems: new Map(problems), ...(text && { whole: { code: "requestRefused" as const, finding: text } }) };
}

function stateOf(devices: Devices) {
  return fromSiteOutputs(omit<unknown>(outputsOf(devices), ["__provider"]));
}

function planned(before: SiteState | undefined, news: Properties): Outcomes {
  const plan = planOf(before, declaredSite(news), { store: new Store() });
  return plannedSite("oslo", plan, { isSame: false });
}

function planFor(before: Devices | undefined, after: Devices): Outcomes {
  return planned(before && stateOf(before), inputsOf(after));
}

/** @param kept the devices in state after the update */
function updateOf(
  before: Devices | undefined,
  after: Devices,
  {
    kept = after,
    sent = new Map<string, string[]>(),
    failure,
  }: { kept?: Devices | null; sent?: Map<string, string[]>; failure?: Failure } = {},
): Outcomes {
  const end = { trace: { sent }, ...(failure && { failure }) };
  const state = before && stateOf(before);
  return appliedSite("oslo", { before: state, after: kept ? stateOf(kept) : undefined }, inputsOf(after), end);
}

/** The result of each device, by its label. */
function results(devices: readonly DeviceOutcome[]): Record<string, string> {
  return Object.fromEntries(devices.map(({ label, result }) => [label, result]));
}

describe("the outcome of an operation on a site", () => {
  const site: Devices = { "inverter/roof": { values: roof }, "vehicle/car": { values: car } };

  it("distinguishes devices that changed from those that did not", () => {
    const after = { ...site, "vehicle/car": { values: { ...car, maxCapacity: 60_000 } } };
    const { devices } = updateOf(site, after, { sent: SENT });
    expect(results(devices)).to.deep.equal({ "inverter/roof": "unchanged", "vehicle/car": "changed" });
    expect(devices.find(({ label }) => label === "vehicle/car")).to.deep.equal({
      device: "acme/car",
      label: "vehicle/car",
      result: "changed",
      before: car,
      after: { ...car, maxCapacity: 60_000 },
      sent: ["maxCapacity"],
    });
  });

  it("shows planned values as the result, and no earlier values of a new device", () => {
    const { devices } = planFor(undefined, site);
    expect(results(devices)).to.deep.equal({ "inverter/roof": "changed", "vehicle/car": "changed" });
    expect(devices.map(({ before }) => before)).to.deep.equal([{}, {}]);
  });

  it("promises no policy and no readiness for a car that reports no capacity according to state", () => {
    const whole = { ...roof, azimuth: 180, cutInThreshold: 150, baseLoad: 400 };
    const silent = { values: {}, reported: { policy: "CHARGE BY" } };
    const before: Devices = { "inverter/roof": { values: whole }, "vehicle/car": silent };
    const after: Devices = {
      "inverter/roof": { values: { ...whole, tilt: 31 } },
      "vehicle/car": { values: { policy: FORECAST }, policyFromSite: true },
    };
    const planned = (kept: Devices) => planFor(kept, after);
    const { site: own, devices } = planned(before);
    expect(results(devices)).to.deep.equal({ "inverter/roof": "changed", "vehicle/car": "unchanged" });
    expect(own.readyAfter).to.equal(false);
    expect(own.gaps).to.have.lengthOf(2);
    const reporting = planned({ ...before, "vehicle/car": { ...silent, reported: car } });
    expect(results(reporting.devices)).to.deep.equal({ "inverter/roof": "changed", "vehicle/car": "changed" });
    expect(reporting.site.readyAfter).to.equal(true);
  });

  it("distinguishes devices that were sent something from those that had all declared values, whatever their baselines", () => {
    const kept = {
      "inverter/roof": { values: roof, baseline: roof },
      "vehicle/car": { values: car, baseline: { ...car, maxCapacity: 1 } },
    };
    const { devices } = updateOf(undefined, site, { kept, sent: SENT });
    expect(results(devices)).to.deep.equal({ "inverter/roof": "adopted", "vehicle/car": "changed" });
    expect(devices.map(({ before }) => before)).to.deep.equal([roof, { ...car, maxCapacity: 1 }]);
    // The baseline is from before a destroy that left the device unchanged.
    const again = updateOf(undefined, site, { kept }).devices;
    expect(results(again)).to.deep.equal({ "inverter/roof": "adopted", "vehicle/car": "adopted" });
    expect(again.map(({ before }) => before)).to.deep.equal([roof, car]);
  });

  it("counts a declared value that was not accepted before as one to send", () => {
    const maxCapacity = { status: "uncertain", value: 77_000, sent: [77_000] } as const;
    const before = { "vehicle/car": { values: car, records: { maxCapacity } } };
    const after = { "vehicle/car": { values: car } };
    const { devices } = planFor(before, after);
    expect(results(devices)["vehicle/car"]).to.equal("changed");
  });

  it("names settings and devices that are no longer managed, and their onDelete", () => {
    const before: Devices = { ...site, "vehicle/van": { values: car, onDelete: "restore" } };
    const after = { "inverter/roof": { values: { tilt: 30 } }, "vehicle/car": { values: car } };
    for (const { devices } of [updateOf(before, after), planFor(before, after)]) {
      expect(results(devices)).to.deep.equal({
        "inverter/roof": "unmanaged",
        "vehicle/car": "unchanged",
        "vehicle/van": "unmanaged",
      });
      expect(devices.at(-1)).to.include({ onDelete: "restore" }).and.not.to.have.property("after");
    }
  });

  it("keeps a device that is renamed within its site", () => {
    const { vehicles, ...inputs } = inputsOf(site) as { vehicles: Record<string, unknown> };
    const { devices } = planned(stateOf(site), { ...inputs, vehicles: { van: vehicles.car } });
    expect(results(devices)).to.deep.equal({ "inverter/roof": "unchanged", "vehicle/van": "unchanged" });
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
    const failure = failureOf({ "inverter/roof": "HTTP 422: no" });
    const { devices } = updateOf(undefined, declared, { kept, failure });
    expect(results(devices)).to.deep.equal({
      "inverter/roof": "failed",
      "vehicle/car": "held",
      "vehicle/van": "adopted",
    });
    expect(devices.map(({ problem }) => problem?.finding)).to.deep.equal(["HTTP 422: no", undefined, undefined]);
  });

  it("fails all devices of a site if nothing was accepted, or its failure names no device", () => {
    const none = updateOf(undefined, site, { kept: null, failure: failureOf({}, "no token") });
    expect(none.devices.map(({ result, problem }) => [result, problem?.finding])).to.deep.equal([
      ["failed", "no token"],
      ["failed", "no token"],
    ]);
    const same = updateOf(site, site, { kept: null, failure: failureOf({}, "the ledger cannot be written") });
    expect(results(same.devices)).to.deep.equal({ "inverter/roof": "failed", "vehicle/car": "failed" });
  });

  it("holds the devices of a site if its delete failed for another one", () => {
    const failure = failureOf({ "vehicle/car": "HTTP 503" });
    const { devices } = removedSite("oslo", stateOf(site), undefined, failure);
    expect(results(devices)).to.deep.equal({ "inverter/roof": "held", "vehicle/car": "failed" });
    expect(results(removedSite("oslo", stateOf(site)).devices)).to.deep.equal({
      "inverter/roof": "unmanaged",
      "vehicle/car": "unmanaged",
    });
  });

  it("holds a device that was not started, and gives no reason", () => {
    const failure = failureOf({ "vehicle/car": "not begun" }, undefined, "notBegun");
    const kept: Devices = { "inverter/roof": site["inverter/roof"] as Devices[string] };
    const { devices } = updateOf(undefined, site, { kept, failure });
    expect(results(devices)["vehicle/car"]).to.equal("held");
    expect(devices.map(({ problem }) => problem?.finding)).to.deep.equal([undefined, undefined]);
  });

  it("shows the drift that a refresh finds, and devices that the service no longer knows", () => {
    const before: Devices = {
      ...site,
      "vehicle/van": { values: car },
      "vehicle/seen": { reported: car, observe: true },
    };
    const after: Devices = {
      "inverter/roof": { values: { ...roof, tilt: 10 } },
      "vehicle/car": { values: car },
      "vehicle/seen": { reported: { maxCapacity: 1 }, observe: true },
    };
    const { devices } = refreshedSite("oslo", stateOf(before), stateOf(after));
    expect(results(devices)).to.deep.equal({
      "inverter/roof": "changed",
      "vehicle/car": "unchanged",
      "vehicle/seen": "unchanged",
      "vehicle/van": "unmanaged",
    });
  });

  it("counts no change of a device that is only observed", () => {
    const before: Devices = { "vehicle/seen": { reported: car, observe: true } };
    const after: Devices = { "vehicle/seen": { reported: { maxCapacity: 1 }, observe: true } };
    expect(results(updateOf(before, after).devices)).to.deep.equal({
      "vehicle/seen": "unchanged",
    });
  });

  it("says that a device is no longer managed which is only observed from now on", () => {
    const before: Devices = { "vehicle/car": { values: car } };
    const after: Devices = { "vehicle/car": { reported: car, observe: true } };
    for (const { devices } of [planFor(before, after), updateOf(before, after)]) {
      expect(devices).to.have.lengthOf(1);
      expect(devices[0]).to.deep.include({ result: "unmanaged", before: car, after: {} });
    }
  });

  it("has the readiness of the site before and after, and its gaps", () => {
    const ready = { ...site, "vehicle/car": { values: { ...car, policy: FORECAST } } };
    const { site: updated } = updateOf(site, ready);
    expect(updated).to.include({ site: "oslo", readyBefore: false, readyAfter: false });
    const azimuth = { device: "inverter/roof", setting: "azimuth", reason: "notDeclared" as const };
    expect(updated.gaps).to.deep.include(azimuth);
    expect(removedSite("oslo", stateOf(site)).site).to.deep.equal({
      site: "oslo",
      readyBefore: false,
      gaps: [],
    });
  });
});
