import { expect } from "chai";
import type { Checked, Properties } from "./host";
import { describeWithEachHost } from "./installation";
import { inputsOf, type Kind, PROVIDERS, sharedProvider, UNKNOWN, urnOf } from "./provider";

const VALID: Record<Kind, Properties> = {
  vehicle: {
    deviceId: "car",
    businessId: "north",
    maxCapacity: 77_000,
    maxChargePower: 11_000,
    policy: "CHARGE BY FORECAST",
    onDelete: "restore",
  },
  inverter: {
    deviceId: "roof",
    businessId: "north",
    peakPower: 9_800,
    azimuth: 180,
    tilt: 35,
    cutInThreshold: 120,
    baseLoad: 400,
    onDelete: "restore",
  },
};

const propertiesOf = ({ failures }: Checked) => failures.map(({ property }) => property);

describeWithEachHost("Check", (sdk) => {
  const provider = sharedProvider(sdk);

  for (const kind of ["vehicle", "inverter"] as const) {
    const keys = Object.keys(VALID[kind]);

    it(`passes valid inputs of the ${kind} on as they are, with their provider`, async () => {
      const news = inputsOf(kind, VALID[kind]);

      expect(await provider().host.check(news)).to.deep.equal({ inputs: news, failures: [] });
    });

    for (const key of keys) {
      it(`passes an unknown ${key} of the ${kind}, and refuses a bad value beside it`, async () => {
        const sibling = key === "onDelete" ? "deviceId" : "onDelete";
        const news = inputsOf(kind, { ...VALID[kind], [key]: UNKNOWN, [sibling]: "" });

        const checked = await provider().host.check(news);

        expect(propertiesOf(checked)).to.deep.equal([sibling]);
        expect(checked.inputs[key]).to.equal(UNKNOWN);
      });
    }

    it(`passes the ${kind} of which nothing is known`, async () => {
      const news = inputsOf(kind, Object.fromEntries(keys.map((key) => [key, UNKNOWN])));

      expect(await provider().host.check(news)).to.deep.equal({ inputs: news, failures: [] });
    });

    for (const key of keys) {
      it(`refuses a bad ${key} of the ${kind} on its property`, async () => {
        const checked = await provider().host.check(inputsOf(kind, { ...VALID[kind], [key]: true }));

        expect(propertiesOf(checked)).to.deep.equal([key]);
      });
    }
  }

  it("reports all mistakes at once, each on its property", async () => {
    const news = { deviceId: "..", maxCapacity: 77, maxChargePower: "fast", polcy: "CHARGE BY" };

    const checked = await provider().host.check(inputsOf("vehicle", news));

    expect(propertiesOf(checked)).to.have.members(["deviceId", "maxCapacity", "maxChargePower", "polcy"]);
  });

  it("suggests the key that was probably meant", async () => {
    const { failures } = await provider().host.check(inputsOf("vehicle", { deviceId: "car", maxCapacity: 77 }));

    expect(failures[0]?.reason).to.contain("77000 (77 kWh)?");
  });

  it("refuses inputs without a device", async () => {
    const checked = await provider().host.check(inputsOf("vehicle", { maxCapacity: 77_000 }));

    expect(checked.failures.map(({ property }) => property)).to.deep.equal(["deviceId"]);
  });

  it("resolves the business from the configuration into the inputs", async () => {
    const { inputs } = await provider().host.check(inputsOf("vehicle", { deviceId: "car" }));

    expect(inputs).to.deep.equal({ businessId: "acme", deviceId: "car", __provider: PROVIDERS.vehicle });
  });

  it("refuses a key that another resource of the program declares", async () => {
    const newsOf = (name: string) => {
      const __program = { urn: urnOf(sdk, "VehicleSettings", name) };
      return inputsOf("vehicle", { ...VALID.vehicle, deviceId: "twice", __program });
    };
    const by = (name: string) => provider().host.check(newsOf(name));
    expect((await by("first")).failures).to.deep.equal([]);

    const checked = await by("second");

    expect(checked.inputs).to.deep.equal(newsOf("second"));
    const { deviceId, businessId, ...keys } = VALID.vehicle as Record<string, unknown>;
    expect(propertiesOf(checked)).to.have.members(Object.keys(keys).filter((key) => key !== "onDelete"));
    for (const { reason } of checked.failures) expect(reason).to.contain("VehicleSettings 'first'");
  });

  it("passes an azimuth on as the compass bearing, and one of which a part is not known as unknown", async () => {
    const azimuthOf = async (azimuth: unknown) =>
      (await provider().host.check(inputsOf("inverter", { ...VALID.inverter, azimuth }))).inputs.azimuth;

    expect(await azimuthOf("SSW")).to.equal(202.5);
    expect(await azimuthOf({ degrees: -45, convention: "south-zero" })).to.equal(135);
    expect(await azimuthOf({ degrees: UNKNOWN, convention: "south-zero" })).to.equal(UNKNOWN);
  });

  it("keeps all inputs of the program, also those that only the check uses", async () => {
    const news = inputsOf("inverter", { ...VALID.inverter, latitude: 51, ignoreLints: ["flat-tilt"] });

    const checked = await provider().host.check(news);

    expect(checked).to.deep.equal({ inputs: news, failures: [] });
    expect(await provider().host.check(checked.inputs, checked.inputs)).to.deep.equal(checked);
  });

  it("refuses the same inputs when they are checked again", async () => {
    const news = inputsOf("vehicle", { deviceId: "car", maxCapacity: 1 });
    const first = await provider().host.check(news);

    const again = await provider().host.check(first.inputs, first.inputs);

    expect(propertiesOf(again)).to.deep.equal(["maxCapacity"]);
  });

  it("looks at the new inputs only, whatever the old ones were", async () => {
    const olds = inputsOf("vehicle", { deviceId: "", maxCapacity: "broken", gone: true });
    const news = inputsOf("vehicle", VALID.vehicle);

    expect(await provider().host.check(news, olds)).to.deep.equal({ inputs: news, failures: [] });
  });

  it("makes no request", async () => {
    const car = provider().vehicle();

    await provider().host.check(car.declares({ maxCapacity: 77_000 }));

    expect(car.takeRequests()).to.deep.equal([]);
  });
});
