import type { HouseNotEnough } from "../sky/baseLoad";
import type { Capacity } from "../sky/capacity";
import type { ClockJump } from "../sky/clockJump";
import type { SettingMistake } from "../sky/declared";
import type { RoofNotEnough } from "../sky/findings";
import type { Judgement, PanelSetting } from "../sky/judge";
import type { Measurement } from "../sky/numbers";
import type { Panels } from "../sky/plane";
import type { NotEnough } from "../sky/sessions";
import type { RoofTrend } from "../sky/trend";

/** The findings of `measure`, in the form of `--json` and of `--write`. Angles are in degrees, powers in W, energies in Wh. */
export interface MeasuredSites {
  readonly sites: readonly MeasuredSite[];
}

interface MeasuredSite {
  readonly name: string;
  readonly vehicles?: readonly MeasuredDevice[] | undefined;
  readonly inverters?: readonly MeasuredDevice[] | undefined;
}

/**
 * The settings that are measured one by one: from sessions, a meter or mornings. Those of the panels are measured
 * together.
 */
export const SINGLE_SETTINGS = ["maxCapacity", "maxChargePower", "baseLoad", "cutInThreshold"] as const;
export type SingleSetting = (typeof SINGLE_SETTINGS)[number];

export interface MeasuredSetting {
  /**
   * - `notEnough`: the file does not show the value. A declared value beyond `atLeast` or `atMost` still differs
   * - `notDeclared`: the value is measured, and no declared value can be compared
   * - `severalCars`: the sessions are of two cars without names; `several` has both capacities
   */
  readonly verdict: "agrees" | "differs" | "notEnough" | "severalCars" | "notDeclared";
  /**
   * The likely cause of a difference, if one is clear. The declared value …
   *
   * - `kilowattHours`, `kilowatts`: is in kWh or kW; Wh or W are expected
   * - `grossOrNew`: is the gross capacity, or that of the new battery
   * - `otherCar`: is that of another car in the file
   * - `fastCharging`: is the power of a fast charger
   * - `phases`: counts another number of phases
   * - `current`: is twice or half the power: another current, or a limit of the charger
   * - `tooSmall`, `tooLarge`: is below the energy that the car has charged, or above the value that mornings or winter show
   * - `average`, `includesCar`: is the mean of all hours, without or with the car
   * - `perDay`, `energyPerStep`: is the energy of a day, or of a quarter of an hour
   * - `unitOfFile`: is a thousand times the measured one, or a thousandth: check `--unit`
   */
  readonly mistake?: SettingMistake | undefined;
  /**
   * The reason of `notEnough`, or of no comparison:
   *
   * - `fewSessions`, `fewDays`, `fewMornings`: the file has too few of them
   * - `unusableSessions`: too few sessions have energy, time and a rise of the charge that are large enough
   * - `noStateOfCharge`: no session has a state of charge at its start and end
   * - `plugTimes`: too few sessions have hours of charging; the others have only times of the plug
   * - `onlySurplus`: too few sessions charge with more than the surplus of the sun
   * - `variesTooMuch`: the sessions differ too much to be of one car
   * - `daysWithGaps`: too few days are whole
   * - `daysAtZero`: too few days remain without those that are 0 for more than 2 hours
   * - `battery`, `batteryAtNight`: the file has only the import, and a battery supplies, or may supply, the house at night
   * - `onlyWinter`: too few days are outside of the winter, whose load may include heating
   * - `coarseSteps`: the steps are too long
   * - `tooUncertain`: the value is measured, but its ± is too wide for a comparison
   */
  readonly reason?: NotEnough | HouseNotEnough | "tooUncertain" | undefined;
  /**
   * The number in the file of what the reason is about: sessions, days, steps at night, or minutes of a step. `kept` is
   * the number that can be used; of minutes, the longest step that can be used.
   */
  readonly read?: number | undefined;
  readonly kept?: number | undefined;
  readonly declared?: number | undefined;
  /** The sum of the base loads that the other inverters of the site declare. A meter shows the load of all. */
  readonly others?: number | undefined;
  readonly measured?: Measurement | undefined;
  /** Limits of the true value, if it could not be measured. */
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
  readonly several?: readonly [number, number] | undefined;
  /** The place at which the energy was measured. */
  readonly from?: Capacity["from"] | undefined;
  /** The energy at the charger for a full battery, in Wh. */
  readonly drawn?: number | undefined;
  readonly phases?: number | undefined;
  readonly amps?: number | undefined;
  /** The base load from November to February, and the mean load from 9 to 17 o'clock. */
  readonly winter?: number | undefined;
  readonly daytime?: number | undefined;
  /** The day since which the house has another base load. */
  readonly changedSince?: string | undefined;
  /** The sessions, days or mornings that were used. */
  readonly sessions?: number | undefined;
  readonly days?: number | undefined;
  readonly mornings?: number | undefined;
  /** The last day in the file. */
  readonly until: string;
  /** Of a base load: the usual load of each quarter of an hour from 18 to 10 o'clock. */
  readonly night?: readonly number[] | undefined;
}

/** The findings about a vehicle or an inverter. Those about the panels are beside `settings`. */
export interface MeasuredDevice extends PartOfRoof {
  readonly name: string;
  /**
   * - `agrees`: each declared value was compared, and agrees
   * - `severalPlanes`: one plane is declared, and several were measured
   */
  readonly verdict: MeasuredSetting["verdict"] | "severalPlanes";
  readonly differs: readonly (PanelSetting | SingleSetting)[];
  readonly settings?: { readonly [Setting in SingleSetting]?: MeasuredSetting | undefined } | undefined;
}

type PartOfRoof = {
  readonly [Key in keyof RoofFindings]?: RoofFindings[Key] | undefined;
};

/** The panels of an inverter according to its production. */
export interface MeasuredRoof extends RoofFindings {
  readonly name: string;
}

interface RoofFindings extends Judgement {
  /** The reason why there are neither measured values nor planes. */
  readonly reason?: RoofNotEnough | undefined;
  /** What the reason counts in the file, and what of it can be used: days; of `powerAtNight`, steps at night. */
  readonly read?: number | undefined;
  readonly kept?: number | undefined;
  /** The declared values of one plane; of several planes, those of the one plane that replaces them, and `planes`. */
  readonly declared: DeclaredPanels;
  /** The days since which the file's times are late by so many minutes, or early if the number is negative. */
  readonly clockJumps?: readonly ClockJump[] | undefined;
  readonly day?: BestDay | undefined;
  /** Present if the file has 8 months or more of one plane, or if its power changes. */
  readonly trend?: RoofTrend | undefined;
}

interface DeclaredPanels extends Partial<Panels> {
  readonly planes?: readonly Panels[] | undefined;
}

/** The best clear day, in quarters of an hour of solar time, in W. */
export interface BestDay {
  /** `2025-06-01`. */
  readonly date: string;
  readonly measured: readonly number[];
  /** The power of the measured roof on that day. */
  readonly roof: readonly number[];
  /** The power that the declared roof would have on that day, if all of its values are declared. */
  readonly declared?: readonly number[] | undefined;
}

/** The measured panels of an inverter. Undefined if only other settings were measured. */
export function roofOf(device: MeasuredDevice): MeasuredRoof | undefined {
  return device.panels === undefined ? undefined : (device as MeasuredRoof);
}

/** Whether several planes were measured, and one is declared. */
export function hasMorePlanes({ planes, declared }: MeasuredRoof): boolean {
  return planes !== undefined && declared.azimuth !== undefined && declared.planes === undefined;
}
