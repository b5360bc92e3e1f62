import { expect } from "chai";
import { providerString } from "../../provider/engine/tokens";
import { UNKNOWN as UNKNOWN_TO_THE_PROVIDER } from "../../provider/settings/objects";
import { expectFacts } from "../support/facts";
import { describeWithEachSdk, manifestOf, OLDEST } from "./installation";
import { inputsOf, PROVIDERS, sharedProvider, UNKNOWN } from "./provider";

describe("The SDKs of this tier", () => {
  it("begin with the oldest that the package supports", () => {
    expect(manifestOf().peerDependencies?.["@pulumi/pulumi"]).to.match(new RegExp(`^>=${OLDEST.version} `));
  });
});

describeWithEachSdk("What state and engine agree on", (sdk) => {
  const provider = sharedProvider(sdk);

  it("has the provider string of VehicleSettings, which the host resolves to the vehicle's handlers", async () => {
    expect(providerString("vehicle")).to.equal(PROVIDERS.vehicle);

    const { failures } = await provider().host.check(inputsOf("vehicle", { deviceId: "car", windows: 4 }));

    expect(failures.map(({ property }) => property)).to.deep.equal(["windows"]);
    expectFacts(failures[0]?.reason, ["maxChargePower"]);
  });

  it("has the provider string of InverterSettings, which the host resolves to the inverter's handlers", async () => {
    expect(providerString("inverter")).to.equal(PROVIDERS.inverter);

    const { failures } = await provider().host.check(inputsOf("inverter", { deviceId: "roof", windows: 4 }));

    expect(failures.map(({ property }) => property)).to.deep.equal(["windows"]);
    expectFacts(failures[0]?.reason, ["cutInThreshold"]);
  });

  it("has the provider string of SiteSettings, which the host resolves to the site's handlers", async () => {
    expect(providerString("site")).to.equal(PROVIDERS.site);

    const { failures } = await provider().host.check(inputsOf("site", { windows: 4 }));

    expect(failures.map(({ property }) => property)).to.deep.equal(["windows"]);
    expectFacts(failures[0]?.reason, ["requireReady"]);
  });

  it("has the literal that stands for an unknown value", () => {
    expect(require(sdk.alias).runtime.unknownValue).to.equal(UNKNOWN);
    expect(UNKNOWN_TO_THE_PROVIDER).to.equal(UNKNOWN);
  });
});
