import { type Capacity, capacityOf, type SeveralCars } from "../../sky/capacity";
import { type ChargePower, chargePowerOf } from "../../sky/chargePower";
import { type CarMistake, type CarVerdict, judgeCapacity, judgeChargePower } from "../../sky/declaredCar";
import type { NotEnough, Session, Unknown } from "../../sky/sessions";
import type { Measurement } from "../view/measured";

/** The settings of a car that sessions show. */
export const CAR_SETTINGS = ["maxCapacity", "maxChargePower"] as const;
export type CarSetting = (typeof CAR_SETTINGS)[number];

export interface MeasuredSetting {
  /** `notDeclared`: measured, with nothing to compare. */
  readonly verdict: "agrees" | "differs" | "notEnough" | "severalCars" | "notDeclared";
  readonly mistake?: CarMistake;
  readonly reason?: NotEnough;
  readonly declared?: number;
  readonly measured?: Measurement;
  /** The true value is at least this. */
  readonly atLeast?: number;
  readonly several?: readonly [number, number];
  /** Where the energy was measured. */
  readonly from?: Capacity["from"];
  /** The energy at the charger for a full battery, in Wh. */
  readonly drawn?: number;
  readonly phases?: number;
  readonly amps?: number;
  readonly sessions: number;
  /** The day of the last session. */
  readonly until: string;
}

export interface MeasuredVehicle {
  readonly name: string;
  readonly verdict: MeasuredSetting["verdict"];
  readonly differs: readonly CarSetting[];
  readonly settings: Readonly<Record<CarSetting, MeasuredSetting>>;
}

/** The comparison of a vehicle with its sessions. @param others the sessions of each other car in the file */
export function measuredVehicle(
  name: string,
  declared: { readonly [Setting in CarSetting]?: number },
  sessions: readonly Session[],
  others: readonly (readonly Session[])[],
): MeasuredVehicle {
  const capacities = others.map(capacityOf).flatMap((one) => (one.kind === "measured" ? [one.value] : []));
  const capacity = capacityOf(sessions);
  const power = chargePowerOf(sessions);
  const settings = {
    maxCapacity: settingOf(capacity, declared.maxCapacity, sessions, (value) =>
      judgeCapacity(value, capacity, capacities),
    ),
    maxChargePower: settingOf(power, declared.maxChargePower, sessions, (value) => judgeChargePower(value, power)),
  };
  const verdicts = CAR_SETTINGS.map((key) => settings[key].verdict);
  const verdict = ORDER.find((one) => verdicts.includes(one)) ?? "notEnough";
  return { name, verdict, differs: CAR_SETTINGS.filter((key) => settings[key].verdict === "differs"), settings };
}

/** The verdict of a car is the first of these that a setting has. */
const ORDER = ["differs", "severalCars", "agrees", "notDeclared"] as const;

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
    until: new Date(last * 1000).toISOString().slice(0, 10),
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
      ? { from: found.from, ...(found.drawn !== undefined && { drawn: Math.round(found.drawn) }) }
      : { phases: found.phases, amps: found.amps }),
  };
}
