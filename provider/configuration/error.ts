import { type Message, MessageError } from "../messages/message";

/** All problems of the provider's configuration, in one message. */
export class ConfigurationError extends MessageError {
  override readonly name = "ConfigurationError";

  constructor(readonly problems: readonly Message[]) {
    super(together(problems));
  }
}

function together(problems: readonly Message[]): Message {
  const whole = problems.map(({ finding, advice }) => [finding, advice].filter(Boolean).join(". ")).join("; ");
  const keys = [...new Set(problems.flatMap(({ keys: some = [] }) => some))];
  return { code: "notUsable", finding: `the configuration of solar-charging cannot be used: ${whole}`, keys };
}
