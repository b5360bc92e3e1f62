import { flag, text, withDefault } from "./record";

/** The optional fleet of a command. */
export const ANY_MANIFEST = text("<file>", "the fleet, in YAML or JSON", { short: "m" });

/** The manifest if no other is given: `adopt` writes it, and the other commands read it. */
export const USUAL_MANIFEST = "fleet.yaml";

/** The fleet of a command. */
export const MANIFEST = withDefault(ANY_MANIFEST, USUAL_MANIFEST);

/** `--json`. schema/output.schema.json describes the output of every command. */
export const JSON_FORM = flag("print everything as JSON");

export const MARKDOWN_FORM = flag("print Markdown", { conflicts: ["json"] });

/** The measurements beside other values. @param effect the use that the command makes of them */
export function measuredFile(effect: string) {
  return text("<file>", `file of 'solar-charging measure --write': ${effect}`);
}
