import type { HouseNotEnough } from "../sky/baseLoad";
import type { Capacity } from "../sky/capacity";
import type { SettingMistake } from "../sky/declared";
import type { Mistake, PanelSetting, PanelVerdict } from "../sky/judge";
import type { Panels } from "../sky/plane";
import type { NotEnough } from "../sky/sessions";

/** The findings of `measure`, in the form of `--json` and of `--write`. Angles are in degrees, powers in W, energies in Wh. */
export interface MeasuredSites {
  readonly sites: readonly MeasuredSite[];
}

interface MeasuredSite {
  readonly name: string;
  readonly vehicles?: readonly MeasuredDevice[] | undefined;
  readonly inverters?: readonly MeasuredDevice[] | undefined;
}

/** A value and its uncertainty: in 19 of 20 cases, the true value is within ± that. */
export interface Measurement {
  readonly value: number;
  readonly uncertainty: number;
}

/** The settings that are measured one by one: by sessions, by a meter, by mornings. Those of the panels are measured together. */
export const SINGLE_SETTINGS = ["maxCapacity", "maxChargePower", "baseLoad", "cutInThreshold"] as const;
export type SingleSetting = (typeof SINGLE_SETTINGS)[number];

export interface MeasuredSetting {
  /** `notDeclared`: measured, with nothing to compare. */
  readonly verdict: "agrees" | "differs" | "notEnough" | "severalCars" | "notDeclared";
  readonly mistake?: SettingMistake | undefined;
  /** `tooUncertain`: it is measured, but its ± is too wide for a comparison. */
  readonly reason?: NotEnough | HouseNotEnough | "tooUncertain" | undefined;
  /** What the reason counts in the file, and what of it can be used: sessions, days, steps at night, or minutes of a step. */
  readonly read?: number | undefined;
  readonly kept?: number | undefined;
  readonly declared?: number | undefined;
  /** The base load that the other inverters of the site declare, together: a meter shows the sum. */
  readonly others?: number | undefined;
  readonly measured?: Measurement | undefined;
  /** Limits of the true value. */
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
  readonly several?: readonly [number, number] | undefined;
  /** The place of the measurement. */
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
  /** Of a capacity: the rise of charge of each session in percent, and its energy in Wh. */
  readonly points?: readonly (readonly [rise: number, energy: number])[] | undefined;
  /** Of a base load: the usual load of each quarter of an hour from 18 to 10 o'clock. */
  readonly night?: readonly number[] | undefined;
}

/** The findings about a vehicle or an inverter. Those about the panels are beside `settings`. */
export interface MeasuredDevice extends PartOfRoof {
  readonly name: string;
  /** `agrees`: each declared value was compared, and agrees. */
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

interface RoofFindings {
  /** The verdict about each setting of the panels. */
  readonly panels: { readonly [Setting in PanelSetting]: PanelVerdict };
  /** The probable mistake in the declaration. */
  readonly mistake?: Mistake | undefined;
  readonly clearDays: number;
  /** The declared values as one plane, and the planes themselves if there are several. */
  readonly declared: DeclaredPanels;
  /**
   * Absent without enough clear sky, and for several planes. Without an azimuth, the roof is nearly flat, or the azimuth
   * is too uncertain.
   */
  readonly measured?: { readonly [Setting in PanelSetting]?: Measurement | undefined } | undefined;
  /** The tilt if the other declared values are right, if only this shows that the declared tilt is wrong. */
  readonly tiltWithRest?: Measurement | undefined;
  /** The planes, if there are several. */
  readonly planes?: readonly Panels[] | undefined;
  /** These planes as one. Losses are shares of the energy of a clear year. */
  readonly folded?: FoldedPanels | undefined;
  /** The declared direction also fits if the times are this many minutes late. */
  readonly clock?: { readonly minutesLate: number } | undefined;
  /** The changes of the file's clock by an hour. From each on, its times are late by these minutes, or early if negative. */
  readonly clockJumps?: readonly { readonly since: string; readonly minutesLate: number }[] | undefined;
  readonly day?: BestDay | undefined;
  /** From a series of 8 months or more of one plane. */
  readonly trend?: RoofTrend | undefined;
}

/** The peak power over the months, in W. */
export interface RoofTrend {
  readonly months: readonly MonthOfRoof[];
  /** A change from one clear day to the next that is larger than the uncertainty, such as a dead string. */
  readonly change?: ChangeOfRoof | undefined;
}

export interface MonthOfRoof {
  /** `2025-06`. */
  readonly month: string;
  /** ± for comparing months with each other, not of the absolute power. */
  readonly peakPower: Measurement;
  readonly clearDays: number;
}

export interface ChangeOfRoof {
  /** The first clear day after it: `2025-06-14`. */
  readonly since: string;
  /** The change as a share of the power before: -0.33 if a third is missing. */
  readonly share: Measurement;
  readonly before: number;
  readonly after: number;
}

interface DeclaredPanels extends Partial<Panels> {
  readonly planes?: readonly Panels[] | undefined;
}

export interface FoldedPanels extends Panels {
  readonly yearLoss?: number | undefined;
  readonly shapeLoss?: number | undefined;
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
