import { baseLoadOf, type House, type Unmeasured } from "../../sky/baseLoad";
import { cutInOf, type Mornings } from "../../sky/cutIn";
import { type HouseVerdict, judgeBaseLoad, judgeCutIn } from "../../sky/declaredHouse";
import { dayOf } from "../measured/device";
import type { MeasuredSetting } from "../view/measured";

/** The comparison of a base load with a meter. @param others the sum that the other inverters of the site declare */
export function measuredBaseLoad(house: House, declared: number | undefined, others: number): MeasuredSetting {
  const found = baseLoadOf(house);
  const common = {
    ...commonOf(declared, (value) => judgeBaseLoad(value + others, found)),
    ...(others > 0 && { others }),
    until: dayOf(house.local.at(-1) ?? 0),
  };
  if (found.kind === "notEnough") return unmeasured(found, common);
  const { value, deviation, days, winter, daytime, changedSince, night } = found;
  return {
    ...common,
    measured: measurement(value, deviation),
    ...(winter !== undefined && { winter: Math.round(winter) }),
    ...(daytime !== undefined && { daytime: Math.round(daytime) }),
    ...(changedSince !== undefined && { changedSince: dayOf(changedSince * 86_400) }),
    days,
    night,
  };
}

/** The comparison of a cut-in threshold with mornings. */
export function measuredCutIn(mornings: Mornings, declared: number | undefined): MeasuredSetting {
  const found = cutInOf(mornings);
  const common = {
    ...commonOf(declared, (value) => judgeCutIn(value, found)),
    until: dayOf(mornings.times.at(-1) ?? 0),
  };
  if (found.kind === "notEnough") return unmeasured(found, common);
  return { ...common, measured: measurement(found.value, found.deviation), mornings: found.mornings };
}

function commonOf(declared: number | undefined, judge: (declared: number) => HouseVerdict) {
  if (declared === undefined) return { verdict: "notDeclared" } as const;
  const { differs, mistake } = judge(declared);
  return { verdict: differs ? "differs" : "agrees", ...(mistake && { mistake }), declared } as const;
}

function unmeasured({ reason, atMost }: Unmeasured, common: MeasuredSetting): MeasuredSetting {
  const verdict = common.verdict === "differs" ? "differs" : "notEnough";
  return { ...common, verdict, reason, ...(atMost !== undefined && { atMost: Math.round(atMost) }) };
}

function measurement(value: number, deviation: number) {
  return { value: Math.round(value), uncertainty: Math.round(2 * deviation) };
}
