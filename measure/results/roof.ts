import type { Findings } from "../sky/findings";
import { isWhole, type Judgement, type Measurement } from "../sky/judge";
import { OutputModel } from "../sky/output";
import { type Panels, type Vector, vectorOf } from "../sky/plane";
import { type Trend, trendOf } from "../sky/trend";
import { dayOf } from "./device";
import type { BestDay, MeasuredRoof, RoofTrend } from "./model";

/** The result of a production for one inverter. */
export function resultOf(
  name: string,
  declared: MeasuredRoof["declared"],
  judgement: Judgement,
  findings: Findings,
): MeasuredRoof {
  const { measured, tiltWithRest, planes, ...rest } = judgement;
  const day = bestDayOf(declared, findings);
  const trend = findings.kind === "onePlane" ? trendOf(findings) : undefined;
  const clockJumps = (findings.jumps ?? []).map(({ since, minutes }) => ({
    since: dayOf(since * 86_400),
    minutesLate: -minutes,
  }));
  return {
    ...rest,
    ...{ name, declared },
    ...(findings.kind === "notEnough" && { reason: findings.reason, read: findings.read, kept: findings.kept }),
    ...(measured && {
      measured: Object.fromEntries(
        Object.entries(measured).map(([key, one]) => [key, shortOf(one, key === "peakPower" ? 0 : 1)]),
      ),
    }),
    ...(tiltWithRest && { tiltWithRest: shortOf(tiltWithRest, 1) }),
    ...(planes && { planes: planes.map(wholePanels) }),
    ...(clockJumps.length > 0 && { clockJumps }),
    ...(day && { day }),
    ...(trend && { trend: shortTrend(trend) }),
  };
}

function shortOf({ value, uncertainty }: Measurement, digits: number): Measurement {
  return { value: Number(value.toFixed(digits)), uncertainty: Number(uncertainty.toFixed(digits)) };
}

function shortTrend({ months, change }: Trend): RoofTrend {
  const share = change && change.after / change.before;
  return {
    months: months.map(({ month, peakPower, deviation, days }) => ({
      month,
      peakPower: { value: Math.round(peakPower), uncertainty: Math.round(2 * deviation) },
      clearDays: days,
    })),
    ...(change &&
      share !== undefined && {
        change: {
          since: dayOf(change.since * 86_400),
          share: shortOf({ value: share - 1, uncertainty: 2 * change.deviation * share }, 3),
          before: Math.round(change.before),
          after: Math.round(change.after),
        },
      }),
  };
}

function wholePanels({ azimuth, tilt, peakPower }: Panels): Panels {
  return { azimuth: Math.round(azimuth), tilt: Math.round(tilt), peakPower: Math.round(peakPower) };
}

/**
 * The day with the most clear samples: the measured power, and the power that the measured and the declared roof would
 * have had.
 */
function bestDayOf(declared: MeasuredRoof["declared"], findings: Findings): BestDay | undefined {
  if (findings.kind === "notEnough") return undefined;
  const { measured, fit } = findings;
  const since = findings.kind === "onePlane" ? findings.change?.since : undefined;
  const { series, days, moments } = measured;
  const counts = new Map<number, number>();
  for (const sample of fit.samples) {
    const day = days[sample] as number;
    if (since !== undefined && day < since) continue;
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  if (best === undefined) return undefined;
  const model = new OutputModel(moments, series.step);
  const powerOf = (planes: readonly Vector[]) => {
    const power = new Float64Array(series.times.length);
    model.power(planes, fit.conditions, power);
    return power;
  };
  const vectors = (declared.planes ?? [declared]).flatMap((plane) =>
    isWhole(plane) ? [vectorOf({ ...plane, peakPower: plane.peakPower / series.scale })] : [],
  );
  const curves = [series.power, powerOf(fit.planes), ...(vectors.length > 0 ? [powerOf(vectors)] : [])];
  // For each sample of that day, its quarter of an hour of the solar day.
  const quarters = new Map(
    Array.from(days.keys())
      .filter((i) => days[i] === best)
      .map((i) => {
        const solar = (series.times[i] as number) + measured.clock.shift * 60 + measured.longitude * 240;
        return [Math.floor((solar - best * 86_400) / 900), i] as const;
      }),
  );
  const width = Math.round(series.step / 15);
  const [own, roof, ours] = curves.map((curve) =>
    Array.from({ length: 96 }, (_, quarter) => {
      const at = Array.from({ length: width }, (__, back) => quarters.get(quarter - back + Math.floor(width / 2))).find(
        (index) => index !== undefined,
      );
      return at === undefined ? 0 : Math.round((curve[at] as number) * series.scale);
    }),
  ) as [number[], number[], number[] | undefined];
  return { date: dayOf(best * 86_400), measured: own, roof, ...(ours && { declared: ours }) };
}
