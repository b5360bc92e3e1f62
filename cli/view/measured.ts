import type { Mistake, PanelSetting } from "../../sky/judge";
import type { Panels } from "../../sky/plane";

/** The findings of `roof`, in the form of `--json` and of `--write`. Angles are in degrees, powers in W. */
export interface MeasuredSites {
  readonly sites: readonly MeasuredSite[];
}

export interface MeasuredSite {
  readonly name: string;
  readonly inverters: readonly MeasuredInverter[];
}

/** A value and its uncertainty: in 19 of 20 cases, the true value is within ± that. */
export interface Measurement {
  readonly value: number;
  readonly uncertainty: number;
}

export interface MeasuredInverter {
  readonly name: string;
  readonly verdict: "agrees" | "differs" | "notEnough" | "severalPlanes";
  readonly differs: readonly PanelSetting[];
  /** The probable mistake in the declaration. */
  readonly mistake?: Mistake | undefined;
  readonly clearDays: number;
  /** The declared panels as one plane, and the planes themselves if there are several. */
  readonly declared: Panels & { readonly planes?: readonly Panels[] | undefined };
  /** Absent without enough clear sky, and for several planes. Without an azimuth, the roof is nearly flat. */
  readonly measured?: { readonly [Setting in PanelSetting]?: Measurement | undefined } | undefined;
  /** The planes, if there are several. */
  readonly planes?: readonly Panels[] | undefined;
  /** These planes as one. Losses are shares of the energy of a clear year. */
  readonly folded?:
    | (Panels & { readonly yearLoss?: number | undefined; readonly shapeLoss?: number | undefined })
    | undefined;
  /** The declared direction also fits if the times are this many minutes late. */
  readonly clock?: { readonly minutesLate: number } | undefined;
  readonly day?: BestDay | undefined;
}

/** The best clear day, in quarters of an hour of solar time, in W. */
export interface BestDay {
  /** `2025-06-01`. */
  readonly date: string;
  readonly measured: readonly number[];
  /** The power of the measured roof on that day. */
  readonly roof: readonly number[];
  /** The power that the declared roof would have on that day. */
  readonly declared: readonly number[];
}
