import { setMaxListeners } from "node:events";
import { type Message, MessageError } from "../messages/message";
import { deviceName } from "../service/device";
import { type Group, kindOf, type Place } from "../settings/groups";
import { type DeviceKind, withWireNames } from "../settings/setting";
import type { Call, Releasing } from "./device/call";
import type { Context } from "./run/context";
import { changesOf, overdue } from "./run/messages";
import type { Report, Run } from "./run/run";
import { guarded } from "./site/approval";
import { Failures, type SiteCall } from "./site/call";
import type { Trace } from "./withDone";

export async function announce({ report }: Run, { urn, isPreview }: Context, words: readonly string[]): Promise<void> {
  if (isPreview && words.length > 0) await report.info(changesOf(words), urn);
}

/**
 * The parts of a delete that makes no requests: the reports, without secret values and for its resource, and the store.
 * @param place of the device in its site, if it has one
 */
export function releasingOf({ store, report }: Run, { urn, secrets }: Context, place?: Place): Releasing {
  const hiding = (show: Report) => (message: Message) => show(secrets.hidden(message), urn);
  const isSecret = (key: string) => secrets.hasSetting(key, place);
  return { operation: "delete", store, info: hiding(report.info), warn: hiding(report.warn), urn, isSecret };
}

/** Longest timer of Node, in milliseconds, about 25 days. Node treats a longer one as 1 ms. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Runs an operation with its own signal, because Node 20 keeps a trace of each request at a shared signal. The signal
 * also aborts when the operation's time is over: then requests in flight are aborted, and no others begin.
 */
export async function abortable<T>(
  { aborting }: Pick<Run, "aborting">,
  { timeoutSeconds }: Pick<Context, "timeoutSeconds">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const abort = () => own.abort(aborting.reason);
  const timer =
    timeoutSeconds === undefined
      ? undefined
      : setTimeout(
          () => own.abort(new MessageError(overdue(timeoutSeconds))),
          Math.min(timeoutSeconds * 1000, LONGEST_TIMER),
        );
  if (aborting.aborted) abort();
  setMaxListeners(0, aborting);
  aborting.addEventListener("abort", abort);
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    aborting.removeEventListener("abort", abort);
  }
}

/** The context of one operation of a device. */
export function callOf(
  run: Run,
  kind: DeviceKind,
  { operation, signal, onSend }: Pick<Call, "operation" | "signal" | "onSend">,
  context: Context,
): Call {
  const { inverterFields = {}, verifyTimeoutSeconds } = run.configuration();
  return {
    ...releasingOf(run, context),
    ...{ operation, signal, onSend, verifyTimeoutSeconds },
    kind: withWireNames(kind, inverterFields),
    service: guarded(run, context.urn, withWireNames(kind, inverterFields)),
  };
}

/** Minimum number of devices of a site whose progress is shown (our choice): a smaller site finishes quickly. */
const FEWEST_SHOWN = 20;

/** Time between two progress messages, in milliseconds (our choice): without a terminal, each is a line of the log. */
const PROGRESS_PAUSE = 2000;

export function siteCallOf(
  run: Run,
  context: Context,
  { trace, ...part }: Pick<Call, "operation" | "signal"> & { readonly trace: Trace },
): SiteCall {
  const { name: site, urn, secrets } = context;
  const { report } = run;
  const { store, warn } = releasingOf(run, context);
  const onSend: Call["onSend"] = (device, sent) => {
    const name = deviceName(device);
    trace.sent[name] = [...new Set([...(trace.sent[name] ?? []), ...Object.keys(sent)])];
  };
  const callFor = (group: Group) => callOf(run, kindOf({ group }), { ...part, onSend }, context);
  const calls = { inverters: callFor("inverters"), vehicles: callFor("vehicles") };
  let next = performance.now() + PROGRESS_PAUSE;
  return {
    name: site,
    of: (place) => ({ ...calls[place.group], isSecret: (key) => secrets.hasSetting(key, place) }),
    atOnce: run.configuration().maxConcurrency,
    ...{ store, urn, warn },
    failures: new Failures(
      (device, problem) => {
        trace.problems[deviceName(device)] = problem;
      },
      report,
      secrets,
    ),
    progress: (done, of, verb) => {
      if (of < FEWEST_SHOWN || performance.now() < next) return;
      next = performance.now() + PROGRESS_PAUSE;
      report.progress(`${done} of ${of} devices ${verb}`, urn);
    },
    stopping: run.stopping,
  };
}
