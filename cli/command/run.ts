import { constants } from "node:os";
import { replaceOutput } from "../files";
import { inColumns, stylerFor } from "../terminal";
import type { AnyCommand, CommandCall, OptionTable, Shown } from "./record";

/** Runs a command, and prints its result. @returns the exit code */
export async function run(command: AnyCommand, call: CommandCall<OptionTable>): Promise<number> {
  const { options } = call;
  if (!command.handlesSignals) exitOnSignals();
  const found = await command.read(call);
  const file = command.file?.(options);
  const form = FORMS.find((one) => options[one] === true) ?? "text";
  const place =
    file === undefined ? placeOf(process.stdout) : { styled: (_: unknown, text: string) => text, columns: undefined };
  const output = await command.show[form]?.(found, place, options);
  const text = typeof output === "object" ? JSON.stringify(output, undefined, 2) : (output ?? "");
  const whole = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  if (file !== undefined) replaceOutput(file, whole, (earlier) => command.isOutput?.(earlier) === true);
  else await print(form === "text" && !command.isVerbatim ? inColumns(whole) : whole, process.stdout);
  for (const remark of command.remarks?.(found, options, placeOf(process.stderr)) ?? [])
    console.error(inColumns(remark, process.stderr.columns));
  return (await command.end?.(found, call)) ?? 0;
}

/**
 * Ends this process after Ctrl-C and similar signals by `process.exit`, with a shell's exit code for the signal.
 * Without this, Node would skip exit handlers, and the ledger would lack the update in progress.
 */
function exitOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}

const FORMS = ["json", "markdown", "prometheus", "html"] as const;

function placeOf(stream: NodeJS.WriteStream): Shown {
  return { styled: stylerFor(stream), columns: stream.columns };
}

/** Prints a text completely. @throws Error if it cannot, as on a full disk; a closed pipe is not an error */
export function print(text: string, stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.on("error", () => {}); // The callback gets the same error as the event.
    stream.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
      if (error && error.code !== "EPIPE") reject(new Error(`the output cannot be printed: ${error.message}`));
      else resolve();
    });
  });
}
