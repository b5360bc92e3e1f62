import { expect } from "chai";
import fc from "fast-check";
import type { Change, Difference } from "../../../provider/lifecycle/changes";
import { diff } from "../../../provider/lifecycle/diff";
import { UNKNOWN } from "../../../provider/lifecycle/program";
import type { Properties } from "../../../provider/lifecycle/state";
import { vehicle } from "../../../provider/settings/vehicle";
import { kindAndTwoValues } from "../../support/arbitraries";
import { CAR } from "../../support/fakes";

const olds: Properties = {
  ...CAR,
  maxCapacity: 77_000,
  policy: "CHARGE BY",
  reported: { maxCapacity: 77_000, policy: "CHARGE BY", maxChargePower: 3000 },
  baseline: {},
  verification: { maxCapacity: "verified", policy: "pending" },
};
const same: Properties = { ...CAR, maxCapacity: 77_000, policy: "CHARGE BY" };
const { policy: _, ...withoutPolicy } = same;

function change(key: string, before: unknown, after?: unknown): Change {
  return { kind: "value", key, before, ...(after !== undefined && { after }) };
}

describe("diff", () => {
  const cases: [string, Properties, Properties, Partial<Difference>][] = [
    ["nothing where nothing changed", olds, same, {}],
    ["a changed number", olds, { ...same, maxCapacity: 80_000 }, { changes: [change("maxCapacity", 77_000, 80_000)] }],
    [
      "a changed policy",
      olds,
      { ...same, policy: "CHARGE BY FORECAST" },
      { changes: [change("policy", "CHARGE BY", "CHARGE BY FORECAST")] },
    ],
    [
      "a key that is newly declared, even as it is reported",
      olds,
      { ...same, maxChargePower: 3000 },
      { changes: [change("maxChargePower", 3000, 3000)] },
    ],
    ["a key that is no longer declared", olds, withoutPolicy, { changes: [change("policy", "CHARGE BY")] }],
    [
      "a value that is not known yet",
      olds,
      { ...same, maxCapacity: UNKNOWN },
      { changes: [change("maxCapacity", 77_000, UNKNOWN)] },
    ],
    [
      "another device: a replacement",
      olds,
      { ...same, deviceId: "van" },
      { changes: [change("deviceId", CAR.deviceId, "van")], replaces: ["deviceId"] },
    ],
    [
      "another business: a replacement",
      olds,
      { ...same, businessId: "b" },
      { changes: [change("businessId", CAR.businessId, "b")], replaces: ["businessId"] },
    ],
    [
      "a device that is not known yet",
      olds,
      { ...same, deviceId: UNKNOWN },
      { changes: [change("deviceId", CAR.deviceId, UNKNOWN)], replaces: ["deviceId"] },
    ],
    [
      "another onDelete",
      olds,
      { ...same, onDelete: "restore" },
      { changes: [change("onDelete", "retain", "restore")] },
    ],
    ["no change in retain, which is the default", olds, { ...same, onDelete: "retain" }, {}],
    ["no change in a default that was written out", { ...olds, onDelete: "retain" }, same, {}],
    [
      "drift of a declared key",
      { ...olds, maxCapacity: 50_000 },
      same,
      { changes: [change("maxCapacity", 50_000, 77_000)] },
    ],
    ["no drift of a key that is not declared", { ...olds, reported: { maxChargePower: 9 } }, same, {}],
    [
      "a key whose update has an unknown outcome, as the service shows it",
      { ...olds, reported: { maxCapacity: 60_000 }, verification: { policy: "verified" } },
      same,
      { changes: [change("maxCapacity", 60_000, 77_000)] },
    ],
  ];
  for (const [what, before, after, expected] of cases) {
    it(`finds ${what}`, () => {
      expect(diff(vehicle, before, after)).to.deep.equal({ changes: [], replaces: [], ...expected });
    });
  }

  it("is pure: it changes neither side, and says the same again", () => {
    const frozen = structuredClone({ olds, same });
    expect(diff(vehicle, olds, same)).to.deep.equal(diff(vehicle, olds, same));
    expect({ olds, same }).to.deep.equal(frozen);
  });

  it("finds a change exactly where the declared keys or their values are others", () => {
    fc.assert(
      fc.property(kindAndTwoValues, ({ kind, first, second }) => {
        const verification = Object.fromEntries(Object.keys(first).map((key) => [key, "notReported"]));
        const { changes } = diff(kind, { ...CAR, ...first, verification }, { ...CAR, ...second });
        const entries = (values: object) => JSON.stringify(Object.entries(values).sort());
        expect(changes.length > 0).to.equal(entries(first) !== entries(second));
      }),
    );
  });
});
