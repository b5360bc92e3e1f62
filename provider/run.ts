import { type Configuration, type Lookup, readConfiguration, serviceOptions } from "./configuration/configuration";
import { FileJournal, JOURNAL_FILE, type Journal, LoggedJournal } from "./ledger/journal";
import { Ledger } from "./ledger/ledger";
import { originOf } from "./ledger/origin";
import { type Problem, runFileOf } from "./ledger/runFile";
import { Claims } from "./lifecycle/claims";
import { Forecasts } from "./lifecycle/forecasts";
import { Handover } from "./lifecycle/handover";
import { connect, type DeviceService } from "./service/client";

/** What all operations of one engine run share: it lives as long as the provider process. */
export interface Run {
  /** @throws ConfigurationError */
  readonly configuration: () => Configuration;
  /** @throws ConfigurationError */
  readonly service: () => DeviceService;
  readonly claims: Claims;
  readonly handover: Handover;
  readonly forecasts: Forecasts;
  /** Where each update is reported; undefined if no ledger is configured. @throws ConfigurationError */
  readonly ledger: () => Ledger | undefined;
  /** Where baselines are written down before they can be lost. @throws ConfigurationError */
  readonly journal: () => Journal;
  /** Shows the user something that does not fail the operation; the same message once for the same resource. */
  readonly warn: Report;
  /** Shows the user something that is worth knowing, and no reason to act. */
  readonly info: Report;
  /** Reports something about a device of a site to whoever started the run, beside what the user is shown. */
  readonly problem: (problem: Problem) => void;
  /** Shows how far a resource has come; the next one takes its place. */
  readonly progress: (message: string, urn: string | undefined) => void;
  /** The sites of a preview, by what identifies them, with the engine's name of their resource. */
  readonly previewed: Map<string, string | undefined>;
  /** Aborted when the user stops the run: what has begun is brought to its end, and nothing more is begun. */
  readonly stopping: AbortSignal;
  /** Aborted a little later: what is still under way then is given up. */
  readonly aborting: AbortSignal;
}

/** @param urn the resource that it is about, if it is about one */
export type Report = (message: string, urn?: string) => Promise<void>;

/** How a run reaches the user. */
export interface Display {
  readonly warn: Report;
  readonly info: Report;
  /** Shows something that the next message takes the place of. */
  readonly progress: Report;
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
  const warn = onceEach(display.warn);
  const file = runFileOf(environment);
  const configuration = once(() => readConfiguration(stack, environment, provider));
  const origin = once(() => originOf(environment));
  const ledger = once(() => {
    const { ledgerFile } = configuration();
    return ledgerFile === undefined ? undefined : new Ledger(ledgerFile, origin(), warn);
  });
  return {
    configuration,
    service: once(() => {
      const options = serviceOptions(configuration());
      const onRetry = (reason: string) =>
        void warn(`${reason}: trying again, for up to ${options.retryTimeoutSeconds} s`);
      return connect({ ...options, onRetry, onRequest: file.request, onTurn: file.turn });
    }),
    claims: new Claims(environment),
    handover: new Handover(),
    forecasts: new Forecasts(),
    ledger,
    journal: once(() => {
      const path = ledger()?.path ?? environment[JOURNAL_FILE];
      return path ? new FileJournal(path, origin()) : new LoggedJournal(display.info);
    }),
    warn,
    info: onceEach(display.info),
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
function onceEach(show: Report): Report {
  const shown = new Set<string>();
  return async (message, urn) => {
    const one = JSON.stringify([message, urn]);
    if (shown.has(one)) return;
    shown.add(one);
    await show(message, urn).catch(() => {});
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
