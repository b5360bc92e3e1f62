import { Command, Option } from "commander";
import { didYouMean } from "../../provider/settings/explain";
import { LOSSES } from "../../sky/days";
import { ASSUMPTIONS, type SunChange, sunChangeOf } from "../clearDays/change";
import { chartPlaces, sunMarkdown } from "../clearDays/markdown";
import { sunSiteOf } from "../clearDays/sunSite";
import { counted } from "../counted";
import { examples, MANIFEST } from "../help";
import { code, prose } from "../markdown";
import { stylerFor } from "../style";
import { inColumns, printable } from "../terminal";
import { type SunCandidate, sitesOfManifests, sitesOfPreview } from "./sites";
import { sunText } from "./text";

interface SunOptions {
  readonly manifest?: string;
  readonly before?: string;
  readonly preview?: string;
  readonly site?: readonly string[];
  readonly json?: true;
  readonly markdown?: true;
}

/** Most sites that are shown by default (our choice). */
const MOST_SITES = 20;

const EXAMPLES = examples(
  "sun --manifest fleet.yaml --site berlin",
  "sun --manifest fleet.yaml --before fleet.main.yaml",
  "sun --preview preview.json --markdown",
);

/** `solar-charging sun`: shows the effect of a site's settings on a clear day. */
export function sunCommand(): Command {
  return new Command("sun")
    .addOption(new Option(...MANIFEST).conflicts("preview"))
    .option("--before <file>", "an earlier manifest, to compare with")
    .addOption(
      new Option(
        "--preview <file>",
        "output of 'pulumi preview --json' or 'fleet preview --json'; - for standard input",
      ),
    )
    .option("--site <name...>", "only these sites (default: all; in a comparison, those whose sun changes)")
    .addOption(new Option("--markdown", "print Markdown").conflicts("json"))
    .option("--json", "print days, powers and energies as JSON")
    .addHelpText("after", `\n${ASSUMPTIONS}\n${EXAMPLES}`)
    .action(run);
}

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

async function run(options: SunOptions, command: Command): Promise<void> {
  const { manifest, before, preview, json, markdown } = options;
  if (before !== undefined && manifest === undefined) command.error("error: --before needs --manifest");
  const candidates =
    manifest !== undefined
      ? sitesOfManifests(manifest, before)
      : preview !== undefined
        ? await sitesOfPreview(preview)
        : command.error("error: give --manifest or --preview");
  const named = namedOf(candidates, options.site, command);
  const shown = named.map((site) => shownOf(site, options.site !== undefined));
  const some = options.site === undefined ? shown.filter(({ change }) => change) : shown;
  if (json) console.log(JSON.stringify({ losses: LOSSES, sites: some } satisfies ShownSun, undefined, 2));
  else if (markdown) console.log(inMarkdown(some.slice(0, MOST_SITES)));
  else console.log(inColumns(inText(some.slice(0, MOST_SITES))));
  if (!json) sayLeftOut(shown, some);
}

function namedOf(all: readonly SunCandidate[], names: readonly string[] | undefined, command: Command): SunCandidate[] {
  return names === undefined
    ? [...all]
    : names.map((name) => {
        const known = all.find((site) => site.name === name);
        const hint = didYouMean(
          name,
          all.map((site) => site.name),
        );
        return known ?? command.error(`error: there is no site '${name}'${hint}`);
      });
}

/** @param isNamed whether to show it even if nothing changes */
function shownOf({ name, before, after }: SunCandidate, isNamed: boolean): SunOfSite {
  const change = sunChangeOf(before, after) ?? (isNamed ? sunChangeOf(undefined, after) : undefined);
  const gaps = (after && sunSiteOf(after).gaps) ?? [];
  return { name, ...(change && { change }), lacks: gaps.map(({ device, setting }) => `${device}: ${setting}`) };
}

function inText(sites: readonly SunOfSite[]): string {
  const styled = stylerFor(process.stdout);
  const lines = sites.flatMap(({ name, change, lacks }) => [
    styled("strong", printable(name)),
    ...(change ? sunText(change, styled).map((line) => `  ${line}`) : [`  ${styled("warning", lacksWords(lacks))}`]),
    "",
  ]);
  return [...lines, styled("quiet", ASSUMPTIONS)].join("\n");
}

function inMarkdown(sites: readonly SunOfSite[]): string {
  const places = chartPlaces(sites.map(({ change }) => change));
  const lines = sites.flatMap(({ name, change, lacks }, index) =>
    change ? sunMarkdown(name, change, places[index]) : [`**${code(name)}**: ${prose(lacksWords(lacks))}`, ""],
  );
  return [...lines, `<sub>${ASSUMPTIONS}</sub>`].join("\n");
}

function lacksWords(lacks: readonly string[]): string {
  return lacks.length > 0
    ? `no estimate is possible: declare ${printable(lacks.join(", "))}`
    : "the change removes the site";
}

/** Prints the sites that are left out, and the reason. */
function sayLeftOut(all: readonly SunOfSite[], shown: readonly SunOfSite[]): void {
  const rest = all.filter((site) => !shown.includes(site));
  const unknown = rest.filter(({ lacks }) => lacks.length > 0).length;
  const more = shown.length - MOST_SITES;
  if (more > 0) console.error(`${counted(more, "more site")} not shown: name a site with --site to see it`);
  if (unknown > 0)
    console.error(
      `${counted(unknown, "site")} without latitude or roof: name a site with --site to see what is missing`,
    );
  if (rest.length > unknown)
    console.error(`${counted(rest.length - unknown, "site")} without a change: name a site with --site to see it`);
}
