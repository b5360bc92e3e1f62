import { Command, Option } from "commander";
import { replaceFile } from "../files";
import { examples } from "../help";
import { exitOnSignals } from "../signals";
import { stylerFor } from "../style";
import { needsAttention, siteNeedsAttention, warningsOf } from "../view/model";
import type { LookOptions } from "./look";
import type { Status } from "./model";

interface StatusOptions extends LookOptions {
  readonly problems?: true;
  readonly devices?: true;
  readonly json?: true;
  readonly prometheus?: true;
  readonly output?: string;
}

const EXIT_CODES = `
Exit codes:
  0    all sites are ready as far as is known, and nothing has drifted
  1    a device or a stack could not be read, or the command is wrong
  2    attention needed: a site is not ready, or a device has drifted or reports that it does not charge
  130  interrupted
`;

const EXAMPLES = examples(
  "status --manifest fleet.yaml",
  "status --stack production --offline",
  "status --manifest fleet.yaml --problems --filter berlin",
  "status --manifest fleet.yaml --json | jq .counts",
  "status --manifest fleet.yaml --prometheus --output /var/lib/node_exporter/solar-charging.prom",
);

/** `solar-charging status`: shows which sites are ready, and why others are not. */
export function statusCommand(): Command {
  const command = new Command("status");
  return withLookOptions(command)
    .option("--problems", "show only sites and devices with problems")
    .option("--devices", "show a line for each device, with its settings")
    .addOption(new Option("--json", "print everything as JSON").conflicts("prometheus"))
    .option("--prometheus", "print metrics in Prometheus' text format, for node_exporter's textfile collector")
    .option(
      "-o, --output <file>",
      "write to this file instead of standard output; if writing fails, the earlier file stays",
    )
    .addHelpText(
      "after",
      `
DECLARED: everything that solar-aware charging needs is declared, and the service has accepted it.
NOW: the service reports it, too.
✓ ready, ✗ not ready, ! drifted or not read, ? some values are not reported, – without solar-aware charging
${EXIT_CODES}${EXAMPLES}`,
    )
    .action(run);
}

/** Adds the options that select a fleet or a stack. */
export function withLookOptions(command: Command): Command {
  return command
    .addOption(
      new Option("-m, --manifest <file>", "show this fleet, in YAML or JSON (default: show a stack)").conflicts(
        "stack",
      ),
    )
    .option("-s, --stack <name>", "show this stack of the Pulumi project (default: the selected one)")
    .option("-C, --cwd <folder>", "the folder of the Pulumi project", ".")
    .option("--offline", "use only the state of the last update or refresh, and make no request")
    .option("--filter <text>", "read and show only sites and devices with this text in their name or id")
    .option(
      "--measured <file>",
      "file of 'solar-charging measure --write': show its results beside declared and reported values",
    )
    .option("--ledger <file...>", "ledgers with the last changes of the devices (default: SOLAR_CHARGING_LEDGER_FILE)");
}

async function run(options: StatusOptions): Promise<void> {
  exitOnSignals();
  const [{ lookAt }, { exitCode }] = await Promise.all([import("./look.js"), import("./status.js")]);
  const status = await lookAt(options);
  const text = await textOf(options.problems ? problemsIn(status) : status, options);
  if (options.output === undefined) process.stdout.write(text);
  else replaceFile(options.output, text);
  process.exitCode = exitCode(status);
}

async function textOf(status: Status, { json, prometheus, devices, output }: StatusOptions): Promise<string> {
  if (json) return `${JSON.stringify(status, undefined, 2)}\n`;
  if (prometheus) return await (await import("./prometheus.js")).prometheusOf(status);
  const { tableOf } = await import("./table.js");
  const isShown = output === undefined;
  const styled = isShown ? stylerFor(process.stdout) : (_: unknown, text: string) => text;
  const columns = (isShown && process.stdout.columns) || COLUMNS;
  return `${tableOf(status, { columns, styled, allDevices: devices ?? false })}\n`;
}

/** Width of a table that is not shown at a terminal, in characters. */
const COLUMNS = 120;

/** The status without sites and devices that need no attention. The counts still include them. */
function problemsIn(status: Status): Status {
  const sites = status.sites.filter((site) => siteNeedsAttention(site) || warningsOf(site).length > 0);
  return { ...status, sites, devices: status.devices.filter(needsAttention) };
}
