import type { ProblemCode } from "../ledger/runFile";
import type { Report, Run } from "../run";
import { type DeviceKind, withWireNames } from "../settings/setting";
import { kindOf } from "../settings/site";
import { reportUnmanaged } from "./baselines";
import type { Call, Operation } from "./call";
import { type Checked, check } from "./check";
import { create, update } from "./create";
import { isRetained, remove } from "./delete";
import { type Difference, diff } from "./diff";
import { PartialError, UncertainError } from "./errors";
import { guarded } from "./guard";
import { type Read, read } from "./read";
import { applySite } from "./siteApply";
import { Failures, NotBegunError, type SiteCall } from "./siteCall";
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
  /** Undefined when the service no longer knows the device. */
  read(id: string, outputs: Properties): Promise<Read | undefined>;
  delete(outputs: Properties): Promise<void>;
}

/** @param currentRun gives what all operations of one engine run share */
export function deviceOperations(kind: DeviceKind, currentRun: () => Run): Operations {
  const purely = <T>(operation: string, work: () => T | Promise<T>) =>
    guarded(`${operation} of ${kind.resource}`, work);
  const calling = <T>(operation: Operation, work: (call: Call) => Promise<T>) =>
    guarded(`${operation} of ${kind.resource}`, () => work(callOf(currentRun(), kind, operation)));

  return {
    id: (inputs) => toId(fromInputs(kind, inputs)),
    check: (olds, news) => purely("check", () => check(kind, currentRun(), olds, news)),
    diff: (olds, news) => purely("diff", () => diff(kind, olds, news, currentRun().handover)),
    create: (inputs) => calling("create", (call) => whole(create(call, inputs))),
    update: (olds, news) => calling("update", (call) => whole(update(call, olds, news))),
    read: (id, outputs) => calling("read", (call) => read(call, id, outputs)),
    delete: (outputs) =>
      guarded(`delete of ${kind.resource}`, async () => {
        const state = fromOutputs(kind, outputs);
        // Without a request: a stack can be destroyed without a connection.
        if (isRetained(state)) return await reportUnmanaged(currentRun(), state, state.baseline);
        await remove(callOf(currentRun(), kind, "delete"), state);
      }),
  };
}

/** @param currentRun gives what all operations of one engine run share */
export function siteOperations(currentRun: () => Run): Operations {
  const guard = <T>(operation: Operation | "check" | "diff", work: () => T | Promise<T>) =>
    guarded(`${operation} of SiteSettings`, work);
  return {
    id: (inputs) => fromSiteInputs(inputs).site,
    check: (olds, news) => guard("check", () => checkSite(currentRun(), olds, news)),
    diff: (olds, news) =>
      guard("diff", async () => {
        const { previewed, info, handover } = currentRun();
        const { changes, words } = diffSite(olds, news, handover);
        const key = siteKey(news);
        if (previewed.has(key) && words.length > 0) await info(words.join("\n"), previewed.get(key));
        return { changes, replaces: [] };
      }),
    create: (inputs) =>
      guard("create", async () => {
        const declaration = fromSiteInputs(inputs);
        const call = siteCallOf(currentRun(), "create", declaration.site, inputs);
        const outputs = await applySite(call, undefined, declaration);
        return { id: declaration.site, outputs };
      }),
    update: (olds, news) =>
      guard("update", () => {
        const declaration = fromSiteInputs(news);
        const call = siteCallOf(currentRun(), "update", declaration.site, news);
        return applySite(call, fromSiteOutputs(olds), declaration);
      }),
    read: (id, outputs) =>
      guard("read", () => {
        const site = fromSiteOutputs(outputs);
        return readSite(siteCallOf(currentRun(), "read", site.site), id, site);
      }),
    delete: (outputs) =>
      guard("delete", async () => {
        const site = fromSiteOutputs(outputs);
        const managed = site.devices.filter(({ role }) => !role.observe);
        if (!isSiteRetained(site)) return await removeSite(siteCallOf(currentRun(), "delete", site.site), site);
        for (const { state } of managed) await reportUnmanaged(currentRun(), state, state.baseline);
      }),
  };
}

/** What one operation of a device works with. */
function callOf(run: Run, kind: DeviceKind, operation: Operation, warn: Report = run.warn, urn?: string): Call {
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
    signal: new AbortController().signal,
  };
}

/** Fewest devices of a site whose progress is shown (our choice): a smaller one is done at once. */
const FEWEST_SHOWN = 20;

/** Time between two messages of progress, in milliseconds (our choice): without a terminal each is a line of the log. */
const PROGRESS_PAUSE = 2000;

function siteCallOf(run: Run, operation: Operation, site: string, inputs?: Properties): SiteCall {
  const urn = inputs && urnIn(run, inputs);
  const warn = (text: string, code?: ProblemCode) => {
    run.problem({ severity: "warning", operation, site, text, ...(code && { code }) });
    return run.warn(text, urn);
  };
  const calls = {
    inverters: callOf(run, kindOf({ group: "inverters" }), operation, (text) => warn(text), urn),
    vehicles: callOf(run, kindOf({ group: "vehicles" }), operation, (text) => warn(text), urn),
  };
  let next = performance.now() + PROGRESS_PAUSE;
  return {
    of: (group) => calls[group],
    atOnce: run.configuration().maxConcurrency,
    journal: run.journal(),
    failures: new Failures((device, text, error) => {
      const code = error instanceof NotBegunError && { code: "notBegun" as const };
      run.problem({ severity: "error", operation, site, device, text, ...code });
    }),
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

/** What a device's operation gives, or the error that lets the engine keep what is known of it. */
async function whole<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof UncertainError) throw new PartialError(toOutputs(error.state), [error.message]);
    throw error;
  }
}
