import { Command, Option } from "commander";
import { readManifest } from "../../provider/manifest/manifest";
import { type Member, membersOf, type Site } from "../../provider/manifest/model";
import { didYouMean } from "../../provider/settings/explain";
import type { Session } from "../../sky/sessions";
import { counted } from "../counted";
import { grouped } from "../grouped";
import { examples, withRequired } from "../help";
import { code, prose } from "../markdown";
import { type Paint, paintOn } from "../paint";
import { printable } from "../terminal";
import { exportedText } from "./exported";
import { CAR_SETTINGS, type MeasuredVehicle, measuredVehicle } from "./result";
import { type SessionFile, sessionsOf } from "./sessions";
import { vehicleWords } from "./words";

interface Options {
  readonly manifest: string;
  readonly site?: string;
  readonly sessions: readonly string[];
  readonly car?: readonly string[];
  readonly json?: true;
  readonly markdown?: true;
}

const EXIT_CODES = `
Exit codes:
  0    nothing differs, or there are not enough sessions to tell
  1    a file cannot be read, or the command is wrong
  2    a declared value differs from the measured one
`;

const EXAMPLES = examples(
  "measure --manifest fleet.yaml --site berlin --sessions car=sessions.csv",
  'measure --manifest fleet.yaml --site berlin --sessions car=sessions.csv --car "car=Blue car" --json',
);

/** `solar-charging measure`: compares declared cars with their charging sessions. */
export function measureCommand(): Command {
  const command = new Command("measure").description(
    "Compare declared capacities and charge powers with charging sessions; sends nothing, and needs no token",
  );
  withRequired(command, "-m, --manifest <file>", "the fleet, in YAML, JSON or CSV");
  withRequired(
    command,
    "--sessions <vehicle=file...>",
    "an export of the vehicle's charging sessions; - for standard input",
  );
  return command
    .option("--site <name>", "the site of the vehicles (default: the only one)")
    .option(
      "--car <vehicle=name...>",
      "the vehicle's name in the file (default: its name in the manifest, or the only one)",
    )
    .addOption(new Option("--markdown", "print Markdown").conflicts("json"))
    .option("--json", "print the results as JSON")
    .addHelpText("after", `${EXIT_CODES}${EXAMPLES}`)
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const site = siteOf(readManifest(options.manifest).sites, options.site, command);
  const cars = membersOf(site).filter(({ group }) => group === "vehicles");
  const names = new Map((options.car ?? []).map((given) => namedBy("--car", "name", given, cars, site, command)));
  const files = options.sessions.map((given) => namedBy("--sessions", "file", given, cars, site, command));
  const texts = new Map<string, string>();
  const vehicles: MeasuredVehicle[] = [];
  for (const [name, file] of files) {
    const { values } = cars.find((one) => one.name === name) as Member;
    const shown = file === "-" ? "standard input" : file;
    try {
      const text = texts.get(file) ?? (await exportedText(file));
      texts.set(file, text);
      const read = sessionsOf(text);
      const all = grouped(read.sessions, ({ car }) => car);
      const car = carOf(name, names.get(name), [...all.keys()]);
      const own = all.get(car) ?? [];
      console.error(tookWords(shown, read, car, own));
      const others = [...all].filter(([other]) => other !== car && other !== "").map(([, sessions]) => sessions);
      const declared = Object.fromEntries(
        CAR_SETTINGS.flatMap((key) => (typeof values[key] === "number" ? [[key, values[key]]] : [])),
      );
      vehicles.push(measuredVehicle(name, declared, own, others));
    } catch (error) {
      throw new Error(`${shown}: ${(error as Error).message}`);
    }
  }
  if (options.json) console.log(JSON.stringify({ sites: [{ name: site.id, vehicles }] }, undefined, 2));
  else
    console.log(
      vehicles.flatMap((one) => (options.markdown ? inMarkdown(one) : inText(one, paintOn(process.stdout)))).join("\n"),
    );
  if (vehicles.some(({ differs }) => differs.length > 0)) process.exitCode = 2;
}

function siteOf(sites: readonly Site[], name: string | undefined, command: Command): Site {
  const names = sites.map(({ id }) => id);
  const [only, ...rest] = sites;
  if (name === undefined)
    return only && rest.length === 0
      ? only
      : command.error(`error: give --site: the manifest has ${names.slice(0, 20).join(", ")}`);
  return (
    sites.find(({ id }) => id === name) ?? command.error(`error: there is no site '${name}'${didYouMean(name, names)}`)
  );
}

/** `car=sessions.csv`. The vehicle's name is optional if there is one. */
function namedBy(
  option: string,
  noun: string,
  given: string,
  cars: readonly Member[],
  site: Site,
  command: Command,
): [name: string, value: string] {
  const names = cars.map(({ name }) => name);
  const at = given.indexOf("=");
  const [name, value] = [given.slice(0, at), given.slice(at + 1)];
  if (at > 0 && names.includes(name)) return [name, value];
  const [only, ...rest] = names;
  if (at > 0) command.error(`error: site '${site.id}' has no vehicle '${name}'${didYouMean(name, names)}`);
  if (only === undefined || rest.length > 0)
    command.error(
      `error: give ${option} <vehicle>=<${noun}>: site '${site.id}' has ${names.join(", ") || "no vehicle"}`,
    );
  return [only, given];
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

/** One line about the way in which the file was read. */
function tookWords(file: string, { format, sessions }: SessionFile, car: string, own: readonly Session[]): string {
  const charges = own.filter(({ from, to }) => from !== undefined && to !== undefined).length;
  const whose = car === "" ? "without names of cars" : `${own.length} of '${car}' (--car corrects it)`;
  return printable(
    `${file}: ${format}, ${counted(sessions.length, "session")}, ${whose}, ${charges} with states of charge`,
  );
}

function inText(vehicle: MeasuredVehicle, paint: Paint): string[] {
  const { values, advice } = vehicleWords(vehicle);
  return [
    `${paint("strong", printable(vehicle.name))}: ${values}`,
    ...(advice.length > 0 ? [paint("warning", advice.join(" "))] : []),
  ];
}

function inMarkdown(vehicle: MeasuredVehicle): string[] {
  const { values, advice } = vehicleWords(vehicle);
  const sign = vehicle.differs.length > 0 ? "⚠️ " : "";
  return [
    `**${code(vehicle.name)}**: ${prose(values)}`,
    "",
    ...(advice.length > 0 ? [sign + prose(advice.join(" ")), ""] : []),
  ];
}
