import {
  CONFIGURATION,
  CONFIGURATION_KEYS,
  type ConfigurationKey,
  describeConfiguration,
} from "../configuration/configurationKeys";
import { SECRET_KEYS } from "./configuration";

type Schema = Readonly<Record<string, unknown>>;

const TYPES: Readonly<Record<(typeof CONFIGURATION)[ConfigurationKey]["type"], Schema>> = {
  text: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  flag: { type: "boolean" },
  object: { type: "object", additionalProperties: { type: "string" } },
};

/** One value. No default says which environment variable holds it: SDKs would write a token into state. */
function schemaOf(key: ConfigurationKey): Schema {
  return {
    ...TYPES[CONFIGURATION[key].type],
    description: describeConfiguration(key),
    ...(SECRET_KEYS.includes(key) && { secret: true }),
  };
}

/** The configuration of the provider, as the schema of a package has it. */
export function configurationSchema(): Schema {
  return Object.fromEntries(CONFIGURATION_KEYS.map((key) => [key, schemaOf(key)]));
}
