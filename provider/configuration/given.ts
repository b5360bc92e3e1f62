import type { Message } from "../messages/message";
import { IN_STACK, partsOf } from "../messages/names";
import { type Properties, pick, UNKNOWN } from "../settings/objects";
import type { Problem } from "../settings/schema";
import { readConfiguration } from "./configuration";
import { CONFIGURATION_KEYS, misspelled } from "./configurationKeys";
import { ConfigurationError } from "./error";

/** The configuration of a provider: from the stack for a default provider, from the program for an explicit one. */
export class Given {
  constructor(
    private readonly properties: Properties,
    private readonly urn: string,
  ) {}

  /** The name of an explicit provider; undefined for a default one, which the engine creates. */
  get provider(): string | undefined {
    const name = partsOf(this.urn).name;
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

  /** Warnings about keys and variables without an effect. */
  misspelled(environment: NodeJS.ProcessEnv): Message[] {
    // The engine's own are `version`, `pluginDownloadURL`, `__internal` and others.
    const keys = Object.keys(this.properties).filter((key) => !/^(version$|plugin|__)/.test(key));
    return misspelled(keys.map(IN_STACK.of), environment, partsOf(this.urn).project);
  }

  /** The values of the configuration, without the engine's own, such as `version`. Equal for equal configurations. */
  get text(): string {
    return JSON.stringify(pick(this.properties, CONFIGURATION_KEYS));
  }
}
