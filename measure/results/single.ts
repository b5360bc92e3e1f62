import { baseLoadOf, type House, type Unmeasured } from "../sky/baseLoad";
import { capacityOf, type SeveralCars } from "../sky/capacity";
import { chargePowerOf } from "../sky/chargePower";
import { cutInOf } from "../sky/cutIn";
import { JUDGES, type SettingVerdict } from "../sky/declared";
import { dayOf } from "../sky/moments";
import { measurement } from "../sky/numbers";
import type { Stretches } from "../sky/series";
import type { Session } from "../sky/sessions";
import { deviceOf } from "./device";
import type { MeasuredDevice, MeasuredSetting, SingleSetting } from "./model";

/** The comparison of a vehicle with its sessions. @param others the sessions of each other car in the file */
export function measuredCar(
  name: string,
  declared: { readonly [Setting in SingleSetting]?: number | undefined },
  sessions: readonly Session[],
  others: readonly (readonly Session[])[],
): MeasuredDevice {
  const capacities = others.map(capacityOf).flatMap((one) => (one.kind === "measured" ? [one.value] : []));
  const [capacity, power] = [capacityOf(sessions), chargePowerOf(sessions)];
  const file = {
    sessions: sessions.length,
    until: dayOf(sessions.reduce((latest, { end }) => Math.max(latest, end), 0)),
  };
  return deviceOf(name, {
    maxCapacity: {
      ...file,
      ...compared(
        capacity,
        declared.maxCapacity,
        (value) => JUDGES.maxCapacity(value, capacity, capacities),
        ({ value, deviation, sessions: used, from, drawn }) => ({
          ...{ sessions: used, measured: measurement(value, deviation * value), from, drawn: whole(drawn) },
        }),
      ),
    },
    maxChargePower: {
      ...file,
      ...compared(
        power,
        declared.maxChargePower,
        (value) => JUDGES.maxChargePower(value, power),
        ({ value, deviation, sessions: used, phases, amps }) => ({
          ...{ sessions: used, measured: measurement(value, deviation * value), phases, amps },
        }),
      ),
    },
  });
}

/** The comparison of a base load with a meter. @param others the sum that the other inverters of the site declare */
export function measuredBaseLoad(house: House, declared: number | undefined, others: number): MeasuredSetting {
  const found = baseLoadOf(house);
  return {
    ...compared(
      found,
      declared,
      (value) => JUDGES.baseLoad(value + others, found),
      ({ value, deviation, days, winter, daytime, changedSince, night }) => ({
        ...{ measured: measurement(value, deviation), days, winter: whole(winter), daytime: whole(daytime), night },
        changedSince: changedSince === undefined ? undefined : dayOf(changedSince * 86_400),
      }),
    ),
    ...(others > 0 && { others }),
    until: dayOf(house.local.at(-1) ?? 0),
  };
}

/** The comparison of a declared cut-in threshold with mornings. */
export function measuredCutIn(mornings: Stretches, declared: number | undefined): MeasuredSetting {
  const found = cutInOf(mornings);
  return {
    ...compared(
      found,
      declared,
      (value) => JUDGES.cutInThreshold(value, found),
      ({ value, deviation, mornings: used }) => ({ measured: measurement(value, deviation), mornings: used }),
    ),
    until: dayOf(mornings.from.at(-1) ?? 0),
  };
}

/**
 * Compares a measured value with the declared one.
 * @param factsOf the facts that are shown if the measurement has succeeded
 */
function compared<Value extends { readonly kind: "measured" }>(
  found: Value | SeveralCars | Unmeasured,
  declared: number | undefined,
  judge: (declared: number) => SettingVerdict,
  factsOf: (found: Value) => Partial<MeasuredSetting>,
): Omit<MeasuredSetting, "until"> {
  const { differs, isUncertain, mistake } = declared === undefined ? { differs: false } : judge(declared);
  const ifRight = found.kind !== "measured" ? found.kind : declared === undefined ? "notDeclared" : "agrees";
  const facts = found.kind === "measured" ? factsOf(found) : withoutValue(found);
  const verdict = differs ? "differs" : isUncertain ? "notEnough" : ifRight;
  return { verdict, mistake, declared, ...(isUncertain && { reason: "tooUncertain" }), ...facts };
}

function withoutValue(found: SeveralCars | Unmeasured): Partial<MeasuredSetting> {
  if (found.kind === "severalCars") {
    const [low, high] = found.several;
    return { several: [Math.round(low), Math.round(high)] };
  }
  const { kind: _, atLeast, atMost, ...rest } = found;
  return { ...rest, atLeast: whole(atLeast), atMost: whole(atMost) };
}

function whole(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value);
}
