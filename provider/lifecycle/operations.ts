import { setMaxListeners } from "node:events";
import { type Message, MessageError, textOf } from "../messages/message";
import type { Names } from "../messages/names";
import { type DeviceKind, withWireNames } from "../settings/setting";
import { kindOf } from "../settings/site";
import { reportUnmanaged } from "./baselines";
import type { Call, Operation } from "./call";
import { type Difference, wordsOf } from "./changes";
import { type Checked, check } from "./check";
import { create, importDevice, update } from "./create";
import { isRetained, remove } from "./delete";
import { diff } from "./diff";
import { PartialError, UncertainError } from "./errors";
import { guarded } from "./guard";
import { siteChanges, siteImport } from "./messages";
import { type Read, read } from "./read";
import type { Report, Run } from "./run";
import { applySite } from "./siteApply";
import { Failures, type SiteCall } from "./siteCall";
import { checkSite, siteKey } from "./siteCheck";
import { isSiteRetained, removeSite } from "./siteDelete";
import { diffSite } from "./siteDiff";
import { readSite } from "./siteRead";
import { fromSiteInputs, fromSiteOutputs } from "./siteState";
import { fromInputs, fromOutputs, type Properties, toId, toOutputs } from "./state";

/** The operations of a resource, free of any engine. Every one ends, and rejects with nothing but `Error`s. */
export interface Operations {
  /** The id of a resource with these inputs, as a check leaves them. */
  id(inputs: Properties): string;
  check(olds: Properties, news: Properties): Promise<Checked>;
  diff(olds: Properties, news: Properties): Promise<Difference>;
  /** @throws PartialError if the resource was created in part */
  create(inputs: Properties): Promise<{ readonly id: string; readonly outputs: Properties }>;
  /** @throws PartialError if the resource was updated in part */
  update(olds: Properties, news: Properties): Promise<Properties>;
  /** Takes what is there into the stack as it is. @throws Error if the service does not know it */
  import(id: string): Promise<Read>;
  /** Undefined when the service no longer knows the device. */
  read(id: string, outputs: Properties): Promise<Read | undefined>;
  delete(outputs: Properties): Promise<void>;
}

/** @param currentRun gives what all operations of one engine run share */
export function deviceOperations(kind: DeviceKind, currentRun: () => Run): Operations {
  const purely = <T>(operation: string, work: () => T | Promise<T>) =>
    guarded(`${operation} of ${kind.resource}`, work, () => currentRun().names);
  const calling = <T>(operation: Operation, work: (call: Call) => Promise<T>) =>
    purely(operation, () => abortable(currentRun(), (signal) => work(callOf(currentRun(), kind, operation, signal))));

  return {
    id: (inputs) => toId(fromInputs(kind, inputs)),
    check: (olds, news) => purely("check", () => check(kind, currentRun(), olds, news)),
    diff: (olds, news) => purely("diff", () => diff(kind, olds, news, currentRun().handover)),
    create: (inputs) => calling("create", (call) => whole(create(call, inputs), currentRun().names)),
    update: (olds, news) => calling("update", (call) => whole(update(call, olds, news), currentRun().names)),
    import: (id) => calling("read", (call) => importDevice(call, id)),
    read: (id, outputs) => calling("read", (call) => read(call, id, outputs)),
    delete: (outputs) =>
      purely("delete", async () => {
        const state = fromOutputs(kind, outputs);
        // Without a request: a stack can be destroyed without a connection.
        if (isRetained(state)) return await reportUnmanaged(currentRun(), state, state.baseline);
        await abortable(currentRun(), (signal) => remove(callOf(currentRun(), kind, "delete", signal), state));
      }),
  };
}

