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

/** One value. It has no default from an environment variable: SDKs would write a token into state. */
function schemaOf(key: ConfigurationKey): Schema {
  return {
    ...TYPES[CONFIGURATION[key].type],
    description: describeConfiguration(key),
    ...(SECRET_KEYS.includes(key) && { secret: true }),
  };
}

/** The configuration of the provider, in the form of a package's schema. */
export function configurationSchema(): Schema {
  return Object.fromEntries(CONFIGURATION_KEYS.map((key) => [key, schemaOf(key)]));
}
