/**
 * Reads exports of cars, meters and inverters, estimates the settings that they show, and compares them with declared
 * ones. It sends nothing, and has no account.
 * @module solar-charging-measure
 */
export type { Role } from "./files/layouts";
export type { Charging, GivenHouse, Meter } from "./files/meter";
export { meterOf } from "./files/meter";
export type { Label } from "./files/points";
export type { Given, Took } from "./files/powers";
export type { Production } from "./files/production";
export { productionOf } from "./files/production";
export type { Kind, Quantity, Unit } from "./files/quantity";
export type { SessionFile } from "./files/sessions";
export { sessionsOf } from "./files/sessions";
export type { Pieces } from "./files/text";
export { exportedText } from "./files/text";
export type { BaseLoad, House, HouseNotEnough, Unmeasured } from "./sky/baseLoad";
export { baseLoadOf } from "./sky/baseLoad";
export type { Capacity, SeveralCars } from "./sky/capacity";
export { capacityOf } from "./sky/capacity";
export type { ChargePower } from "./sky/chargePower";
export { chargePowerOf } from "./sky/chargePower";
export type { CutIn, Mornings } from "./sky/cutIn";
export { cutInOf } from "./sky/cutIn";
export type { CarMistake, CarVerdict } from "./sky/declaredCar";
export { judgeCapacity, judgeChargePower } from "./sky/declaredCar";
export type { HouseMistake, HouseVerdict } from "./sky/declaredHouse";
export { judgeBaseLoad, judgeCutIn } from "./sky/declaredHouse";
export type { Findings } from "./sky/findings";
export { findingsOf } from "./sky/findings";
export type { Clock } from "./sky/fit";
export type { Judgement } from "./sky/judge";
export { judge } from "./sky/judge";
export type { Coordinates } from "./sky/moments";
export type { Panels } from "./sky/plane";
export type { Series } from "./sky/series";
export type { NotEnough, Session, Unknown } from "./sky/sessions";
