import { expect } from "chai";
import fc from "fast-check";
import { inverter } from "../../../provider/settings/inverter";
import { type Problem, problemsOf } from "../../../provider/settings/schema";
import type { DeviceKind } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { anyKind, someValues } from "../../support/arbitraries";
import { freshKind } from "../../support/kinds";

function problems(kind: DeviceKind, inputs: Record<string, unknown>): Problem[] {
  return problemsOf(freshKind(kind), { businessId: "acme", deviceId: "car", ...inputs }, new Set());
}

/** The one reason why this property is refused. */
function reason(kind: DeviceKind, property: string, value: unknown): string {
  const found = problems(kind, { [property]: value });
  expect(found.map((problem) => problem.property)).to.deep.equal([property]);
  return (found[0] as Problem).reason;
}

describe("problemsOf: ranges", () => {
  // Accepted edges, then refused values with the beginning of the reason.
  const ranges: [DeviceKind, string, number[], [number, string][]][] = [
    [
      vehicle,
      "maxCapacity",
      [1000, 1000.5, 77_000, 300_000],
      [
        [999.999, "999.999 Wh is below 1000 Wh"],
        [300_000.001, "300000.001 Wh is above 300000 Wh"],
        [0, "0 Wh is below 1000 Wh"],
        [-77_000, "-77000 Wh is below 1000 Wh"],
      ],
    ],
    [
      vehicle,
      "maxChargePower",
      [1000, 7200, 350_000],
      [
        [999, "999 W is below 1000 W"],
        [350_001, "350001 W is above 350000 W"],
      ],
    ],
    [
      inverter,
      "peakPower",
      [100, 9800, 1_000_000],
      [
        [99.9, "99.9 W is below 100 W; looks like kW; 99.9 kW is 99900"],
        [0.5, "0.5 W is below 100 W; looks like kW; 0.5 kW is 500"],
        [0, "0 W is below 100 W"],
        [-1, "-1 W is below 100 W"],
        [
          1_000_001,
          "1000001 W is above 1000000 W; 1000.001 W may be meant: kW() takes kW, so kW(1.000001) is 1000.001",
        ],
      ],
    ],
    [
      inverter,
      "azimuth",
      [0, 180, 359.9, 360],
      [
        [-400, "-400 degrees is below 0 degrees; azimuth is a compass bearing (0 north, 90 east, clockwise)"],
        [360.5, "360.5 degrees is above 360 degrees; azimuth is a compass bearing (0 north, 90 east, clockwise)"],
      ],
    ],
    [
      inverter,
      "tilt",
      [0, 35, 90],
      [
        [-0.1, "-0.1 degrees is below 0 degrees; tilt is counted from horizontal: 0 is flat, 90 upright"],
        [90.1, "90.1 degrees is above 90 degrees; tilt is counted from horizontal: 0 is flat, 90 upright"],
      ],
    ],
    [
      inverter,
      "cutInThreshold",
      [0, 150, 1_000_000],
      [
        [-1, "-1 W is below 0 W"],
        [
          1_000_001,
          "1000001 W is above 1000000 W; 1000.001 W may be meant: kW() takes kW, so kW(1.000001) is 1000.001",
        ],
      ],
    ],
    [
      inverter,
      "baseLoad",
      [0, 400, 100_000],
      [
        [-1, "-1 W is below 0 W"],
        [100_001, "100001 W is above 100000 W; 100.001 W may be meant: kW() takes kW, so kW(0.100001) is 100.001"],
      ],
    ],
  ];
  for (const [kind, key, accepted, refused] of ranges) {
    for (const value of accepted) {
      it(`accepts ${value} as ${key}`, () => {
        expect(problems(kind, { [key]: value })).to.deep.equal([]);
      });
    }
    for (const [value, expected] of refused) {
      it(`refuses ${value} as ${key}`, () => {
        const ours = " (our choice, the service documents no range)";
        expect(reason(kind, key, value)).to.equal(
          kind === inverter ? expected.replace(/(;|$)/, `${ours}$1`) : expected,
        );
      });
    }
  }

  it("says what 77 for a capacity was meant to be", () => {
    expect(reason(vehicle, "maxCapacity", 77)).to.equal("77 Wh is below 1000 Wh; 77 kWh is 77000");
  });

  it("says what 77000 kWh for a capacity were meant to be", () => {
    expect(reason(vehicle, "maxCapacity", 77_000_000)).to.equal(
      "77000000 Wh is above 300000 Wh; 77000 Wh may be meant: kWh() takes kWh, so kWh(77) is 77000",
    );
  });

  it("says what a negative azimuth would be in each convention", () => {
    expect(reason(inverter, "azimuth", -0.5)).to.match(
      /^-0\.5 degrees is below 0 degrees .* write 179\.5 .*, 0\.5 .*, 359\.5 /,
    );
    expect(reason(inverter, "azimuth", -90)).to.match(
      /write 90 .*PVGIS.*, 90 .*Solcast.*, 270 if clockwise from north/,
    );
  });

  it("accepts every combination of values in their ranges", () => {
    const accepted = anyKind
      .chain((kind) => fc.record({ kind: fc.constant(kind), values: someValues(kind) }))
      .filter(({ values }) => !(Number(values.cutInThreshold) >= Number(values.peakPower)));
    fc.assert(
      fc.property(accepted, ({ kind, values }) => {
        expect(problems(kind, values)).to.deep.equal([]);
      }),
    );
  });
});
