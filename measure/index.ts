/**
 * Reads exports of cars, meters and inverters, estimates the settings that they show, and compares them with declared
 * ones. It sends nothing, and has no account.
 * @module solar-charging-measure
 */
export type { Role } from "./files/layouts";
export { type Charging, type GivenHouse, type Meter, meterOf } from "./files/meter";
export type { Label } from "./files/points";
export type { Given, Took } from "./files/powers";
export { type Production, productionOf } from "./files/production";
export type { Kind, Quantity, Unit } from "./files/quantity";
export { type SessionFile, sessionsOf } from "./files/sessions";
export { exportedText, type Pieces } from "./files/text";
export { type BaseLoad, baseLoadOf, type House, type HouseNotEnough, type Unmeasured } from "./sky/baseLoad";
export { type Capacity, capacityOf, type SeveralCars } from "./sky/capacity";
export { type ChargePower, chargePowerOf } from "./sky/chargePower";
export { type CutIn, cutInOf } from "./sky/cutIn";
export { JUDGES, type SettingMistake, type SettingVerdict } from "./sky/declared";
export { type Findings, findingsOf } from "./sky/findings";
export type { Clock } from "./sky/fit";
export { type Judgement, judge } from "./sky/judge";
export type { Coordinates } from "./sky/moments";
export type { Panels } from "./sky/plane";
export type { Series, Stretches } from "./sky/series";
export type { NotEnough, Session } from "./sky/sessions";
