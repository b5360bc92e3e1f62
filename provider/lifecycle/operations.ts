import { setMaxListeners } from "node:events";
import type { DeviceSends } from "../approval/sends";
import type { DeviceOutcome, OutcomeOperation } from "../ledger/outcome";
import { type Message, MessageError, textOf } from "../messages/message";
import { type DeviceRef, deviceName, nameOf } from "../service/device";
import { type Group, kindOf, labelOf, type Place, placeOf } from "../settings/groups";
import { declaredSite, plannedDevices } from "../settings/planSite";
import { type DeviceKind, withWireNames } from "../settings/setting";
import type { SiteDevice } from "../settings/site";
import { type Releasing, releaseUnrestored, reportSuccessor, withBaselines } from "./device/baselines";
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
import { guarded, notePlanned, refuseUnreviewed } from "./run/reviewed";
import type { Report, Run } from "./run/run";
import type { SecretInputs } from "./run/secretInputs";
import { applySite } from "./site/apply";
import { Failures, type SiteCall, siteWithBaselines } from "./site/call";
import { checkSite } from "./site/check";
import { isSiteRetained, removeSite } from "./site/delete";
import { diffSite } from "./site/diff";
import {
  applied,
  appliedSite,
  type Failure,
  newTrace,
  type Outcomes,
  planned,
  plannedSite,
  refreshed,
  refreshedSite,
  removed,
  removedSite,
  type Trace,
  withoutSecrets,
} from "./site/outcome";
import { readSite } from "./site/read";
import { releasesOf, type SendFacts, sendsOf, sendsOfSite } from "./site/sends";
import { fromSiteOutputs, type KeptDevice, type SiteState, siteUnder, toSiteInputs, toSiteOutputs } from "./site/state";

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
  const { group } = placeOf(`${kind.name}/`) as Place;
  const placed = ({ name }: Context) => ({ group, name, observe: false, policyFromSite: false });
  const kept = (context: Context, state: State | undefined): KeptDevice[] => {
    return state ? [{ role: placed(context), given: {}, state }] : [];
  };
  const keptIn = (context: Context, outputs: Properties) => kept(context, fromOutputs(kind, outputs));
  const sendsIn = (context: Context, olds: Properties | undefined, news: Properties) => () =>
    sendsOf(olds ? keptIn(context, olds) : [], declaredIn(context, news), factsOf(currentRun()));
  /** Refuses to send what nobody has approved. */
  const review = (context: Context, sends: () => DeviceSends[]) =>
    refuseUnreviewed(currentRun(), context, sends, nameOf);
  const declaredIn = (context: Context, inputs: Properties): SiteDevice[] => {
    return [{ ...placed(context), given: inputs, ...fromInputs(kind, inputs) }];
  };
  /** Runs an operation, and reports its outcome. */
  const traced = <T>(
    operation: OutcomeOperation,
    context: Context,
    work: (trace: Trace) => T | Promise<T>,
    outcomeOf?: (end: End<T>) => readonly DeviceOutcome[],
  ) =>
    withPrintableError(
      `${operation} of ${kind.resource}`,
      () => withOutcome(currentRun(), { ...context, operation }, work, (end) => ({ devices: outcomeOf?.(end) ?? [] })),
      () => currentRun().report.names,
      context.secrets,
    );
  const calling = <T>(operation: Operation, context: Context, trace: Trace, work: (call: Call) => Promise<T>) => {
    const run = currentRun();
    return abortable(run, context, (signal) => work(callOf(run, kind, { operation, signal, trace }, context)));
  };
  /** The result of an operation, or an error that makes the engine keep the known state. */
  const orPartialError = async (
    result: Promise<State>,
    { secrets, name }: Context,
    { problems }: Trace,
  ): Promise<State> => {
    try {
      return await result;
    } catch (error) {
      if (!(error instanceof UncertainError)) throw error;
      const problem = secrets.hidden(error.problem);
      problems.set(labelOf({ group, name }), problem);
      throw new PartialError(toOutputs(error.state), [textOf(problem, { names: currentRun().report.names })]);
    }
  };
  const appliedTo = (context: Context, inputs: Properties, before: KeptDevice[], end: End<State>) => {
    const { value, outputs, trace, failure } = end;
    const after = outputs ? keptIn(context, outputs) : value ? kept(context, value) : before;
    return applied({ before, after }, declaredIn(context, inputs), trace, failure);
  };

  return {
    id: (_, inputs) => toId(fromInputs(kind, inputs)),
    check: (context, olds, news) => traced("check", context, () => check(kind, currentRun(), context, { olds, news })),
    diff: (context, olds, news) =>
      traced(
        "diff",
        context,
        async () => {
          const difference = olds
            ? diff(fromOutputs(kind, olds), fromInputs(kind, news), currentRun().store)
            : { changes: declaredChanges(fromInputs(kind, news).values), replaces: [] };
          notePlanned(currentRun(), context, sendsIn(context, olds, news), () => context.secrets.keysOf(kind));
          await announce(currentRun(), context, wordsOfDevice(difference.changes, context.secrets));
          return difference;
        },
        () => planned(olds ? keptIn(context, olds) : [], declaredIn(context, news)),
      ),
    create: async (context, inputs) => {
      const state = await traced(
        "create",
        context,
        (trace) =>
          calling("create", context, trace, (call) => {
            review(context, sendsIn(context, undefined, inputs));
            return orPartialError(create(call, fromInputs(kind, inputs)), context, trace);
          }),
        (end) => appliedTo(context, inputs, [], end),
      );
      return readOf(state);
    },
    update: async (context, olds, news) => {
      const state = await traced(
        "update",
        context,
        (trace) =>
          calling("update", context, trace, async (call) => {
            review(context, sendsIn(context, olds, news));
            return orPartialError(update(call, fromOutputs(kind, olds), fromInputs(kind, news)), context, trace);
          }),
        (end) => appliedTo(context, news, keptIn(context, olds), end),
      );
      return toOutputs(state);
    },
    import: async (context, id) =>
      readOf(
        await traced("read", context, (trace) =>
          calling("read", context, trace, async (call) => importDevice(call, fromId(id))),
        ),
      ),
    read: async (context, id, outputs) => {
      if (!isOwned(outputs)) {
        return await traced("read", context, (trace) =>
          calling("read", context, trace, async (call) => readUnowned(call, fromId(id), outputs)),
        );
      }
      const state = await traced(
        "read",
        context,
        (trace) =>
          calling("read", context, trace, async (call) =>
            refresh(call, { ...fromOutputs(kind, outputs), ...fromId(id) }),
          ),
        ({ value, failure }) => {
          const before = keptIn(context, outputs);
          return refreshed(before, failure ? before : kept(context, value), failure);
        },
      );
      return state && readOf(state);
    },
    delete: (context, outputs) =>
      traced(
        "delete",
        context,
        async (trace) => {
          const state = fromOutputs(kind, outputs);
          // Without a request, so that a stack can be destroyed offline.
          if (isRetained(state)) return await retain(releasingOf(currentRun(), context), state);
          review(context, () => releasesOf(kept(context, state), factsOf(currentRun())));
          await calling("delete", context, trace, (call) => remove(call, state));
        },
        ({ trace, failure }) => removed(keptIn(context, outputs), trace, failure),
      ),
  };
}

