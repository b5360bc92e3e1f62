import { expect } from "chai";
import { type Findings, findingsOf } from "../../../measure/sky/findings";
import { fold } from "../../../measure/sky/fold";
import { judge, wrongPanels } from "../../../measure/sky/judge";
import { type Panels, turn } from "../../../measure/sky/plane";
import type { Series } from "../../../measure/sky/series";
import { randomOf } from "../../support/charging";
import { clearRoof, recorded } from "../../support/production";
import { simulatedRoof } from "../../support/simulatedRoofs";

const PLACE = { latitude: 50, longitude: 8 };
const CLOCK = { shift: 0, deviation: 2 };
const STEP = 30;
const ROOF = clearRoof(PLACE, { peakPower: 8000, azimuth: 200, tilt: 35 }, STEP);

const found = (series: Series | undefined) => findingsOf(series as Series, PLACE, CLOCK);

function tiltOf(findings: Findings | undefined): number {
  if (findings?.kind !== "onePlane") throw new Error("one plane was expected");
  return findings.tilt.value;
}

describe("the roof in a series", () => {
  it("counts every clear day of two years", () => {
    const findings = found(recorded(ROOF, "2024-01-01", 731, STEP));
    expect(findings.kind).to.equal("onePlane");
    expect(findings.clearDays).to.be.within(550, 731);
  });

  it("is not found in a meter that shows the same power day and night", () => {
    const findings = found(recorded((from) => 3 + (from.getUTCMinutes() === 0 ? 0.1 : 0), "2025-04-20", 60, STEP));
    expect(findings).to.include({ kind: "notEnough", reason: "powerAtNight", clearDays: 0, kept: 0 });
  });

  it("is not found if an hour is above its peak power, as of panels that were added too late for clear days", () => {
    const series = recorded(ROOF, "2025-04-20", 60, STEP) as Series;
    const last = series.power.length - Math.round((2 * 1440) / STEP);
    const power = series.power.map((one, i) => (i >= last ? 2 * one : one));
    expect(found({ ...series, power })).to.include({ kind: "notEnough", reason: "hourAboveRoof" });
  });

  it("is less certain if the days differ", () => {
    // Dirt or a repair in between: the peak power of the first month is not that of the second.
    const half = Date.UTC(2025, 5, 1);
    const cleaned = (from: Date) => ROOF(from) * (from.getTime() < half ? 0.88 : 1);
    const [even, uneven] = [ROOF, cleaned].map((roof) => found(recorded(roof, "2025-05-02", 60, STEP)));
    expect([even?.kind, uneven?.kind]).to.deep.equal(["onePlane", "onePlane"]);
    const deviation = (one: Findings | undefined) => (one?.kind === "onePlane" ? one.peakPower.deviation : 0);
    expect(deviation(uneven)).to.be.above(1.1 * deviation(even));
  });

  for (const seed of [2, 3]) {
    it(`keeps its tilt if haze and heat make each day stronger or weaker as a whole (${seed})`, () => {
      const random = randomOf(seed);
      const levels = Array.from({ length: 40 }, () => 0.9 + 0.1 * random());
      const first = Date.UTC(2025, 4, 1);
      const hazy = (from: Date) => ROOF(from) * (levels[Math.floor((from.getTime() - first) / 86_400_000)] as number);
      const [even, uneven] = [ROOF, hazy].map((roof) => found(recorded(roof, "2025-05-01", 40, STEP)));
      expect(Math.abs(tiltOf(uneven) - tiltOf(even))).to.be.below(0.5);
    });
  }

  it("has an azimuth as uncertain as the clock: half an hour turns it by nearly 20°", () => {
    const series = recorded(ROOF, "2025-05-01", 60, STEP) as Series;
    const [known, unknown] = [2, 30].map((deviation) => findingsOf(series, PLACE, { shift: 0, deviation }));
    if (known?.kind !== "onePlane" || unknown?.kind !== "onePlane") throw new Error("no plane was found");
    expect(2 * known.azimuth.deviation).to.be.below(12);
    expect(2 * unknown.azimuth.deviation).to.be.within(19, 30);
  });

  it("is found if a meter shows a little power at night", () => {
    const findings = found(recorded((from) => ROOF(from) + 40, "2025-05-01", 60, STEP));
    expect(findings.kind).to.equal("onePlane");
  });

  const AUTUMN = { begin: "2025-09-15", days: 80, step: 60 };
  for (const minutes of [60, -60] as const) {
    it(`brings the times of one clock together if it jumps by ${-minutes} minutes when summer time ends`, () => {
      const since = Date.UTC(2025, 9, 26) / 86_400_000;
      for (const seed of [2, 7]) {
        const { series, place, panels } = simulatedRoof(seed, AUTUMN);
        const times = series.times.map((time) => (time < since * 86_400 ? time : time - minutes * 60));
        const kept = Array.from(times.keys()).filter((i) => i === 0 || (times[i] as number) > (times[i - 1] as number));
        const of = (all: Float64Array) => Float64Array.from(kept, (i) => all[i] as number);
        const found = findingsOf({ ...series, times: of(times), power: of(series.power) }, place, CLOCK);
        expect(found.jumps).to.deep.equal([{ since: "2025-10-26", minutesLate: -minutes }]);
        if (found.kind !== "onePlane") throw new Error(`it is not one plane, but ${found.kind}`);
        expect(Math.abs(found.tilt.value - panels.tilt)).to.be.at.most(2 * found.tilt.deviation);
        expect(Math.abs(turn(found.azimuth.value, panels.azimuth))).to.be.at.most(2 * found.azimuth.deviation);
      }
    });
  }

  it("finds no jump in a clock that is right", () => {
    for (const seed of [2, 7]) {
      const { series, place } = simulatedRoof(seed, AUTUMN);
      expect(findingsOf(series, place, CLOCK).jumps).to.equal(undefined);
    }
  });

  it("finds a tilt that is wrong by 20° from April to August", () => {
    for (const seed of [1, 2, 3, 4]) {
      const { series, place, panels } = simulatedRoof(seed, { begin: "2025-05-01", days: 60, step: 60 });
      const findings = findingsOf(series, place, CLOCK);
      expect(wrongPanels(judge(panels, findings, place)), `seed ${seed}`).to.deep.equal([]);
      expect(wrongPanels(judge({ ...panels, tilt: panels.tilt + 20 }, findings, place))).to.include("tilt");
    }
  });

  /** A fit without samples: it has no curve to compare. */
  const NOTHING = (() => {
    const findings = findingsOf(recorded(ROOF, "2025-05-01", 30, STEP) as Series, PLACE, CLOCK);
    if (findings.kind !== "onePlane") throw new Error("no plane was found");
    return { fit: { ...findings.fit, samples: new Int32Array() }, measured: findings.measured };
  })();

  /** A roof whose tilt is uncertain, but less so if its peak power (by `peak`) or its azimuth (by `azimuth`) is known. */
  const uncertainRoof = ({ peak = 0, azimuth = 0 }) =>
    ({
      ...{ kind: "onePlane", clearDays: 20, fit: NOTHING.fit, measured: NOTHING.measured },
      azimuth: { value: 180, deviation: 5 },
      tilt: { value: 40, deviation: 8 },
      peakPower: { value: 8000, deviation: 0.15 },
      covariances: [
        [0.15 ** 2, 0, peak * 0.15 * 8],
        [0, 5 ** 2, azimuth * 5 * 8],
        [peak * 0.15 * 8, azimuth * 5 * 8, 8 ** 2],
      ],
    }) as unknown as Findings;

  it("finds a tilt that only the declared peak power excludes", () => {
    // In winter, a flatter roof that is stronger has nearly the same output.
    const roof = uncertainRoof({ peak: -0.8 });
    const judgement = (tilt: number, peakPower: number) => judge({ azimuth: 180, tilt, peakPower }, roof, PLACE);
    expect(wrongPanels(judgement(20, 8000))).to.deep.equal(["tilt"]);
    expect(judgement(20, 8000).tiltWithRest).to.deep.include({ value: 40 });
    for (const [tilt, peakPower] of [
      [40, 8000],
      [20, 10_000],
      [52, 7200],
    ] as const) {
      expect(wrongPanels(judgement(tilt, peakPower)), `${tilt}° with ${peakPower} W`).to.deep.equal([]);
    }
    expect(judgement(20, 10_000).tiltWithRest).to.equal(undefined);
  });

  it("finds a tilt that only the declared azimuth excludes", () => {
    const roof = uncertainRoof({ azimuth: 0.8 });
    const judgement = (azimuth: number, tilt: number) => judge({ azimuth, tilt, peakPower: 8000 }, roof, PLACE);
    expect(wrongPanels(judgement(180, 20))).to.deep.equal(["tilt"]);
    expect(judgement(180, 20).tiltWithRest).to.deep.include({ value: 40 });
    expect(wrongPanels(judgement(172, 30))).to.deep.equal([]);
  });

  it("agrees only if its azimuth was compared, and tells north from south though it is uncertain", () => {
    const series = recorded(ROOF, "2025-05-01", 60, STEP) as Series;
    const certain = findingsOf(series, PLACE, CLOCK);
    if (certain.kind !== "onePlane") throw new Error("no plane was found");
    const roof = { ...certain, azimuth: { ...certain.azimuth, deviation: 40 } };
    const judgement = (azimuth: number) => judge({ azimuth, tilt: 35, peakPower: 8000 }, roof, PLACE);
    expect(judgement(20).panels).to.include({ azimuth: "differs", tilt: "agrees" });
    expect(judgement(20).measured?.azimuth?.uncertainty).to.be.above(45);
    expect(judgement(190).panels).to.include({ azimuth: "notEnough", tilt: "agrees" });
    expect(judgement(190).measured).to.have.keys("tilt", "peakPower");
  });

  /** Two planes on one inverter. */
  const twoPlanes = (one: Panels, other: Panels) => {
    const [first, second] = [clearRoof(PLACE, one, 15), clearRoof(PLACE, other, 15)];
    return found(recorded((from) => first(from) + second(from), "2025-04-01", 60, 15));
  };

  it("shows that the main plane faces another way, though a plane of 8 % beside it explains more of the output", () => {
    for (const [main, small] of [
      [
        { azimuth: 248, tilt: 40, peakPower: 9000 },
        { azimuth: 90, tilt: 40, peakPower: 800 },
      ],
      [
        { azimuth: 248, tilt: 33, peakPower: 9000 },
        { azimuth: 131, tilt: 60, peakPower: 800 },
      ],
    ] as const) {
      const findings = twoPlanes(main, small);
      expect(findings.kind).to.equal("onePlane");
      const { panels } = judge({ azimuth: 210, tilt: 35, peakPower: 9800 }, findings, PLACE);
      expect(panels.azimuth).to.equal("differs");
    }
  });

  for (const minutes of [60, -60])
    it(`names a clock that is ${minutes} minutes late, whatever the declared tilt is within some degrees`, () => {
      const { series, place, panels } = simulatedRoof(20_001, { begin: "2025-05-01", days: 60, step: 15 });
      const times = series.times.map((time) => time + 60 * minutes);
      const findings = findingsOf({ ...series, times }, place, CLOCK);
      for (const by of [-6, 6]) {
        const { clock, mistake, ...judged } = judge({ ...panels, tilt: panels.tilt + by }, findings, place);
        expect(judged.panels.azimuth, `${by}°`).to.equal("notEnough");
        expect(clock?.minutesLate, `${by}°`).to.be.closeTo(minutes, 25);
        expect(mistake).to.equal(undefined);
      }
    });

  it("blames neither an azimuth nor a tilt that is declared alone for a clock that is hours off", () => {
    for (const [seed, hours] of [
      [20_001, 1],
      [20_001, -1],
      [30_000, -2],
    ] as const) {
      const { series, place, panels } = simulatedRoof(seed, { begin: "2025-05-01", days: 60, step: 15 });
      const late = { ...series, times: series.times.map((time) => time + 3600 * hours) };
      const findings = findingsOf(late, place, CLOCK);
      const { azimuth, tilt } = panels;
      for (const declared of [{ azimuth }, { tilt }, { azimuth, tilt }])
        expect(wrongPanels(judge(declared, findings, place)), `${seed}: ${JSON.stringify(declared)}`).to.deep.equal([]);
      expect(judge({ azimuth }, findings, place).clock?.minutesLate).to.be.closeTo(60 * hours, 25);
      expect(wrongPanels(judge({ azimuth: (azimuth + 90) % 360 }, findings, place))).to.deep.equal(["azimuth"]);
    }
  });

  it("agrees with several planes only as far as these are known as one", () => {
    const findings = twoPlanes({ azimuth: 230, tilt: 40, peakPower: 9000 }, { azimuth: 60, tilt: 60, peakPower: 900 });
    if (findings.kind !== "severalPlanes") throw new Error("one plane was found");
    const { azimuth, tilt, peakPower } = fold(findings.planes, PLACE.latitude);
    const verdicts = (declared: Partial<Panels>) => judge(declared, findings, PLACE).panels;
    for (let by = -180; by < 180; by += 5) {
      const verdict = verdicts({ azimuth: azimuth + by, tilt, peakPower }).azimuth;
      expect(verdict === "agrees", `turned by ${by}°`).to.equal(Math.abs(by) <= 25);
      if (Math.abs(by) > 75) expect(verdict, `turned by ${by}°`).to.equal("differs");
    }
    expect(verdicts({ azimuth, tilt: tilt + 15, peakPower }).tilt).to.equal("notEnough");
    expect(verdicts({ azimuth, tilt, peakPower: peakPower * 1.4 }).peakPower).to.equal("notEnough");
    expect(verdicts({ tilt })).to.deep.equal({ azimuth: "notDeclared", tilt: "agrees", peakPower: "notDeclared" });
  });

  it("does not use the azimuth of a roof that is declared nearly level", () => {
    const roof = { ...uncertainRoof({ azimuth: 0.8 }), tilt: { value: 25, deviation: 8 } } as Findings;
    expect(wrongPanels(judge({ azimuth: 190, tilt: 8, peakPower: 8000 }, roof, PLACE))).to.deep.equal([]);
  });
});
