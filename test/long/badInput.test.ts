import { expect } from "chai";
import { givenProject, takeRequests } from "../support/project";

const fleet = { businesses: { acme: { car: { type: "vehicle" }, roof: { type: "inverter" } } } } as const;

describe("engine: bad input", () => {
  const given = givenProject(fleet, "for all");
  beforeEach(() => takeRequests(given.simulator));

  it("is refused in preview, each problem on its property and all at once, before any request", async () => {
    given.project.program(`new VehicleSettings("car", {
      deviceId: "", maxCapacity: 77, maxChargePower: NaN, policy: "charge by", max_capcity: 1, onDelete: null });`);
    const text = await given.project.fails("preview");
    expect(text).to.match(/property deviceId value .* must not be empty/);
    expect(text).to.contain("77 Wh is below 1000 Wh; 77 kWh is 77000");
    expect(text).to.match(/property maxChargePower .* has to be a number in W, .* not NaN/);
    expect(text).to.match(/property policy .* did you mean CHARGE BY\?/);
    expect(text).to.match(/property max_capcity .* did you mean maxCapacity\?/);
    expect(text).to.match(/property onDelete .* not null/);
    expect(takeRequests(given.simulator)).to.deep.equal([]);
  });

  it("of an inverter says which unit or convention was probably meant", async () => {
    given.project.program(`new InverterSettings("roof", {
      deviceId: "roof", peakPower: 9.8, azimuth: -45, tilt: 91, cutInThreshold: 20, baseLoad: "400", onDelete: "reset" });`);
    const text = await given.project.fails("preview");
    expect(text).to.contain("looks like kW; 9.8 kW is 9800");
    expect(text).to.match(/write 135 if .* from south .*, 45 if .*Solcast.*, 315 if clockwise from north/);
    expect(text).to.match(/property tilt .* 91 degrees is above 90 degrees/);
    expect(text).to.match(/property cutInThreshold .* is not below peakPower/);
    expect(text).to.match(/property baseLoad .* or a number without quotes: 400/);
    expect(text).to.match(/property onDelete .* none is documented/);
  });

  it("of a device of another type is refused before any PATCH, with both types", async () => {
    given.project.program(`new VehicleSettings("car", { deviceId: "roof", maxCapacity: 77000 });`);
    const text = await given.project.fails("up", "--yes", "--skip-preview");
    expect(text).to.match(
      /device 'roof' of business 'acme' is of type 'Inverter', but VehicleSettings needs 'Electric vehicle'/,
    );
    expect(takeRequests(given.simulator)).to.deep.equal(["GET roof"]);
  });

  it("of a vehicle given to InverterSettings is refused the same way", async () => {
    given.project.program(`new InverterSettings("roof", { deviceId: "car", tilt: 30 });`);
    const text = await given.project.fails("up", "--yes", "--skip-preview");
    expect(text).to.match(/is of type 'Electric vehicle', but InverterSettings needs an inverter/);
    expect(takeRequests(given.simulator)).to.deep.equal(["GET car"]);
  });

  it("of a device that does not exist names business and device", async () => {
    given.project.program(`new VehicleSettings("car", { deviceId: "nope", maxCapacity: 77000 });`);
    expect(await given.project.fails("up", "--yes", "--skip-preview")).to.contain(
      "the service does not know device 'nope' of business 'acme'",
    );
  });

  it("of the configuration is refused in preview, all in one message", async () => {
    given.project.program(`new VehicleSettings("car", { deviceId: "car", maxCapacity: 77000 });`);
    const { code, text } = await given.project.pulumi(["preview"], {
      SOLAR_CHARGING_BASE_URL: "http://example.com",
      SOLAR_CHARGING_MAX_CONCURRENCY: "many",
    });
    expect(code).to.not.equal(0);
    expect(text).to.match(/solar-charging:baseUrl or SOLAR_CHARGING_BASE_URL uses http to example.com/);
    expect(text).to.match(/solar-charging:maxConcurrency or SOLAR_CHARGING_MAX_CONCURRENCY has to be a number/);
  });

  it("leaves a preview without token and base URL possible, and says what the update will need", async () => {
    given.project.program(`new VehicleSettings("car", { deviceId: "car", maxCapacity: 77000 });`);
    const none = { SOLAR_CHARGING_BASE_URL: "", SOLAR_CHARGING_ACCESS_TOKEN: "" };
    const needed =
      /solar-charging:baseUrl or SOLAR_CHARGING_BASE_URL is not set; solar-charging:accessToken or SOLAR_CHARGING_ACCESS_TOKEN is not set/;

    const preview = await given.project.pulumi(["preview"], none);
    expect(preview.code).to.equal(0);
    expect(preview.text).to.match(needed);

    const up = await given.project.pulumi(["up", "--yes", "--skip-preview"], none);
    expect(up.code).to.not.equal(0);
    expect(up.text)
      .to.match(/error: .*not usable/)
      .and.to.match(needed);
  });

  it("of the business is told with the names under which it can be set", async () => {
    given.project.program(`new VehicleSettings("car", { deviceId: "car", maxCapacity: 77000 });`);
    const { text } = await given.project.pulumi(["preview"], { SOLAR_CHARGING_BUSINESS_ID: "" });
    expect(text).to.match(/property businessId .* set solar-charging:businessId or SOLAR_CHARGING_BUSINESS_ID/);
  });
});
