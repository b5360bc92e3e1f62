import { expect } from "chai";
import { contextOf, ours, withHidden } from "../../provider/resources/hidden";
import { UNKNOWN } from "../../provider/settings/objects";

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

  it("is no part of what lifecycle knows, and what is the same in an update is kept for the next handler, as far as it is known", () => {
    const inputs = hidden({ urn: URN, isPreview: true, live: { vehicle: { values: {} } } });
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

  it("makes planes secret with the latitude, which could be computed from them, of a device and in a site", () => {
    const planes = [{ peakPower: 5000, azimuth: 90, tilt: 30 }];
    const secretsOf = (inputs: object) => contextOf({ ...hidden({ secrets: ["latitude"] }), ...inputs }).secrets;
    expect(secretsOf({ planes }).has("peakPower")).to.equal(true);
    expect(secretsOf({ azimuth: 90 }).has("azimuth")).to.equal(false);
    const ofSite = secretsOf({ inverters: { east: { planes }, west: { azimuth: 270 } } });
    expect(ofSite.below("inverters.east").has("azimuth")).to.equal(true);
    expect(ofSite.below("inverters.west").has("azimuth")).to.equal(false);
  });

  it("hides numbers in the words of the service, also those that only it knows, and secret texts, below a name with dots too", () => {
    const inputs = {
      ...hidden({ secrets: ["vehicles.my.car", "inverters.roof"] }),
      vehicles: { "my.car": { maxCapacity: 77_000, policy: "CHARGE BY" } },
      inverters: { roof: { tilt: 35, planes: [{ tilt: 12 }] } },
    };
    const { secrets } = contextOf(inputs);
    const extractOf = (extract: string) => secrets.hidden({ code: "requestRefused", finding: "no", extract }).extract;
    expect(extractOf("at 58.219 kWh, tilt=12° (7.7e4)")).to.equal("at [secret] kWh, tilt=[secret]° ([secret])");
    expect(extractOf("policy Charge by is refused")).to.equal("[secret]");
    expect(contextOf(CAR).secrets.hidden({ code: "conflict", finding: "no", extract: "11 kW" }).extract).to.equal(
      "11 kW",
    );
  });
});
