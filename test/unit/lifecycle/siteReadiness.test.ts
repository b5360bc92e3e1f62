import { expect } from "chai";
import type { KeptDevice, SiteState } from "../../../provider/lifecycle/siteModel";
import { gapsInState, unverifiedIn } from "../../../provider/lifecycle/siteReadiness";
import type { State } from "../../../provider/lifecycle/state";
import type { Gap } from "../../../provider/settings/readiness";
import { CAR_VALUES, FORECAST, ROOF_VALUES, refOf } from "../../support/sites";

type Group = "vehicles" | "inverters";

/** A device whose values were all accepted, unless it is changed. */
function kept(group: Group, name: string, changes: Partial<State> = {}, policyFromSite = false): KeptDevice {
  const values = group === "inverters" ? ROOF_VALUES : { ...CAR_VALUES, policy: FORECAST };
  const verification = Object.fromEntries(Object.keys(values).map((key) => [key, "verified" as const]));
  const state = { ...refOf(name), values, reported: values, baseline: {}, written: {}, attempted: {}, verification };
  return { role: { group, name, observe: false, policyFromSite }, state: { ...state, ...changes } };
}

function siteOf(devices: readonly KeptDevice[], openGaps: readonly Gap[] = []): SiteState {
  return { site: "home", solar: true, devices, openGaps };
}

const notAccepted = (device: string, setting: string): Gap => ({ device, setting, reason: "notAccepted" });
const ROOF = kept("inverters", "p");
const CAR = kept("vehicles", "a", {}, true);

/** The state of a device of which one setting was never accepted. */
function without(key: string, { state }: KeptDevice): Partial<State> {
  const { [key]: _, ...verification } = state.verification;
  return { verification };
}

describe("what keeps a site from being ready, by its state", () => {
  it("is nothing if all was accepted", () => {
    expect(gapsInState(siteOf([ROOF, CAR]))).to.deep.equal([]);
  });

  it("is each setting that failed, once", () => {
    const roof = kept("inverters", "p", without("tilt", ROOF));
    const open = [notAccepted("inverter/p", "tilt")];
    expect(gapsInState(siteOf([roof, CAR], open))).to.deep.equal(open);
  });

  it("is what failed of one device beside what is missing of another, also of the same setting", () => {
    const values = { ...ROOF_VALUES };
    const { tilt: _, ...rest } = values;
    const other = kept("inverters", "q", { values: rest, reported: values });
    const open = [notAccepted("inverter/p", "tilt")];
    const found = gapsInState(siteOf([kept("inverters", "p", without("tilt", ROOF)), other, CAR], open));
    expect(found).to.have.deep.members([...open, { device: "inverter/q", setting: "tilt", reason: "notDeclared" }]);
  });

  it("has a device of which nothing is kept, as one of the site", () => {
    const open = Object.keys(ROOF_VALUES).map((key) => notAccepted("inverter/p", key));
    expect(gapsInState(siteOf([CAR], open))).to.deep.equal(open);
    const ofCar = Object.keys(CAR_VALUES).map((key) => notAccepted("vehicle/a", key));
    expect(gapsInState(siteOf([ROOF], ofCar))).to.deep.equal(ofCar);
  });

  it("is no policy that waits for something else that is missing, and is the policy if nothing else is", () => {
    const { policy: _, ...values } = CAR.state.values;
    const waiting = kept("vehicles", "a", { values });
    const open = [notAccepted("inverter/p", "tilt")];
    const roof = kept("inverters", "p", without("tilt", ROOF));
    expect(gapsInState(siteOf([roof, waiting], open))).to.deep.equal(open);
    expect(gapsInState(siteOf([ROOF, waiting])).map(({ device, setting }) => [device, setting])).to.deep.equal([
      ["vehicle/a", "policy"],
    ]);
  });

  it("is a policy of the site that was not accepted, if nothing else is missing", () => {
    const car = kept("vehicles", "a", without("policy", CAR), true);
    expect(gapsInState(siteOf([ROOF, car]))).to.deep.equal([notAccepted("vehicle/a", "policy")]);
  });
});

describe("what was accepted and is not seen", () => {
  it("is each such setting by its device, with what is shown in its place, and is nothing if all is verified", () => {
    const verification = { ...CAR.state.verification, maxCapacity: "notReported", maxChargePower: "adjusted" } as const;
    const car = kept("vehicles", "a", { verification, reported: { ...CAR.state.reported, maxChargePower: 10_900 } });
    const roof = kept("inverters", "p", {
      verification: { ...ROOF.state.verification, tilt: "pending" },
      reported: { ...ROOF_VALUES, tilt: 3 },
    });
    const [first = "", second = "", third = "", ...others] = unverifiedIn(siteOf([car, roof]));
    expect(others).to.deep.equal([]);
    expect(first)
      .to.match(/^vehicle\/a: maxCapacity /)
      .and.not.contain("77000");
    expect(second).to.match(/^vehicle\/a: maxChargePower .*10900/);
    expect(third).to.match(/^inverter\/p: tilt .*\b3\b/);
    expect(
      new Set([first, second, third].map((text) => text.replace(/.*?: \w+ /, "").replace(/\d+/, ""))).size,
    ).to.equal(3);
    expect(unverifiedIn(siteOf([CAR, ROOF]))).to.deep.equal([]);
  });
});
