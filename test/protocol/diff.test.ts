import { expect } from "chai";
import type { Properties } from "./host";
import { describeWithEachHost, describeWithEachSdk } from "./installation";
import { inputsOf, sharedProvider, UNKNOWN, unmanaged, urnOf, verified } from "./provider";

const DECLARED = { businessId: "acme", deviceId: "car", maxCapacity: 77_000, policy: "CHARGE BY FORECAST" };
const STATE: Properties = inputsOf("vehicle", {
  ...DECLARED,
  settings: {
    ...verified({ maxCapacity: 77_000, policy: "CHARGE BY FORECAST" }, { maxCapacity: 60_000, policy: "CHARGE BY" }),
    maxChargePower: unmanaged(7_200),
  },
});

describeWithEachSdk("A preview", (sdk) => {
  const provider = sharedProvider(sdk);

  it("leaves the same inputs as the update, which `pulumi up --plan` compares, and shows the changes", async () => {
    const { host } = provider();
    const car = provider().vehicle({ max_capacity: 60_000 });
    const urn = urnOf(sdk, "VehicleSettings", "planned");
    const newsOf = (maxCapacity: number, facts: Properties = {}) =>
      car.declares({ maxCapacity, __program: { urn, ...facts } });
    const previewed = { isPreview: true, live: { vehicle: { values: { maxCapacity: 60_000 } } } };
    const { id, properties } = await host.create((await host.check(newsOf(70_000))).inputs);

    const { inputs } = await host.check(newsOf(77_000, previewed), newsOf(70_000));
    expect(inputs).to.deep.equal((await host.check(newsOf(77_000), newsOf(70_000))).inputs);
    const shown = host.engine.messages.length;
    await host.diff(id, properties, inputs);
    expect(host.engine.messages.slice(shown)).to.deep.equal([`INFO ${urn} maxCapacity 70 → 77 kWh`]);
  });
});

describeWithEachHost("Diff", (sdk) => {
  const provider = sharedProvider(sdk);

  const diff = (news: Properties, olds = STATE) => provider().host.diff("acme/car", olds, inputsOf("vehicle", news));

  it("sees no change if the declared values are the known ones", async () => {
    expect(await diff(DECLARED)).to.deep.equal({ changes: false, replaces: [] });
  });

  it("sees a changed setting", async () => {
    expect(await diff({ ...DECLARED, maxCapacity: 80_000 })).to.deep.equal({ changes: true, replaces: [] });
  });

  it("sees a setting that is declared for the first time, also if the device has that value", async () => {
    expect(await diff({ ...DECLARED, maxChargePower: 7_200 })).to.deep.equal({ changes: true, replaces: [] });
  });

  it("sees a setting that is no longer declared", async () => {
    const { policy, ...rest } = DECLARED;

    expect(await diff(rest)).to.deep.equal({ changes: true, replaces: [] });
  });

  it("sees a changed onDelete", async () => {
    expect(await diff({ ...DECLARED, onDelete: "restore" })).to.deep.equal({ changes: true, replaces: [] });
  });

  it("sees no change in the default of onDelete written out", async () => {
    expect(await diff({ ...DECLARED, onDelete: "retain" })).to.deep.equal({ changes: false, replaces: [] });
  });

  it("sees a change in a setting that is not known yet", async () => {
    expect(await diff({ ...DECLARED, maxCapacity: UNKNOWN })).to.deep.equal({ changes: true, replaces: [] });
  });

  it("replaces for another device", async () => {
    expect(await diff({ ...DECLARED, deviceId: "van" })).to.deep.equal({ changes: true, replaces: ["deviceId"] });
  });

  it("replaces for another business", async () => {
    expect(await diff({ ...DECLARED, businessId: "north" })).to.deep.equal({ changes: true, replaces: ["businessId"] });
  });

  it("sends a setting again whose update had an unknown outcome", async () => {
    const maxCapacity = { status: "uncertain", sent: [77_000], baseline: 60_000 };
    const olds = { ...STATE, settings: { ...verified({ policy: "CHARGE BY FORECAST" }), maxCapacity } };

    expect(await diff(DECLARED, olds)).to.deep.equal({ changes: true, replaces: [] });
  });

  it("makes no request", async () => {
    const car = provider().vehicle({ max_capacity: 60_000 });

    await provider().host.diff(car.resourceId, car.declares({ settings: {} }), car.declares({ maxCapacity: 77_000 }));

    expect(car.takeRequests()).to.deep.equal([]);
  });
});
