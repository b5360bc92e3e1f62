import { type Capacity, capacityOf, type SeveralCars } from "../../sky/capacity";
import { type ChargePower, chargePowerOf } from "../../sky/chargePower";
import { type CarVerdict, judgeCapacity, judgeChargePower } from "../../sky/declaredCar";
import type { Session, Unknown } from "../../sky/sessions";
import { dayOf, deviceOf } from "../measured/device";
import { CAR_SETTINGS, type CarSetting, type MeasuredDevice, type MeasuredSetting } from "../view/measured";

/** Maximum number of sessions of a picture. */
const MOST_POINTS = 200;

/** The comparison of a vehicle with its sessions. @param others the sessions of each other car in the file */
export function measuredCar(
  name: string,
  declared: { readonly [Setting in CarSetting]?: number },
  sessions: readonly Session[],
  others: readonly (readonly Session[])[],
): MeasuredDevice {
  const capacities = others.map(capacityOf).flatMap((one) => (one.kind === "measured" ? [one.value] : []));
  const capacity = capacityOf(sessions);
  const power = chargePowerOf(sessions);
  return deviceOf(name, {
    maxCapacity: settingOf(capacity, declared.maxCapacity, sessions, (value) =>
      judgeCapacity(value, capacity, capacities),
    ),
    maxChargePower: settingOf(power, declared.maxChargePower, sessions, (value) => judgeChargePower(value, power)),
  });
}

/** The declared values of a car that sessions show. */
export function declaredCar(values: Readonly<Record<string, unknown>>): { readonly [Setting in CarSetting]?: number } {
  return Object.fromEntries(
    CAR_SETTINGS.flatMap((key) => (typeof values[key] === "number" ? [[key, values[key] as number]] : [])),
  );
}

function settingOf(
  found: Capacity | SeveralCars | ChargePower | Unknown,
  declared: number | undefined,
  sessions: readonly Session[],
  judge: (declared: number) => CarVerdict,
): MeasuredSetting {
  const { differs, mistake } = declared === undefined ? { differs: false } : judge(declared);
  const own = declared === undefined ? "notDeclared" : "agrees";
  const last = sessions.reduce((latest, { end }) => Math.max(latest, end), 0);
  const common = {
    ...(mistake && { mistake }),
    ...(declared !== undefined && { declared }),
    sessions: found.kind === "measured" ? found.sessions : sessions.length,
    until: dayOf(last),
  };
  if (found.kind === "severalCars") {
    const [small, large] = found.several;
    return { verdict: "severalCars", ...common, several: [Math.round(small), Math.round(large)] };
  }
  if (found.kind === "notEnough") {
    const { reason, atLeast } = found;
    return { verdict: differs ? "differs" : "notEnough", reason, ...common, ...(atLeast > 0 && { atLeast }) };
  }
  const { value, deviation } = found;
  return {
    verdict: differs ? "differs" : own,
    ...common,
    measured: { value: Math.round(value), uncertainty: Math.round(2 * deviation * value) },
    ...("from" in found
      ? {
          from: found.from,
          ...(found.drawn !== undefined && { drawn: Math.round(found.drawn) }),
          points: found.points
            .slice(-MOST_POINTS)
            .map(({ rise, energy }) => [Math.round(100 * rise), Math.round(energy)] as const),
        }
      : { phases: found.phases, amps: found.amps }),
  };
}
