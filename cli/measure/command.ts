import { existsSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import { readManifest } from "../../provider/manifest/manifest";
import { type Member, membersOf, type Site } from "../../provider/manifest/model";
import { findingsOf } from "../../sky/findings";
import { ANY_CLOCK } from "../../sky/fit";
import { judge } from "../../sky/judge";
import type { Session } from "../../sky/sessions";
import { type Charging, meterOf } from "../exports/meter";
import { LABELS, type Label } from "../exports/points";
import type { Given } from "../exports/powers";
import { type Production, productionOf } from "../exports/production";
import { UNITS, type Unit } from "../exports/quantity";
import { type SessionFile, sessionsOf } from "../exports/sessions";
import { exportedText } from "../exports/text";
import { meridianOf } from "../exports/times";
import { replaceFile } from "../files";
import { grouped } from "../grouped";
import { examples, MANIFEST, withRequired } from "../help";
import { bothOf, deviceOf } from "../measured/device";
import { deviceMarkdown, deviceText } from "../measured/output";
import { mergedMeasured, readMeasured } from "../measured/read";
import { stylerFor } from "../style";
import { inColumns } from "../terminal";
import type { MeasuredDevice, MeasuredRoof, MeasuredSites } from "../view/measured";
import { declaredCar, measuredCar } from "./cars";
import { measuredBaseLoad, measuredCutIn } from "./houses";
import { namedBy, siteOf } from "./members";
import { resultOf } from "./roof";
import { meterWords, productionWords, sessionsWords } from "./took";

interface MeasureOptions {
  readonly manifest: string;
  readonly site?: string;
  readonly sessions?: readonly string[];
  readonly car?: readonly string[];
  readonly meter?: readonly string[];
  readonly solar?: true;
  readonly battery?: true;
  readonly production?: readonly string[];
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
  0    nothing differs, or there is not enough to tell
  1    a file cannot be read, or the command is wrong
  2    a declared value differs from the measured one
`;

const EXAMPLES = examples(
  "measure --manifest fleet.yaml --site berlin --sessions car=sessions.csv",
  'measure --manifest fleet.yaml --site berlin --sessions car=sessions.csv --car "car=Blue car" --json',
  "measure --manifest fleet.yaml --site berlin --meter roof=meter.csv --time-zone Europe/Berlin",
  "measure --manifest fleet.yaml --site berlin --production east=e.csv west=w.csv --longitude 13.4 --write measured.json",
);

/** `solar-charging measure`: compares declared values with what cars, meters and inverters recorded. */
export function measureCommand(): Command {
  const command = new Command("measure").description(
    "Compare declared values with charging sessions, meters and production; sends nothing, and needs no token",
  );
  withRequired(command, ...MANIFEST);
  return command
    .option(
      "--sessions <vehicle=file...>",
      "an export of the vehicle's charging sessions: capacity and charge power; - for standard input",
    )
    .option("--meter <inverter=file...>", "an export of the house's load, or of its grid meter: base load")
    .option(
      "--production <inverter=file...>",
      "an export of the inverter's production: azimuth, tilt, peak power and cut-in threshold",
    )
    .option("--site <name>", "the site of the devices (default: the only one)")
    .option(
      "--car <vehicle=name...>",
      "the vehicle's name in the file (default: its name in the manifest, or the only one)",
    )
    .option("--solar", "the house has solar, and its meter shows only the import (default: found out)")
    .option("--battery", "the house has a battery, and its meter shows only the import (default: found out)")
    .option(
      "--longitude <degrees>",
      "longitude of the site, positive in the east; without it, the azimuth is 4 times less certain",
      degrees,
    )
    .option("--time-zone <name>", "time zone of the export, if its times have none, such as Europe/Berlin")
    .option("--column <name>", "column, sensor or field of the meter or the production (default: found by its name)")
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
      "write the results into this file, for status, report and review; other results in it stay",
    )
    .addHelpText("after", `${EXIT_CODES}${EXAMPLES}`)
    .action(run);
}

async function run(options: MeasureOptions, command: Command): Promise<void> {
  const { sessions = [], meter = [], production = [], json, markdown, write } = options;
  if (sessions.length + meter.length + production.length === 0)
    command.error("error: give --sessions, --meter or --production with a file");
  if (meter.length > 0 && production.length > 0 && (options.column ?? options.unit ?? options.label) !== undefined)
    command.error(
      "error: --column, --unit and --label are about one file: measure --meter and --production one by one",
    );
  const site = siteOf(readManifest(options.manifest).sites, options.site, command);
  // Read the earlier file first, so that a bad one is an error before the work.
  const earlier = write !== undefined && existsSync(write) ? readMeasured(write) : undefined;
  const texts = new Texts();
  const charging: Charging[] = [];
  const vehicles = new Map<string, MeasuredDevice>();
  const inverters = new Map<string, MeasuredDevice>();
  const add = (all: Map<string, MeasuredDevice>, one: MeasuredDevice) => {
    const known = all.get(one.name);
    all.set(one.name, known ? bothOf(known, one) : one);
  };
  const names = new Map(
    (options.car ?? [])
      .map((given) => namedBy("--car", "name", given, "vehicles", site, command))
      .map(([{ name }, value]) => [name, value] as const),
  );
  const files = (option: string, given: readonly string[], group: Member["group"]) =>
    given.map((one) => namedBy(option, "file", one, group, site, command));
  const all = [
    ...files("--sessions", sessions, "vehicles").map(([member, file]) => ({ kind: "sessions", member, file }) as const),
    ...files("--meter", meter, "inverters").map(([member, file]) => ({ kind: "meter", member, file }) as const),
    ...files("--production", production, "inverters").map(
      ([member, file]) => ({ kind: "production", member, file }) as const,
    ),
  ];
  for (const { kind, member, file } of all) {
    const shown = file === "-" ? "standard input" : file;
    try {
      const text = await texts.of(file);
      const took = (words: string) => console.error(`${shown}: ${words}`);
      if (kind === "sessions") {
        const found = ofSessions(text, member, names.get(member.name), options, took);
        charging.push(...found.charging);
        add(vehicles, found.device);
      } else if (kind === "meter") add(inverters, ofMeter(text, member, site, options, charging, took));
      else add(inverters, ofProduction(text, member, site, options, took));
    } catch (error) {
      throw new Error(`${shown}: ${(error as Error).message}`);
    }
  }
  const result: MeasuredSites = {
    sites: [{ name: site.id, vehicles: [...vehicles.values()], inverters: [...inverters.values()] }],
  };
  if (write !== undefined) {
    const kept = earlier ? mergedMeasured(earlier, result) : result;
    replaceFile(write, `${JSON.stringify(kept, undefined, 2)}\n`);
  }
  const devices = [...vehicles.values(), ...inverters.values()];
  if (json) console.log(JSON.stringify(result, undefined, 2));
  else if (markdown) console.log(devices.flatMap(deviceMarkdown).join("\n"));
  else console.log(inColumns(devices.flatMap((one) => deviceText(one, stylerFor(process.stdout))).join("\n")));
  if (devices.some(hasDifference)) process.exitCode = 2;
}

function hasDifference({ differs, settings = {} }: MeasuredDevice): boolean {
  return differs.length > 0 || Object.values(settings).some((one) => one?.verdict === "differs");
}

/** The texts of files. Each is read once: two cars can share a file, and standard input can be read only once. */
class Texts {
  private readonly known = new Map<string, string>();

  async of(file: string): Promise<string> {
    const text = this.known.get(file) ?? (await exportedText(file));
    this.known.set(file, text);
    return text;
  }
}

type Took = (words: string) => void;

function ofSessions(text: string, member: Member, name: string | undefined, { timeZone }: MeasureOptions, took: Took) {
  const read: SessionFile = sessionsOf(text, timeZone);
  const all = grouped(read.sessions, ({ car }) => car);
  const car = carOf(member.name, name, [...all.keys()]);
  const own: readonly Session[] = all.get(car) ?? [];
  took(sessionsWords(read, car, own));
  const others = [...all].filter(([other]) => other !== car && other !== "").map(([, sessions]) => sessions);
  // In an unknown zone, the sessions would hide the wrong hours of the meter.
  const isPlaced = !read.usedZone || timeZone !== undefined;
  return {
    device: measuredCar(member.name, declaredCar(member.values), own, others),
    charging: isPlaced ? read.sessions.map(({ start, end }): Charging => [start, end]) : [],
  };
}

/** The name of a vehicle in the file. @throws Error with the names if it is not clear */
function carOf(vehicle: string, given: string | undefined, inFile: readonly string[]): string {
  const wanted = given ?? vehicle;
  const found = inFile.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  const named = inFile.filter((name) => name !== "");
  const [only, ...rest] = named;
  const list = named.slice(0, 20).map((name) => `'${name}'`);
  if (given !== undefined)
    throw new Error(`no session is of '${given}'. The file has ${list.join(", ") || "no names"}`);
  if (rest.length > 0)
    throw new Error(`the file has several cars: give --car ${vehicle}=<name>, with one of ${list.join(", ")}`);
  return only ?? "";
}

function ofMeter(
  text: string,
  { name, values }: Member,
  site: Site,
  options: MeasureOptions,
  charging: readonly Charging[],
  took: Took,
): MeasuredDevice {
  const { solar, battery, longitude } = options;
  const { house, took: how } = meterOf(
    text,
    {
      ...givenOf(options),
      ...(solar && { hasSolar: true }),
      ...(battery && { hasBattery: true }),
      ...(site.latitude !== undefined && { isSouth: site.latitude < 0 }),
      ...(longitude !== undefined && { longitude }),
    },
    charging,
  );
  took(meterWords(how, house));
  const others = membersOf(site)
    .filter((one) => one.group === "inverters" && one.name !== name)
    .reduce((sum, one) => sum + (numberIn(one.values, "baseLoad") ?? 0), 0);
  return deviceOf(name, { baseLoad: measuredBaseLoad(house, numberIn(values, "baseLoad"), others) });
}

function ofProduction(text: string, member: Member, site: Site, options: MeasureOptions, took: Took): MeasuredDevice {
  const { name, values } = member;
  const peak = numberIn(values, "peakPower");
  const production = productionOf(text, { ...givenOf(options), ...(peak !== undefined && { declaredPeak: peak }) });
  took(productionWords(production.took));
  const cutInThreshold = measuredCutIn(production.mornings, numberIn(values, "cutInThreshold"));
  const alone = deviceOf(name, { cutInThreshold });
  const declared = panelsOf(member);
  const missing = declared ? placeMissing(site, options) : "peakPower, azimuth and tilt in the manifest";
  if (!declared || missing !== undefined) {
    took(`only the cut-in threshold is measured. For azimuth, tilt and peak power, give ${missing}`);
    return alone;
  }
  return bothOf(alone, roofOf(name, declared, production, site.latitude as number, options));
}

/** What is missing to know where the sun is. */
function placeMissing({ id, latitude }: Site, { longitude, timeZone }: MeasureOptions): string | undefined {
  if (latitude === undefined) return `a latitude of site '${id}' in the manifest`;
  if (longitude !== undefined || timeZone !== undefined) return undefined;
  return "--longitude, because the position of the sun depends on it. If you do not know it, give --time-zone: the azimuth is then less certain";
}

function roofOf(
  name: string,
  declared: MeasuredRoof["declared"],
  { series, clockDeviation }: Production,
  latitude: number,
  { longitude, timeZone }: MeasureOptions,
): MeasuredRoof {
  const place = { latitude, longitude: longitude ?? meridianOf(timeZone as string) };
  const clock = { shift: 0, deviation: longitude === undefined ? ANY_CLOCK : clockDeviation };
  const findings = series ? findingsOf(series, place, clock) : ({ kind: "notEnough", clearDays: 0 } as const);
  return resultOf(name, declared, judge(declared, findings, place, declared.planes), findings);
}

/** The declared panels of an inverter, if all of them are declared. */
function panelsOf({ values, planes }: Member): MeasuredRoof["declared"] | undefined {
  const [peakPower, azimuth, tilt] = ["peakPower", "azimuth", "tilt"].map((key) => numberIn(values, key));
  if (peakPower === undefined || azimuth === undefined || tilt === undefined) return undefined;
  return { peakPower, azimuth, tilt, ...(planes && { planes }) };
}

function numberIn(values: Member["values"], key: string): number | undefined {
  const value = (values as Readonly<Record<string, unknown>>)[key];
  return typeof value === "number" ? value : undefined;
}

function givenOf({ timeZone, column, unit, label }: MeasureOptions): Given {
  return {
    ...(timeZone !== undefined && { timeZone }),
    ...(column !== undefined && { column }),
    ...(unit !== undefined && { unit }),
    ...(label !== undefined && { label }),
  };
}

function degrees(given: string, _?: number): number {
  const value = Number(given);
  if (given.trim() === "" || !(Math.abs(value) <= 180))
    throw new InvalidArgumentError("Give a number from -180 to 180.");
  return value;
}
