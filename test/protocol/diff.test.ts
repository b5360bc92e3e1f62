import { expect } from "chai";
import type { Properties } from "./host";
import { describeWithEachHost } from "./installation";
import { inputsOf, sharedProvider, UNKNOWN, unmanaged, verified } from "./provider";

const DECLARED = { businessId: "acme", deviceId: "car", maxCapacity: 77_000, policy: "CHARGE BY FORECAST" };
const STATE: Properties = inputsOf("vehicle", {
  ...DECLARED,
  settings: {
    ...verified({ maxCapacity: 77_000, policy: "CHARGE BY FORECAST" }, { maxCapacity: 60_000, policy: "CHARGE BY" }),
    maxChargePower: unmanaged(7_200),
  },
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
