import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { SiteSettings, VehicleSettings } from "../../provider";
import { servers } from "../support/server";
import { mockedEngine, registered, resolved } from "./mocks";

// Token and provider string are in the state of every stack, so they are literals here, not imports.
const TYPE = "pulumi-nodejs:dynamic/solar-charging:SiteSettings";
const PROVIDER = 'exports.handler=()=>require("pulumi-solar-charging/host").site';

const SITE = {
  vehicles: { van: { deviceId: "van-1", maxCapacity: "77 kWh", maxChargePower: 11_000 } },
  inverters: { roof: { deviceId: "roof-1", azimuth: "SSW", tilt: 35 } },
  latitude: 52.5,
  requireReady: true,
} as const;

describe("new SiteSettings", () => {
  const engine = mockedEngine();

  it("registers one resource for the whole site, with what was given and what the check has to know", async () => {
    const site = new SiteSettings("berlin", SITE);
    const { type, custom, inputs } = await engine.askedFor(site);
    expect({ type, custom }).to.deep.equal({ type: TYPE, custom: true });
    expect(engine.asked).to.have.lengthOf(1);
    const __program = { urn: `urn:pulumi:stack::project::${TYPE}::berlin` };
    expect(inputs).to.deep.equal({ ...SITE, __program, __provider: PROVIDER });
  });

  it("refuses a device of a name that Pulumi would lose on the way to the engine", () => {
    const vehicles = { ["__proto__"]: { deviceId: "van-1" } };
    expect(() => new SiteSettings("berlin", { vehicles })).to.throw(pulumi.RunError, "__proto__");
  });

  it("keeps a secret secret on its way to the engine, at its place", async () => {
    const vehicles = { van: { deviceId: pulumi.secret("van-1"), maxCapacity: 77_000 } };
    const { inputs } = await engine.askedFor(new SiteSettings("berlin", { ...SITE, vehicles }));
    expect(
      pulumi.runtime.isRpcSecret(inputs.vehicles) || pulumi.runtime.isRpcSecret(inputs.vehicles.van.deviceId),
    ).to.equal(true);
  });

  it("has the outputs that the engine answers", async () => {
    const outputs = { ready: false, gaps: [], missing: ["a"], unverified: ["b"], devices: { "vehicle/van": {} } };
    engine.answers(({ inputs }) => ({ ...inputs, ...outputs }));
    const site = new SiteSettings("berlin", SITE);
    const found = await resolved(pulumi.all([site.ready, site.gaps, site.missing, site.unverified, site.devices]));
    expect(found).to.deep.equal(Object.values(outputs));
  });

  it("is distinguished from other resources by isInstance", async () => {
    const site = await registered(new SiteSettings("berlin", SITE));
    const car = await registered(new VehicleSettings("car", { deviceId: "car" }));
    expect([site, car, {}, undefined].map((one) => SiteSettings.isInstance(one))).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("a site in a live preview", () => {
  const engine = mockedEngine({ isPreview: true });
  const serve = servers();
  afterEach(() => {
    pulumi.runtime.resetOptions("project", "stack", -1, "", "", false, "");
    pulumi.runtime.setAllConfig({});
  });

  it("reads each device once, and passes the values to the check by label", async () => {
    const server = await serve((response, { path }) => {
      const deviceId = path.split("/").at(-1);
      const type = deviceId === "roof-1" ? "Inverter" : "Electric vehicle";
      response.writeHead(200).end(JSON.stringify({ id: deviceId, dev_type: type, tilt: 30, max_capacity: 60_000 }));
    });
    const config = { baseUrl: server.url, businessId: "acme", accessToken: "t0ken", livePreview: "true" };
    pulumi.runtime.setAllConfig(
      Object.fromEntries(Object.entries(config).map(([key, value]) => [`solar-charging:${key}`, value])),
    );
    const swapped = {
      ...SITE,
      vehicles: { van: { deviceId: "roof-1" }, bus: { deviceId: "bus-1", businessId: "acme" } },
    };
    let site: SiteSettings | undefined;
    await pulumi.runtime.runInPulumiStack(async () => {
      site = new SiteSettings("berlin", swapped);
    });
    const { inputs } = await engine.askedFor(site as SiteSettings);
    const { live } = inputs.__program.value;
    expect(live["vehicle/bus"]).to.deep.equal({ values: { maxCapacity: 60_000 } });
    expect(live["inverter/roof"]).to.deep.equal({ values: { tilt: 30 } });
    expect(live["vehicle/van"].problem.device).to.contain("roof-1");
    expect(server.received).to.have.lengthOf(2);
  });
});
