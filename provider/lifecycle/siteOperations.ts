import type { OutcomeOperation } from "../ledger/outcome";
import { MessageError } from "../messages/message";
import { declaredSite } from "../settings/planSite";
import { readinessOf } from "../settings/readiness";
import type { DeviceSends } from "./approval/sends";
import { abortable, announce, factsOf, releasingOf, siteCallOf } from "./calls";
import { planRelease } from "./device/baselines";
import type { Operation } from "./device/call";
import { retain } from "./device/delete";
import { isKept } from "./device/record";
import type { Properties } from "./device/state";
import type { Operations } from "./operations";
import { wordsOf } from "./run/changes";
import type { Context } from "./run/context";
import { siteImport } from "./run/messages";
import type { Run } from "./run/run";
import { applySite } from "./site/apply";
import { notePlanned, refuseUnreviewed, releasesOf, sendsIn } from "./site/approval";
import { type SiteCall, siteWithBaselines } from "./site/call";
import { checkSite, parseSite } from "./site/check";
import { isSiteRetained, removeSite } from "./site/delete";
import { appliedSite, type Outcomes, plannedSite, refreshedSite, removedSite, type Trace } from "./site/outcome";
import { changesIn, planOf } from "./site/plan";
import { readSite } from "./site/read";
import { fromSiteOutputs, type SiteState, toSiteInputs, toSiteOutputs } from "./site/state";
import { type End, known, secretsOfDevice, withOutcome } from "./withOutcome";

/** @param currentRun returns the run that all operations of one engine run share */
export function siteOperations(currentRun: () => Run): Operations {
  /** Runs an operation, and reports its outcome. Without `outcomeOf`, it reports only a failure of the site. */
  const traced = <T>(
    operation: OutcomeOperation,
    context: Context,
    work: (trace: Trace) => T | Promise<T>,
    outcomeOf?: (end: End<T>, name: string) => Outcomes | undefined,
  ) => {
    const { name } = context;
    const ofSite = (end: End<T>): Partial<Outcomes> => {
      if (!outcomeOf && !end.failure) return {};
      const { whole: problem } = end.failure ?? {};
      const { site, devices } = known(() => outcomeOf?.(end, name)) ?? { site: { site: name, gaps: [] }, devices: [] };
      const ofDevices = devices.map((device) => ({ ...device, site: name }));
      return { site: { ...site, ...(problem && { problem }) }, devices: ofDevices };
    };
    return withOutcome(currentRun, { ...context, operation, resource: "SiteSettings" }, work, ofSite);
  };
  const withCall = <T>(operation: Operation, context: Context, trace: Trace, work: (call: SiteCall) => Promise<T>) =>
    abortable(currentRun(), context, (signal) => work(siteCallOf(currentRun(), context, { operation, signal, trace })));
  // An operation and its outcome need the same state.
  const states = new WeakMap<Properties, SiteState>();
  const stateOf = (outputs: Properties): SiteState => {
    const state = states.get(outputs) ?? fromSiteOutputs(outputs);
    states.set(outputs, state);
    return state;
  };
  const stateIn = (outputs: Properties | undefined) => outputs && stateOf(outputs);
  /** Refuses, before the first request of the site, to send a value that nobody has approved. */
  const review = (context: Context, sends: () => DeviceSends[]) =>
    refuseUnreviewed(currentRun(), context.urn, sends, ({ label }) => label);
  const apply = async (
    operation: "create" | "update",
    context: Context,
    olds: Properties | undefined,
    news: Properties,
  ) =>
    toSiteOutputs(
      await traced(
        operation,
        context,
        (trace) =>
          withCall(operation, context, trace, async (call) => {
            const plan = planOf(stateIn(olds), declaredSite(news), { store: call.store, isUpdate: true });
            review(context, () => sendsIn(plan, factsOf(currentRun())));
            return await applySite(call, plan);
          }),
        (end, name) => {
          const after = end.value ?? stateIn(end.outputs);
          return appliedSite(name, { before: stateIn(olds), after }, news, end);
        },
      ),
    );
  return {
    id: ({ name }) => name,
    parse: async (context, inputs) => parseSite(currentRun().report.names, context, inputs),
    check: (context, olds, news) => traced("check", context, () => checkSite(currentRun(), context, { olds, news })),
    diff: async (context, olds, news) => {
      const { plan, changes } = await traced(
        "diff",
        context,
        async () => {
          const [run, { live, secrets, urn }] = [currentRun(), context];
          const plan = planOf(stateIn(olds), declaredSite(news), { store: run.store, live });
          const changes = changesIn(plan);
          // Before another resource adopts the devices.
          for (const { state } of plan.leaving) planRelease(run.store, state);
          notePlanned(
            run,
            urn,
            () => sendsIn(plan, factsOf(run)),
            (label) => secretsOfDevice(secrets, label),
          );
          await announce(run, context, wordsOf(changes, secrets));
          return { plan, changes };
        },
        ({ value }, name) => value && plannedSite(name, value.plan, { isSame: value.changes.length === 0 }),
      );
      const isPolicyKept = plan.devices.some(({ before }) => isKept(before?.state.settings.policy));
      return {
        changes,
        replaces: [],
        ...(isPolicyKept && plan.ready === false && { readiness: readinessOf(plan.gaps) }),
      };
    },
    create: async (context, inputs) => ({
      id: context.name,
      outputs: await apply("create", context, undefined, inputs),
    }),
    update: (context, olds, news) => apply("update", context, olds, news),
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
          return withCall("read", { ...context, name: id }, trace, async (call) =>
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
            return await withCall("delete", context, trace, (call) => removeSite(call, site));
          }
          for (const { role, state } of site.devices) await retain(releasingOf(currentRun(), context, role), state);
        },
        ({ trace, failure }, name) => removedSite(name, stateOf(outputs), trace, failure),
      ),
  };
}
