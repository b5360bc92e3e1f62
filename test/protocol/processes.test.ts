import { readdirSync, statSync } from "node:fs";
import { expect } from "chai";
import { temporaryFolder } from "../support/folder";
import { type FakeEngine, startEngine } from "./engine";
import { describeWithEachHost } from "./installation";
import { connected, inputsOf, ownProviders, urnOf } from "./provider";

describeWithEachHost("Two provider processes of one engine", (sdk) => {
  const start = ownProviders(sdk);
  const path = temporaryFolder();
  const engines: FakeEngine[] = [];
  afterEach(() => {
    for (const engine of engines.splice(0)) engine.stop();
  });

  /** The processes of a run: an explicit provider beside the default one. Both use the same service. */
  async function run(settings: Readonly<Record<string, unknown>> = { max_capacity: 60_000 }) {
    const engine = await startEngine();
    engines.push(engine);
    const environment = { TMPDIR: path(".") };
    const { host: first, simulator } = await start((own) => {
      const options = connected(own);
      return { ...options, environment: { ...options.environment, ...environment }, engine };
    });
    const { host: second } = await start(() => {
      const options = connected(simulator);
      return { ...options, environment: { ...options.environment, ...environment }, engine };
    });
    simulator.add("acme", "car", { type: "vehicle", settings });
    return { first, second, simulator, engine };
  }
  const declared = (name: string, values: Readonly<Record<string, unknown>>) => ({
    ...inputsOf("vehicle", { businessId: "acme", deviceId: "car", ...values }),
    __program: { urn: urnOf(sdk, "VehicleSettings", name) },
  });

  it("refuse a setting that the other one declares, by a file that nobody else can read", async () => {
    const { first, second } = await run();
    expect((await first.check(declared("one", { maxCapacity: 77_000 }))).failures).to.deep.equal([]);
    const { failures } = await second.check(declared("two", { maxCapacity: 78_000 }));
    expect(failures.map(({ property }) => property)).to.deep.equal(["maxCapacity"]);
    expect((await second.check(declared("two", { policy: "CHARGE BY" }))).failures).to.deep.equal([]);
    const [folder = ""] = readdirSync(path("."));
    const [file = "", ...others] = readdirSync(path(folder));
    expect(others).to.deep.equal([]);
    expect([folder, `${folder}/${file}`].map((one) => statSync(path(one)).mode & 0o077)).to.deep.equal([0, 0]);
  });

  it("keep the values of the other one's resource if their own is deleted, and print the baselines", async () => {
    const onDelete = "restore";
    const before = await run();
    const { inputs } = await before.first.check(declared("old", { maxCapacity: 77_000, onDelete }));
    const old = await before.first.create(inputs);

    // In the next run, the program declares the device with another name and another provider.
    const { first, second, simulator, engine } = await run({ max_capacity: 77_000 });
    await second.create((await second.check(declared("new", { maxCapacity: 80_000, onDelete }))).inputs);
    await first.delete(old.id, old.properties);

    expect(simulator.device("acme", "car")).to.include({ max_capacity: 80_000 });
    expect(engine.messages.join("\n")).to.contain("maxCapacity was 60 kWh");
  });
});