/** @param currentRun gives what all operations of one engine run share */
export function siteOperations(currentRun: () => Run): Operations {
  const guard = <T>(operation: Operation | "check" | "diff", work: () => T | Promise<T>) =>
    guarded(`${operation} of SiteSettings`, work, () => currentRun().names);
  const calling = <T>(about: Omit<AboutSite, "signal">, work: (call: SiteCall) => Promise<T>) =>
    abortable(currentRun(), (signal) => work(siteCallOf(currentRun(), { ...about, signal })));
  return {
    id: (inputs) => fromSiteInputs(inputs).site,
    check: (olds, news) => guard("check", () => checkSite(currentRun(), olds, news)),
    diff: (olds, news) =>
      guard("diff", async () => {
        const { previewed, info, handover } = currentRun();
        const difference = diffSite(olds, news, handover);
        const key = siteKey(news);
        const preview = previewed.get(key);
        const words = preview ? wordsOf(difference.changes, preview.secrets) : [];
        if (words.length > 0) await info(siteChanges(words), preview?.urn);
        return difference;
      }),
    create: (inputs) =>
      guard("create", async () => {
        const declaration = fromSiteInputs(inputs);
        const about = { operation: "create", site: declaration.site, inputs } as const;
        const outputs = await calling(about, (call) => applySite(call, undefined, declaration));
        return { id: declaration.site, outputs };
      }),
    update: (olds, news) =>
      guard("update", () => {
        const [before, declaration] = [fromSiteOutputs(olds), fromSiteInputs(news)];
        const about = { operation: "update", site: declaration.site, inputs: news } as const;
        return calling(about, (call) => applySite(call, before, declaration));
      }),
    import: () =>
      guard("read", () => {
        throw new MessageError(siteImport());
      }),
    read: (id, outputs) =>
      guard("read", () => {
        const site = fromSiteOutputs(outputs);
        return calling({ operation: "read", site: site.site }, (call) => readSite(call, id, site));
      }),
    delete: (outputs) =>
      guard("delete", async () => {
        const site = fromSiteOutputs(outputs);
        const managed = site.devices.filter(({ role }) => !role.observe);
        const about = { operation: "delete", site: site.site } as const;
        if (!isSiteRetained(site)) return await calling(about, (call) => removeSite(call, site));
        for (const { state } of managed) await reportUnmanaged(currentRun(), state, state.baseline);
      }),
  };
}

/** Runs an operation with a signal of its own: Node 20 keeps a trace of each request at a signal that many share. */
async function abortable<T>({ aborting }: Run, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  const abort = () => own.abort(aborting.reason);
  if (aborting.aborted) abort();
  setMaxListeners(0, aborting);
  aborting.addEventListener("abort", abort);
  try {
    return await work(own.signal);
  } finally {
    aborting.removeEventListener("abort", abort);
  }
}

/** The context of one operation of a device. */
function callOf(
  run: Run,
  kind: DeviceKind,
  operation: Operation,
  signal: AbortSignal,
  { warn = run.warn, urn }: { warn?: Report; urn?: string | undefined } = {},
): Call {
  const { inverterFields = {}, verifyTimeoutSeconds } = run.configuration();
  return {
    operation,
    kind: withWireNames(kind, inverterFields),
    service: run.service(),
    claims: run.claims,
    handover: run.handover,
    ledger: run.ledger(),
    journal: run.journal(),
    warn: (message) => warn(message, urn),
    info: (message) => run.info(message, urn),
    verifyTimeoutSeconds,
    signal,
  };
}

/** Fewest devices of a site whose progress is shown (our choice): a smaller one is done at once. */
const FEWEST_SHOWN = 20;

/** Time between two messages of progress, in milliseconds (our choice): without a terminal each is a line of the log. */
const PROGRESS_PAUSE = 2000;

/** The context of a call of a site. */
interface AboutSite {
  readonly operation: Operation;
  readonly site: string;
  readonly signal: AbortSignal;
  /** Absent if the operation has none. */
  readonly inputs?: Properties;
}

function siteCallOf(run: Run, { operation, site, signal, inputs }: AboutSite): SiteCall {
  const urn = inputs && urnIn(run, inputs);
  const warn = (message: Message) => {
    run.problem({ ...message, severity: "warning", operation, site });
    return run.warn(message, urn);
  };
  const shown = { warn, urn };
  const calls = {
    inverters: callOf(run, kindOf({ group: "inverters" }), operation, signal, shown),
    vehicles: callOf(run, kindOf({ group: "vehicles" }), operation, signal, shown),
  };
  let next = performance.now() + PROGRESS_PAUSE;
  return {
    of: (group) => calls[group],
    atOnce: run.configuration().maxConcurrency,
    journal: run.journal(),
    failures: new Failures((device, problem) => {
      run.problem({ ...problem, severity: "error", operation, site, device });
    }, run.names),
    urn,
    warn,
    progress: (done, of, verb) => {
      if (of < FEWEST_SHOWN || performance.now() < next) return;
      next = performance.now() + PROGRESS_PAUSE;
      run.progress(`${done} of ${of} devices ${verb}`, urn);
    },
    stopping: run.stopping,
  };
}

/** The resource of a site: the one that claims its first device. */
function urnIn(run: Run, inputs: Properties): string | undefined {
  const [first] = fromSiteInputs(inputs).devices.filter(({ observe }) => !observe);
  const [key = ""] = Object.keys(first?.values ?? {});
  return first && run.claims.urnOf(first, key);
}

/** The result of a device's operation, or the error that lets the engine keep what is known of it. */
async function whole<T>(result: Promise<T>, names: Names): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof UncertainError)) throw error;
    throw new PartialError(toOutputs(error.state), [textOf(error.problem, { names })]);
  }
}
