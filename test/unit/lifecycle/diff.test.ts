import { expect } from "chai";
import fc from "fast-check";
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

describe("diff", () => {
  const cases: [string, Properties, Properties, { changes: boolean; replaces?: string[] }][] = [
    ["nothing where nothing changed", olds, same, { changes: false }],
    ["a changed number", olds, { ...same, maxCapacity: 80_000 }, { changes: true }],
    ["a changed policy", olds, { ...same, policy: "CHARGE BY FORECAST" }, { changes: true }],
    [
      "a key that is newly declared, even as it is reported",
      olds,
      { ...same, maxChargePower: 3000 },
      { changes: true },
    ],
    ["a key that is no longer declared", olds, withoutPolicy, { changes: true }],
    ["a value that is not known yet", olds, { ...same, maxCapacity: UNKNOWN }, { changes: true }],
    ["another device: a replacement", olds, { ...same, deviceId: "van" }, { changes: true, replaces: ["deviceId"] }],
    [
      "another business: a replacement",
      olds,
      { ...same, businessId: "b" },
      { changes: true, replaces: ["businessId"] },
    ],
    ["a device that is not known yet", olds, { ...same, deviceId: UNKNOWN }, { changes: true, replaces: ["deviceId"] }],
    ["another onDelete", olds, { ...same, onDelete: "restore" }, { changes: true }],
    ["no change in retain, which is the default", olds, { ...same, onDelete: "retain" }, { changes: false }],
    ["no change in a default that was written out", { ...olds, onDelete: "retain" }, same, { changes: false }],
    ["drift of a declared key", { ...olds, maxCapacity: 50_000 }, same, { changes: true }],
    ["no drift of a key that is not declared", { ...olds, reported: { maxChargePower: 9 } }, same, { changes: false }],
    [
      "a key whose update has an unknown outcome",
      { ...olds, verification: { policy: "verified" } },
      same,
      { changes: true },
    ],
  ];
  for (const [what, before, after, expected] of cases) {
    it(`finds ${what}`, () => {
      expect(diff(vehicle, before, after)).to.deep.equal({ replaces: [], ...expected });
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
        expect(changes).to.equal(entries(first) !== entries(second));
      }),
    );
  });
});
