import { setMaxListeners } from "node:events";
import { type Message, MessageError, textOf } from "../messages/message";
import type { Names } from "../messages/names";
import type { DeviceRef } from "../service/device";
import { type Group, kindOf } from "../settings/groups";
import { declaredSite, plannedDevices } from "../settings/planSite";
import { type DeviceKind, withWireNames } from "../settings/setting";
import { type Releasing, releaseUnrestored, withBaselines } from "./device/baselines";
import type { Call, Operation } from "./device/call";
import { UncertainError } from "./device/call";
import { type Checked, check } from "./device/check";
import { create, importDevice, update } from "./device/create";
import { isRetained, remove } from "./device/delete";
import { diff } from "./device/diff";
import { readKnown, readValues, refresh } from "./device/read";
import { fromInputs, fromOutputs, inputsOf, isOwned, type Properties, type State, toOutputs } from "./device/state";
import { type Change, type Difference, declaredChanges, wordsOf, wordsOfDevice } from "./run/changes";
import type { Context } from "./run/context";
import { PartialError } from "./run/errors";
import { fromId, toId } from "./run/ids";
import { changesOf, overdue, siteImport } from "./run/messages";
import { withPrintableError } from "./run/printableError";
import type { Report, Run } from "./run/run";
import type { SecretInputs } from "./run/secretInputs";
import { applySite } from "./site/apply";
import { Failures, type SiteCall, siteWithBaselines } from "./site/call";
import { checkSite } from "./site/check";
import { isSiteRetained, removeSite } from "./site/delete";
import { diffSite } from "./site/diff";
import { readSite } from "./site/read";
import { fromSiteOutputs, toSiteInputs, toSiteOutputs } from "./site/state";

