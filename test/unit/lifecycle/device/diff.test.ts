import { expect } from "chai";
import fc from "fast-check";
import { baselinesByValue } from "../../../../provider/ledger/events";
import { Store } from "../../../../provider/ledger/store";
import type { Change } from "../../../../provider/lifecycle/run/changes";
import type { Properties } from "../../../../provider/settings/objects";
import { UNKNOWN } from "../../../../provider/settings/objects";
import { vehicle } from "../../../../provider/settings/vehicle";
import { kindAndTwoValues } from "../../../support/arbitraries";
import { CAR, diffOf } from "../../../support/fakes";
import { settingsIn } from "../../../support/records";
import { carStack } from "../../../support/sites";

const olds: Properties = {
  ...CAR,
  maxCapacity: 77_000,
  policy: "CHARGE BY",
  settings: {
    maxCapacity: { status: "verified" },
    maxChargePower: { status: "unmanaged", reported: 3000 },
    policy: { status: "pending", reported: "CHARGE BY FORECAST" },
  },
};

/** The outputs with other records. */
function withRecords(values: Properties, records: Properties): Properties {
  return { ...olds, ...values, settings: { ...settingsIn(olds), ...records } };
}

const same: Properties = { ...CAR, maxCapacity: 77_000, policy: "CHARGE BY" };

function change(key: string, before: unknown, after?: unknown): Change {
  return { kind: "value", key, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

describe("diff", () => {
  const FORECAST = "CHARGE BY FORECAST";
  const drifted = { maxCapacity: { status: "drifted", ours: 77_000 } };
  const unknown = { maxCapacity: { status: "uncertain", sent: [77_000], reported: 60_000 } };
  const cases: [what: string, news: Properties, changes: Change[], olds?: Properties][] = [
    ["nothing where nothing changed", {}, []],
    ["a changed number", { maxCapacity: 80_000 }, [change("maxCapacity", 77_000, 80_000)]],
    ["a changed policy", { policy: FORECAST }, [change("policy", "CHARGE BY", FORECAST)]],
    [
      "a key that is newly declared, even as it is reported",
      { maxChargePower: 3000 },
      [change("maxChargePower", 3000, 3000)],
    ],
    ["a key that is no longer declared", { policy: undefined }, [change("policy", "CHARGE BY")]],
    ["a value that is not known yet", { maxCapacity: UNKNOWN }, [change("maxCapacity", 77_000, UNKNOWN)]],
    ["another device: a replacement", { deviceId: "van" }, [change("deviceId", CAR.deviceId, "van")]],
    ["another business: a replacement", { businessId: "b" }, [change("businessId", CAR.businessId, "b")]],
    ["a device that is not known yet: one too", { deviceId: UNKNOWN }, [change("deviceId", CAR.deviceId, UNKNOWN)]],
    ["another onDelete", { onDelete: "restore" }, [change("onDelete", "retain", "restore")]],
    [
      "lints that are ignored, and a latitude",
      { latitude: 51, ignoreLints: ["flat-tilt"] },
      [change("ignoreLints", undefined, ["flat-tilt"]), change("latitude", undefined, 51)],
    ],
    ["no change in retain, which is the default", { onDelete: "retain" }, []],
    ["no change in a default that was written out", {}, [], { ...olds, onDelete: "retain" }],
    [
      "drift of a declared key",
      {},
      [change("maxCapacity", 50_000, 77_000)],
      withRecords({ maxCapacity: 50_000 }, drifted),
    ],
    ["no drift of another key", {}, [], withRecords({}, { maxChargePower: { status: "unmanaged", reported: 9 } })],
    [
      "a key whose update has an unknown outcome, as the service shows it",
      {},
      [change("maxCapacity", 60_000, 77_000)],
      withRecords({}, unknown),
    ],
  ];
  for (const [what, news, changes, before = olds] of cases) {
    it(`finds ${what}`, () => {
      const after = Object.entries({ ...same, ...news }).filter(([, value]) => value !== undefined);
      const replaces = Object.keys(news).filter((key) => /Id$/.test(key));
      expect(diffOf(vehicle, before, Object.fromEntries(after))).to.deep.equal({ changes, replaces });
    });
  }

  it("lets the resource that adopts a device next know its baseline, if the declaration names another device", () => {
    for (const [deviceId, baselines] of [
      [CAR.deviceId, []],
      ["van", [[77_000, 60_000]]],
    ] as const) {
      const store = new Store();
      const before = withRecords({}, { maxCapacity: { status: "verified", baseline: 60_000 } });
      diffOf(vehicle, before, { ...same, deviceId, maxCapacity: 78_000 }, store);
      expect([...baselinesByValue(store.events(CAR, "maxCapacity"))]).to.deep.equal(baselines);
    }
  });

  it("shows both ids of a device that is replaced, also where it does not know that it belongs to a preview", async () => {
    const car = carStack({ max_capacity: 60_000 });
    await car.up({ maxCapacity: 77_000 });
    const run = car.run();
    const { inputs } = await car.check({ maxCapacity: 77_000, deviceId: "car-11" }, run);
    const shown = run.shown.length;
    await car.operations(run).diff(car.context(), car.outputs, inputs);
    expect(run.shown.slice(shown)).to.deep.equal([`deviceId ${CAR.deviceId} → car-11`]);
  });

  it("is pure: it changes neither side, and gives the same result again", () => {
    const frozen = structuredClone({ olds, same });
    expect(diffOf(vehicle, olds, same)).to.deep.equal(diffOf(vehicle, olds, same));
    expect({ olds, same }).to.deep.equal(frozen);
  });

  it("finds a change exactly if the declared keys or their values are others", () => {
    fc.assert(
      fc.property(kindAndTwoValues, ({ kind, first, second }) => {
        const settings = Object.fromEntries(Object.keys(first).map((key) => [key, { status: "notReported" }]));
        const { changes } = diffOf(kind, { ...CAR, ...first, settings }, { ...CAR, ...second });
        const isSame = (one: unknown, other: unknown) =>
          one === other ||
          (typeof one === "number" &&
            typeof other === "number" &&
            Math.abs(one - other) <= 1e-6 * Math.max(Math.abs(one), Math.abs(other)));
        const keys = new Set([...Object.keys(first), ...Object.keys(second)]) as Set<keyof typeof first>;
        const isChanged = [...keys].some((key) => !isSame(first[key], second[key]));
        expect(changes.length > 0).to.equal(isChanged);
      }),
    );
  });
});
