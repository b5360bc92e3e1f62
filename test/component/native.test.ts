import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as dynamic from "../../provider";
import { ownPlugin } from "../../provider/engine/plugin";
import * as native from "../../provider/native";
import { manifestOf } from "../protocol/installation";
import { failureOf } from "../support/failure";
import { mockedEngine, resolved } from "./mocks";

const CAR = { deviceId: "car", maxCapacity: "77 kWh" };
const SITE = { vehicles: { van: { deviceId: "van" } } };

type Named = Readonly<Record<string, { readonly properties?: object }>>;

describe("The native front", () => {
  const engine = mockedEngine();

  it("exports what the main entry exports, and a provider", () => {
    expect(Object.keys(native)).to.have.members([...Object.keys(dynamic), "Provider"]);
  });

  const made = {
    VehicleSettings: () => new native.VehicleSettings("mine", CAR),
    InverterSettings: () => new native.InverterSettings("mine", { deviceId: "roof", tilt: 35 }),
    SiteSettings: () => new native.SiteSettings("mine", SITE),
  };
  for (const [name, make] of Object.entries(made)) {
    it(`registers ${name} with the token of the plugin, and nothing that only the dynamic host needs`, async () => {
      const { type, inputs } = await engine.askedFor(make());
      expect(type).to.equal(`solar-charging:index:${name}`);
      expect(inputs).to.not.have.any.keys("__provider", "__program");
    });
  }

  const schema = require("../../../schema/package.schema.json") as {
    readonly resources: Named;
    readonly functions: Named;
  };
  for (const [name, make] of Object.entries(made)) {
    it(`gives ${name} each output of the schema`, () => {
      const outputs = Object.keys(schema.resources[`solar-charging:index:${name}`]?.properties ?? {});
      expect(outputs).to.not.deep.equal([]);
      expect(Object.keys(make())).to.include.members(outputs);
    });
  }

  it("has each function of the schema, and its form for outputs", () => {
    const names = Object.keys(schema.functions).map((token) => token.replace("solar-charging:index:", ""));
    expect(Object.keys(native)).to.include.members(names.flatMap((name) => [name, `${name}Output`]));
  });

  it("gives a fleet sites of its own", async () => {
    const manifest = { fleet: "f", sites: { berlin: { ...SITE, inverters: { roof: { deviceId: "roof" } } } } };
    await resolved(new native.FleetSettings("fleet", { manifest }).ready);
    expect(engine.asked.map(({ type }) => type)).to.include("solar-charging:index:SiteSettings");
  });

  it("knows its own resources, and reads one without managing it", async () => {
    const car = native.VehicleSettings.get("mine", "acme/car");
    const roof = native.InverterSettings.get("roof", "acme/roof");
    expect(native.VehicleSettings.isInstance(car)).to.equal(true);
    expect(native.InverterSettings.isInstance(roof)).to.equal(true);
    expect(native.SiteSettings.isInstance(new native.SiteSettings("home", SITE))).to.equal(true);
    expect(dynamic.VehicleSettings.isInstance(car)).to.equal(false);
    expect(await engine.askedFor(car)).to.include({ id: "acme/car" });
  });

  it("makes an explicit provider, with its values", async () => {
    const provider = new native.Provider("north", { businessId: "north", accessToken: "t0ken", maxConcurrency: 3 });
    const { type, inputs } = await engine.askedFor(provider);
    expect(type).to.equal("pulumi:providers:solar-charging");
    expect(inputs).to.include({ businessId: "north" });
  });

  it("asks for the plugin of its own version", () => {
    expect(ownPlugin()).to.include({ version: manifestOf().version });
  });

  describe("reads devices by functions of the plugin", () => {
    const car = { deviceId: "car", businessId: "acme", reported: { maxCapacity: 60_000 } };

    it("with the options of the call", async () => {
      engine.returns(() => car);
      const provider = new native.Provider("north", { businessId: "north" });
      expect(await native.getDevice({ deviceId: "car" }, { provider })).to.deep.equal(car);
      expect(engine.invoked).to.have.lengthOf(1);
      expect(engine.invoked[0]).to.deep.include({
        token: "solar-charging:index:getDevice",
        inputs: { deviceId: "car" },
      });
      expect(engine.invoked[0]?.provider).to.match(/pulumi:providers:solar-charging::north::/);
    });

    it("as an output that waits for its arguments", async () => {
      engine.returns(({ inputs }) => ({ ...car, ...inputs }));
      const device = native.getDeviceOutput({ deviceId: pulumi.output("van") });
      expect(await resolved(device.deviceId)).to.equal("van");
    });

    it("and gives the metrics alone", async () => {
      engine.returns(() => ({ metrics: { soc: 62 } }));
      expect(await native.getLatestMetrics({ deviceId: "car", allowWake: true })).to.deep.equal({ soc: 62 });
      expect(engine.invoked[0]?.inputs).to.deep.equal({ deviceId: "car", allowWake: true });
    });

    it("and gives the metrics, and explains a status, as outputs", async () => {
      engine.returns(() => ({ metrics: { soc: 62 } }));
      const metrics = native.getLatestMetricsOutput({ deviceId: pulumi.output("car"), allowWake: true });
      expect(await resolved(metrics)).to.deep.equal({ soc: 62 });
      const status = native.explainStatusOutput({ serviceStatus: pulumi.output("active_waiting") });
      expect(await resolved(status)).to.deep.equal(native.explainStatus("active_waiting"));
    });

    it("and reports a call that fails in a line", async () => {
      engine.returns(() => {
        throw Object.assign(new Error(), { details: "there is no device 'car'" });
      });
      const error = await failureOf(native.getDevice({ deviceId: "car" }));
      expect(pulumi.RunError.isInstance(error)).to.equal(true);
      expect(error.message).to.contain("there is no device 'car'");
    });
  });
});
