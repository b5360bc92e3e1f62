import { existsSync, readFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { expect } from "chai";
import { temporaryFolder } from "../support/folder";
import { servers } from "../support/server";
import { startEngine } from "./engine";
import { failureOf, initFailureOf } from "./failures";
import type { Properties } from "./host";
import { describeWithEachHost, PLUGIN } from "./installation";
import { BUSINESS, connected, inputsOf, ownProviders, type TestDevice, urnOf } from "./provider";

const linesOf = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line): Properties => JSON.parse(line));

describeWithEachHost("The change ledger", (sdk) => {
  const URN = urnOf(sdk, "VehicleSettings", "car");
  // Pulumi's host of dynamic resources does not know which resource it deletes.
  const ofDelete = (name: string) =>
    sdk === PLUGIN ? { urn: urnOf(sdk, "VehicleSettings", name) } : { stack: undefined, urn: undefined };
  const path = temporaryFolder();
  const start = ownProviders(sdk);
  const startServer = servers();

  const startAt = (file: string | undefined) =>
    start((simulator) => {
      const { config, environment } = connected(simulator);
      const ledger = {
        ...(file && { SOLAR_CHARGING_LEDGER_FILE: file }),
        SOLAR_CHARGING_RUN_ID: "one",
        PULUMI_NODEJS_PROJECT: "fleet",
        // Removes a pipeline's variables, in case a pipeline runs this test.
        ...{ GITHUB_RUN_ID: "", CI_JOB_URL: "", BUILD_URL: "" },
      };
      return { config, environment: { ...environment, ...ledger } };
    });

  it("has a line for each PATCH of create, update and delete, and no line for operations that send nothing", async () => {
    const { host, vehicle, simulator } = await withVehicle({ max_capacity: 60_000 });
    const declare = async (maxCapacity: number): Promise<Properties> => {
      const declared = vehicle.declares({ maxCapacity, onDelete: "restore" });
      return (await host.check({ ...declared, __program: { urn: URN } })).inputs;
    };

    const { id, properties } = await host.create(await declare(77_000));
    const same = await host.update(id, properties, await declare(77_000));
    simulator.fail({ method: "PATCH", deviceId: vehicle.deviceId, status: 422 });
    await failureOf(host.update(id, same, await declare(78_000)));
    simulator.fail({ method: "PATCH", deviceId: vehicle.deviceId, kind: "reset-after-apply" });
    const uncertain = initFailureOf(await failureOf(host.update(id, same, await declare(79_000))));
    const left = await startAt(path("ledger")); // A new process, in which nothing is declared.
    left.simulator.add(BUSINESS, vehicle.deviceId, { type: "vehicle", settings: vehicle.settings });
    await left.host.delete(id, uncertain?.properties ?? {});

    const lines = linesOf(path("ledger"));
    expect(lines.map(({ time: _, service: __, ...line }) => line)).to.deep.equal(
      [
        line("create", { old: 60_000, new: 77_000 }, { outcome: "planned" }),
        line("create", { old: 60_000, new: 77_000, verification: "verified" }, { outcome: "accepted" }),
        line("update", { old: 77_000, new: 78_000 }, { outcome: "refused", status: 422 }),
        line("update", { old: 77_000, new: 79_000 }, { outcome: "unknown" }),
        { ...line("delete", { old: 79_000, new: 60_000 }, { outcome: "accepted" }), ...ofDelete(vehicle.deviceId) },
      ].map((expected) => JSON.parse(JSON.stringify(expected))),
    );
    expect(readFileSync(path("ledger"), "utf8")).to.not.contain(simulator.token);

    function line(operation: string, change: object, result: object) {
      const device = { businessId: BUSINESS, deviceId: vehicle.deviceId };
      const changes = [{ key: "maxCapacity", ...change }];
      const by = `${userInfo().username}@${hostname()}`;
      return { run: "one", project: "fleet", stack: "dev", urn: URN, by, operation, ...device, changes, ...result };
    }
  });

  it("that cannot be written fails the update before anything is sent", async () => {
    const { host, vehicle } = await withVehicle({ max_capacity: 60_000 }, "no/folder/ledger");

    const error = await failureOf(host.create(vehicle.declares({ maxCapacity: 77_000 })));

    expect(error.details).to.match(/no\/folder\/ledger .*\(ENOENT\)/);
    expect(initFailureOf(error)).to.equal(undefined);
    expect(vehicle.takeRequests()).to.deep.equal(["GET"]);
  });

  it("records the updates of a host after its engine has died", async () => {
    const engine = await startEngine();
    const service = await startServer({ body: '{"id":"car","max_capacity":60000}' }, () => engine.stop());
    const { host } = await start((simulator) => {
      const { config, environment } = connected(simulator);
      return {
        config: { ...config, "solar-charging:baseUrl": service.url },
        environment: { ...environment, SOLAR_CHARGING_LEDGER_FILE: path("ledger") },
        engine,
      };
    });
    const failure = failureOf(
      host.create(inputsOf("vehicle", { businessId: "b", deviceId: "car", maxCapacity: 77_000 })),
    );

    await host.ended();

    await failure;
    const lines = linesOf(path("ledger")).map(({ deviceId, outcome }) => [deviceId, outcome]);
    expect(lines).to.deep.equal([
      ["car", "planned"],
      ["car", "unknown"],
    ]);
  });

  it("is not made if it is not asked for", async () => {
    const { host, vehicle } = await withVehicle({ max_capacity: 60_000 }, "");
    await host.create(vehicle.declares({ maxCapacity: 77_000 }));
    expect(existsSync(path("ledger"))).to.equal(false);
  });

  async function withVehicle(settings: Record<string, number>, file = "ledger") {
    const provider = await startAt(file && path(file));
    const vehicle: TestDevice = provider.vehicle(settings);
    return { host: provider.host, simulator: provider.simulator, vehicle };
  }
});
