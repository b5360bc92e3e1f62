import { LOSSES, type SunDay, type SunSite, type SunYear, sunOf, sunYearOf } from "../../measure/sky/days";
import type { Panels } from "../../measure/sky/plane";
import { shortName } from "../../provider/settings/groups";
import { FOLDED, foldWords } from "../../provider/settings/planes";
import type { SiteView } from "../view/model";
import { type ByPrice, byPriceOf, sunSiteOf, withKept, withReportedValues } from "./sunSite";

/** The effect of a change on the sun of a site. */
export interface SunChange {
  /** Absent if there was no site, or if its values were not known. */
  readonly before?: readonly SunDay[] | undefined;
  readonly after: readonly SunDay[];
  /** The change of a year's energy. Absent if there was none before. */
  readonly year?: YearChange;
  /** Inverters whose panels change. */
  readonly roofs: readonly RoofChange[];
  /** Inverters with several planes, and the values that are sent for them. */
  readonly planes: readonly { readonly name: string; readonly sent: string }[];
  /** The reason why the cars charge by price, if they do. */
  readonly byPrice?: ByPrice;
  /** Cars whose capacity is not known. The estimate uses the capacity that the service assumes. */
  readonly assumed: readonly string[];
  /** Charge powers that no car can have. The energy that they promised never existed. */
  readonly corrected: readonly CorrectedPower[];
}

/**
 * The changes of the energy in a year of clear days, as fractions: -0.6 is a loss of 60 %. A member is absent if there
 * was no such energy before. The energy itself is not shown, because a real year with its clouds has about half of it.
 */
export interface YearChange {
  readonly roofs?: number;
  readonly cars?: number;
}

/** A charge power above the limit of alternating current, and its replacement. */
interface CorrectedPower {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The effect of a change on the panels of one inverter. */
export interface RoofChange {
  readonly name: string;
  readonly settings: readonly { readonly setting: keyof Panels; readonly from: number; readonly to: number }[];
  readonly before: readonly SunDay[];
  readonly after: readonly SunDay[];
  /** The change of its energy in a year of clear days, as a fraction: -0.6 is a loss of 60 %. Absent if it had none. */
  readonly year?: number;
}

/** The assumptions that are printed with every estimate. */
export const ASSUMPTIONS =
  `An estimate for a clear sky at sea level, with ${Math.round(LOSSES * 100)} % of losses and no shade. Times are mean ` +
  "solar time. A year has clear days only. The provider does not send or use this estimate; the service makes its own forecast.";

/** Index of the day that one-line summaries show: 20 March. */
export const SHOWN_DAY = 0;

/** The effect of a change on the sun. Undefined if there is none, or if too little is known of the site afterwards. */
export function sunChangeOf(before: SiteView | undefined, after: SiteView | undefined): SunChange | undefined {
  // Without this, a refused update would count as the loss of all sun: the device keeps its earlier value.
  if (!after || after.gaps.some(({ reason }) => reason === "notAccepted")) return undefined;
  // After a check for drift, the sun is that of the values that the service reports.
  const kept = withKept(after.observed ? withReportedValues(after) : after, before);
  const now = sunSiteOf(kept);
  const byPrice = byPriceOf(kept);
  if (!now.site) return undefined;
  const corrected = before ? corrections(before, kept) : [];
  const then = before && sunSiteOf(withoutFalse(before, corrected)).site;
  if (then && corrected.length === 0 && JSON.stringify(then) === JSON.stringify(now.site)) return undefined;
  const { site } = now;
  // The days are estimated only if they are shown. Without this, the review of 1,000 sites would take 4 s instead of 1.
  return {
    get before() {
      return then && sunOf(then);
    },
    get after() {
      return sunOf(site);
    },
    get roofs() {
      return then ? roofChanges(then, site) : [];
    },
    ...(then && { year: yearChange(sunYearOf(then), sunYearOf(site)) }),
    planes: planesIn(site),
    ...(byPrice && { byPrice }),
    assumed: now.assumed,
    corrected,
  };
}

/** Highest power that a car accepts from alternating current, in W: a higher declared one is a charger's. */
const MOST_ALTERNATING = 22_000;

function corrections(before: SiteView, after: SiteView): CorrectedPower[] {
  return after.devices.flatMap(({ label, declared }) => {
    const from = before.devices.find((device) => device.label === label)?.declared.maxChargePower;
    const to = declared.maxChargePower;
    const isCorrected =
      typeof from === "number" && typeof to === "number" && from > MOST_ALTERNATING && to <= MOST_ALTERNATING;
    return isCorrected ? [{ name: shortName(label), from, to }] : [];
  });
}

/** One side of a change, with charge powers that a car can have. Without this, a correction would be shown as a loss. */
function withoutFalse(side: SiteView, corrected: readonly CorrectedPower[]): SiteView {
  const right = new Map(corrected.map(({ name, to }) => [`vehicle/${name}`, to]));
  const devices = side.devices.map((device) => {
    const maxChargePower = right.get(device.label);
    return maxChargePower === undefined ? device : { ...device, declared: { ...device.declared, maxChargePower } };
  });
  return { ...side, devices };
}

function yearChange(before: SunYear, after: SunYear): YearChange {
  const share = (name: keyof YearChange, key: keyof SunYear) => {
    if (before[key] > 0) return { [name]: after[key] / before[key] - 1 };
    // Nothing stays nothing, but more than nothing is no percentage: "same" beside "0 → 77 kWh" would be wrong.
    return after[key] > 0 ? {} : { [name]: 0 };
  };
  return { ...share("roofs", "roofKilowattHours"), ...share("cars", "kilowattHours") };
}

/**
 * The change that decides whether a reader has to look: the larger loss, otherwise that of the roofs if they change.
 * Undefined without a percentage.
 */
export function decisiveChange({
  year,
}: SunChange): { readonly of: keyof YearChange; readonly share: number } | undefined {
  if (!year) return undefined;
  const { roofs = Infinity, cars = Infinity } = year;
  const of = Math.min(roofs, cars) < 0 ? (cars < roofs ? "cars" : "roofs") : roofs === 0 ? "cars" : "roofs";
  const share = year[of];
  return share === undefined ? undefined : { of, share };
}

function planesIn({ inverters, latitude }: SunSite): SunChange["planes"] {
  return Object.entries(inverters).flatMap(([name, { planes = [] }]) => {
    const words = foldWords(planes, latitude);
    return words ? [{ name, sent: [words.finding, words.advice].filter(Boolean).join(". ") }] : [];
  });
}

function roofChanges(before: SunSite, after: SunSite): RoofChange[] {
  return Object.entries(after.inverters).flatMap(([name, now]): RoofChange[] => {
    const then = Object.hasOwn(before.inverters, name) ? before.inverters[name] : undefined;
    if (!then) return [];
    const settings = FOLDED.filter((key) => then[key] !== now[key]).map((setting) => ({
      setting,
      from: then[setting],
      to: now[setting],
    }));
    if (settings.length === 0) return [];
    const siteOf = (latitude: number, roof: typeof now) => ({ latitude, inverters: { roof }, cars: [] });
    const [old, own] = [siteOf(before.latitude, then), siteOf(after.latitude, now)];
    const { roofs: year } = yearChange(sunYearOf(old), sunYearOf(own));
    return [{ name, settings, before: sunOf(old), after: sunOf(own), ...(year !== undefined && { year }) }];
  });
}
