/** Something is wrong with the provider's configuration: all of it in one message. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";

  constructor(readonly problems: readonly string[]) {
    super(`the configuration of solar-charging is not usable: ${problems.join("; ")}`);
  }
}
