import { existsSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { Command, InvalidArgumentError, Option } from "commander";
import { readManifest } from "../../provider/manifest/manifest";
import { membersOf, type Site } from "../../provider/manifest/model";
import { didYouMean } from "../../provider/settings/explain";
import { type Findings, findingsOf } from "../../sky/findings";
import { ANY_CLOCK } from "../../sky/fit";
import { judge } from "../../sky/judge";
import { replaceFile } from "../files";
import { examples, withRequired } from "../help";
import { roofMarkdown, roofText } from "../measured/output";
import { mergedMeasured, readMeasured } from "../measured/read";
import { paintOn } from "../paint";
import { printable } from "../terminal";
import type { MeasuredInverter, MeasuredSites } from "../view/measured";
import { LABELS, type Label } from "./points";
import { type GivenProduction, productionOf, type Took } from "./production";
import { UNITS, type Unit } from "./quantity";
import { resultOf } from "./result";
import { meridianOf } from "./times";

interface Options {
  readonly manifest: string;
  readonly site?: string;
  readonly measured: readonly string[];
  readonly longitude?: number;
  readonly timeZone?: string;
  readonly column?: string;
  readonly unit?: Unit;
  readonly label?: Label;
  readonly json?: true;
  readonly markdown?: true;
  readonly write?: string;
}

const EXIT_CODES = `
Exit codes:
  0    nothing differs, or there is not enough clear sky to tell
  1    a file cannot be read, or the command is wrong
  2    a declared value differs from the measured one
`;

const EXAMPLES = examples(
  "roof --manifest fleet.yaml --site berlin --measured roof=production.csv --longitude 13.4 --time-zone Europe/Berlin",
  "roof --manifest fleet.yaml --site berlin --measured roof=- --longitude 13.4 < production.json",
  "roof --manifest fleet.yaml --site berlin --measured east=e.csv west=w.csv --longitude 13.4 --write measured.json",
);

/** `solar-charging roof`: compares declared roofs with their measured output. */
export function roofCommand(): Command {
  const command = new Command("roof").description(
    "Compare declared roofs with measured production; sends nothing, and needs no token",
  );
  withRequired(command, "-m, --manifest <file>", "the fleet, in YAML, JSON or CSV");
  withRequired(
    command,
    "--measured <inverter=file...>",
    "an export of the inverter's production; - for standard input",
  );
  return command
    .option("--site <name>", "the site of the inverters (default: the only one)")
    .option(
      "--longitude <degrees>",
      "longitude of the site, positive in the east; without it, the azimuth is 4 times less certain",
      degrees,
    )
    .option("--time-zone <name>", "time zone of the export, if its times have none, such as Europe/Berlin")
    .option("--column <name>", "column, sensor or field of the production (default: found by its name)")
    .addOption(
      new Option("--unit <unit>", "unit of the numbers in the export (default: from the header)").choices(UNITS),
    )
    .addOption(
      new Option(
        "--label <moment>",
        "whether a time is the start, middle or end of its step (default: from the format)",
      ).choices(LABELS),
    )
    .addOption(new Option("--markdown", "print Markdown").conflicts("json"))
    .option("--json", "print the results as JSON")
    .option(
      "--write <file>",
      "write the results into this file, for status, report and review; other inverters in it stay",
    )
    .addHelpText("after", `${EXIT_CODES}${EXAMPLES}`)
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const { manifest, measured: files, json, markdown, write } = options;
  const site = siteOf(readManifest(manifest).sites, options.site, command);
  const { latitude } = site;
  if (latitude === undefined) command.error(`error: site '${site.id}' has no latitude: declare it in the manifest`);
  const roofs = roofsOf(site);
  const inverters: MeasuredInverter[] = [];
  for (const { name, file } of files.map((one) => namedFile(one, roofs, site, command))) {
    const declared = roofs.get(name) as Declared;
    inverters.push(await compare(name, file, declared, latitude, options));
  }
  const result: MeasuredSites = { sites: [{ name: site.id, inverters }] };
  if (write !== undefined) {
    const kept = existsSync(write) ? mergedMeasured(readMeasured(write), result) : result;
    replaceFile(write, `${JSON.stringify(kept, undefined, 2)}\n`);
  }
  if (json) console.log(JSON.stringify(result, undefined, 2));
  else if (markdown) console.log(inverters.flatMap((one) => roofMarkdown(one)).join("\n"));
  else console.log(inverters.flatMap((one) => roofText(one, paintOn(process.stdout))).join("\n"));
  if (inverters.some(({ differs }) => differs.length > 0)) process.exitCode = 2;
}

async function compare(
  name: string,
  file: string,
  declared: Declared,
  latitude: number,
  { timeZone, longitude, column, unit, label }: Options,
): Promise<MeasuredInverter> {
  const given: GivenProduction = {
    ...(timeZone !== undefined && { timeZone }),
    ...(column !== undefined && { column }),
    ...(unit !== undefined && { unit }),
    ...(label !== undefined && { label }),
    declaredPeak: declared.peakPower,
  };
  const printed = file === "-" ? await text(process.stdin) : textOf(file);
  const production = within(file, () => productionOf(printed, given));
  console.error(tookWords(file, production.took));
  if (longitude === undefined && timeZone === undefined)
    throw new Error(
      "give --longitude, because the position of the sun depends on it. If you do not know it, give --time-zone: the azimuth is then less certain",
    );
  const place = { latitude, longitude: longitude ?? within(file, () => meridianOf(timeZone as string)) };
  const clock = { shift: 0, deviation: longitude === undefined ? ANY_CLOCK : production.clockDeviation };
  const findings: Findings = production.series
    ? findingsOf(production.series, place, clock)
    : { kind: "notEnough", clearDays: 0 };
  return resultOf(name, declared, judge(declared, findings, place, declared.planes), findings);
}

function siteOf(sites: readonly Site[], name: string | undefined, command: Command): Site {
  const names = sites.map(({ id }) => id);
  if (name === undefined) {
    const [only, ...rest] = sites;
    return only && rest.length === 0
      ? only
      : command.error(`error: give --site: the manifest has ${names.slice(0, 20).join(", ")}`);
  }
  return (
    sites.find(({ id }) => id === name) ?? command.error(`error: there is no site '${name}'${didYouMean(name, names)}`)
  );
}

type Declared = MeasuredInverter["declared"];

/** The declared panels of each inverter. */
function roofsOf(site: Site): Map<string, Declared | undefined> {
  const inverters = membersOf(site).filter(({ group }) => group === "inverters");
  return new Map(
    inverters.map(({ name, values, planes }) => {
      const { peakPower, azimuth, tilt } = values;
      const isKnown = [peakPower, azimuth, tilt].every((value) => typeof value === "number");
      return [name, isKnown ? ({ peakPower, azimuth, tilt, ...(planes && { planes }) } as Declared) : undefined];
    }),
  );
}

/** `roof=production.csv`. The name is optional if there is one inverter. */
function namedFile(given: string, roofs: ReadonlyMap<string, Declared | undefined>, site: Site, command: Command) {
  const names = [...roofs.keys()];
  const at = given.indexOf("=");
  const hasName = at > 0 && (roofs.has(given.slice(0, at)) || !existsSync(given));
  if (!hasName && names.length !== 1)
    command.error(
      `error: give --measured <inverter>=<file>: site '${site.id}' has ${names.join(", ") || "no inverter"}`,
    );
  const name = hasName ? given.slice(0, at) : (names[0] as string);
  if (!roofs.has(name)) command.error(`error: site '${site.id}' has no inverter '${name}'${didYouMean(name, names)}`);
  if (!roofs.get(name))
    command.error(
      `error: inverter '${name}' of site '${site.id}' needs peakPower, azimuth and tilt: declare them in the manifest`,
    );
  return { name, file: hasName ? given.slice(at + 1) : given };
}

/** One line about the way in which the file was read. */
function tookWords(file: string, { format, column, quantity, step, zone, label, labelIsKnown, rows }: Took): string {
  const { unit, kind, from } = quantity;
  const energy = { power: "", energy: " a step", counter: ", a counter" }[kind];
  const sure = { named: "", given: "", plausible: " (a guess; --unit corrects it)" }[from];
  const moment =
    kind === "counter"
      ? ""
      : `, each at the ${label} of its step${labelIsKnown ? "" : " (a guess; --label corrects it)"}`;
  return printable(
    `${file === "-" ? "standard input" : file}: ${format}, ${rows} values of '${column}' in ${unit}${energy}${sure} every ` +
      `${step} minutes, times ${zone === "own" ? "with their offset from UTC" : `in ${zone}`}${moment}`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Adds the file's name to errors about its content. */
function within<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${file === "-" ? "standard input" : file}: ${(error as Error).message}`);
  }
}

function degrees(given: string, _?: number): number {
  const value = Number(given);
  if (given.trim() === "" || !(Math.abs(value) <= 180))
    throw new InvalidArgumentError("Give a number from -180 to 180.");
  return value;
}
