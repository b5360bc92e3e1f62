import { expect } from "chai";
import type { Outcome } from "../../../cli/stacks/outcome";
import { type Failure, siteStepOf } from "../../../cli/stacks/siteStep";
import type { MessageCode } from "../../../provider/messages/codes";
import type { Message } from "../../../provider/messages/message";
import { type Devices, stepOf } from "./sites";

const FORECAST = "CHARGE BY FORECAST";
const roof = { peakPower: 9_000, tilt: 30 };
const car = { maxCapacity: 77_000, maxChargePower: 11_000 };
const SENT = new Set(["acme/car"]);

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
  return { devices: new Map(problems), ...(text && { problem: { code: "engine" as const, finding: text } }) };
}

/** The result of each device, by its label. */
function results(devices: readonly Outcome[]): Record<string, string> {
  return Object.fromEntries(devices.map(({ label, result }) => [label, result]));
}

describe("cli fleet: what a step of a site means for its devices", () => {
  const site: Devices = { "inverter/roof": { values: roof }, "vehicle/car": { values: car } };

  it("tells the devices that changed from those that did not", () => {
    const after = { ...site, "vehicle/car": { values: { ...car, maxCapacity: 60_000 } } };
    const { devices } = siteStepOf(stepOf("update", "oslo", site, after), true, undefined, SENT);
    expect(results(devices)).to.deep.equal({ "inverter/roof": "unchanged", "vehicle/car": "changed" });
    expect(devices.find(({ label }) => label === "vehicle/car")).to.deep.equal({
      device: "acme/car",
      site: "oslo",
      label: "vehicle/car",
      result: "changed",
      before: car,
      after: { ...car, maxCapacity: 60_000 },
    });
  });

  it("takes what is planned for what will be, and knows nothing of what a new device has", () => {
    const { devices } = siteStepOf(stepOf("create", "oslo", undefined, site, undefined), false);
    expect(results(devices)).to.deep.equal({ "inverter/roof": "changed", "vehicle/car": "changed" });
    expect(devices.map(({ before }) => before)).to.deep.equal([{}, {}]);
  });

  it("promises no policy and no readiness of a car that state knows to report no capacity", () => {
    const whole = { ...roof, azimuth: 180, cutInThreshold: 150, baseLoad: 400 };
    const silent = { values: {}, reported: { policy: "CHARGE BY" } };
    const before: Devices = { "inverter/roof": { values: whole }, "vehicle/car": silent };
    const after: Devices = {
      "inverter/roof": { values: { ...whole, tilt: 31 } },
      "vehicle/car": { values: { policy: FORECAST }, policyFromSite: true },
    };
    const planned = (kept: Devices) => siteStepOf(stepOf("update", "oslo", kept, after), false);
    const { site: own, devices } = planned(before);
    expect(results(devices)).to.deep.equal({ "inverter/roof": "changed", "vehicle/car": "unchanged" });
    expect(own.readyAfter).to.equal(false);
    expect(own.gaps).to.have.lengthOf(2);
    const reporting = planned({ ...before, "vehicle/car": { ...silent, reported: car } });
    expect(results(reporting.devices)).to.deep.equal({ "inverter/roof": "changed", "vehicle/car": "changed" });
    expect(reporting.site.readyAfter).to.equal(true);
  });

  it("tells devices to which something was sent from those that had all declared values, whatever their baselines", () => {
    const kept = {
      "inverter/roof": { values: roof, baseline: roof },
      "vehicle/car": { values: car, baseline: { ...car, maxCapacity: 1 } },
    };
    const step = stepOf("create", "oslo", undefined, site, kept);
    const { devices } = siteStepOf(step, true, undefined, SENT);
    expect(results(devices)).to.deep.equal({ "inverter/roof": "adopted", "vehicle/car": "changed" });
    expect(devices.map(({ before }) => before)).to.deep.equal([roof, { ...car, maxCapacity: 1 }]);
    // The baseline is from before a destroy that left the device unchanged.
    const again = siteStepOf(step, true).devices;
    expect(results(again)).to.deep.equal({ "inverter/roof": "adopted", "vehicle/car": "adopted" });
    expect(again.map(({ before }) => before)).to.deep.equal([roof, car]);
  });

  it("takes a value that was not accepted before for one that is sent, though it was declared", () => {
    const maxCapacity = { status: "uncertain", value: 77_000, sent: [77_000] } as const;
    const before = { "vehicle/car": { values: car, records: { maxCapacity } } };
    const after = { "vehicle/car": { values: car } };
    const { devices } = siteStepOf(stepOf("update", "oslo", before, after), false);
    expect(results(devices)["vehicle/car"]).to.equal("changed");
  });

  it("tells settings and devices that are no longer managed, and what becomes of these", () => {
    const before: Devices = { ...site, "vehicle/van": { values: car, onDelete: "restore" } };
    const after = { "inverter/roof": { values: { tilt: 30 } }, "vehicle/car": { values: car } };
    for (const isDone of [true, false]) {
      const { devices } = siteStepOf(stepOf("update", "oslo", before, after), isDone);
      expect(results(devices)).to.deep.equal({
        "inverter/roof": "unmanaged",
        "vehicle/car": "unchanged",
        "vehicle/van": "unmanaged",
      });
      expect(devices.at(-1)).to.include({ onDelete: "restore" }).and.not.to.have.property("after");
    }
  });

  it("keeps a device that is renamed within its site", () => {
    const renamed = stepOf("update", "oslo", site, site);
    const inputs = renamed.new?.inputs as { vehicles: Record<string, unknown> };
    inputs.vehicles = { van: inputs.vehicles.car };
    const { devices } = siteStepOf(renamed, false);
    expect(results(devices)).to.deep.equal({ "inverter/roof": "unchanged", "vehicle/van": "unchanged" });
  });

  it("says which device failed and why, and which is only held by that", () => {
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
    const { devices } = siteStepOf(stepOf("create", "oslo", undefined, declared, kept), true, failure);
    expect(results(devices)).to.deep.equal({
      "inverter/roof": "failed",
      "vehicle/car": "held",
      "vehicle/van": "adopted",
    });
    expect(devices.map(({ problem }) => problem?.finding)).to.deep.equal(["HTTP 422: no", undefined, undefined]);
  });

  it("takes all devices of a site for failed of which nothing was accepted, or whose failure names none", () => {
    const none = siteStepOf(stepOf("create", "oslo", undefined, site, undefined), true, failureOf({}, "no token"));
    expect(none.devices.map(({ result, problem }) => [result, problem?.finding])).to.deep.equal([
      ["failed", "no token"],
      ["failed", "no token"],
    ]);
    const same = siteStepOf(stepOf("update", "oslo", site, site), true, failureOf({}, "the ledger cannot be written"));
    expect(results(same.devices)).to.deep.equal({ "inverter/roof": "failed", "vehicle/car": "failed" });
  });

  it("holds the devices of a site whose delete failed for another one", () => {
    const failure = failureOf({ "vehicle/car": "HTTP 503" });
    const { devices } = siteStepOf(stepOf("delete", "oslo", site), true, failure);
    expect(results(devices)).to.deep.equal({ "inverter/roof": "held", "vehicle/car": "failed" });
    expect(results(siteStepOf(stepOf("delete", "oslo", site), true).devices)).to.deep.equal({
      "inverter/roof": "unmanaged",
      "vehicle/car": "unmanaged",
    });
  });

  it("holds a device that was not begun, and gives no reason", () => {
    const failure = failureOf({ "vehicle/car": "not begun" }, undefined, "notBegun");
    const kept: Devices = { "inverter/roof": site["inverter/roof"] as Devices[string] };
    const { devices } = siteStepOf(stepOf("create", "oslo", undefined, site, kept), true, failure);
    expect(results(devices)["vehicle/car"]).to.equal("held");
    expect(devices.map(({ problem }) => problem?.finding)).to.deep.equal([undefined, undefined]);
  });

  it("shows what a refresh finds: drift, and devices that the service no longer knows", () => {
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
    const { devices } = siteStepOf(stepOf("refresh", "oslo", before, after), true);
    expect(results(devices)).to.deep.equal({
      "inverter/roof": "changed",
      "vehicle/car": "unchanged",
      "vehicle/seen": "unchanged",
      "vehicle/van": "unmanaged",
    });
  });

  it("leaves out of the changes what is only observed", () => {
    const before: Devices = { "vehicle/seen": { reported: car, observe: true } };
    const after: Devices = { "vehicle/seen": { reported: { maxCapacity: 1 }, observe: true } };
    expect(results(siteStepOf(stepOf("update", "oslo", before, after), true).devices)).to.deep.equal({
      "vehicle/seen": "unchanged",
    });
  });

  it("tells whether the site was ready, and is", () => {
    const ready = { ...site, "vehicle/car": { values: { ...car, policy: FORECAST } } };
    const before = stepOf("update", "oslo", site, ready);
    expect(siteStepOf(before, true).site).to.include({ site: "oslo", readyBefore: false, readyAfter: false });
    const azimuth = { device: "inverter/roof", setting: "azimuth", reason: "notDeclared" as const };
    expect(siteStepOf(before, true).site.gaps).to.deep.include(azimuth);
    expect(siteStepOf(stepOf("delete", "oslo", site), true).site).to.deep.equal({
      site: "oslo",
      readyBefore: false,
      gaps: [],
    });
  });
});
