import { Command } from "commander";
import { reasonOf } from "../../provider/ledger/lineFile";
import { didYouMean } from "../../provider/settings/explain";
import { fullNameOf } from "../fullName";
import { examples, withRequired } from "../help";
import { type Found, isNamed, readLedgers } from "./read";
import { parseSince } from "./since";
import { tableOf } from "./table";

interface Options {
  readonly device: string;
  readonly business?: string;
  readonly since?: Date;
  readonly file?: string[];
  readonly json?: true;
}

const EXIT_CODES = `
Exit codes:
  0    the changes are told, also where there are none
  1    a ledger cannot be read, or the command is wrong
`;

const EXAMPLES = examples(
  "ledger --device car-1",
  "ledger --device car-1 --since 7d --file ledger.jsonl",
  "ledger --device car-1 --json --file 2026-10.jsonl 2026-11.jsonl | jq .changes",
);

/** `solar-charging ledger`: who set what of a device, and when. */
export function ledgerCommand(): Command {
  const command = new Command("ledger").description(
    "Tell who set what of a device, and when, from the ledger that solar-charging:ledgerFile names",
  );
  return withRequired(command, "--device <id>", "device whose changes are told, or business/device")
    .option("--business <id>", "business of the device (default: every one)")
    .option("--since <when>", "no changes before: a date, or an age such as 12h or 7d", (text) =>
      parseSince(text, Date.now()),
    )
    .option("--file <path...>", "ledgers to look through (default: SOLAR_CHARGING_LEDGER_FILE)")
    .option("--json", "the lines of the ledger, one JSON object a line")
    .addHelpText("after", `${EXIT_CODES}${EXAMPLES}`)
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  for (const option of ["device", "business"] as const) {
    if (options[option] === "") command.error(`error: --${option} is empty`);
  }
  const { SOLAR_CHARGING_LEDGER_FILE } = process.env;
  const files = options.file ?? (SOLAR_CHARGING_LEDGER_FILE ? [SOLAR_CHARGING_LEDGER_FILE] : []);
  if (files.length === 0) command.error("error: no ledger: give --file, or set SOLAR_CHARGING_LEDGER_FILE");
  const { device, business: businessId, since } = options;
  const { lines, notUnderstood, cutShort, devices } = await readLedgers(files, { device, businessId, since }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new Error(`the ledger ${error.path ?? files} cannot be read (${reasonOf(error)})`);
    },
  );
  for (const file of cutShort)
    console.error(`${file} ends in the middle of a line: a disk was full, or a process stopped`);
  if (notUnderstood > 0) {
    const what = notUnderstood === 1 ? "1 line is" : `${notUnderstood} lines are`;
    console.error(`${what} not understood, and left out: are these ledgers, and is this version new enough?`);
  }
  if (options.json) for (const line of lines) console.log(JSON.stringify(line));
  else if (lines.length > 0) console.log(tableOf(lines));
  else {
    const when = since ? ` since ${since.toISOString()}` : "";
    console.error(`no change of device '${device}'${when} in ${files.join(", ")}${hintAt(options, devices)}`);
  }
}

/** What was probably meant, where the ledgers have no such device, or not of this business. */
function hintAt({ device, business }: Options, devices: Found["devices"]): string {
  if (devices.length === 0) return "";
  const businesses = new Set(devices.filter((one) => isNamed(one, device)).map(({ businessId }) => businessId));
  if (businesses.size === 0) {
    return didYouMean(
      device,
      devices.flatMap((one) => [one.deviceId, fullNameOf(one)]),
    );
  }
  const isOfAnother = business !== undefined && !businesses.has(business);
  return isOfAnother ? `; did you mean --business ${[...businesses].join(" or ")}?` : "";
}
