import { existsSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { type Charging, meterOf } from "../../measure/files/meter";
import { LABELS, type Label } from "../../measure/files/points";
import { type Production, productionOf } from "../../measure/files/production";
import { UNITS, type Unit } from "../../measure/files/quantity";
import { type SessionFile, sessionsOf } from "../../measure/files/sessions";
import { exportedText, type Pieces } from "../../measure/files/text";
import { meridianOf } from "../../measure/files/times";
import { deviceOf } from "../../measure/results/device";
import type { MeasuredDevice, MeasuredRoof, MeasuredSites } from "../../measure/results/model";
import { resultOf } from "../../measure/results/roof";
import { measuredBaseLoad, measuredCar, measuredCutIn } from "../../measure/results/single";
import { findingsOf } from "../../measure/sky/findings";
import { ANY_CLOCK } from "../../measure/sky/fit";
import { judge, PANEL_SETTINGS } from "../../measure/sky/judge";
import { grouped } from "../../measure/sky/numbers";
import type { Session } from "../../measure/sky/sessions";
import { listed } from "../../provider/settings/explain";
import { pick } from "../../provider/settings/objects";
import { type CommandCall, choice, command, flag, type OptionsOf, parsed, text, texts } from "../command/record";
import { JSON_FORM, MARKDOWN_FORM } from "../command/shared";
import { replaceFile } from "../files";
import { deviceMarkdown, deviceText } from "../measured/output";
import { mergedMeasured, readMeasured } from "../measured/read";
import { declaredSites, givenSites } from "../measured/sites";
import { SUBJECT_OPTIONS, subjectOf } from "../stacks/subject";
import { inColumns } from "../terminal";
import type { SiteView } from "../view/model";
import { type Member, membersOf, namedBy, siteOf } from "./members";
import { meterWords, productionWords, sessionsWords } from "./took";

const WITHOUT_FLEET = { conflicts: ["manifest", "stack"] };

const OPTIONS = {
  ...SUBJECT_OPTIONS,
  sessions: texts(
    "<vehicle=file...>",
    "an export of the vehicle's charging sessions: capacity and charge power; - for standard input",
  ),
  meter: texts("<inverter=file...>", "an export of the house's load, or of its grid meter: base load"),
  production: texts(
    "<inverter=file...>",
    "an export of the inverter's production: azimuth, tilt, peak power and cut-in threshold",
  ),
  declared: {
    ...texts(
      "<key=value...>",
      "the declared values of a roof and a car without a fleet, such as azimuth=SSW peakPower=9.8kWp",
    ),
    ...WITHOUT_FLEET,
  },
  latitude: parsed("<degrees>", "latitude of the roof without a fleet", degreesTo(90), WITHOUT_FLEET),
  site: text("<name>", "the site of the devices (default: the only one)"),
  car: texts(
    "<vehicle=name...>",
    "the vehicle's name in the file (default: its name in the manifest, or the only one)",
  ),
  solar: flag("the house has solar, and its meter shows only the import (default: detected)"),
  battery: flag("the house has a battery, and its meter shows only the import (default: detected)"),
  longitude: parsed(
    "<degrees>",
    "longitude of the site, positive in the east; without it, the uncertainty of the azimuth is about 4 times as large",
    degreesTo(180),
  ),
  timeZone: text("<name>", "time zone of the export, if its times have none, such as Europe/Berlin"),
  column: texts(
    "<name...>",
    "columns, sensors or fields of the meter or the production; several are added (default: detected by their names)",
  ),
  unit: choice<Unit>("<unit>", "unit of the numbers in the export (default: from the header)", UNITS),
  label: choice<Label>(
    "<moment>",
    "whether a time is the start, middle or end of its step (default: from the format)",
    LABELS,
  ),
  markdown: MARKDOWN_FORM,
  json: JSON_FORM,
  write: text("<file>", "write the results into this file, for status and review; other results in it stay"),
};
type MeasureOptions = OptionsOf<typeof OPTIONS>;

/** `solar-charging measure`: compares declared values with the records of cars, meters and inverters. */
export const measure = command({
  options: OPTIONS,
  exitCodes: {
    0: "nothing differs, or there is not enough to tell",
    1: "a file cannot be read, or the command is wrong",
    2: "a declared value differs from the measured one",
  },
  examples: [
    "measure --manifest fleet.yaml --site berlin --sessions car=sessions.csv",
    'measure --manifest fleet.yaml --site berlin --sessions car=sessions.csv --car "car=Blue car" --json',
    "measure --manifest fleet.yaml --site berlin --meter roof=meter.csv --time-zone Europe/Berlin",
    'measure --production roof.csv --declared "azimuth=SSW tilt=35 peakPower=9.8kWp" --latitude 50.1 --longitude 8.7 --time-zone Europe/Berlin',
    "measure --manifest fleet.yaml --site berlin --production east=e.csv west=w.csv --longitude 13.4 --write measured.json",
  ],
  read,
  show: {
    text: (result, { styled }) =>
      devicesIn(result)
        .flatMap((one) => deviceText(one, styled))
        .join("\n"),
    markdown: (result) => devicesIn(result).flatMap(deviceMarkdown).join("\n"),
    json: (result) => result,
  },
  end: (result) => (devicesIn(result).some(({ differs }) => differs.length > 0) ? 2 : 0),
});

function devicesIn({ sites }: MeasuredSites): MeasuredDevice[] {
  return sites.flatMap(({ vehicles = [], inverters = [] }) => [...vehicles, ...inverters]);
}

async function read({ options, refuse }: CommandCall<typeof OPTIONS>): Promise<MeasuredSites> {
  const { sessions, meter, production, write } = options;
  if (!(sessions ?? meter ?? production)) refuse("give --sessions, --meter or --production with a file");
  if (meter && production && (options.column ?? options.unit ?? options.label) !== undefined)
    refuse("--column, --unit and --label are about one file: measure --meter and --production one by one");
  // Only a roof needs a value, its latitude: without a fleet, other files are measured with nothing to compare.
  const needsNone = (production ?? options.site) === undefined && !subjectOf(options);
  const isGiven = needsNone || (options.declared ?? options.latitude) !== undefined;
  const site = siteOf(isGiven ? givenSites(options) : await declaredSites(options), options.site, refuse);
  // Read the earlier file first, so that a bad one is an error before the work.
  const earlier = write !== undefined && existsSync(write) ? readMeasured(write) : undefined;
  /** Two cars can share a file, and standard input can be read only once. */
  const texts = new Map<string, Promise<Pieces>>();
  let charging: readonly Charging[] = [];
  let result: MeasuredSites = { sites: [] };
  const add = (found: Pick<MeasuredSites["sites"][number], "vehicles" | "inverters">) => {
    result = mergedMeasured(result, { sites: [{ ...found, name: site.name }] });
  };
  const names = new Map(
    (options.car ?? []).map((given) => {
      const [{ name }, value] = namedBy({ option: "--car", what: "name", group: "vehicles" }, given, site, refuse);
      return [name, value];
    }),
  );
  // The sessions first: they hide the car from the meter.
  const all = (["sessions", "meter", "production"] as const).flatMap((kind) => {
    const group = kind === "sessions" ? "vehicles" : "inverters";
    const named = { option: `--${kind}`, what: "file", group } as const;
    const files = (options[kind] ?? []).map((given) => namedBy(named, given, site, refuse));
    return [...grouped(files, ([{ name }]) => name).values()].map((own) => [kind, own] as const);
  });
  for (const [kind, own] of all) {
    const [[member]] = own as [(typeof own)[number]];
    const shown = own.map(([, file]) => (file === "-" ? "standard input" : file)).join(" + ");
    try {
      for (const [, file] of own) if (!texts.has(file)) texts.set(file, exportedText(file));
      const files = await Promise.all(own.map(([, file]) => texts.get(file) as Promise<Pieces>));
      const took = (words: string) => console.error(inColumns(`${shown}: ${words}`, process.stderr.columns));
      if (kind === "sessions") {
        const found = ofSessions({ files, member, took }, names.get(member.name), options);
        if (meter) charging = charging.concat(found.sessions.map(chargingOf));
        add({ vehicles: [found.device] });
      } else if (kind === "meter") add({ inverters: [ofMeter({ files, member, took }, site, options, charging)] });
      else add({ inverters: [ofProduction({ files, member, took }, site, options)] });
    } catch (error) {
      throw new Error(`${shown}: ${(error as Error).message}`);
    }
  }
  if (write !== undefined) {
    const kept = earlier ? mergedMeasured(earlier, result) : result;
    replaceFile(write, `${JSON.stringify(kept, undefined, 2)}\n`);
  }
  return result;
}

/** The files of a device, and a message about how they were read. */
interface DeviceExport {
  readonly files: readonly Pieces[];
  readonly member: Member;
  readonly took: (words: string) => void;
}

function ofSessions({ files, member, took }: DeviceExport, name: string | undefined, { timeZone }: MeasureOptions) {
  const read: SessionFile = sessionsOf(files, timeZone);
  const all = grouped(read.sessions, ({ car }) => car);
  const car = carOf(member.name, name, [...all.keys()]);
  const own: readonly Session[] = all.get(car) ?? [];
  took(sessionsWords(read, car, own));
  const others = [...all].filter(([other]) => other !== car && other !== "").map(([, sessions]) => sessions);
  // In an unknown zone, the sessions would hide the wrong hours of the meter.
  const isPlaced = !read.usedZone || timeZone !== undefined;
  return {
    device: measuredCar(member.name, member.values, own, others),
    sessions: isPlaced ? read.sessions : [],
  };
}

/** The times of a session. Most systems know those of the plug: a car is there all night, and charges for an hour. */
function chargingOf({ start, end, hours = 0 }: Session): Charging {
  return { from: start, to: end, isPlug: hours * 3600 < 0.8 * (end - start) };
}

/** The name of a vehicle in the file. @throws Error with the names if it is not clear */
function carOf(vehicle: string, given: string | undefined, inFile: readonly string[]): string {
  const searched = given ?? vehicle;
  const found = inFile.find((name) => name.toLowerCase() === searched.toLowerCase());
  if (found !== undefined) return found;
  const named = inFile.filter((name) => name !== "");
  const [only, ...rest] = named;
  const list = named.slice(0, 20).map((name) => `'${name}'`);
  if (given !== undefined) throw new Error(`no session is of '${given}'. The file has ${listed(list) || "no names"}`);
  if (rest.length > 0)
    throw new Error(`the file has several cars: give --car ${vehicle}=<name>, with ${listed(list, "or")}`);
  return only ?? "";
}

function ofMeter(
  { files, member, took }: DeviceExport,
  site: SiteView,
  options: MeasureOptions,
  charging: readonly Charging[],
): MeasuredDevice {
  const { name, values } = member;
  const { solar, battery } = options;
  const { house, took: how } = meterOf(
    files,
    {
      ...options,
      hasSolar: solar || undefined,
      hasBattery: battery || undefined,
      isSouth: (site.latitude ?? 0) < 0,
    },
    charging,
  );
  took(meterWords(how, house));
  const others = membersOf(site)
    .filter((one) => one.group === "inverters" && one.name !== name)
    .reduce((sum, one) => sum + (numberIn(one.values, "baseLoad") ?? 0), 0);
  return deviceOf(name, { baseLoad: measuredBaseLoad(house, numberIn(values, "baseLoad"), others) });
}

function ofProduction({ files, member, took }: DeviceExport, site: SiteView, options: MeasureOptions): MeasuredDevice {
  const { name, values } = member;
  const peak = numberIn(values, "peakPower");
  const production = productionOf(files, { ...options, ...(peak !== undefined && { declaredPeak: peak }) });
  took(productionWords(production.took));
  const settings = { cutInThreshold: measuredCutIn(production.mornings, numberIn(values, "cutInThreshold")) };
  const missing = placeMissing(site, options);
  if (missing !== undefined) {
    took(`only the cut-in threshold is measured. For azimuth, tilt and peak power, give ${missing}`);
    return deviceOf(name, settings);
  }
  const roof = roofOf({ name, declared: panelsOf(member) }, production, {
    ...options,
    latitude: site.latitude as number,
  });
  return deviceOf(name, settings, roof);
}

/** The missing value without which the position of the sun is not known. */
function placeMissing({ name, latitude }: SiteView, { longitude, timeZone }: MeasureOptions): string | undefined {
  if (latitude === undefined) return `a latitude of site '${name}', or --latitude without a fleet`;
  if (longitude !== undefined || timeZone !== undefined) return undefined;
  return "--longitude, because the position of the sun depends on it. If you do not know it, give --time-zone: the azimuth is then less certain";
}

function roofOf(
  { name, declared }: Pick<MeasuredRoof, "name" | "declared">,
  { series, clockDeviation }: Production,
  { latitude, longitude, timeZone }: MeasureOptions & { readonly latitude: number },
): MeasuredRoof {
  const place = { latitude, longitude: longitude ?? meridianOf(timeZone as string) };
  const clock = { shift: 0, deviation: longitude === undefined ? ANY_CLOCK : clockDeviation };
  const findings = findingsOf(series, place, clock);
  return resultOf(name, declared, judge(declared, findings, place, declared.planes), findings);
}

/** The declared panels of an inverter. */
function panelsOf({ values, planes }: Member): MeasuredRoof["declared"] {
  return { ...pick<number>(values as Readonly<Record<string, number>>, PANEL_SETTINGS), ...(planes && { planes }) };
}

function numberIn(values: Member["values"], key: string): number | undefined {
  const value = (values as Readonly<Record<string, unknown>>)[key];
  return typeof value === "number" ? value : undefined;
}

function degreesTo(most: number): (given: string) => number {
  return (given) => {
    const value = Number(given);
    if (given.trim() !== "" && Math.abs(value) <= most) return value;
    throw new InvalidArgumentError(`Give a number from -${most} to ${most}, such as 50.1.`);
  };
}