function readOf(state: State): Read {
  return { id: toId(state), inputs: inputsOf(state), outputs: toOutputs(state) };
}

/** A read of a resource that is only read (`VehicleSettings.get`): it shows all reported settings. */
async function readUnowned(call: Call, ref: DeviceRef, outputs: Properties): Promise<Read | undefined> {
  // Without outputs, this is the `get` of a program, which needs the device to exist.
  const values = await (outputs.deviceId === undefined ? readValues : readKnown)(call, ref);
  const shown = values && { ...ref, ...values };
  return shown && { id: toId(ref), inputs: shown, outputs: shown };
}

/** @param currentRun returns the run that all operations of one engine run share */
export function siteOperations(currentRun: () => Run): Operations {
  /** Runs an operation, and reports its outcome; without `outcomeOf`, only that the site was refused. */
  const traced = <T>(
    operation: OutcomeOperation,
    context: Context,
    work: (trace: Trace) => T | Promise<T>,
    outcomeOf?: (end: End<T>, name: string) => Outcomes,
  ) => {
    const { name } = context;
    const ofSite = (end: End<T>): Partial<Outcomes> => {
      if (!outcomeOf && !end.failure) return {};
      const { whole: problem } = end.failure ?? {};
      const { site, devices } = known(() => outcomeOf?.(end, name)) ?? { site: { site: name, gaps: [] }, devices: [] };
      const ofDevices = devices.map((device) => ({ ...device, site: name }));
      return { site: { ...site, ...(problem && { problem }) }, devices: ofDevices };
    };
    return withPrintableError(
      `${operation} of SiteSettings`,
      () => withOutcome(currentRun(), { ...context, operation }, work, ofSite),
      () => currentRun().report.names,
      context.secrets,
    );
  };
  const calling = <T>(operation: Operation, context: Context, trace: Trace, work: (call: SiteCall) => Promise<T>) =>
    abortable(currentRun(), context, (signal) => work(siteCallOf(currentRun(), context, { operation, signal, trace })));
  const stateIn = (outputs: Properties | undefined) => outputs && fromSiteOutputs(outputs);
  const sendsIn = (olds: Properties | undefined, news: Properties) => () =>
    sendsOfSite(stateIn(olds), declaredSite(news), factsOf(currentRun()));
  /** Refuses to send what nobody has approved, before the first request of the site. */
  const review = (context: Context, sends: () => DeviceSends[]) =>
    refuseUnreviewed(currentRun(), context, sends, ({ label }) => label);
  const stateAfter = ({ value, outputs }: End<SiteState>) => value ?? stateIn(outputs);
  return {
    id: ({ name }) => name,
    check: (context, olds, news) => traced("check", context, () => checkSite(currentRun(), context, { olds, news })),
    diff: (context, olds, news) =>
      traced(
        "diff",
        context,
        async () => {
          const difference = olds
            ? diffSite(fromSiteOutputs(olds), declaredSite(news), context.live, currentRun().store)
            : { changes: plannedDevices(news).map((device): Change => ({ kind: "new", device })), replaces: [] };
          notePlanned(currentRun(), context, sendsIn(olds, news), (label) => secretsOfDevice(context.secrets, label));
          await announce(currentRun(), context, wordsOf(difference.changes, context.secrets));
          return difference;
        },
        ({ value }, name) => plannedSite(name, stateIn(olds), news, value?.changes.length === 0),
      ),
    create: async (context, inputs) => {
      const state = await traced(
        "create",
        context,
        (trace) =>
          calling("create", context, trace, async (call) => {
            review(context, sendsIn(undefined, inputs));
            return await applySite(call, undefined, declaredSite(inputs));
          }),
        (end, name) => appliedSite(name, { after: stateAfter(end) }, inputs, end),
      );
      return { id: context.name, outputs: toSiteOutputs(state) };
    },
    update: async (context, olds, news) => {
      const state = await traced(
        "update",
        context,
        (trace) => {
          const [before, declared] = [fromSiteOutputs(olds), declaredSite(news)];
          return calling("update", context, trace, async (call) => {
            review(context, sendsIn(olds, news));
            return await applySite(call, siteWithBaselines(call, siteUnder(before, declared.devices)), declared);
          });
        },
        (end, name) => appliedSite(name, { before: stateIn(olds), after: stateAfter(end) }, news, end),
      );
      return toSiteOutputs(state);
    },
    import: (context) =>
      traced("read", context, () => {
        throw new MessageError(siteImport());
      }),
    read: async (context, id, outputs) => {
      const state = await traced(
        "read",
        context,
        (trace) => {
          const site = fromSiteOutputs(outputs);
          return calling("read", { ...context, name: id }, trace, async (call) =>
            readSite(call, siteWithBaselines(call, site)),
          );
        },
        ({ value, failure }, name) => refreshedSite(name, fromSiteOutputs(outputs), value, failure),
      );
      return { id, inputs: toSiteInputs(state), outputs: toSiteOutputs(state) };
    },
    delete: (context, outputs) =>
      traced(
        "delete",
        context,
        async (trace) => {
          const site = fromSiteOutputs(outputs);
          if (!isSiteRetained(site)) {
            review(context, () => releasesOf(site.devices, factsOf(currentRun())));
            return await calling("delete", context, trace, (call) => removeSite(call, site));
          }
          for (const { state } of site.devices) await retain(releasingOf(currentRun(), context), state);
        },
        ({ trace, failure }, name) => removedSite(name, fromSiteOutputs(outputs), trace, failure),
      ),
  };
}

