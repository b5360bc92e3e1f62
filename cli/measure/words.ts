import { valueInWords } from "../../provider/lifecycle/run/valueWords";
import type { CarMistake } from "../../sky/declaredCar";
import type { NotEnough } from "../../sky/sessions";
import { counted } from "../counted";
import { settingInWords } from "../settingWords";
import { CAR_SETTINGS, type CarSetting, type MeasuredSetting, type MeasuredVehicle } from "./result";

/** `capacity declared 82 kWh, measured 75.1 kWh ± 2.1 kWh usable (38 sessions; 81.9 kWh at the charger)`. */
function settingWords(setting: CarSetting, result: MeasuredSetting): string {
  const { declared, measured, several, atLeast, reason, sessions, drawn, from, phases, amps } = result;
  const inWords = (value: number) => valueInWords(setting, Math.round(value / 100) * 100);
  const start = `${settingInWords(setting)} ${declared === undefined ? "not declared" : `declared ${valueInWords(setting, declared)}`}`;
  if (several) return `${start}, sessions of two cars: ${several.map(inWords).join(" and ")}`;
  if (!measured) {
    const least = atLeast === undefined ? "" : `, at least about ${inWords(atLeast)}`;
    return `${start}, not enough to measure: ${REASONS[reason as NotEnough]}${least}`;
  }
  const value = `${start}, measured ${inWords(measured.value)} ± ${inWords(measured.uncertainty)}`;
  if (setting === "maxChargePower") return `${value} (${counted(sessions, "session")}; about ${phases} × ${amps} A)`;
  const converted = from === "charger" ? ", from the energy at the charger" : "";
  const atCharger = drawn === undefined ? "" : `; ${inWords(drawn)} at the charger`;
  return `${value} usable (${counted(sessions, "session")}${converted}${atCharger})`;
}

/** The lines about a vehicle: each setting, then the likely mistakes. */
export function vehicleWords({ settings }: MeasuredVehicle): { readonly values: string; readonly advice: string[] } {
  return {
    values: CAR_SETTINGS.map((key) => settingWords(key, settings[key])).join("; "),
    advice: CAR_SETTINGS.flatMap((key) => adviceOf(key, settings[key])),
  };
}

function adviceOf(setting: CarSetting, { verdict, mistake }: MeasuredSetting): string[] {
  const name = settingInWords(setting);
  if (verdict === "severalCars") return ["Export the sessions of one car, or with the names of the cars."];
  if (verdict !== "differs") return [];
  return [mistake ? `The declared ${name} ${MISTAKES[mistake]}.` : `The declared ${name} differs.`];
}

const REASONS: Readonly<Record<NotEnough, string>> = {
  noStateOfCharge: "no session has a state of charge at its start and end",
  fewSessions: "too few sessions",
  plugTimes: "the file has the times of the plug, not of charging",
  onlySurplus: "nearly all sessions charge surplus, below the car's power",
  variesTooMuch: "the sessions differ too much",
};

const MISTAKES: Readonly<Record<CarMistake, string>> = {
  kilowattHours: "is in kWh: Wh are expected",
  kilowatts: "is in kW: W are expected",
  grossOrNew: "is the gross one, or that of the new battery",
  otherCar: "is that of another car in the file",
  fastCharging: "is that of a fast charger: at home, the car takes less",
  phases: "counts another number of phases",
  current: "is twice or half: another current, another number of phases, or a limit of the charger",
  tooSmall: "is too small: the car has charged more than that",
};
