import { flag, required, text } from "./record";

/** The fleet of a command that can do without one. */
export const ANY_MANIFEST = text("<file>", "the fleet, in YAML or JSON", { short: "m" });

/** The fleet of a command. */
export const MANIFEST = required(ANY_MANIFEST);

/** `--json`. schema/output.schema.json describes the output of every command. */
export const JSON_FORM = flag("print everything as JSON");

export const MARKDOWN_FORM = flag("print Markdown", { conflicts: ["json"] });

/** The measurements beside other values. @param effect what the command does with them */
export function measuredFile(effect: string) {
  return text("<file>", `file of 'solar-charging measure --write': ${effect}`);
}
