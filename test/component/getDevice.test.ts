import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { getDevice, getDeviceOutput, getLatestMetrics, VehicleSettings } from "../../provider";
import { wakesCar } from "../../provider/engine/messages";
import { textOf } from "../../provider/messages/message";
import { nameOf } from "../../provider/service/device";
import { expectFacts } from "../support/facts";
import { failureOf } from "../support/failure";
import { servers, type TestServer } from "../support/server";
import { isKnown, mockedEngine, resolved } from "./mocks";

const CAR = '{"dev_type":"Electric vehicle","max_capacity":60000,"connector_data":{"title":"Ada"}}';
const CAR_PATH = "/api/v1/businesses/acme/devices/car";

/** The message that a program throws for the user. */
async function messageOf(promise: Promise<unknown>): Promise<string> {
  const error = await failureOf(promise);
  expect(pulumi.RunError.isInstance(error)).to.equal(true);
  expect(error.stack).to.equal(error.message);
  return error.message;
}

/** Configures the stack for this server. */
function configure({ url }: Pick<TestServer, "url">): void {
  pulumi.runtime.setAllConfig({
    "solar-charging:baseUrl": url,
    "solar-charging:businessId": "acme",
    "solar-charging:accessToken": "t0ken",
    "solar-charging:retryTimeoutSeconds": "0",
  });
}

for (const isPreview of [false, true]) {
  describe(`getDevice in ${isPreview ? "a preview" : "an update"}`, () => {
    mockedEngine({ isPreview });
    const serve = servers();
    afterEach(() => pulumi.runtime.setAllConfig({}));

    it("reads the device with the stack's configuration", async () => {
      const server = await serve({ body: CAR });
      configure(server);

      const device = await getDevice({ deviceId: "car" });

      expect(device).to.deep.include({ businessId: "acme", deviceId: "car", reported: { maxCapacity: 60_000 } });
      expect(device.personal).to.deep.equal({ title: "Ada" });
      expect(server.received.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([`GET ${CAR_PATH}`]);
    });

    it("explains why it cannot be read, without a stack trace", async () => {
      configure(await serve({ status: 404, body: "{}" }));

      expectFacts(await messageOf(getDevice({ deviceId: "car" })), [nameOf({ businessId: "acme", deviceId: "car" })]);
    });
  });
}

describe("getDeviceOutput", () => {
  mockedEngine({ isPreview: true });
  const serve = servers();
  afterEach(() => pulumi.runtime.setAllConfig({}));

  it("reads a device after its id is known", async () => {
    configure(await serve({ body: CAR }));

    const device = getDeviceOutput({ deviceId: Promise.resolve("car"), businessId: pulumi.output("acme") });

    expect(await resolved(device.reported)).to.deep.equal({ maxCapacity: 60_000 });
  });

  it("has what is personal and raw within an apply", async () => {
    configure(await serve({ body: CAR }));

    const title = getDeviceOutput({ deviceId: "car" }).apply(({ personal }) => personal.title);

    expect(await resolved(title)).to.equal("Ada");
  });

  it("reads nothing while the id is not known", async () => {
    const server = await serve({ body: CAR });
    configure(server);

    const device = getDeviceOutput({ deviceId: pulumi.output(pulumi.unknown as unknown as string) });

    expect(await isKnown(device)).to.equal(false);
    expect(server.received).to.deep.equal([]);
  });

  it("reads after the resources that it depends on, and not before", async () => {
    const server = await serve({ body: CAR });
    configure(server);
    let make: (car: VehicleSettings) => void = () => {};
    const car = new Promise<VehicleSettings>((resolve) => {
      make = resolve;
    });

    const device = getDeviceOutput({ deviceId: "car" }, { dependsOn: [car] });

    await new Promise((turn) => setImmediate(turn));
    expect(server.received).to.deep.equal([]);
    make(new VehicleSettings("car", { deviceId: "car" }));
    expect(await resolved(device.reported)).to.deep.equal({ maxCapacity: 60_000 });
  });
});

describe("getLatestMetrics", () => {
  const serve = servers();
  afterEach(() => pulumi.runtime.setAllConfig({}));

  describe("in an update", () => {
    mockedEngine();

    it("reads the latest metrics, with one request", async () => {
      const server = await serve({ body: '{"state_of_charge":62}' });
      configure(server);

      expect(await getLatestMetrics({ deviceId: "car", allowWake: true })).to.deep.equal({ state_of_charge: 62 });
      expect(server.received.map(({ path }) => path)).to.deep.equal([`${CAR_PATH}/metrics/latest`]);
    });

    it("is refused without allowWake, without a request", async () => {
      const server = await serve({ body: "{}" });
      configure(server);
      const args = { deviceId: "car" } as Parameters<typeof getLatestMetrics>[0];
      expect(await messageOf(getLatestMetrics(args))).to.equal(textOf(wakesCar(false)));
      expect(server.received).to.deep.equal([]);
    });
  });

  describe("in a preview", () => {
    mockedEngine({ isPreview: true });

    it("is refused, without a request", async () => {
      const server = await serve({ body: "{}" });
      configure(server);

      expect(await messageOf(getLatestMetrics({ deviceId: "car", allowWake: true }))).to.equal(textOf(wakesCar(true)));
      expect(server.received).to.deep.equal([]);
    });
  });
});
