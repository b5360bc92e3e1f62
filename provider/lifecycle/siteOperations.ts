import { isDeepStrictEqual } from "node:util";
import type { Done } from "../ledger/done";
import { MessageError } from "../messages/message";
import { deviceName } from "../service/device";
import { isEmpty, omit, type Properties } from "../settings/objects";
import { declaredSite, PLANNED_KEYS } from "../settings/planSite";
import { readinessOf } from "../settings/readiness";
import type { DeviceSends } from "./approval/sends";
import { abortable, announce, releasingOf, siteCallOf } from "./calls";
import { planRelease } from "./device/baselines";
import type { Operation } from "./device/call";
import { retain } from "./device/delete";
import { isKept } from "./device/record";
import type { Operations } from "./operations";
import { wordsOf } from "./run/changes";
import type { Context } from "./run/context";
import { SITE_IMPORT } from "./run/messages";
import type { Run } from "./run/run";
import { applySite } from "./site/apply";
import { refuseUnreviewed, sendsIn } from "./site/approval";
import { devicesWithBaselines, type SiteCall } from "./site/call";
import { checkSite, parseSite } from "./site/check";
import { isSiteRetained, removeSite } from "./site/delete";
import { changesIn, type Plan, planOf } from "./site/plan";
import { readSite } from "./site/read";
import { fromSiteOutputs, plannedInputs, toSiteInputs, toSiteOutputs } from "./site/state";
import { type Trace, withDone } from "./withDone";

/** @param currentRun returns the run that all operations of one engine run share */
export function siteOperations(currentRun: () => Run): Operations {
  // The inputs of the last check, by URN. Most come back unchanged, and parsing them again would take a third of a diff.
  const checked = new Map<string | undefined, Properties>();
  const withCall = <T>(operation: Operation, context: Context, trace: Trace, work: (call: SiteCall) => Promise<T>) =>
    abortable(currentRun(), context, (signal) => work(siteCallOf(currentRun(), context, { operation, signal, trace })));
  const stateIn = (outputs: Properties | undefined) => outputs && fromSiteOutputs(outputs);
  /** Refuses, before the first request of the site, to send a value that nobody has approved. */
  const review = (context: Context, sends: () => DeviceSends[]) =>
    refuseUnreviewed(currentRun(), context.urn, sends, ({ label }) => label);
  const apply = (operation: "create" | "update", context: Context, before: Properties | undefined, news: Properties) =>
    withDone(
      currentRun,
      { ...context, operation, before, planned: news },
      async (trace) =>
        toSiteOutputs(
          await withCall(operation, context, trace, async (call) => {
            const plan = planOf(stateIn(before), declaredSite(news), { store: call.store, isUpdate: true });
            review(context, () => sendsIn(plan, currentRun()));
            return await applySite(call, plan);
          }),
        ),
      (after) => () => ({ after }),
    );
  return {
    id: ({ name }) => name,
    parse: async (context, inputs) =>
      isDeepStrictEqual(inputs, checked.get(context.urn)) ? inputs : parseSite(currentRun(), context, inputs),
    check: (context, olds, news) =>
      withDone(currentRun, { ...context, operation: "check" }, async () => {
        const found = await checkSite(currentRun(), context, { olds, news });
        if (found.problems.length === 0) checked.set(context.urn, found.inputs);
        return found;
      }),
    diff: async (context, olds, news) => {
      const { plan, changes } = await withDone(
        currentRun,
        { ...context, operation: "diff", before: olds },
        async () => {
          const [run, { live, secrets }] = [currentRun(), context];
          const plan = planOf(stateIn(olds), declaredSite(news), { store: run.store, live });
          const changes = changesIn(plan);
          // Before another resource adopts the devices.
          for (const stored of plan.leaving) planRelease(run.store, stored);
          await announce(run, context, wordsOf(changes, secrets));
          return { plan, changes };
        },
        ({ plan, changes }) => (changes.length === 0 ? undefined : () => plannedBy(plan, news)),
      );
      const isPolicyKept = plan.devices.some(({ before }) => isKept(before?.settings.policy));
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
      withDone(currentRun, { ...context, operation: "read" }, () => {
        throw new MessageError(SITE_IMPORT);
      }),
    read: async (context, id, before) => {
      const { state, outputs } = await withDone(
        currentRun,
        { ...context, operation: "read", before },
        async (trace) => {
          const site = fromSiteOutputs(before);
          const state = await withCall("read", { ...context, name: id }, trace, async (call) =>
            readSite(call, { ...site, devices: devicesWithBaselines(call, site.devices) }),
          );
          return { state, outputs: toSiteOutputs(state) };
        },
        ({ outputs: after }, { problems }) =>
          isEmpty(problems) && isDeepStrictEqual(before, after) ? undefined : () => ({ after }),
      );
      return { id, inputs: toSiteInputs(state), outputs };
    },
    delete: (context, outputs) =>
      withDone(
        currentRun,
        { ...context, operation: "delete", before: outputs },
        async (trace) => {
          const site = fromSiteOutputs(outputs);
          if (!isSiteRetained(site)) {
            review(context, () => sendsIn({ devices: [], leaving: site.devices }, currentRun()));
            return await withCall("delete", context, trace, (call) => removeSite(call, site));
          }
          for (const stored of site.devices) await retain(releasingOf(currentRun(), context, stored), stored);
        },
        () => () => ({}),
      ),
  };
}

/** The inputs and the sent settings of an update. The check, which sees no state, did not know all of them. */
function plannedBy(plan: Plan, news: Properties): Partial<Done> {
  const found = plannedInputs(plan, { isOpen: plan.ready === undefined });
  const sent = plan.devices.map((device) => [deviceName(device), Object.keys(device.send)]);
  return { planned: { ...omit(news, PLANNED_KEYS), ...found }, sent: Object.fromEntries(sent) };
}