/** The end of an operation, for its outcome. */
interface End<T> {
  readonly trace: Trace;
  /** The result of the operation. Absent if it failed. */
  readonly value?: T | undefined;
  /** The outputs of a resource that was created or updated in part. */
  readonly outputs?: Properties | undefined;
  /** Absent if it succeeded. A refresh succeeds although it cannot read some devices. */
  readonly failure?: Failure | undefined;
}

/** Runs an operation, and reports its outcome to the command that started the run. */
async function withOutcome<T>(
  { report }: Run,
  { operation, urn, secrets }: Context & { readonly operation: OutcomeOperation },
  work: (trace: Trace) => T | Promise<T>,
  outcomeOf: (end: End<T>) => Partial<Outcomes>,
): Promise<T> {
  const trace = newTrace();
  const secretsOf = ({ label, site }: DeviceOutcome) =>
    site === undefined ? secrets.keysOf(kindOf(placeOf(label) as Place)) : secretsOfDevice(secrets, label);
  const tell = (end: Omit<End<T>, "trace">) =>
    report.outcome(() => {
      const { site, devices = [] } = known(() => outcomeOf({ trace, ...end })) ?? {};
      return { urn, operation, ...(site && { site }), devices: withoutSecrets(devices, secretsOf) };
    });
  try {
    const value = await work(trace);
    tell({ value, ...(trace.problems.size > 0 && { failure: trace }) });
    return value;
  } catch (error) {
    const whole = error instanceof MessageError ? secrets.hidden(error.problem) : undefined;
    tell({ ...(error instanceof PartialError && { outputs: error.outputs }), failure: { ...trace, whole } });
    throw error;
  }
}

