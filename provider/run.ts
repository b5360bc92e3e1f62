import {
  type Configuration,
  type Lookup,
  readConfiguration,
  serviceOptions,
  unsetFor,
} from "./configuration/configuration";
import { ENVIRONMENT_ONLY } from "./configuration/configurationKeys";
import { FileJournal, JOURNAL_FILE, LoggedJournal } from "./ledger/journal";
import { Ledger } from "./ledger/ledger";
import { originOf } from "./ledger/origin";
import { runFileOf } from "./ledger/runFile";
import { Claims } from "./lifecycle/claims";
import { Forecasts } from "./lifecycle/forecasts";
import { Handover } from "./lifecycle/handover";
import type { Journal } from "./lifecycle/records";
import type { Report, Run as RunOfOperations } from "./lifecycle/run";
import { textOf } from "./messages/message";
import { IN_ENVIRONMENT, IN_STACK } from "./messages/names";
import { connect } from "./service/client";
import { type Failure, retrying } from "./service/errors";

/** A run that this process has started: it lives as long as the process. */
export interface Run extends RunOfOperations {
  /** @throws ConfigurationError */
  readonly configuration: () => Configuration;
}

/** Shows a text. @param urn the resource that it is about, if it is about one */
export type Show = (text: string, urn?: string) => Promise<void>;

/** How a run reaches the user. */
export interface Display {
  readonly warn: Show;
  readonly info: Show;
  /** Shows something that the next message takes the place of. */
  readonly progress: Show;
}

/** Time for what is under way when the user stops the run, in milliseconds (our choice): most requests take less. */
const GRACE = 2000;

/** @param provider the name of an explicit provider, if the configuration is what it is given */
export function startRun(
  stack: Lookup,
  environment: NodeJS.ProcessEnv,
  display: Display,
  { stopping = new AbortController().signal, provider }: { stopping?: AbortSignal; provider?: string | undefined } = {},
): Run {
  // A fleet's stacks are configured by the environment alone, as the commands are.
  const names = environment[ENVIRONMENT_ONLY] ? IN_ENVIRONMENT : IN_STACK;
  const reportBy = (show: Show): Report => {
    const shown = onceEach(show);
    return (message, urn) => shown(textOf(message, { names }), urn);
  };
  const warn = reportBy(display.warn);
  const info = reportBy(display.info);
  const file = runFileOf(environment);
  const configuration = once(() => readConfiguration(stack, environment, provider));
  const origin = once(() => originOf(environment));
  const ledger = once(() => {
    const { ledgerFile } = configuration();
    return ledgerFile === undefined ? undefined : new Ledger(ledgerFile, origin(), warn);
  });
  return {
    configuration,
    unset: () => unsetFor(configuration()),
    service: once(() => {
      const options = serviceOptions(configuration());
      const onRetry = (failure: Failure) => void warn(retrying(failure, options.retryTimeoutSeconds));
      return connect({ ...options, onRetry, onRequest: file.request, onTurn: file.turn });
    }),
    claims: new Claims(environment),
    handover: new Handover(),
    forecasts: new Forecasts(),
    ledger,
    journal: once((): Journal => {
      const path = ledger()?.path ?? environment[JOURNAL_FILE];
      return path ? new FileJournal(path, origin()) : new LoggedJournal(info);
    }),
    names,
    warn,
    info,
    problem: file.problem,
    progress: (message, urn) => void display.progress(message, urn).catch(() => {}),
    previewed: new Map(),
    stopping,
    aborting: later(stopping, GRACE),
  };
}

/** Aborts so many milliseconds after another signal. Without it, a stopped run lasts until a stalled request times out. */
function later(signal: AbortSignal, milliseconds: number): AbortSignal {
  const abort = new AbortController();
  const stop = () => abort.abort(new Error("the run was stopped"));
  signal.addEventListener("abort", () => setTimeout(stop, milliseconds).unref(), { once: true });
  return abort.signal;
}

/** Shows each message once for each resource. What cannot be shown fails nothing. */
function onceEach(show: Show): Show {
  const shown = new Set<string>();
  return async (text, urn) => {
    const one = JSON.stringify([text, urn]);
    if (shown.has(one)) return;
    shown.add(one);
    await show(text, urn).catch(() => {});
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
