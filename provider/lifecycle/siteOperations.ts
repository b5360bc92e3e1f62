import type { DeviceSends } from "../approval/sends";
import type { OutcomeOperation } from "../ledger/outcome";
import { MessageError } from "../messages/message";
import { declaredSite, plannedDevices } from "../settings/planSite";
import type { Operation } from "./device/call";
import type { Properties } from "./device/state";
import type { Operations } from "./operations";
import {
  abortable,
  announce,
  type End,
  factsOf,
  known,
  releasingOf,
  retain,
  secretsOfDevice,
  siteCallOf,
  withOutcome,
} from "./perform";
import { type Change, wordsOf } from "./run/changes";
import type { Context } from "./run/context";
import { siteImport } from "./run/messages";
import { withPrintableError } from "./run/printableError";
import { notePlanned, refuseUnreviewed } from "./run/reviewed";
import type { Run } from "./run/run";
import { applySite } from "./site/apply";
import { type SiteCall, siteWithBaselines } from "./site/call";
import { checkSite } from "./site/check";
import { isSiteRetained, removeSite } from "./site/delete";
import { diffSite } from "./site/diff";
import { appliedSite, type Outcomes, plannedSite, refreshedSite, removedSite, type Trace } from "./site/outcome";
import { readSite } from "./site/read";
import { releasesOf, sendsOfSite } from "./site/sends";
import { fromSiteOutputs, type SiteState, siteUnder, toSiteInputs, toSiteOutputs } from "./site/state";

/** @param currentRun returns the run that all operations of one engine run share */
export function siteOperations(currentRun: () => Run): Operations {
  /** Runs an operation, and reports its outcome. Without `outcomeOf`, it reports only a failure of the site. */
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
  // An operation and its outcome need the same state.
  const states = new WeakMap<Properties, SiteState>();
  const stateOf = (outputs: Properties): SiteState => {
    const state = states.get(outputs) ?? fromSiteOutputs(outputs);
    states.set(outputs, state);
    return state;
  };
  const stateIn = (outputs: Properties | undefined) => outputs && stateOf(outputs);
  const sendsIn = (olds: Properties | undefined, news: Properties) => () =>
    sendsOfSite(stateIn(olds), declaredSite(news), factsOf(currentRun()));
  /** Refuses, before the first request of the site, to send a value that nobody has approved. */
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
            ? diffSite(stateOf(olds), declaredSite(news), context.live, currentRun().store)
            : { changes: plannedDevices(news).map((device): Change => ({ kind: "new", device })), replaces: [] };
          notePlanned(currentRun(), context, sendsIn(olds, news), (label) => secretsOfDevice(context.secrets, label));
          await announce(currentRun(), context, wordsOf(difference.changes, context.secrets));
          return difference;
        },
        ({ value }, name) => plannedSite(name, stateIn(olds), news, { isSame: value?.changes.length === 0 }),
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
          const [before, declared] = [stateOf(olds), declaredSite(news)];
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
          const site = stateOf(outputs);
          return calling("read", { ...context, name: id }, trace, async (call) =>
            readSite(call, siteWithBaselines(call, site)),
          );
        },
        ({ value, failure }, name) => refreshedSite(name, stateOf(outputs), value, failure),
      );
      return { id, inputs: toSiteInputs(state), outputs: toSiteOutputs(state) };
    },
    delete: (context, outputs) =>
      traced(
        "delete",
        context,
        async (trace) => {
          const site = stateOf(outputs);
          if (!isSiteRetained(site)) {
            review(context, () => releasesOf(site.devices, factsOf(currentRun())));
            return await calling("delete", context, trace, (call) => removeSite(call, site));
          }
          for (const { state } of site.devices) await retain(releasingOf(currentRun(), context), state);
        },
        ({ trace, failure }, name) => removedSite(name, stateOf(outputs), trace, failure),
      ),
  };
}
