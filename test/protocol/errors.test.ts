import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import type { Fault } from "solar-charging-simulator";
import { nameOf } from "../../provider/service/device";
import { expectFacts } from "../support/facts";
import { failureOf } from "./failures";
import type { ProviderHost } from "./host";
import { describeWithEachHost } from "./installation";
import { connected, inputsOf, ownProviders, PROVIDERS, sharedProvider, type TestDevice, verified } from "./provider";

describeWithEachHost("An operation that cannot succeed", (sdk) => {
  const provider = sharedProvider(sdk);
  const start = ownProviders(sdk);

  /** Every call of the host that makes a request, for a device with 77 kWh in state. */
  const operationsOf = (host: () => ProviderHost) => ({
    create: (car: TestDevice) => host().create(car.declares({ maxCapacity: 77_000 })),
    update: (car: TestDevice) =>
      host().update(
        car.resourceId,
        car.declares({ maxCapacity: 77_000, settings: verified({ maxCapacity: 77_000 }) }),
        car.declares({ maxCapacity: 80_000 }),
      ),
    read: (car: TestDevice) =>
      host().read(car.resourceId, car.declares({ maxCapacity: 77_000, settings: verified({ maxCapacity: 77_000 }) })),
    delete: (car: TestDevice) =>
      host().delete(
        car.resourceId,
        car.declares({
          maxCapacity: 77_000,
          settings: verified({ maxCapacity: 77_000 }, { maxCapacity: 60_000 }),
          onDelete: "restore",
        }),
      ),
  });
  const operations = operationsOf(() => provider().host);

  const faults: Record<string, [fault: Fault, message: RegExp]> = {
    "a token that the service refuses": [{ status: 401 }, /HTTP 401.*SOLAR_CHARGING_ACCESS_TOKEN/],
    "a business that the token may not manage": [{ status: 403 }, /HTTP 403/],
    "a service that fails": [{ status: 500 }, /HTTP 500/],
    "a service that sends a redirect": [
      { status: 302, headers: { location: "/" } },
      /HTTP 302.*solar-charging:baseUrl/,
    ],
    "a connection that breaks": [{ kind: "reset" }, /ECONNRESET/],
    "a page that says 404": [
      { status: 404, headers: { "content-type": "text/html" }, body: "<h1>Not here</h1>" },
      /HTTP 404/,
    ],
  };

  for (const [operation, run] of Object.entries(operations)) {
    for (const [title, [fault, message]] of Object.entries(faults)) {
      it(`is answered with a message: ${operation}, ${title}`, async () => {
        const car = provider().vehicle({ max_capacity: 77_000 });
        provider().simulator.fail({ ...fault, deviceId: car.deviceId });

        const error = await failureOf(run(car));

        expect(error.code).to.equal(status.UNKNOWN);
        expect(error.details).to.match(message).and.contain(car.deviceId);
        expect(error.details).not.to.match(/\n|undefined/);
      });
    }
  }

  it("is answered with a message when the service never answers, whatever the operation", async () => {
    const hurried = await start((simulator) => {
      const { config, environment } = connected(simulator);
      return { config: { ...config, "solar-charging:requestTimeoutSeconds": "1" }, environment };
    });
    const answers = Object.values(operationsOf(() => hurried.host)).map(async (run) => {
      const car = hurried.vehicle({ max_capacity: 77_000 });
      hurried.simulator.fail({ kind: "stall-headers", deviceId: car.deviceId });
      return await failureOf(run(car));
    });

    for (const { code, details } of await Promise.all(answers)) {
      expect(code).to.equal(status.UNKNOWN);
      expect(details).to.contain("within 1 s");
    }
  });

  for (const operation of ["create", "read", "delete"] as const) {
    it(`is answered with a message and sends nothing: ${operation} of a vehicle that is an inverter`, async () => {
      const roof = provider().inverter();
      const asVehicle = Object.assign(Object.create(roof) as TestDevice, { kind: "vehicle" });

      const { details } = await failureOf(operations[operation](asVehicle));

      expectFacts(details, ["'Inverter'", "VehicleSettings", "'Electric vehicle'"]);
      expect(roof.takeRequests()).to.deep.equal(["GET"]);
    });
  }

  it("is answered with a message and sends nothing: create of an inverter that is a vehicle", async () => {
    const car = provider().vehicle();

    const { details } = await failureOf(
      provider().host.create({ ...car.declares({ tilt: 35 }), __provider: PROVIDERS.inverter }),
    );

    expectFacts(details, ["'Electric vehicle'", "InverterSettings", "inverter"]);
    expect(car.takeRequests()).to.deep.equal(["GET"]);
  });

  it("is answered with a message: create of a device that the service does not know", async () => {
    const car = provider().vehicle();
    car.remove();

    const { details } = await failureOf(operations.create(car));

    expectFacts(details, [nameOf({ businessId: "acme", deviceId: car.deviceId }), "deviceId, businessId"]);
  });

  it("is answered with a message: update of a device that is gone", async () => {
    const car = provider().vehicle();
    car.remove();

    const { details } = await failureOf(operations.update(car));

    expectFacts(details, ["update", nameOf({ businessId: "acme", deviceId: car.deviceId }), "HTTP 404"]);
  });

  for (const id of ["", "car", "acme/", "acme/car/1", "acme/%", "acme/a b"]) {
    it(`is answered with a message: read of the id '${id}'`, async () => {
      const { details } = await failureOf(provider().host.read(id, inputsOf("vehicle", {})));

      expectFacts(details, [`'${id}'`, "businessId/deviceId"]);
    });
  }

  it("shows no token and no line of code, neither in messages nor in the output of the process", async () => {
    const token = "canary-4711/+=";
    const { host, simulator } = await start((simulator) => ({
      ...connected(simulator),
      environment: { SOLAR_CHARGING_ACCESS_TOKEN: token },
    }));
    const body = `no business for Bearer ${token} (${encodeURIComponent(token)}, ${btoa(token)})`;
    simulator.fail({ status: 403, body, times: 4 });
    const car = inputsOf("vehicle", { businessId: "acme", deviceId: "car", maxCapacity: 77_000, onDelete: "restore" });
    const kept = { ...car, settings: verified({ maxCapacity: 77_000 }, { maxCapacity: 60_000 }) };
    const faster = { ...car, maxCapacity: 80_000 };

    const errors = await Promise.all([
      failureOf(host.create(car)),
      failureOf(host.update("acme/car", kept, faster)),
      failureOf(host.read("acme/car", kept)),
      failureOf(host.delete("acme/car", kept)),
    ]);

    await host.stop();
    const shown = [...errors.map(({ details }) => details), host.printed, ...host.engine.messages];
    expect(shown[0]).to.contain("no business for");
    for (const text of shown) {
      for (const form of [token, encodeURIComponent(token), btoa(token)]) expect(text).not.to.contain(form);
      expect(text).not.to.match(/^\s+at .*:\d+/m);
    }
  });
});
