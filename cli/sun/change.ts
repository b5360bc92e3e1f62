import { LOSSES, type SunDay, type SunSite, sunOf } from "./site";
import { type SunSide, sunSiteOf } from "./sunSite";

/** What a change does to the sun of a site. */
export interface SunChange {
  /** Absent if there was no site, or if it was not known. */
  readonly before?: readonly SunDay[];
  readonly after: readonly SunDay[];
  /** Inverters whose panels are others now. */
  readonly roofs: readonly RoofChange[];
  /** Which of the days shows the change best. */
  readonly shownDay: number;
}

/** What a change does to the panels of one inverter. */
export interface RoofChange {
  readonly name: string;
  readonly settings: readonly { readonly setting: PanelSetting; readonly from: number; readonly to: number }[];
  readonly before: readonly SunDay[];
  readonly after: readonly SunDay[];
}

const PANEL_SETTINGS = ["peakPower", "azimuth", "tilt"] as const;
type PanelSetting = (typeof PANEL_SETTINGS)[number];

/** What everybody should know who looks at an estimate. */
export const ASSUMPTIONS =
  `An estimate for a clear sky at sea level, with ${Math.round(LOSSES * 100)} % of losses and no shade. Times are mean ` +
  "solar time. It is never sent, and decides nothing; the service's own forecast is another.";

/** What a change does to the sun; undefined if it does nothing, or if the site afterwards is not known well enough. */
export function sunChangeOf(before: SunSide | undefined, after: SunSide | undefined): SunChange | undefined {
  const now = after && sunSiteOf(after.latitude, after.devices).site;
  if (!now) return undefined;
  const then = before && sunSiteOf(before.latitude, before.devices).site;
  if (then && JSON.stringify(then) === JSON.stringify(now)) return undefined;
  const days = { after: sunOf(now), ...(then && { before: sunOf(then) }) };
  const roofs = then ? roofChanges(then, now) : [];
  return { ...days, roofs, shownDay: shownDayOf([days, ...roofs]) };
}

function roofChanges(before: SunSite, after: SunSite): RoofChange[] {
  return Object.entries(after.inverters).flatMap(([name, now]): RoofChange[] => {
    const then = Object.hasOwn(before.inverters, name) ? before.inverters[name] : undefined;
    if (!then) return [];
    const settings = PANEL_SETTINGS.filter((key) => then[key] !== now[key]).map((setting) => ({
      setting,
      from: then[setting],
      to: now[setting],
    }));
    if (settings.length === 0) return [];
    const daysOf = (latitude: number, roof: typeof now) => sunOf({ latitude, inverters: { roof }, chargePowers: [] });
    return [{ name, settings, before: daysOf(before.latitude, then), after: daysOf(after.latitude, now) }];
  });
}

type Sides = Pick<SunChange, "before" | "after">;

/** The day of which the most energy comes or goes; the first one if nothing was known before. */
function shownDayOf(all: readonly Sides[]): number {
  const [{ after }] = all as readonly [Sides];
  const moved = after.map((_, day) => Math.max(...all.map((sides) => movedOn(sides, day))));
  return moved.indexOf(Math.max(...moved));
}

function movedOn({ before, after }: Sides, day: number): number {
  const [then, now] = [before?.[day], after[day]];
  if (!then || !now) return 0;
  const moved = (["kilowattHours", "roofKilowattHours"] as const).map((key) => Math.abs(now[key] - then[key]));
  return Math.max(...moved);
}
