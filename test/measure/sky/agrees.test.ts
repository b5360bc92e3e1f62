import { expect } from "chai";
import fc from "fast-check";
import { JUDGES } from "../../../measure/sky/declared";
import { panelVerdict } from "../../../measure/sky/judge";
import { turn } from "../../../measure/sky/plane";

type Verdict = { readonly differs: boolean; readonly isUncertain?: boolean };

/** A setting: its largest value, the limit of the docs, and whether a declared value agrees. */
interface Setting {
  readonly most: number;
  /** A factor, or a difference, or both. */
  readonly factor?: number;
  readonly least?: number;
  /** Whether its deviation is a share of the value. */
  readonly isShare?: boolean;
  readonly agrees: (declared: number, value: number, deviation: number) => boolean;
  readonly distance?: (declared: number, value: number) => number;
}

const agrees = ({ differs, isUncertain }: Verdict) => !differs && !isUncertain;
const measured = (value: number, deviation: number) => ({ kind: "measured" as const, value, deviation });
const car = (value: number, deviation: number, from: "battery" | "charger") =>
  ({ ...measured(value, deviation), from, sessions: 9, phases: 3, amps: 16 }) as const;

const SETTINGS: Readonly<Record<string, Setting>> = {
  "capacity, battery": {
    ...{ most: 200_000, factor: 1.06, isShare: true },
    agrees: (declared, value, deviation) => agrees(JUDGES.maxCapacity(declared, car(value, deviation, "battery"), [])),
  },
  "capacity, charger": {
    ...{ most: 200_000, factor: 1.12, isShare: true },
    agrees: (declared, value, deviation) => agrees(JUDGES.maxCapacity(declared, car(value, deviation, "charger"), [])),
  },
  "charge power": {
    ...{ most: 50_000, factor: 1.15, isShare: true },
    agrees: (declared, value, deviation) => agrees(JUDGES.maxChargePower(declared, car(value, deviation, "charger"))),
  },
  "base load": {
    ...{ most: 10_000, factor: 1.35, least: 40 },
    agrees: (declared, value, deviation) => agrees(JUDGES.baseLoad(declared, measured(value, deviation))),
  },
  "cut-in threshold": {
    ...{ most: 10_000, factor: 1.6, least: 30 },
    agrees: (declared, value, deviation) => agrees(JUDGES.cutInThreshold(declared, measured(value, deviation))),
  },
  azimuth: {
    ...{ most: 360, least: 15, distance: (declared, value) => Math.abs(turn(declared, value)) },
    agrees: (declared, value, deviation) => panelVerdict("azimuth", declared, { value, deviation }) === "agrees",
  },
  tilt: {
    ...{ most: 90, least: 10 },
    agrees: (declared, value, deviation) => panelVerdict("tilt", declared, { value, deviation }) === "agrees",
  },
  "peak power": {
    ...{ most: 100_000, factor: 1.3, isShare: true },
    agrees: (declared, value, deviation) => panelVerdict("peakPower", declared, { value, deviation }) === "agrees",
  },
};

describe("a declared value that is off by more than twice the ± and the limit of the docs", () => {
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const { most, factor = 1, least = 0, isShare = false, distance = (a, b) => Math.abs(a - b) } = setting;
    it(`never agrees: ${name}`, () => {
      const values = fc.double({ min: 1, max: most, noNaN: true });
      const shares = fc.double({ min: 0.001, max: 2, noNaN: true });
      fc.assert(
        fc.property(values, values, shares, (declared, value, share) => {
          const deviation = isShare ? share : share * Math.min(value, 100);
          const plusMinus = 2 * deviation * (isShare ? value : 1);
          const isNear = factor > 1 && Math.max(declared, value) <= factor * Math.min(declared, value);
          fc.pre(!isNear && distance(declared, value) > Math.max(least, 2 * plusMinus));
          expect(setting.agrees(declared, value, deviation)).to.equal(false);
        }),
        {
          numRuns: 400,
          examples: [
            [0.3 * most, 0.02 * most, 0.19],
            [0.9 * most, 0.1 * most, 0.7],
            [Math.min(300, most), 4, 0.1],
          ],
        },
      );
    });

    it(`agrees if it is the measured one, and that is certain: ${name}`, () => {
      const value = 0.4 * most;
      expect(setting.agrees(value, value, isShare ? 0.02 : 0.02 * value)).to.equal(true);
      expect(setting.agrees(value, value, isShare ? 0.5 : 0.7 * value)).to.equal(false);
    });
  }
});
