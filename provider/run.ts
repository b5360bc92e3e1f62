import { type Configuration, type Lookup, readConfiguration, serviceOptions } from "./configuration/configuration";
import { callCounter } from "./ledger/calls";
import { Ledger } from "./ledger/ledger";
import { Claims } from "./lifecycle/claims";
import { connect, type DeviceService } from "./service/client";

/** What all handlers of one engine operation share: it lives as long as the provider process. */
export interface Run {
  /** @throws ConfigurationError */
  readonly configuration: () => Configuration;
  /** @throws ConfigurationError */
  readonly service: () => DeviceService;
  readonly claims: Claims;
  /** Where each update is to be told; undefined where nobody asks for that. @throws ConfigurationError */
  readonly ledger: () => Ledger | undefined;
  /** Tells the user something that does not fail the operation; the same message once for the same resource. */
  readonly warn: Warn;
}

/** @param urn the resource that it is about, where it is about one */
export type Warn = (message: string, urn?: string) => Promise<void>;

/** @param show shows a warning to the user */
export function startRun(stack: Lookup, environment: NodeJS.ProcessEnv, show: Warn): Run {
  const warned = new Set<string>();
  const warn: Warn = async (message, urn) => {
    const warning = JSON.stringify([message, urn]);
    if (warned.has(warning)) return;
    warned.add(warning);
    await show(message, urn).catch(() => {}); // A warning that cannot be shown fails nothing.
  };
  const configuration = once(() => readConfiguration(stack, environment));
  return {
    configuration,
    service: once(() => {
      const options = serviceOptions(configuration());
      const onRetry = (reason: string) =>
        void warn(`${reason}: trying again, for up to ${options.retryTimeoutSeconds} s`);
      return connect({ ...options, onRetry, onRequest: callCounter(environment) });
    }),
    claims: new Claims(environment),
    ledger: once(() => {
      const { ledgerFile } = configuration();
      return ledgerFile === undefined ? undefined : new Ledger(ledgerFile, environment, warn);
    }),
    warn,
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