/** A resource in the form of the engine. */
export interface Read {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** The operations of a resource, independent of the engine. Each one settles, and rejects only with `Error`s. */
export interface Operations {
  /** The id of a resource with these checked inputs. */
  id(context: Context, inputs: Properties): string;
  check(context: Context, olds: Properties, news: Properties): Promise<Checked>;
  /**
   * Compares the declaration with the state. In a preview it also shows one line for each device that changes,
   * because the engine shows at most the names of changed inputs.
   * @param olds the outputs; undefined for a new resource
   */
  diff(context: Context, olds: Properties | undefined, news: Properties): Promise<Difference>;
  /** @throws PartialError if the resource was created in part */
  create(context: Context, inputs: Properties): Promise<{ readonly id: string; readonly outputs: Properties }>;
  /** @throws PartialError if the resource was updated in part */
  update(context: Context, olds: Properties, news: Properties): Promise<Properties>;
  /** Imports an existing device into the stack, unchanged. @throws Error if the service does not know it */
  import(context: Context, id: string): Promise<Read>;
  /** Undefined when the service no longer knows the device. */
  read(context: Context, id: string, outputs: Properties): Promise<Read | undefined>;
  delete(context: Context, outputs: Properties): Promise<void>;
}

/** @param currentRun returns the run that all operations share */
export function deviceOperations(kind: DeviceKind, currentRun: () => Run): Operations {
  const purely = <T>(operation: string, { secrets }: Context, work: () => T | Promise<T>) =>
    withPrintableError(`${operation} of ${kind.resource}`, work, () => currentRun().report.names, secrets);
  const calling = <T>(operation: Operation, context: Context, work: (call: Call) => Promise<T>) =>
    purely(operation, context, () => {
      const run = currentRun();
      return abortable(run, context, (signal) => work(callOf(run, kind, { operation, signal }, context)));
    });

  return {
    id: (_, inputs) => toId(fromInputs(kind, inputs)),
    check: (context, olds, news) => purely("check", context, () => check(kind, currentRun(), context, olds, news)),
    diff: (context, olds, news) =>
      purely("diff", context, async () => {
        const difference = olds
          ? diff(fromOutputs(kind, olds), fromInputs(kind, news), currentRun().store)
          : { changes: declaredChanges(fromInputs(kind, news).values), replaces: [] };
        await announce(currentRun(), context, wordsOfDevice(difference.changes, context.secrets));
        return difference;
      }),
    create: (context, inputs) =>
      calling("create", context, async (call) =>
        readOf(await whole(create(call, fromInputs(kind, inputs)), currentRun, context)),
      ),
    update: (context, olds, news) =>
      calling("update", context, async (call) => {
        const [before, declared] = [fromOutputs(kind, olds), fromInputs(kind, news)];
        return toOutputs(await whole(update(call, before, declared), currentRun, context));
      }),
    import: (context, id) => calling("read", context, async (call) => readOf(await importDevice(call, fromId(id)))),
    read: (context, id, outputs) => calling("read", context, (call) => readAt(call, fromId(id), outputs)),
    delete: (context, outputs) =>
      purely("delete", context, async () => {
        const state = fromOutputs(kind, outputs);
        // Without a request, so that a stack can be destroyed offline.
        if (isRetained(state)) return await retain(releasingOf(currentRun(), context), state);
        await calling("delete", context, (call) => remove(call, state));
      }),
  };
}

function readOf(state: State): Read {
  return { id: toId(state), inputs: inputsOf(state), outputs: toOutputs(state) };
}

/** A refresh. A resource that is only read (`VehicleSettings.get`) shows all reported settings. */
async function readAt(call: Call, ref: DeviceRef, outputs: Properties): Promise<Read | undefined> {
  if (isOwned(outputs)) {
    const state = await refresh(call, { ...fromOutputs(call.kind, outputs), ...ref });
    return state && readOf(state);
  }
  // Without outputs, this is the `get` of a program, which needs the device to exist.
  const values = await (outputs.deviceId === undefined ? readValues : readKnown)(call, ref);
  const shown = values && { ...ref, ...values };
  return shown && { id: toId(ref), inputs: shown, outputs: shown };
}

/** @param currentRun returns the run that all operations of one engine run share */
export function siteOperations(currentRun: () => Run): Operations {
  const guard = <T>(operation: Operation | "check" | "diff", { urn, secrets }: Context, work: () => T | Promise<T>) =>
    withPrintableError(
      `${operation} of SiteSettings`,
      async () => {
        try {
          return await work();
        } catch (error) {
          if (error instanceof MessageError) {
            currentRun().report.failure({ ...secrets.hidden(error.problem), operation, urn });
          }
          throw error;
        }
      },
      () => currentRun().report.names,
      secrets,
    );
  const calling = <T>(operation: Operation, context: Context, work: (call: SiteCall) => Promise<T>) =>
    abortable(currentRun(), context, (signal) => work(siteCallOf(currentRun(), operation, context, signal)));
  return {
    id: ({ name }) => name,
    check: (context, olds, news) => guard("check", context, () => checkSite(currentRun(), context, olds, news)),
    diff: (context, olds, news) =>
      guard("diff", context, async () => {
        const difference = olds
          ? diffSite(fromSiteOutputs(olds), declaredSite(news), context.live, currentRun().store)
          : { changes: plannedDevices(news).map((device): Change => ({ kind: "new", device })), replaces: [] };
        await announce(currentRun(), context, wordsOf(difference.changes, context.secrets));
        return difference;
      }),
    create: (context, inputs) =>
      guard("create", context, async () => {
        const state = await calling("create", context, (call) => applySite(call, undefined, declaredSite(inputs)));
        return { id: context.name, outputs: toSiteOutputs(state) };
      }),
    update: (context, olds, news) =>
      guard("update", context, async () => {
        const before = fromSiteOutputs(olds);
        const state = await calling("update", context, async (call) =>
          applySite(call, siteWithBaselines(call, before), declaredSite(news)),
        );
        return toSiteOutputs(state);
      }),
    import: (context) =>
      guard("read", context, () => {
        throw new MessageError(siteImport());
      }),
    read: (context, id, outputs) =>
      guard("read", context, async () => {
        const site = fromSiteOutputs(outputs);
        const state = await calling("read", { ...context, name: id }, async (call) =>
          readSite(call, siteWithBaselines(call, site)),
        );
        return { id, inputs: toSiteInputs(state), outputs: toSiteOutputs(state) };
      }),
    delete: (context, outputs) =>
      guard("delete", context, async () => {
        const site = fromSiteOutputs(outputs);
        if (!isSiteRetained(site)) return await calling("delete", context, (call) => removeSite(call, site));
        for (const { state } of site.devices) await retain(releasingOf(currentRun(), context), state);
      }),
  };
}

async function announce({ report }: Run, { urn, isPreview }: Context, words: readonly string[]): Promise<void> {
  if (isPreview && words.length > 0) await report.info(changesOf(words), urn);
}

/** Stops managing a device without changing it. */
async function retain(releasing: Releasing, state: State): Promise<void> {
  await releaseUnrestored(releasing, withBaselines(releasing, state));
}

function releasingOf({ store, report: { info, warn } }: Run, { urn, secrets }: Context): Releasing {
  return { store, info: hiding(info, secrets), warn: hiding(warn, secrets), urn };
}

/** A report of messages without secret values. */
function hiding(report: Report, secrets: SecretInputs): Report {
  return (message, urn) => report(secrets.hidden(message), urn);
}

/** Longest timer of Node, in milliseconds, about 25 days. Node treats a longer one as 1 ms. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Runs an operation with its own signal, because Node 20 keeps a trace of each request at a shared signal. The signal
 * also aborts when the operation's time is over: then requests in flight are aborted, and no others begin.
 */
async function abortable<T>(
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
function callOf(
  run: Run,
  kind: DeviceKind,
  { operation, signal }: Pick<Call, "operation" | "signal">,
  { urn, secrets }: Context,
): Call {
  const [warn, info] = [run.report.warn, run.report.info].map((report) => hiding(report, secrets)) as [Report, Report];
  const { inverterFields = {}, verifyTimeoutSeconds } = run.configuration();
  return {
    ...{ operation, urn, signal, verifyTimeoutSeconds },
    kind: withWireNames(kind, inverterFields),
    service: run.service(),
    store: run.store,
    ledger: run.ledger(),
    warn: (message) => warn(message, urn),
    info: (message) => info(message, urn),
  };
}

/** Fewest devices of a site whose progress is shown (our choice): a smaller site finishes quickly. */
const FEWEST_SHOWN = 20;

/** Time between two progress messages, in milliseconds (our choice): without a terminal, each is a line of the log. */
const PROGRESS_PAUSE = 2000;

function siteCallOf(run: Run, operation: Operation, context: Context, signal: AbortSignal): SiteCall {
  const { name: site, urn, secrets } = context;
  const { report } = run;
  const warn = (message: Message) => report.warn(secrets.hidden(message), urn);
  const callFor = (group: Group) => callOf(run, kindOf({ group }), { operation, signal }, context);
  const calls = { inverters: callFor("inverters"), vehicles: callFor("vehicles") };
  let next = performance.now() + PROGRESS_PAUSE;
  return {
    name: site,
    of: (group) => calls[group],
    atOnce: run.configuration().maxConcurrency,
    store: run.store,
    failures: new Failures(
      (device, problem) => {
        report.failure({ ...problem, operation, urn, device });
      },
      report.names,
      secrets,
    ),
    urn,
    warn,
    progress: (done, of, verb) => {
      if (of < FEWEST_SHOWN || performance.now() < next) return;
      next = performance.now() + PROGRESS_PAUSE;
      report.progress(`${done} of ${of} devices ${verb}`, urn);
    },
    stopping: run.stopping,
  };
}

/** The result of a device's operation, or an error that makes the engine keep the known state. */
async function whole<T>(
  result: Promise<T>,
  currentRun: () => { readonly report: { readonly names: Names } },
  { secrets }: Context,
): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof UncertainError)) throw error;
    throw new PartialError(toOutputs(error.state), [
      textOf(secrets.hidden(error.problem), { names: currentRun().report.names }),
    ]);
  }
}
