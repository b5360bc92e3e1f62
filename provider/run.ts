import {
  type Configuration,
  type Lookup,
  readConfiguration,
  serviceOptions,
  unsetFor,
} from "./configuration/configuration";
import { ENVIRONMENT_ONLY } from "./configuration/configurationKeys";
import { RUN_STOPPED, undelivered } from "./engine/messages";
import { filesOfRun } from "./ledger/filesOfRun";
import { once } from "./ledger/once";
import { Approved } from "./lifecycle/approval/approved";
import type { Run as RunOfOperations } from "./lifecycle/run/run";
import type { MessageCode } from "./messages/codes";
import { MessageError, textOf } from "./messages/message";
import { IN_ENVIRONMENT, IN_STACK } from "./messages/names";
import { connect } from "./service/client";
import { defined } from "./settings/objects";

/** A run that this process has started. */
export interface EngineRun extends RunOfOperations {
  /** @throws ConfigurationError */
  readonly configuration: () => Configuration & ReturnType<RunOfOperations["configuration"]>;
  /**
   * Ends the use of everything that the run shares with others, and closes its files. From then on, failures of the
   * service do not count for this run. Requests in flight can still report to the files. Without this, a process with
   * many runs would reach the limit of open files.
   */
  readonly end: () => void;
}

/** Shows a text. @param urn the resource that it is about, if any */
type Show = (text: string, urn?: string) => Promise<void>;

/** The output of a run to the user. */
export interface Display {
  readonly warn: Show;
  readonly info: Show;
  /** Shows a text that the next one replaces. */
  readonly progress?: Show;
}

/** Shows a message. */
type Report = EngineRun["report"]["warn"];

/** Time for requests in flight after the user stops the run, in milliseconds (our choice). Most requests take less. */
const GRACE = 2000;

/** The facts that are known when a run starts. */
interface Start {
  readonly stopping?: AbortSignal;
  /** The name of the explicit provider, if its arguments are the configuration. */
  readonly provider?: string | undefined;
  /** Address of the engine. Provider processes with the same address belong together. */
  readonly engine?: string | undefined;
}

/** @param display undefined: the messages go only to the run's file */
export function startRun(
  stack: Lookup,
  environment: NodeJS.ProcessEnv,
  display: Display | undefined,
  { stopping = new AbortController().signal, provider, engine }: Start = {},
): EngineRun {
  // Stacks of a fleet and commands use only the environment as configuration.
  const names = environment[ENVIRONMENT_ONLY] ? IN_ENVIRONMENT : IN_STACK;
  const reportBy = (show: Show | undefined, severity: "warning" | "info"): Report =>
    onceEach(async (message, urn) => {
      file?.report(() => ({ message: { ...message, severity, ...defined({ urn }) } }));
      await show?.(textOf(message, { names }), urn);
    });
  const warn = reportBy(display?.warn, "warning");
  const info = reportBy(display?.info, "info");
  const configuration = once(() => {
    const found = readConfiguration(stack, environment, provider);
    return { ...found, unset: unsetFor(found) };
  });
  const { file, store, paceFile } = filesOfRun(environment, engine, configuration, warn);
  let isFailing = false;
  const onTurn = (now: boolean) => {
    isFailing = now;
    file?.report(() => ({ isFailing: now }));
  };
  return {
    configuration,
    end: () => {
      if (isFailing) onTurn(false);
      store.end();
    },
    service: once(() => {
      const options = serviceOptions(configuration());
      const isPaced = options.maxRequestsPerMinute !== undefined;
      return connect({
        ...options,
        paceFile: isPaced ? paceFile(options.baseUrl) : undefined,
        onRetry: (warning) => void warn(warning),
        onRequest: (request) => file?.report(() => ({ request })),
        onTurn,
      });
    }),
    store,
    approved: once(() => {
      const { approved } = configuration();
      return approved && Approved.read(approved);
    }),
    report: {
      names,
      warn,
      info,
      done: (done) => file?.report(() => ({ done: done() })),
      progress: (message, urn) => void display?.progress?.(message, urn).catch(() => {}),
    },
    stopping,
    aborting: later(stopping, GRACE),
  };
}

/**
 * A signal that aborts some milliseconds after another one does. Without it, a stopped run would last until a stalled
 * request times out.
 */
function later(signal: AbortSignal, milliseconds: number): AbortSignal {
  const abort = new AbortController();
  const stop = () => abort.abort(new MessageError(RUN_STOPPED));
  signal.addEventListener("abort", () => setTimeout(stop, milliseconds).unref(), { once: true });
  return abort.signal;
}

/** Messages with baselines, which may be recorded nowhere else. */
const OF_BASELINES: ReadonlySet<MessageCode> = new Set(["baselines", "unmanaged"]);

/**
 * Reports each message once for each resource. A failure to report it is ignored, unless baselines would be lost. Then
 * the operation fails before it sends anything.
 */
function onceEach(report: Report): Report {
  const reported = new Set<string>();
  return async (message, urn) => {
    const one = JSON.stringify([textOf(message), urn]);
    if (reported.has(one)) return;
    reported.add(one);
    await report(message, urn).catch((error) => {
      if (!OF_BASELINES.has(message.code)) return;
      reported.delete(one);
      throw new MessageError(undelivered(error));
    });
  };
}
