import type { Run } from "../run";
import { type DeviceKind, withWireNames } from "../settings/setting";
import type { Call } from "./call";
import { type Checked, check } from "./check";
import { create, update } from "./create";
import { isRetained, remove } from "./delete";
import { type Difference, diff } from "./diff";
import { guarded } from "./guard";
import { type Read, read } from "./read";
import { fromOutputs, type Properties } from "./state";

/** The operations of a settings resource, free of any engine. Every one ends, and rejects with nothing but `Error`s. */
export interface Operations {
  check(olds: Properties, news: Properties): Promise<Checked>;
  diff(olds: Properties, news: Properties): Promise<Difference>;
  create(inputs: Properties): Promise<{ readonly id: string; readonly outputs: Properties }>;
  update(olds: Properties, news: Properties): Promise<Properties>;
  /** Undefined when the service no longer knows the device. */
  read(id: string, outputs: Properties): Promise<Read | undefined>;
  delete(outputs: Properties): Promise<void>;
}

/** Longest time of a handler that makes no request, in seconds (our choice). */
const LONGEST_PURE = 10;

/** Requests of the longest handler, create: read, update, read back. Their queueing is part of the margin. */
const MOST_REQUESTS = 3;
const QUEUEING_MARGIN = 60;

/** @param currentRun gives what all handlers of one engine operation share */
export function deviceOperations(kind: DeviceKind, currentRun: () => Run): Operations {
  const purely = <T>(operation: string, work: () => T | Promise<T>) =>
    guarded(`${operation} of ${kind.resource}`, LONGEST_PURE, work);

  const calling = async <T>(operation: Call["operation"], work: (call: Call) => Promise<T>) => {
    const run = currentRun();
    const {
      inverterFields = {},
      requestTimeoutSeconds,
      retryTimeoutSeconds,
      verifyTimeoutSeconds,
    } = run.configuration();
    const longest =
      MOST_REQUESTS * Math.max(retryTimeoutSeconds, requestTimeoutSeconds) + verifyTimeoutSeconds + QUEUEING_MARGIN;
    return await guarded(`${operation} of ${kind.resource}`, longest, (signal) =>
      work({
        operation,
        kind: withWireNames(kind, inverterFields),
        service: run.service(),
        claims: run.claims,
        ledger: run.ledger(),
        warn: run.warn,
        verifyTimeoutSeconds,
        signal,
      }),
    );
  };

  return {
    check: (olds, news) => purely("check", () => check(kind, currentRun(), olds, news)),
    diff: (olds, news) => purely("diff", () => diff(kind, olds, news)),
    create: (inputs) => calling("create", (call) => create(call, inputs)),
    update: (olds, news) => calling("update", (call) => update(call, olds, news)),
    read: (id, outputs) => calling("read", (call) => read(call, id, outputs)),
    delete: async (outputs) => {
      if (!isRetained(fromOutputs(kind, outputs))) await calling("delete", (call) => remove(call, outputs));
    },
  };
}
