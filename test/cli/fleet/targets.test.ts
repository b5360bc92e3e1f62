import { expect } from "chai";
import { targetsIn, targetsOf } from "../../../cli/fleet/waves";

const site = {
  id: "berlin",
  vehicles: { car: { deviceId: "car" } },
  inverters: { roof: { deviceId: "roof" } },
};
const DEVICES = ["**::berlin-car", "**::berlin-roof", "**::berlin-car-policy"];
const BELOW = "urn:pulumi:shard-1-of-1::acme::solar-charging:index:";

describe("cli fleet: the targets of the canary", () => {
  const targets = targetsOf("acme", site);

  it("are its devices, with policies that they may have had, and the components above them", () => {
    expect(targets).to.deep.equal(["**:FleetSettings::acme", "**:SolarReadiness::berlin", ...DEVICES]);
    expect(targetsOf("acme", { ...site, solar: false })).to.deep.equal(["**:FleetSettings::acme", ...DEVICES]);
  });

  it("are without the components that are there, below which a device may be gone", () => {
    const fleet = `${BELOW}FleetSettings::acme`;
    const present = (...urns: string[]) => urns.map((urn) => ({ urn }));
    expect(targetsIn([], targets)).to.deep.equal(targets);
    expect(targetsIn(present(fleet), targets)).to.deep.equal(["**:SolarReadiness::berlin", ...DEVICES]);
    const devices = [`${fleet}$VehicleSettings::berlin-car`, `${BELOW}FleetSettings$x:SolarReadiness::berlin`];
    expect(targetsIn(present(fleet, ...devices), targets)).to.deep.equal(DEVICES);
  });

  it("are what depends on them too, as a car that was taken out of the site does on the inverter", () => {
    const [roof, car, van, other] = ["berlin-roof", "berlin-car", "berlin-van", "oslo-car"].map((name) => BELOW + name);
    const urn = (name: string | undefined) => `${BELOW}X::${name?.slice(BELOW.length)}`;
    const present = [
      { urn: urn(roof) },
      { urn: urn(car), dependencies: [urn(roof)] },
      { urn: urn(van), dependencies: [urn(roof)] },
      { urn: `${urn(van)}-policy`, dependencies: [urn(van)] },
      { urn: urn(other), dependencies: [] },
    ];
    expect(targetsIn(present, targets)).to.deep.equal([...targets, urn(van), `${urn(van)}-policy`]);
  });
});
