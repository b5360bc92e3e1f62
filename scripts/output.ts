import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Definition, generateSchema, getProgramFromFiles } from "typescript-json-schema";
import { z } from "zod";
import { ledgerLine } from "../provider/ledger/ledgerLine";

/** A name that a type has in the sources. The generator also names types without one: `Record<string,Value>`. */
const NAME = /^(?!ReadonlyArray$)[A-Z]\w*$/;

/**
 * The schema of the output of the commands with `--json`. It takes some seconds, because it compiles the command line.
 */
export function outputSchema(root: string): Definition {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  // A composite project has to list all its files.
  const options = { ...compilerOptions, composite: false, tsBuildInfoFile: undefined };
  const program = getProgramFromFiles([join(root, "scripts/printed.ts")], options, root);
  const settings = { required: true, noExtraProps: true, strictNullChecks: true, aliasRef: true, titles: false };
  const schema = generateSchema(program, "Printed", settings);
  if (!schema?.definitions) throw new Error("the types of the output cannot be read");
  const { definitions, ...top } = schema;
  // The generator does not see that later versions may add fields to a line of a ledger.
  const { $schema: _, ...line } = z.toJSONSchema(ledgerLine, { target: "draft-7" });
  const all = { ...definitions, LedgerLine: line } as Readonly<Record<string, Definition>>;
  const definitionOf = (name: string): Definition => {
    const [, values] = /^Record<string,(.*)>$/.exec(name) ?? [];
    if (values === undefined) return all[name] as Definition;
    // The generator leaves out the values of such a type.
    const known = all[values] && { $ref: `#/definitions/${values}` };
    return { type: "object", additionalProperties: known ?? (values === "number" ? { type: "number" } : {}) };
  };
  const inline = <T>(node: T): T => {
    if (Array.isArray(node)) return node.map(inline) as T;
    if (typeof node !== "object" || node === null) return node;
    const { $ref, ...rest } = node as Definition;
    const name = $ref === undefined ? undefined : decodeURIComponent($ref.replace("#/definitions/", ""));
    if (name !== undefined && !NAME.test(name)) return inline({ ...definitionOf(name), ...rest }) as T;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inline(value)])) as T;
  };
  const named = Object.entries(all).filter(([name]) => NAME.test(name));
  return {
    ...inline(top),
    title: "What the commands of solar-charging print with --json",
    description: "Each property is a command. 'ledger' prints one such object on each line.",
    definitions: Object.fromEntries(named.map(([name, one]) => [name, inline(one)])),
  };
}
