import { expect } from "chai";
import { unsetFor } from "../../provider/configuration/configuration";
import { textOf } from "../../provider/messages/message";
import { expectFacts } from "../support/facts";
import { givenProject, takeRequests } from "../support/project";

const fleet = { businesses: { acme: { car: { type: "vehicle" }, roof: { type: "inverter" } } } } as const;

describe("engine: bad input", () => {
  const given = givenProject(fleet, "for all");
  beforeEach(() => takeRequests(given.simulator));

  it("is refused in preview, each problem on its property and all at once, before any request", async () => {
    given.project.program(`new VehicleSettings("car", {
      deviceId: "", maxCapacity: 77, maxChargePower: NaN, policy: "charge by", max_capcity: 1, onDelete: null });`);
    const text = await given.project.fails("preview");
    expect(text).to.match(/property deviceId value /);
    expect(text).to.match(/property maxCapacity .* 1 kWh .* 77 Wh; .* 77000 \(77 kWh\)\?/);
    expect(text).to.match(/property maxChargePower .* W, .* NaN/);
    expect(text).to.match(/property policy .* CHARGE BY\?/);
    expect(text).to.match(/property max_capcity .* maxCapacity is already there/);
    expect(text).to.match(/property onDelete .* no value/);
    expect(takeRequests(given.simulator)).to.deep.equal([]);
  });

  it("allows a preview without token and base URL, and names the values that the update will need", async () => {
    given.project.program(`new VehicleSettings("car", { deviceId: "car", maxCapacity: 77000 });`);
    const none = { SOLAR_CHARGING_BASE_URL: "", SOLAR_CHARGING_ACCESS_TOKEN: "" };
    const needed = unsetFor({})
      .map((message) => textOf(message))
      .join("; ");

    const preview = await given.project.pulumi(["preview"], none);
    expect(preview.code).to.equal(0);
    expect(preview.text).to.contain(needed);

    const up = await given.project.pulumi(["up", "--yes", "--skip-preview"], none);
    expect(up.code).to.not.equal(0);
    expectFacts(up.text, ["error: ", needed]);
  });
});
