import {
  CONFIGURATION,
  CONFIGURATION_KEYS,
  type ConfigurationKey,
  describeConfiguration,
} from "../configuration/configurationKeys";
import { SECRET_KEYS } from "./configuration";
import { byNames, FLAG, NUMBER, type Schema, TEXT } from "./schemaTypes";

const TYPES: Readonly<Record<(typeof CONFIGURATION)[ConfigurationKey]["type"], Schema>> = {
  text: TEXT,
  number: NUMBER,
  integer: { type: "integer" },
  flag: FLAG,
  object: byNames(TEXT),
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
