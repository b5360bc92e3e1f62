import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceError } from "@grpc/grpc-js";
import { CheckRequest, CreateRequest, GetSchemaRequest, ReadRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { SITE_IMPORT } from "../../provider/lifecycle/run/messages";
import { textOf } from "../../provider/messages/message";
import { expectFacts } from "../support/facts";
import { ROOT } from "../support/project";
import { servers } from "../support/server";
import { failureOf, initFailureOf } from "./failures";
import { type Properties, plain, struct } from "./host";
import { manifestOf, PLUGIN } from "./installation";
import { PluginHost } from "./pluginHost";
import {
  BUSINESS,
  connected,
  inputsOf,
  ownProviders,
  sharedProvider,
  siteInputs,
  UNKNOWN,
  unmanaged,
  urnOf,
  verified,
} from "./provider";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({ [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", value });

describe("The native plugin", () => {
  const provider = sharedProvider(PLUGIN);
  const start = ownProviders(PLUGIN);
  const startServer = servers();
  const host = () => provider().host as PluginHost;

  describe("Read", () => {
    const read = (id: string, change: (request: ReadRequest) => ReadRequest, className = "VehicleSettings") =>
      host().readWith(change(new ReadRequest().setId(id).setUrn(urnOf(PLUGIN, className, "car"))));

    it("of an import takes the device over as it is, so that the next diff is empty", async () => {
      const car = provider().vehicle({ max_capacity: 60_000, max_charge_power: 11_000 });
      const found = await read(car.resourceId, (request) => request);
      const values = { maxCapacity: 60_000, maxChargePower: 11_000, policy: "CHARGE BY" };
      expect(found.inputs).to.deep.include({ businessId: BUSINESS, deviceId: car.deviceId, ...values });
      expect(found.properties).to.deep.include({ ...values, settings: verified(values, values) });
      expect(await host().diff(found.id, found.properties, car.declares(values))).to.include({ changes: false });
      expect(car.takeRequests()).to.deep.equal(["GET"]);
    });

    it("of an import of a device that is not there fails", async () => {
      const error = await failureOf(read(`${BUSINESS}/nobody`, (request) => request));
      expectFacts(error.details, ["'nobody'", "deviceId, businessId"]);
    });

    it("of an import of a site names the alternative", async () => {
      const error = await failureOf(read("home", (request) => request, "SiteSettings"));
      expect(error.details).to.equal(textOf(SITE_IMPORT));
    });

    it("of a site that is only read names the same alternative", async () => {
      const empty = (request: ReadRequest) => request.setProperties(struct({})).setInputs(struct({}));
      const got = await failureOf(read("home", empty, "SiteSettings"));
      expect(got.details).to.equal(textOf(SITE_IMPORT));
    });

    it("of a resource that is only read manages nothing", async () => {
      const car = provider().vehicle({ max_capacity: 60_000 });
      const found = await read(car.resourceId, (request) => request.setProperties(struct({})).setInputs(struct({})));
      expect(found.properties).to.deep.include({ maxCapacity: 60_000 }).and.to.not.have.property("settings");
    });

    it("of a device that is gone has an empty id", async () => {
      const car = provider().vehicle({});
      const { id, properties } = await host().create(car.declares({}));
      car.remove();
      expect(await host().read(id, properties)).to.include({ id: "" });
    });
  });

  it("names the cause if something is called __proto__, which protobuf cannot represent", async () => {
    const vehicles = { aaproto__: { deviceId: "car" } };
    const request = new CheckRequest().setUrn(urnOf(PLUGIN, "SiteSettings", "home")).setNews(struct({ vehicles }));
    const bytes = Buffer.from(request.serializeBinary());
    bytes.write("__proto__", bytes.indexOf("aaproto__"));
    const path = "/pulumirpc.ResourceProvider/Check";
    const pass = (message: Buffer) => message;
    const error = await new Promise<ServiceError | null>((resolve) => {
      host().client.makeUnaryRequest(path, pass, pass, bytes, (failure) => resolve(failure));
    });
    expect(error?.details).to.contain("the name __proto__ is not possible");
  });

  describe("A preview", () => {
    it("of a new device sends nothing, and knows its inputs", async () => {
      const car = provider().vehicle({});
      const { id, properties } = await host().create(car.declares({ maxCapacity: 77_000 }), true);
      expect(id).to.equal(car.resourceId);
      expect(properties).to.include({ maxCapacity: 77_000, settings: UNKNOWN });
      expect(car.takeRequests()).to.deep.equal([]);
    });

    it("of a new site knows its arguments, which policies judge", async () => {
      const site = { vehicles: { car: { businessId: BUSINESS, deviceId: "car" } }, inverters: {} };
      const { properties } = await host().create(siteInputs(PLUGIN, site), true);
      expect(properties).to.deep.include({ ...site, devices: UNKNOWN });
    });

    it("of a device whose id is not known has no id", async () => {
      const inputs = inputsOf("vehicle", { businessId: BUSINESS, deviceId: UNKNOWN });
      expect(await host().create(inputs, true)).to.include({ id: "" });
    });

    it("that is live warns of a new device that has another value, and of one that is not there", async () => {
      const live = await start((simulator) => {
        const { config, environment } = connected(simulator);
        return { config: { ...config, "solar-charging:livePreview": "true" }, environment };
      });
      const car = live.vehicle({ max_capacity: 60_000 });
      const plugin = live.host as PluginHost;
      await plugin.create(car.declares({ maxCapacity: 77_000 }), true);
      await plugin.create(inputsOf("vehicle", { businessId: BUSINESS, deviceId: "nobody" }), true);
      const words = plugin.engine.messages.join("\n");
      expectFacts(words, [" 60 kWh ", " 77 kWh", "'nobody'"]);
      expect(car.takeRequests()).to.deep.equal(["GET"]);
    });
  });

  describe("A live preview of existing resources", () => {
    /** A plugin with the switch, and two cars that somebody else changed after an update without it. */
    const drifted = async (environment: Readonly<Record<string, string>> = {}) => {
      const live = await start((simulator) => {
        const options = connected(simulator);
        const config = { ...options.config, "solar-charging:livePreview": "true" };
        return { config, environment: { ...options.environment, ...environment } };
      });
      const [alone, ofSite] = [live.vehicle(), live.vehicle()];
      const car = alone.declares({ maxCapacity: 77_000, maxChargePower: 11_000 });
      const vehicles = { van: { businessId: BUSINESS, deviceId: ofSite.deviceId, maxCapacity: 70_000 } };
      const site = siteInputs(PLUGIN, { vehicles, solar: false });
      const stored = (values: Properties) => ({ ...values, settings: verified({ ...values }) });
      const ids = { businessId: BUSINESS, deviceId: alone.deviceId };
      const states = {
        car: { ...ids, ...stored({ maxCapacity: 77_000, maxChargePower: 11_000 }) },
        site: {
          solar: false,
          devices: { "vehicle/van": { ...vehicles.van, ...stored({ maxCapacity: 70_000 }) } },
          ...{ ready: false, gaps: [], missing: [], unverified: [] },
        },
      };
      for (const [device, value] of [
        [alone, 60_000],
        [ofSite, 50_000],
      ] as const) {
        live.simulator.appUserSets(BUSINESS, device.deviceId, { max_capacity: value, max_charge_power: 11_000 });
      }
      return { live, car, site, states, devices: [alone, ofSite] };
    };

    it("holds at once: it reads each device once, and warns of drift and of nothing else", async () => {
      const { live, car, site, states, devices } = await drifted();
      for (const _ of ["preview", "again"]) {
        expect(await live.host.diff("car", states.car, car)).to.include({ changes: false });
        expect(await live.host.diff("home", states.site, site)).to.include({ changes: false });
      }
      const warnings = live.host.engine.messages.filter((message) => message.startsWith("WARNING"));
      expect(warnings).to.have.lengthOf(2);
      const [ofCar, ofHome] = ["Vehicle", "Site"].map((type) =>
        warnings.find((one) => one.includes(`:${type}Settings::`)),
      );
      expectFacts(ofCar, ["maxCapacity", " 60 kWh ", " 77 kWh "]);
      expectFacts(ofHome, ["maxCapacity", "vehicle/van", " 50 kWh ", " 70 kWh "]);
      expect(devices.map((device) => device.takeRequests())).to.deep.equal([["GET"], ["GET"]]);
    });

    it("is one warning, and no error, without a token", async () => {
      const { live, car, site, states } = await drifted({ SOLAR_CHARGING_ACCESS_TOKEN: "" });
      expect(await live.host.diff("car", states.car, car)).to.include({ changes: false });
      expect(await live.host.diff("home", states.site, site)).to.include({ changes: false });
      const warnings = live.host.engine.messages.filter((message) => message.startsWith("WARNING"));
      expect(warnings).to.have.lengthOf(1);
      expectFacts(warnings[0], ["SOLAR_CHARGING_ACCESS_TOKEN"]);
    });

    it("asks the engine for no reads of later runs, which would fail a preview of a run without the service", async () => {
      const { live, car } = await drifted();
      const { urn, values } = { urn: urnOf(PLUGIN, "VehicleSettings", "car"), values: car };
      const { __provider, ...properties } = values;
      const { host } = live;
      const request = new CreateRequest().setUrn(urn).setProperties(struct(properties));
      expect((await host.call(host.client.create, request)).getRefreshBeforeUpdate()).to.equal(false);
    });
  });

  describe("A secret setting", () => {
    it("is marked as one at its leaves, and nothing beside it", async () => {
      const car = provider().vehicle({ max_capacity: 60_000, max_charge_power: 3000 });
      const declared = car.declares({ maxCapacity: secret(76_543), maxChargePower: 11_000 });
      const { inputs } = await host().check(declared);
      expect(inputs).to.deep.include({ maxCapacity: secret(76_543), maxChargePower: 11_000 });
      const { id, properties } = await host().create(inputs);
      expect(properties).to.deep.include({
        maxCapacity: secret(76_543),
        settings: {
          // The status is not a secret, because commands need it in exported state.
          maxCapacity: { baseline: secret(60_000) },
          maxChargePower: { baseline: 3000 },
          policy: unmanaged("CHARGE BY"),
        },
      });
      expect((await host().read(id, properties)).properties).to.deep.equal(properties);
    });

    it("of one car of a site leaves the other cars in clear", async () => {
      const [a, b] = [provider().vehicle({ max_capacity: 50_000 }), provider().vehicle({ max_capacity: 50_000 })];
      const of = ({ deviceId }: { deviceId: string }, maxCapacity: unknown) => ({
        businessId: BUSINESS,
        deviceId,
        maxCapacity,
      });
      const vehicles = { a: of(a, secret(76_543)), b: of(b, 60_000) };
      const site = siteInputs(PLUGIN, { vehicles, inverters: {} }, "secret");
      const { inputs } = await host().check(site);
      const { properties } = await host().create(inputs);
      const devices = properties.devices as Record<string, Properties>;
      expect(devices["vehicle/a"]).to.deep.include({ maxCapacity: secret(76_543) });
      expect(devices["vehicle/b"]).to.include({ maxCapacity: 60_000 });
      expect(devices["vehicle/a"]?.settings).to.deep.include({
        maxCapacity: { baseline: secret(50_000) },
      });
      expect(devices["vehicle/b"]?.settings).to.deep.include({ maxCapacity: { baseline: 50_000 } });
    });

    it("is shown in no message, whether it is refused or warned of", async () => {
      const { failures } = await host().check(inputsOf("vehicle", { deviceId: "car", maxCapacity: secret(123) }));
      expect(failures).to.have.lengthOf(1);
      expect(JSON.stringify(failures)).to.contain("maxCapacity").and.not.contain("123");
      await host().check(inputsOf("vehicle", { deviceId: "car", maxCapacity: secret(271_828) }));
      expect(host().engine.messages.join("\n")).to.contain("large-capacity").and.not.match(/27182/);
    });
  });

  describe("The configuration", () => {
    const EXPLICIT = "urn:pulumi:dev::fleet::pulumi:providers:solar-charging::berlin";

    async function checkConfig(news: Properties, urn = EXPLICIT) {
      const request = new CheckRequest().setUrn(urn).setNews(struct(news));
      const response = await host().call(host().client.checkConfig, request);
      return {
        inputs: plain(response.getInputs()),
        failures: response.getFailuresList().map((one) => one.getReason()),
      };
    }

    it("that is wrong is refused, and a token in it is a secret", async () => {
      const { failures } = await checkConfig({ baseUrl: "ftp://x" });
      expect(failures).to.have.lengthOf(1);
      expect(failures[0]).to.contain("baseUrl");
      expect((await checkConfig({ accessToken: "t0ken", businessId: "b" })).inputs).to.deep.equal({
        accessToken: secret("t0ken"),
        businessId: "b",
      });
    });

    it("keeps each argument a secret that the program gives as one", async () => {
      const given = { oauthClientId: secret("the client"), businessId: "b" };
      expect((await checkConfig(given)).inputs).to.deep.equal(given);
    });

    it("takes numbers, flags and objects as they are, and as text", async () => {
      const typed = { maxConcurrency: 3, livePreview: true, inverterFields: { peakPower: "p" } };
      const texts = { maxConcurrency: "3", livePreview: "true", inverterFields: '{"peakPower":"p"}' };
      for (const config of [typed, texts]) expect((await checkConfig(config)).failures).to.deep.equal([]);
    });

    it("of an explicit provider wins over the environment, and names the source of the refused token", async () => {
      const wrong = await startServer((response) => response.writeHead(401).end());
      const plugin = await PluginHost.start(
        {
          config: {
            "solar-charging:baseUrl": wrong.url,
            "solar-charging:accessToken": "given",
            "solar-charging:businessId": BUSINESS,
          },
          environment: { SOLAR_CHARGING_ACCESS_TOKEN: "of the environment", SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "0" },
        },
        EXPLICIT,
      );
      try {
        const error = await failureOf(plugin.create(inputsOf("vehicle", { businessId: BUSINESS, deviceId: "car" })));
        expectFacts(error.details, ["HTTP 401", "accessToken ", "'berlin'"]);
        expect(wrong.received[0]?.headers.authorization).to.equal("Bearer given");
      } finally {
        await plugin.stop();
      }
    });
  });

  it("gives its version, and its schema", async () => {
    const info = await host().call(host().client.getPluginInfo, new Empty());
    expect(info.getVersion()).to.equal(manifestOf().version);
    const response = await host().call(host().client.getSchema, new GetSchemaRequest());
    expect(JSON.parse(response.getSchema())).to.deep.equal({
      ...JSON.parse(readFileSync(join(ROOT, "schema", "package.schema.json"), "utf8")),
      version: manifestOf().version,
    });
  });

  it("prints its port and nothing else", async () => {
    const plugin = await PluginHost.start({});
    await plugin.check(inputsOf("vehicle", { businessId: BUSINESS, deviceId: "car", maxCapacity: 77_000 }));
    await plugin.stop();
    expect(plugin.printed).to.equal("");
  });

  it("gives up a request that is stalled when it is cancelled, and keeps values that may have been applied", async () => {
    let isStalled = () => {};
    const stalled = new Promise<void>((resolve) => {
      isStalled = resolve;
    });
    const service = await startServer((response, { method }) => {
      if (method === "GET") {
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ id: "car", max_capacity: 1000 }));
      } else isStalled();
    });
    const { host: plugin } = await start((simulator) => {
      const { config, environment } = connected(simulator);
      // Without this, the request could time out on a slow machine before it is cancelled.
      const own = { "solar-charging:baseUrl": service.url, "solar-charging:requestTimeoutSeconds": "600" };
      return { config: { ...config, ...own }, environment };
    });
    const failure = failureOf(
      plugin.create(inputsOf("vehicle", { businessId: BUSINESS, deviceId: "car", maxCapacity: 77_000 })),
    );
    await stalled;
    await plugin.cancel();
    const kept = initFailureOf(await failure);
    expect(kept?.properties.settings).to.deep.equal({
      maxCapacity: { status: "uncertain", sent: [77_000], reported: 1000, baseline: 1000 },
    });
    expect(kept?.reasons[0]).to.contain("stopped");
  });

  it("gives up a request that outlasts the customTimeouts of its resource, and reports it", async () => {
    const service = await startServer(() => {}); // The service never answers.
    const { host: plugin } = await start((simulator) => {
      const { config, environment } = connected(simulator);
      return { config: { ...config, "solar-charging:baseUrl": service.url }, environment };
    });
    const urn = urnOf(PLUGIN, "VehicleSettings", "car");
    const properties = struct({ businessId: BUSINESS, deviceId: "car", maxCapacity: 77_000 });
    const create = new CreateRequest().setUrn(urn).setProperties(properties).setTimeout(0.2);
    const error = await failureOf(plugin.call(plugin.client.create, create));
    expectFacts(error.details, [" 0.2 s", "customTimeouts"]);
  });
});
