import type { Findings } from "../sky/findings";
import { isWhole, type Judgement } from "../sky/judge";
import { dayOf } from "../sky/moments";
import { grouped } from "../sky/numbers";
import { OutputModel } from "../sky/output";
import { type Vector, vectorOf } from "../sky/plane";
import { trendOf } from "../sky/trend";
import type { BestDay, MeasuredRoof } from "./model";

/** The result of a production for one inverter. */
export function resultOf(
  name: string,
  declared: MeasuredRoof["declared"],
  judgement: Judgement,
  findings: Findings,
): MeasuredRoof {
  const day = bestDayOf(declared, findings);
  const trend = findings.kind === "onePlane" ? trendOf(findings) : undefined;
  return {
    ...judgement,
    ...{ name, declared },
    ...(findings.kind === "notEnough" && { reason: findings.reason, read: findings.read, kept: findings.kept }),
    ...(findings.jumps && { clockJumps: findings.jumps }),
    ...(day && { day }),
    ...(trend && { trend }),
  };
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
  const later = fit.samples.filter((sample) => (days[sample] as number) >= (since ?? 0));
  const perDay = [...grouped(later, (sample) => days[sample] as number)];
  const [best] = perDay.sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
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
  const ofDay = Array.from(days.keys()).filter((i) => days[i] === best);
  const width = Math.round(series.step / 15);
  const [own, roof, ours] = curves.map((curve) => {
    const quarters = new Array<number>(96).fill(0);
    // The quarters of an hour of each sample, in solar time.
    for (const i of ofDay) {
      const solar = (series.times[i] as number) + measured.clock.shift * 60 + measured.longitude * 240;
      const first = Math.floor((solar - best * 86_400) / 900) - Math.floor(width / 2);
      quarters.fill(Math.round((curve[i] as number) * series.scale), first, first + width);
    }
    return quarters;
  }) as [number[], number[], number[] | undefined];
  return { date: dayOf(best * 86_400), measured: own, roof, ...(ours && { declared: ours }) };
}