/** The secret settings of a device of a site. */
function secretsOfDevice(secrets: SecretInputs, label: string): ReadonlySet<string> {
  const place = placeOf(label);
  return place ? secrets.below(`${place.group}.${place.name}`).keysOf(kindOf(place)) : new Set();
}

/** The facts of a run that decide what is sent. */
function factsOf({ store, configuration }: Run): SendFacts {
  return { store, inverterFields: configuration().inverterFields };
}

/** A part of an outcome. Undefined if the state cannot be read, which must not hide why the operation failed. */
function known<T>(part: () => T): T | undefined {
  try {
    return part();
  } catch {
    return undefined;
  }
}

async function announce({ report }: Run, { urn, isPreview }: Context, words: readonly string[]): Promise<void> {
  if (isPreview && words.length > 0) await report.info(changesOf(words), urn);
}

/** Stops managing a device without changing it. */
async function retain(releasing: Releasing, state: State): Promise<void> {
  await reportSuccessor(releasing, state);
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
  { operation, signal, trace }: Pick<Call, "operation" | "signal"> & { readonly trace: Trace },
  { urn, secrets }: Context,
): Call {
  const [warn, info] = [run.report.warn, run.report.info].map((report) => hiding(report, secrets)) as [Report, Report];
  const { inverterFields = {}, verifyTimeoutSeconds } = run.configuration();
  return {
    ...{ operation, urn, signal, verifyTimeoutSeconds },
    kind: withWireNames(kind, inverterFields),
    service: guarded(run, urn, withWireNames(kind, inverterFields)),
    store: run.store,
    ledger: run.ledger(),
    warn: (message) => warn(message, urn),
    info: (message) => info(message, urn),
    onSend: (device, sent) => {
      const name = deviceName(device);
      trace.sent.set(name, [...new Set([...(trace.sent.get(name) ?? []), ...Object.keys(sent)])]);
    },
  };
}

/** Fewest devices of a site whose progress is shown (our choice): a smaller site finishes quickly. */
const FEWEST_SHOWN = 20;

/** Time between two progress messages, in milliseconds (our choice): without a terminal, each is a line of the log. */
const PROGRESS_PAUSE = 2000;

function siteCallOf(
  run: Run,
  context: Context,
  part: Pick<Call, "operation" | "signal"> & { readonly trace: Trace },
): SiteCall {
  const { name: site, urn, secrets } = context;
  const { report } = run;
  const warn = (message: Message) => report.warn(secrets.hidden(message), urn);
  const callFor = (group: Group) => callOf(run, kindOf({ group }), part, context);
  const calls = { inverters: callFor("inverters"), vehicles: callFor("vehicles") };
  let next = performance.now() + PROGRESS_PAUSE;
  return {
    name: site,
    of: (group) => calls[group],
    atOnce: run.configuration().maxConcurrency,
    store: run.store,
    failures: new Failures(
      (label, problem) => void part.trace.problems.set(label, { ...problem, device: label }),
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
