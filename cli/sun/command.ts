import { LOSSES } from "../../measure/sky/days";
import { defined } from "../../provider/settings/objects";
import { ASSUMPTIONS, type SunChange, sunChangeOf } from "../clearDays/change";
import { sunSiteOf } from "../clearDays/sunSite";
import { dayWords, energyWords, peakMove, sunWords } from "../clearDays/words";
import { type CommandCall, command, text, texts } from "../command/record";
import { JSON_FORM } from "../command/shared";
import { HOURS, sparkline } from "../measured/charts";
import { declaredSites } from "../measured/sites";
import { refuseUnknown } from "../names";
import { readReview } from "../review/read";
import { SUBJECT_OPTIONS } from "../stacks/subject";
import type { Styler } from "../terminal";
import { printable } from "../terminal";
import type { SiteChange } from "../view/model";
import { counted } from "../words";

/** Maximum number of sites that are shown by default (our choice). */
const MOST_SITES = 20;

const OPTIONS = {
  ...SUBJECT_OPTIONS,
  preview: text("<file>", "output of 'pulumi preview --json' or 'fleet preview --json'; - for standard input", {
    conflicts: ["manifest", "stack"],
  }),
  site: texts("<name...>", "only these sites (default: all; in a comparison, those whose sun changes)"),
  json: JSON_FORM,
};
type SunCall = CommandCall<typeof OPTIONS>;

/** All sites, and those that are shown. */
interface Found {
  readonly all: readonly SunOfSite[];
  readonly sites: readonly SunOfSite[];
}

/** `solar-charging sun`: shows the effect of a site's settings on a clear day. */
export const sun = command({
  options: OPTIONS,
  notes: ASSUMPTIONS,
  examples: ["sun --manifest fleet.yaml --site berlin", "sun --preview preview.json"],
  read,
  show: {
    text: ({ sites }, { styled }) => inText(sites.slice(0, MOST_SITES), styled),
    json: ({ sites }): ShownSun => ({ losses: LOSSES, sites }),
  },
  remarks: ({ all, sites }, { json }) => (json ? [] : leftOut(all.length - Math.min(sites.length, MOST_SITES))),
});

/** The sites with their sun. */
export interface ShownSun {
  /** Share of the sun's energy that cables, heat and dirt take. */
  readonly losses: number;
  readonly sites: readonly SunOfSite[];
}

/** A site with its sun, or with the values that are missing for it. */
interface SunOfSite {
  readonly name: string;
  readonly change?: SunChange;
  readonly lacks: readonly string[];
}

async function read({ options }: SunCall): Promise<Found> {
  const { preview, site: names } = options;
  const candidates = preview === undefined ? await sitesOf(options) : await sitesOfPreview(preview);
  const all = namedOf(candidates, names).map((site) => shownOf(site, { isNamed: names !== undefined }));
  const seen = all.filter(({ change }) => change);
  // Without any sun, the sites show what is missing for it.
  const isSome = names === undefined && (preview !== undefined || seen.length > 0);
  return { all, sites: isSome ? seen : all };
}

function namedOf(all: readonly SunCandidate[], names: readonly string[] | undefined): SunCandidate[] {
  refuseUnknown(
    "--site",
    "site",
    names,
    all.map(({ name }) => name),
  );
  return all.filter(({ name }) => names?.includes(name) ?? true);
}

/** @param isNamed whether to show it even if nothing changes */
function shownOf({ name, before, after }: SunCandidate, { isNamed }: { readonly isNamed: boolean }): SunOfSite {
  const change = sunChangeOf(before, after) ?? (isNamed ? sunChangeOf(undefined, after) : undefined);
  const gaps = (after && sunSiteOf(after).gaps) ?? [];
  return { name, ...defined({ change }), lacks: gaps.map(({ device, setting }) => `${device}: ${setting}`) };
}

function inText(sites: readonly SunOfSite[], styled: Styler): string {
  const lines = sites.flatMap(({ name, change, lacks }) => [
    styled("strong", printable(name)),
    ...(change ? sunText(change, styled).map((line) => `  ${line}`) : [`  ${styled("warning", lacksWords(lacks))}`]),
    "",
  ]);
  return [...lines, styled("quiet", ASSUMPTIONS)].join("\n");
}

function lacksWords(lacks: readonly string[]): string {
  return lacks.length > 0
    ? `no estimate is possible: declare ${printable(lacks.join(", "))}`
    : "the change removes the site";
}

/** The number of sites that are not shown: without a change, a latitude or a roof, or because there are many. */
function leftOut(count: number): string[] {
  return count > 0 ? [`${counted(count, "site")} not shown: name a site with --site to see it, or what it lacks`] : [];
}

type SunCandidate = Pick<SiteChange, "name" | "before" | "after">;

/** The sites of a manifest, or those that a stack has. */
async function sitesOf(options: Parameters<typeof declaredSites>[0]): Promise<SunCandidate[]> {
  const all = await declaredSites(options);
  return all.filter(({ isSite }) => isSite).map((site) => ({ name: site.name, after: site }));
}

/** The sites in the output of a preview. */
async function sitesOfPreview(file: string): Promise<SunCandidate[]> {
  const { review } = await readReview(file);
  if (review.noPreview) throw new Error(review.noPreview.join());
  return review.sites.filter(({ isSite }) => isSite);
}

/** The sun of a site as lines for a terminal: the changes in words, then each day with its curve for the cars. */
function sunText(change: SunChange, styled: Styler): string[] {
  const { before, after } = change;
  const highest = Math.max(...[...after, ...(before ?? [])].flatMap((day) => day.roofWatts));
  const words = sunWords(change, printable, printable);
  const days = after.flatMap((day, index) => {
    const then = before?.[index];
    const energy = `cars ${energyWords(then?.kilowattHours, day.kilowattHours)}`;
    const roof = `roofs ${energyWords(then?.roofKilowattHours, day.roofKilowattHours)}`;
    const figures = [energy, roof, `peak ${peakMove(then?.peakAt, day.peakAt)}`].join(", ");
    const label = (text: string) => styled("quiet", text.padEnd(8));
    return [
      `${dayWords(day)}: ${figures}`,
      ...(then ? [`  ${label("before")}${styled("quiet", sparkline(then.roofWatts, highest))}`] : []),
      `  ${label(then ? "after" : "roofs")}${styled("warning", sparkline(day.roofWatts, highest))}`,
      `  ${label("cars")}${styled("good", sparkline(day.chargeWatts, highest))}`,
    ];
  });
  return [...words, ...days, styled("quiet", `  ${"".padEnd(8)}${HOURS} solar time`)];
}
