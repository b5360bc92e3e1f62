import { expect } from "chai";
import { targetsOf, withoutPresent } from "../../../cli/fleet/waves";

const site = {
  id: "berlin",
  isSolar: true,
  requireReady: false,
  vehicles: [{ name: "car", deviceId: "car", values: {} }],
  inverters: [{ name: "roof", deviceId: "roof", values: {} }],
};
const DEVICES = ["**::berlin-roof", "**::berlin-car", "**::berlin-car-policy"];
const BELOW = "urn:pulumi:shard-1-of-1::acme::solar-charging:index:";

describe("cli fleet: the targets of the canary", () => {
  const targets = targetsOf("acme", site);

  it("are its devices, with policies that they may have had, and the components above them", () => {
    expect(targets).to.deep.equal(["**:FleetSettings::acme", "**:SolarReadiness::berlin", ...DEVICES]);
    expect(targetsOf("acme", { ...site, isSolar: false })).to.deep.equal(["**:FleetSettings::acme", ...DEVICES]);
  });

  it("are without the components that are there, below which a device may be gone", () => {
    const fleet = `${BELOW}FleetSettings::acme`;
    expect(withoutPresent(targets, [])).to.deep.equal(targets);
    expect(withoutPresent(targets, [fleet])).to.deep.equal(["**:SolarReadiness::berlin", ...DEVICES]);
    const devices = [`${fleet}$VehicleSettings::berlin-car`, `${BELOW}FleetSettings$x:SolarReadiness::berlin`];
    expect(withoutPresent(targets, [fleet, ...devices])).to.deep.equal(DEVICES);
  });
});
