import { readConfiguration } from "../configuration/configuration";
import { CONFIGURATION_KEYS, type ConfigurationKey, misspelled } from "../configuration/configurationKeys";
import { ConfigurationError } from "../configuration/error";
import type { Properties } from "../lifecycle/device/state";
import { nameIn } from "../lifecycle/run/urn";
import type { Message } from "../messages/message";
import { NAMESPACE } from "../messages/names";
import type { Problem } from "../settings/schema";
import { UNKNOWN } from "../settings/unknown";

/** The configuration of a provider: from the stack for a default provider, from the program for an explicit one. */
export class Given {
  constructor(
    private readonly properties: Properties,
    private readonly urn: string,
  ) {}

  /** The name of an explicit provider; undefined for a default one, which the engine creates. */
  get provider(): string | undefined {
    const name = nameIn(this.urn);
    return /^default(_\d|$)/.test(name) || name === "" ? undefined : name;
  }

  /**
   * Returns a value in the form of the stack's configuration. Some SDKs send numbers and objects unchanged, others as
   * texts.
   */
  readonly get = (key: string): string | undefined => {
    const value = this.properties[key];
    if (value === undefined || value === null || value === UNKNOWN) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  };

  /** The problems of this configuration and of the environment. An unknown value is no problem. */
  problems(environment: NodeJS.ProcessEnv): Problem[] {
    try {
      readConfiguration(this.get, environment, this.provider);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return [{ property: "", reason: error.message }];
    }
  }

  /** Warnings about misspelled keys: they have no effect, and resemble a key that is not set. */
  misspelled(environment: NodeJS.ProcessEnv): Message[] {
    return misspelled(
      Object.keys(this.properties).map((key) => `${NAMESPACE}:${key}`),
      environment,
    );
  }
}

/** Whether a property is a key of the configuration. Others are the engine's own, such as `version`. */
export function isConfiguration(key: string): key is ConfigurationKey {
  return CONFIGURATION_KEYS.includes(key as ConfigurationKey);
}
