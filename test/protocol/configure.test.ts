import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { expectFacts } from "../support/facts";
import { failureOf } from "./failures";
import { describeWithEachHost, describeWithEachSdk } from "./installation";
import { BUSINESS, connected, inputsOf, ownProvider, ownProviders, PROVIDERS, unmanaged, verified } from "./provider";

const { specialSigKey, specialSecretSig } = pulumi.runtime;
const secret = (value: string) => ({ [specialSigKey]: specialSecretSig, value });

const NOWHERE = "http://127.0.0.1:1";

describeWithEachHost("Configure", (sdk) => {
  const start = ownProviders(sdk);

  it("finds the stack's configuration before the environment, but the token in the environment first", async () => {
    const provider = await start(({ url, token }) => ({
      config: {
        "solar-charging:baseUrl": url,
        "solar-charging:businessId": BUSINESS,
        "solar-charging:accessToken": secret("revoked"),
        "other:baseUrl": NOWHERE,
      },
      environment: {
        SOLAR_CHARGING_BASE_URL: NOWHERE,
        SOLAR_CHARGING_BUSINESS_ID: "other",
        SOLAR_CHARGING_ACCESS_TOKEN: token,
      },
    }));
    const car = provider.vehicle({ max_capacity: 60_000 });

    const { inputs } = await provider.host.check(inputsOf("vehicle", { deviceId: car.deviceId }));
    const { properties } = await provider.host.create(inputs);

    expect(properties).to.deep.include({
      businessId: BUSINESS,
      settings: { maxCapacity: unmanaged(60_000), policy: unmanaged("CHARGE BY") },
    });
  });

  it("finds everything in the environment if the stack sets nothing", async () => {
    const provider = await start(({ url, token }) => ({
      environment: {
        SOLAR_CHARGING_BASE_URL: url,
        SOLAR_CHARGING_BUSINESS_ID: BUSINESS,
        SOLAR_CHARGING_ACCESS_TOKEN: token,
        SOLAR_CHARGING_INVERTER_FIELDS: '{"peakPower":"tilt","tilt":"peak_power"}',
      },
    }));
    const roof = provider.inverter();

    const { inputs } = await provider.host.check(inputsOf("inverter", { deviceId: roof.deviceId, peakPower: 9_800 }));
    await provider.host.create(inputs);

    expect(roof.takeRequests()).to.deep.equal(["GET", 'PATCH {"tilt":9800}', "GET"]);
  });

  it("finds the token in the stack's secrets if the environment does not set it", async () => {
    const provider = await start((simulator) => ({
      config: { ...connected(simulator).config, "solar-charging:accessToken": secret(simulator.token) },
    }));
    const car = provider.vehicle();

    expect(await provider.host.read(car.resourceId, car.declares({}))).to.have.property("id", car.resourceId);
  });

  it("is done when two reads of both kinds come at once right after the start", async () => {
    const provider = await start();
    const devices = [provider.vehicle(), provider.inverter(), provider.vehicle(), provider.inverter()];

    const reads = devices.map((device) => provider.host.read(device.resourceId, device.declares({})));

    const ids = (await Promise.all(reads)).map(({ id }) => id);
    expect(ids).to.deep.equal(devices.map(({ resourceId }) => resourceId));
  });

  describe("without any configuration", () => {
    const provider = ownProvider(sdk, () => ({}));

    it("allows a check, so that a preview needs no connection, and warns of missing values", async () => {
      const { host } = provider();
      const news = inputsOf("vehicle", { businessId: BUSINESS, deviceId: "car", policy: "CHARGE BY" });

      expect(await host.check(news)).to.deep.equal({ inputs: news, failures: [] });

      expect(host.engine.messages).to.have.lengthOf(1);
      expect(host.engine.messages[0]).to.match(/^WARNING solar-charging:baseUrl .*solar-charging:accessToken /);
    });

    it("asks for the business on its property", async () => {
      const { host } = provider();

      const { failures } = await host.check(inputsOf("vehicle", { deviceId: "car" }));

      expect(failures.map(({ property }) => property)).to.deep.equal(["businessId"]);
      expectFacts(failures[0]?.reason, ["solar-charging:businessId ", "SOLAR_CHARGING_BUSINESS_ID"]);
    });

    it("names the missing values in a create", async () => {
      const { host } = provider();

      const { details } = await failureOf(host.create(inputsOf("vehicle", { businessId: BUSINESS, deviceId: "car" })));

      expectFacts(details, ["SOLAR_CHARGING_BASE_URL ", "SOLAR_CHARGING_ACCESS_TOKEN "]);
    });

    it("still deletes with retain", async () => {
      const { host } = provider();

      await host.delete(
        "acme/car",
        inputsOf("vehicle", {
          businessId: BUSINESS,
          deviceId: "car",
          maxCapacity: 77_000,
          settings: verified({ maxCapacity: 77_000 }),
        }),
      );
    });
  });

  describe("with a broken configuration", () => {
    const provider = ownProvider(sdk, () => ({
      config: { "solar-charging:baseUrl": "api.example.com", "solar-charging:maxConcurrency": "many" },
      environment: { SOLAR_CHARGING_ACCESS_TOKEN: "two words" },
    }));

    it("reports all mistakes as one failure of check without a property, and never the token", async () => {
      const { host } = provider();
      const news = inputsOf("vehicle", { deviceId: "car" });

      const { inputs, failures } = await host.check(news);

      expect(inputs).to.deep.equal({ deviceId: "car", __provider: PROVIDERS.vehicle });
      expect(failures.map(({ property }) => property)).to.deep.equal([""]);
      expect(failures[0]?.reason).to.match(/solar-charging:baseUrl .* SOLAR_CHARGING_ACCESS_TOKEN .*:maxConcurrency /);
      expect(failures[0]?.reason).not.to.contain("two words");
    });

    it("reports it in every read, not only in the first one", async () => {
      const { host } = provider();
      const read = () => host.read("acme/car", inputsOf("vehicle", {}));

      const failures = await Promise.all([failureOf(read()), failureOf(read())]);

      for (const { details } of failures) expect(details).to.contain("solar-charging:baseUrl");
    });

    it("still deletes with retain", async () => {
      const { host } = provider();

      await host.delete("acme/car", inputsOf("vehicle", { businessId: BUSINESS, deviceId: "car", settings: {} }));
    });
  });
});

describeWithEachSdk("Configure, of several kinds in one process", (sdk) => {
  const start = ownProviders(sdk);

  it("is done once for both kinds", async () => {
    const provider = await start();
    const [car, roof] = [provider.vehicle(), provider.inverter()];
    await provider.host.read(car.resourceId, car.declares({}));

    // The host configures each kind at its first use. The inverter gets a configuration that the vehicle did not see.
    await provider.host.configure({ "solar-charging:baseUrl": NOWHERE });

    expect(await provider.host.read(roof.resourceId, roof.declares({}))).to.have.property("id", roof.resourceId);
  });
});
