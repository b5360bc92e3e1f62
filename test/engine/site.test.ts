import { expect } from "chai";
import { gapInWords } from "../../provider/settings/readiness";
import { CAR, ROOF } from "../support/devices";
import { car, DECLARED, FORECAST, givenSite, roof } from "../support/siteProject";

describe("engine: a site", () => {
  const { given, declare, outputs, requests, updates, device } = givenSite();

  it("goes from nothing to ready, is repaired after drift, and is restored in the end", async () => {
    const site = (cars: string, more = "", inverter = roof("roof")) =>
      declare(`{ onDelete: "restore", vehicles: { ${cars} }, inverters: { roof: ${inverter} } ${more} }`);
    const untilted = roof("roof").replace("tilt: 35, ", "");

    // Not ready: the preview shows the gaps. With `requireReady`, it fails.
    site(`car: { deviceId: "car", maxChargePower: "11 kW" }`, "", untilted);
    const gap = gapInWords({ device: "inverter/roof", setting: "tilt", reason: "notDeclared" });
    // Nobody has read the car, which may report its own capacity. The gap of the roof is known.
    expect(await given.project.succeeds("preview"))
      .to.contain(gap)
      .and.match(/ready\s*: false/);
    site(`car: { deviceId: "car", maxChargePower: "11 kW" }`, ", requireReady: true", untilted);
    for (const operation of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      expect(await given.project.fails(...operation)).to.contain(gap);
    }
    expect(requests(), "before the first update").to.deep.equal([]);
    site(`car: { deviceId: "car", maxChargePower: "11 kW" }`, "", untilted);
    await given.project.up();
    expect(outputs()).to.deep.include({
      ready: false,
      gaps: [{ device: "inverter/roof", setting: "tilt", reason: "notDeclared" }],
      missing: [gap],
    });
    expect(device("car")).to.deep.equal({ ...CAR, max_charge_power: 11_000 });
    requests();

    // Ready: one update of the car with its policy, then nothing to do.
    site(`car: ${car("car")}`);
    const preview = await given.project.succeeds("preview");
    expect(preview).to.contain("vehicle/car: maxCapacity 60 → 77 kWh, policy CHARGE BY → CHARGE BY FORECAST");
    await given.project.up();
    // Two settings are declared for the first time, so the car's present values are their baselines.
    const patch = `PATCH car {"max_capacity":77000,"policy":"${FORECAST}"}`;
    const ofRoof = ["GET roof", 'PATCH roof {"tilt":35}', "GET roof"];
    const sent = requests();
    expect(sent).to.have.members(["GET car", ...ofRoof, patch, "GET car"]);
    expect(sent.at(-2)).to.equal(patch);
    expect(outputs()).to.deep.equal({ ready: true, gaps: [], missing: [], unverified: [] });
    await given.project.succeeds("preview", "--expect-no-changes");
    expect(requests()).to.deep.equal([]);

    // Drift: one read per device finds it, and an update of only this setting repairs it.
    given.simulator.appUserSets("acme", "roof", { tilt: 5 });
    expect(await given.project.refresh("--diff")).to.match(/tilt\s*: 35 => 5/);
    expect(requests()).to.have.members(["GET car", "GET roof"]);
    await given.project.up();
    expect(updates()).to.deep.equal([`PATCH roof {"tilt":35}`]);

    // Renamed: nothing is sent, and the baseline stays.
    site(`pool: ${car("car")}`);
    expect(await given.project.succeeds("preview")).to.match(/vehicle\/pool: \w+ vehicle\/car/);
    await given.project.up();
    expect(requests()).to.deep.equal([]);

    // Destroyed: the car is restored first.
    await given.project.destroy();
    expect(updates().map((request) => request.split(" ")[1])).to.deep.equal(["car", "roof"]);
    expect([device("car"), device("roof")]).to.deep.equal([CAR, ROOF]);
  });

  it("keeps the accepted values when a device fails; the next update sends only the rest", async () => {
    declare(`{ vehicles: { car: ${car("car")}, van: ${car("van")} },
      inverters: { roof: ${roof("roof")}, barn: ${roof("barn")} } }`);
    given.simulator.fail({ status: 422, body: "no", method: "PATCH", deviceId: "barn" });
    expect(await given.project.fails("up", "--yes", "--skip-preview")).to.match(/inverter\/barn: .*HTTP 422/);
    const first = requests();
    expect(first.indexOf("GET car")).to.be.greaterThan(-1);
    expect(first).to.have.lengthOf(4 + 4 + 3);
    for (const id of ["car", "van"]) expect(device(id)).to.deep.equal({ ...DECLARED, policy: "CHARGE BY" });

    const preview = await given.project.succeeds("preview");
    expect(preview).to.match(/inverter\/barn: .*peakPower 9.8 kW/);
    expect(preview).to.contain("vehicle/van: policy CHARGE BY → CHARGE BY FORECAST");
    await given.project.up();
    const rest = updates();
    expect(rest[0]).to.match(/^PATCH barn /);
    expect(rest.slice(1)).to.have.members(["car", "van"].map((id) => `PATCH ${id} {"policy":"${FORECAST}"}`));
    expect(outputs()).to.deep.include({ ready: true });
  });
});
