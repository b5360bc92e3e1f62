import { expect } from "chai";
import { UNKNOWN } from "../../provider/lifecycle/run/context";
import { contextOf, ours, withHidden } from "../../provider/resources/hidden";

const URN = "urn:pulumi:dev::home::pulumi-nodejs:dynamic/solar-charging:VehicleSettings::car";
const CAR = { businessId: "acme", deviceId: "car" };
const hidden = (facts: unknown) => ({ ...CAR, __provider: "provider", __program: facts });

describe("the hidden input", () => {
  it("is the context of a resource, by which its secrets are known", () => {
    const live = { vehicle: { values: { maxCapacity: 60_000 } } };
    const { secrets, ...context } = contextOf(hidden({ urn: URN, isPreview: true, secrets: ["maxCapacity"], live }));
    expect(context).to.deep.equal({ name: "car", urn: URN, isPreview: true, live });
    expect([secrets.has("maxCapacity"), secrets.has("policy")]).to.deep.equal([true, false]);
  });

  for (const none of [undefined, null, UNKNOWN, {}, { urn: UNKNOWN, live: UNKNOWN, secrets: null, isPreview: null }]) {
    it(`is an empty context of ${JSON.stringify(none)?.replaceAll(UNKNOWN, "unknown")}`, () => {
      const { secrets, ...context } = contextOf(hidden(none));
      expect(context).to.deep.equal({ name: "", urn: undefined, isPreview: false, live: {} });
      expect(secrets.has("maxCapacity")).to.equal(false);
    });
  }

  it("is no part of what lifecycle knows, and is kept for the next handler as far as it is known", () => {
    const inputs = hidden({ urn: URN, isPreview: null, live: UNKNOWN });
    expect(ours(inputs)).to.deep.equal(CAR);
    expect(withHidden(CAR, inputs)).to.deep.equal({ ...CAR, __program: { urn: URN } });
    expect(withHidden(CAR, hidden(UNKNOWN))).to.deep.equal({ ...CAR, __program: {} });
    expect(withHidden(CAR, CAR)).to.deep.equal(CAR);
  });

  it("keeps a secret as one that is no longer declared, because a preview shows its former value", () => {
    const olds = hidden({ secrets: ["vehicles.car.maxCapacity", "vehicles.car.maxChargePower"] });
    const inputs = { vehicles: { car: { maxChargePower: 7000 } } };
    const kept = withHidden(inputs, hidden({ secrets: ["vehicles.car.policy"] }), olds);
    expect(kept).to.deep.equal({
      ...inputs,
      __program: { secrets: ["vehicles.car.policy", "vehicles.car.maxCapacity"] },
    });
  });
});
