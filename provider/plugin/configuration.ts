import { readConfiguration } from "../configuration/configuration";
import { CONFIGURATION_KEYS, type ConfigurationKey, misspelled, NAMESPACE } from "../configuration/configurationKeys";
import { ConfigurationError } from "../configuration/error";
import { UNKNOWN } from "../lifecycle/program";
import type { Properties } from "../lifecycle/state";
import { nameIn } from "../lifecycle/urn";
import type { Message } from "../messages/message";
import type { Problem } from "../settings/schema";

/** Configuration that the engine encrypts in state and shows nowhere. */
export const SECRET_KEYS: readonly ConfigurationKey[] = ["accessToken", "oauthClientSecret"];

/** What a provider is given: by the stack's configuration if it is a default provider, else by the program. */
export class Given {
  constructor(
    private readonly properties: Properties,
    private readonly urn: string,
  ) {}

  /** The name of a provider that the program declares; undefined for one that the engine makes by itself. */
  get provider(): string | undefined {
    const name = nameIn(this.urn);
    return /^default(_\d|$)/.test(name) || name === "" ? undefined : name;
  }

  /** A value as the stack's configuration would have it. Some SDKs send numbers and objects as they are, others as texts. */
  readonly get = (key: string): string | undefined => {
    const value = this.properties[key];
    if (value === undefined || value === null || value === UNKNOWN) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  };

  /** Everything that is wrong with it, and with the environment beside it. What is not known yet is not looked at. */
  problems(environment: NodeJS.ProcessEnv): Problem[] {
    try {
      readConfiguration(this.get, environment, this.provider);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return [{ property: "", reason: error.message }];
    }
  }

  /** What is set, has no effect, and is called nearly as something that is not set. */
  misspelled(environment: NodeJS.ProcessEnv): Message[] {
    return misspelled(
      Object.keys(this.properties).map((key) => `${NAMESPACE}:${key}`),
      environment,
    );
  }
}

/** Whether a property is one of the configuration, and not the engine's own, such as `version`. */
export function isConfiguration(key: string): key is ConfigurationKey {
  return CONFIGURATION_KEYS.includes(key as ConfigurationKey);
}
