import { expect } from "chai";
import { describeWithEachHost, describeWithEachSdk } from "./installation";
import { BUSINESS, connected, inputsOf, ownProviders, sharedProvider, urnOf } from "./provider";

describeWithEachHost("Warnings", (sdk) => {
  const provider = sharedProvider(sdk);
  const start = ownProviders(sdk);

  it("of undocumented names of an inverter's settings arrive at the engine once, however many inverters there are", async () => {
    const { host } = provider();

    await host.check(inputsOf("inverter", { deviceId: "roof", peakPower: 9_800 }));
    await host.check(inputsOf("inverter", { deviceId: "barn", peakPower: 5_000 }));

    const warnings = host.engine.messages.filter((message) => message.includes("doctor --device"));
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.match(/^WARNING /);
  });

  it("about a resource arrive with its URN, where the program tells it", async () => {
    const { host } = provider();
    const urn = urnOf(sdk, "VehicleSettings", "charger");
    const news = inputsOf("vehicle", { deviceId: "charger", maxChargePower: 150_000, policy: "CHARGE BY FORECAST" });

    await host.check({ ...news, __program: { urn } });

    const own = host.engine.messages.filter((message) => message.includes(urn));
    expect(own.filter((message) => /^WARNING \S+ .*maxChargePower 150000 W is above/.test(message))).to.have.lengthOf(
      1,
    );
  });

  it("are none where all is well, and the inverter's fields are confirmed", async () => {
    const { host, ...running } = await start((simulator) => {
      const { config, environment } = connected(simulator);
      return { config: { ...config, "solar-charging:inverterFields": '{"peakPower":"peak_power"}' }, environment };
    });
    running.simulator.add(BUSINESS, "roof", { type: "inverter" });
    running.simulator.add(BUSINESS, "car", { type: "vehicle" });

    for (const news of [
      inputsOf("inverter", { deviceId: "roof" }),
      inputsOf("vehicle", { deviceId: "car", policy: "CHARGE BY" }),
    ]) {
      await host.create((await host.check(news)).inputs);
    }

    expect(host.engine.messages).to.deep.equal([]);
    await host.stop();
    expect(host.printed).to.equal("");
  });

  it("say when the cached read still shows another value, and the update succeeds", async () => {
    const { host, simulator } = provider();
    const car = provider().vehicle({ max_capacity: 60_000 });
    simulator.behave({ ignoresPatches: true }, BUSINESS, car.deviceId);

    const { properties } = await host.create(car.declares({ maxCapacity: 77_000 }));

    expect(properties).to.deep.include({ verification: { maxCapacity: "pending" } });
    const own = host.engine.messages.filter((message) => message.includes(`'${car.deviceId}'`));
    expect(own).to.have.lengthOf(1);
    expect(own[0]).to.match(/^WARNING .*: maxCapacity was accepted as 77000, but the cached read still shows 60000 /);
  });

  it("say when an update was accepted and cannot be read back, and the update succeeds", async () => {
    const { host, simulator } = provider();
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await host.create(car.declares({}));
    simulator.fail({ method: "GET", deviceId: car.deviceId, status: 500 });

    const updated = await host.update(id, properties, car.declares({ maxCapacity: 77_000 }));

    expect(updated).to.deep.include({ verification: { maxCapacity: "pending" } });
    const own = host.engine.messages.filter((message) => message.includes(`'${car.deviceId}'`));
    expect(own).to.have.lengthOf(1);
    expect(own[0]).to.match(/^WARNING .*maxCapacity was accepted, but not read back: .*HTTP 500/);
  });
});

describeWithEachSdk("Warnings of what the program knows", (sdk) => {
  const provider = sharedProvider(sdk);

  it("of what a live preview found arrive with the URN of the resource", async () => {
    const { host } = provider();
    const urn = urnOf(sdk, "VehicleSettings", "drifted");
    const declared = inputsOf("vehicle", { businessId: BUSINESS, deviceId: "drifted", policy: "CHARGE BY" });

    await host.check({ ...declared, __program: { urn, live: { values: { policy: "CHARGE BY FORECAST" } } } }, declared);
    await host.check(
      { ...declared, __program: { urn, live: { problem: { code: "noSuchDevice", finding: "gone" } } } },
      declared,
    );

    const own = host.engine.messages.filter((message) => message.includes(urn));
    expect(own).to.have.lengthOf(2);
    expect(own[0]).to.match(
      /^WARNING \S+ .*policy is CHARGE BY FORECAST in the service's cache, and CHARGE BY in state/,
    );
    expect(own[1]).to.equal(`WARNING ${urn} gone`);
  });
});
