import { textOf } from "../messages/message";
import { type DeviceRef, nameOf } from "../service/device";
import type { Properties } from "../settings/objects";
import type { DeviceKind } from "../settings/setting";
import { abortable, announce, callOf, releasingOf } from "./calls";
import { apply, asReported } from "./device/apply";
import type { Call, Operation } from "./device/call";
import { UncertainError } from "./device/call";
import { check, parse } from "./device/check";
import { isRetained, remove, retain } from "./device/delete";
import { diff, valueChanges } from "./device/diff";
import { readKnown, readValues, refresh } from "./device/read";
import { fromInputs, fromOutputs, inputsOf, isOwned, type State, toOutputs } from "./device/state";
import type { Operations, Read } from "./operations";
import { wordsOfDevice } from "./run/changes";
import type { Context } from "./run/context";
import { PartialError, withPrintableError } from "./run/errors";
import { fromId, toId } from "./run/ids";
import type { Run } from "./run/run";
import { refuseUnreviewed, sendsOf } from "./site/approval";

/** @param currentRun returns the run that all operations share */
export function deviceOperations(kind: DeviceKind, currentRun: () => Run): Operations {
  /** Refuses to send a value that nobody has approved. */
  const review = ({ name, urn }: Context, olds: Properties | undefined, news: Properties | undefined) =>
    refuseUnreviewed(currentRun(), urn, () => sendsOf({ kind, name, olds, news }, currentRun()), nameOf);
  /** Runs an operation so that its error can be printed. */
  const printable = <T>(operation: string, { secrets }: Context, work: () => T | Promise<T>) =>
    withPrintableError(`${operation} of ${kind.resource}`, currentRun, secrets, work);
  const withCall = <T>(operation: Operation, context: Context, work: (call: Call) => Promise<T>) => {
    const run = currentRun();
    return abortable(run, context, (signal) => work(callOf(run, kind, { operation, signal }, context)));
  };
  /** Runs an operation with requests. */
  const calling = <T>(operation: Operation, context: Context, work: (call: Call) => Promise<T>) =>
    printable(operation, context, () => withCall(operation, context, work));
  const applied = (operation: "create" | "update", context: Context, olds: Properties | undefined, news: Properties) =>
    calling(operation, context, async (call) => {
      review(context, olds, news);
      try {
        return await apply(call, olds && fromOutputs(kind, olds), fromInputs(kind, news));
      } catch (error) {
        // Makes the engine keep the known state.
        if (!(error instanceof UncertainError)) throw error;
        const problem = context.secrets.hidden(error.problem);
        throw new PartialError(toOutputs(error.state), [textOf(problem, currentRun().report)]);
      }
    });

  return {
    id: (_, inputs) => toId(fromInputs(kind, inputs)),
    parse: async (context, inputs) => parse(kind, currentRun(), context, inputs),
    check: (context, olds, news) =>
      printable("check", context, () => check(kind, currentRun(), context, { olds, news })),
    diff: (context, olds, news) =>
      printable("diff", context, async () => {
        const difference = olds
          ? diff(fromOutputs(kind, olds), fromInputs(kind, news), currentRun().store)
          : { changes: valueChanges({}, fromInputs(kind, news).values), replaces: [] };
        // The plugin's diff does not know that it belongs to a preview, and only it knows the old id.
        const isPreview = context.isPreview || difference.replaces.length > 0;
        await announce(currentRun(), { ...context, isPreview }, wordsOfDevice(difference.changes, context.secrets));
        return difference;
      }),
    create: async (context, inputs) => readOf(await applied("create", context, undefined, inputs)),
    update: async (context, olds, news) => toOutputs(await applied("update", context, olds, news)),
    import: async (context, id) =>
      readOf(
        await calling("read", context, async (call) => {
          const device = fromId(id);
          return await asReported(call, kind, device, await readValues(call, device));
        }),
      ),
    read: async (context, id, outputs) => {
      if (!isOwned(outputs)) {
        return await calling("read", context, async (call) => readUnowned(call, fromId(id), outputs));
      }
      const state = await calling("read", context, async (call) =>
        refresh(call, { ...fromOutputs(kind, outputs), ...fromId(id) }),
      );
      return state && readOf(state);
    },
    delete: (context, outputs) =>
      printable("delete", context, async () => {
        const state = fromOutputs(kind, outputs);
        // Without a request, so that a stack can be destroyed offline.
        if (isRetained(state)) return await retain(releasingOf(currentRun(), context), state);
        review(context, outputs, undefined);
        await withCall("delete", context, (call) => remove(call, state));
      }),
  };
}

/** The resource of a device, as the engine keeps it. */
export function readOf(state: State): Read {
  return { id: toId(state), inputs: inputsOf(state), outputs: toOutputs(state) };
}

/** A read of a resource that is only read (`VehicleSettings.get`): it shows all reported settings. */
async function readUnowned(call: Call, ref: DeviceRef, outputs: Properties): Promise<Read | undefined> {
  // Without outputs, this is the `get` of a program, which needs the device to exist.
  const values = await (outputs.deviceId === undefined ? readValues : readKnown)(call, ref);
  const shown = values && { ...ref, ...values };
  return shown && { id: toId(ref), inputs: shown, outputs: shown };
}
