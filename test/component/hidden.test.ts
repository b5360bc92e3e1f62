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

  it("has the earlier secrets too: a setting that is no longer declared, or is plain now, stays hidden", () => {
    const olds = { ...hidden({ secrets: ["maxCapacity", "policy"] }), maxCapacity: 77_000 };
    const { secrets } = contextOf({ ...hidden({ urn: URN }), policy: "CHARGE BY" }, olds);
    expect(["maxCapacity", "policy", "maxChargePower"].map((key) => secrets.has(key))).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it("knows secret values, also below a device and below a name with dots", () => {
    const inputs = {
      ...hidden({ secrets: ["vehicles.my.car.maxCapacity", "inverters.roof"] }),
      vehicles: { "my.car": { maxCapacity: 77_000, maxChargePower: 11_000 } },
      inverters: { roof: { tilt: 35, planes: [{ tilt: 12 }] } },
    };
    const { secrets } = contextOf(inputs);
    const extractOf = (extract: string) => secrets.hidden({ code: "requestRefused", finding: "no", extract }).extract;
    for (const told of ["77 kWh", "35", "tilt=12"]) expect(extractOf(told)).to.equal("[secret]");
    expect(extractOf("11 kW")).to.equal("11 kW");
  });
});
