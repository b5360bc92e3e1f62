import { expect } from "chai";
import { describeWithEachHost, describeWithEachSdk } from "./installation";
import { BUSINESS, connected, inputsOf, ownProviders, sharedProvider, siteInputs, urnOf } from "./provider";

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

  it("about a resource arrive with its URN, if the program tells it", async () => {
    const { host } = provider();
    const urn = urnOf(sdk, "VehicleSettings", "charger");
    const news = inputsOf("vehicle", { deviceId: "charger", maxChargePower: 150_000, policy: "CHARGE BY FORECAST" });

    await host.check({ ...news, __program: { urn } });

    const own = host.engine.messages.filter((message) => message.includes(urn));
    expect(
      own.filter((message) => /^WARNING \S+ .*maxChargePower 150 kW .*direct-current-power/.test(message)),
    ).to.have.lengthOf(1);
  });

  const FORECAST = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
  for (const [what, more, warned] of [
    ["warn of", {}, 1],
    ["leave out", { policy: "CHARGE BY" }, 0],
    ["leave out, if it is switched off,", { ignoreLints: ["forecast-without-inverter"] }, 0],
  ] as const) {
    it(`${what} a car of its own with ${JSON.stringify({ ...FORECAST, ...more }.policy)}, whatever else is declared`, async () => {
      const { host } = await start();
      await host.check(inputsOf("inverter", { deviceId: "roof" }));
      await host.check(inputsOf("vehicle", { deviceId: "car", ...FORECAST, ...more }));
      await host.cancel();
      const { messages } = host.engine;
      expect(messages.filter((message) => message.includes("forecast-without-inverter"))).to.have.lengthOf(warned);
    });
  }

  it("do not appear for a car with CHARGE BY FORECAST that a site declares with an inverter", async () => {
    const { host } = await start();
    await host.check(
      siteInputs(sdk, {
        vehicles: { car: { deviceId: "car", ...FORECAST } },
        inverters: { roof: { deviceId: "roof" } },
      }),
    );
    await host.cancel();
    expect(host.engine.messages.join()).to.not.contain("forecast-without-inverter");
  });

  it("do not appear if all is well, and the inverter's fields are confirmed", async () => {
    const { host, ...running } = await start((simulator) => {
      const { config, environment } = connected(simulator);
      return { config: { ...config, "solar-charging:inverterFields": '{"peakPower":"peak_power"}' }, environment };
    });
    running.simulator.add(BUSINESS, "roof", { type: "inverter" });
    running.simulator.add(BUSINESS, "car", { type: "vehicle" });

    for (const news of [
      inputsOf("inverter", { deviceId: "roof", ignoreLints: ["nothing-declared"] }),
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

    expect(properties.settings).to.have.nested.property("maxCapacity.status", "pending");
    const own = host.engine.messages.filter(
      (message) => /^WARNING/.test(message) && message.includes(`'${car.deviceId}'`),
    );
    expect(own).to.have.lengthOf(1);
    expect(own[0]).to.match(/^WARNING .*: maxCapacity .* 77 kWh, .* 60 kWh .*"pulumi refresh"/);
  });

  it("say when an update was accepted and cannot be read back, and the update succeeds", async () => {
    const { host, simulator } = provider();
    const car = provider().vehicle({ max_capacity: 60_000 });
    const { id, properties } = await host.create(car.declares({ maxCapacity: 70_000 }));
    simulator.fail({ method: "GET", deviceId: car.deviceId, status: 500 });

    const updated = await host.update(id, properties, car.declares({ maxCapacity: 77_000 }));

    expect(updated.settings).to.have.nested.property("maxCapacity.status", "pending");
    const own = host.engine.messages.filter(
      (message) => /^WARNING/.test(message) && message.includes(`'${car.deviceId}'`),
    );
    expect(own).to.have.lengthOf(1);
    expect(own[0]).to.match(/^WARNING .*maxCapacity: .*: .*HTTP 500/);
  });
});

describeWithEachSdk("Warnings of what the program knows", (sdk) => {
  const provider = sharedProvider(sdk);

  it("of a live preview arrive with the URN of the resource", async () => {
    const { host } = provider();
    const urn = urnOf(sdk, "VehicleSettings", "drifted");
    const declared = inputsOf("vehicle", { businessId: BUSINESS, deviceId: "drifted", policy: "CHARGE BY" });
    const values = { policy: "CHARGE BY FORECAST" };

    await host.check({ ...declared, __program: { urn, live: { vehicle: { values } } } }, declared);
    await host.check(
      { ...declared, __program: { urn, live: { vehicle: { problem: { code: "noSuchDevice", finding: "gone" } } } } },
      declared,
    );

    const own = host.engine.messages.filter((message) => message.includes(urn));
    expect(own).to.have.lengthOf(2);
    expect(own[0]).to.match(/^WARNING \S+ .*policy \w+ CHARGE BY FORECAST .* CHARGE BY .*"pulumi refresh"/);
    expect(own[1]).to.equal(`WARNING ${urn} device 'drifted': gone`);
  });
});
