import { flag, text } from "./record";

/** The manifest if no other is given: `adopt` writes it, and the other commands read it. */
export const USUAL_MANIFEST = "fleet.yaml";

/** `--json`. schema/output.schema.json describes the output of every command. */
export const JSON_FORM = flag("print everything as JSON");

export const MARKDOWN_FORM = flag("print Markdown", { conflicts: ["json"] });

/** The measurements beside other values. @param effect the use that the command makes of them */
export function measuredFile(effect: string) {
  return text("<file>", `file of 'solar-charging measure --write': ${effect}`);
}
