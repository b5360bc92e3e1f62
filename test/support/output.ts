import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv, { type ValidateFunction } from "ajv";
import type { Printed } from "../../scripts/printed";
import { ROOT } from "./project";

const known = new Map<string, ValidateFunction>();

/** The output of a command with `--json`. @throws Error if the published schema does not have it */
export function outputIn<Command extends keyof Printed>(command: Command, text: string): Printed[Command] {
  const output = JSON.parse(text);
  const validate = known.get(command) ?? validatorOf(command);
  known.set(command, validate);
  if (!validate(output))
    throw new Error(`the output of ${command} is not in its schema: ${JSON.stringify(validate.errors)}`);
  return output as Printed[Command];
}

function validatorOf(command: keyof Printed): ValidateFunction {
  const { definitions, properties } = JSON.parse(readFileSync(join(ROOT, "schema/output.schema.json"), "utf8"));
  return new Ajv({ allowUnionTypes: true, validateFormats: false }).compile({ ...properties[command], definitions });
}
