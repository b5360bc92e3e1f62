import { Command } from "commander";
import { notWritten, replaceFile } from "../files";
import { examples } from "../help";
import { exitOnSignals } from "../signals";
import { withLookOptions } from "../status/command";
import type { LookOptions } from "../status/look";

interface ReportOptions extends LookOptions {
  readonly output: string;
}

const EXIT_CODES = `
Exit codes:
  0    the report is written, whatever it shows ('solar-charging status' has exit codes for that)
  1    it is not written, or a device or a stack could not be read, or the command is wrong
  130  interrupted
`;

const EXAMPLES = examples(
  "report --manifest fleet.yaml",
  "report --stack production --output production.html",
  "report --manifest fleet.yaml --offline --ledger ledger.jsonl",
);

/** `solar-charging report`: the status as one HTML file. */
export function reportCommand(): Command {
  const command = new Command("report");
  return withLookOptions(command)
    .option("-o, --output <file>", "the file to write", "report.html")
    .addHelpText("after", `${EXIT_CODES}${EXAMPLES}`)
    .action(run);
}

async function run({ output, ...options }: ReportOptions): Promise<void> {
  exitOnSignals();
  const [{ lookAt }, { htmlOf }, { headline }] = await Promise.all([
    import("../status/look.js"),
    import("./html.js"),
    import("../status/table.js"),
  ]);
  const status = await lookAt(options);
  try {
    replaceFile(output, htmlOf(status));
  } catch (error) {
    throw new Error(`the report cannot be written: ${notWritten(error)}`);
  }
  const plain = (_: unknown, text: string) => text;
  console.log([...headline(status, plain), `written: ${output}`].join("\n"));
  if (status.stackErrors.length > 0 || status.counts.unread > 0) process.exitCode = 1;
}
