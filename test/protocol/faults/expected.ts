import type { Operation, Outcome } from "./operations";

/** A number of requests; "several" if a request is retried until its time is over. */
type Count = number | "several";

/** The expected result of an operation. */
export interface Expected {
  /** The message to the user. */
  readonly says: RegExp;
  readonly device: string;
  readonly state: string;
  readonly GET: Count;
  readonly PATCH: Count;
  /** Requests for a token, if the row is about them. */
  readonly POST?: Count;
  readonly next?: string;
}

export type Expectations = Readonly<Partial<Record<Operation, Expected>>>;

/** No message to the user. */
export const SILENCE = /^$/;

/** The cached read fails: nothing is sent, and the engine keeps its state. */
export function readFails(says: RegExp, GET: Count): Pick<Required<Expectations>, "create" | "read" | "delete"> {
  const kept = { says, device: "new", state: "as before", GET, PATCH: 0 };
  return { create: { says, device: "old", state: "nothing", GET, PATCH: 0 }, read: kept, delete: kept };
}

/** The message about a device that leaves the stack with its baseline. */
export const BASELINE = /maxCapacity was 60 kWh/;

/** The first update shows the values that the device had. */
export const FIRST = new RegExp(`^INFO .*device 'create' .*${BASELINE.source}`);

/** A delete that restores shows what it wrote. */
export const RESTORED = /^INFO device 'delete' .*maxCapacity 60 kWh/;

/** The service does not know the device: a refresh and a destroy remove it from state, and show its baseline. */
export function deviceIsGone() {
  const gone = { device: "new", state: "gone", GET: 1, PATCH: 0 };
  return {
    create: { says: /^(?!.*HTTP).*device 'create' .*deviceId/, device: "old", state: "nothing", GET: 1, PATCH: 0 },
    read: { ...gone, says: new RegExp(`device 'read'.*${BASELINE.source}`) },
    delete: { ...gone, says: new RegExp(`device 'delete'.*${BASELINE.source}`) },
  } satisfies Expectations;
}

/** The operation succeeds, after this many more reads. */
export function goesWell(moreReads = 0): Expectations {
  return {
    create: { says: FIRST, device: "new", state: "verified", GET: 2 + moreReads, PATCH: 1 },
    read: { says: SILENCE, device: "new", state: "verified", GET: 1 + moreReads, PATCH: 0 },
    delete: { says: RESTORED, device: "old", state: "gone", GET: 1 + moreReads, PATCH: 1 },
  };
}

/** The update is carried out, whatever its answer looks like. */
export function updateCounts(): Expectations {
  return {
    create: { says: FIRST, device: "new", state: "verified", GET: 2, PATCH: 1 },
    update: { says: SILENCE, device: "new", state: "verified", GET: 1, PATCH: 1 },
    delete: { says: RESTORED, device: "old", state: "gone", GET: 1, PATCH: 1 },
  };
}

/** The update is refused: the device is unchanged, and the engine keeps its state. */
export function updateIsRefused(says: RegExp): Expectations {
  return {
    create: { says, device: "old", state: "nothing", GET: 1, PATCH: 1 },
    update: { says, device: "old", state: "as before", GET: 0, PATCH: 1 },
    delete: { says, device: "new", state: "as before", GET: 1, PATCH: 1 },
  };
}

/** The outcome of the update is unknown: the engine keeps the baseline, and the need to send again. */
export function updateIsUncertain(
  reason: RegExp,
  PATCH: Count,
  device: { readonly whenNew: string; readonly whenOld: string },
): Expectations {
  const says = new RegExp(`${reason.source}.*"pulumi up"`);
  return {
    create: { says, device: device.whenNew, state: "uncertain", GET: 1, PATCH },
    update: { says, device: device.whenNew, state: "uncertain", GET: 0, PATCH },
    delete: { says: reason, device: device.whenOld, state: "as before", GET: 1, PATCH },
  };
}

/** The same, and the process sends no further request. */
export function thenRefused(expectations: Expectations = {}): Expectations {
  return Object.fromEntries(Object.entries(expectations).map(([name, each]) => [name, { ...each, next: "refused" }]));
}

/**
 * Most of an answer that may leave a server before the connection ends, in MiB: 1 is read, and the rest is in the
 * system's buffers.
 */
const LARGEST_ANSWER = 16;

/** The differences from the expected result, in words. @param limitSeconds longest time for an operation */
export function problemsOf(expected: Expected, outcome: Outcome, limitSeconds: number): string[] {
  const { says, device, state, GET, PATCH, POST, next = "answered" } = expected;
  const compared: Record<string, [is: string, wanted: string]> = {
    device: [outcome.device, device],
    state: [outcome.state, state],
    next: [outcome.next, next],
  };
  const unequal = Object.entries(compared).flatMap(([what, [is, wanted]]) =>
    is === wanted ? [] : [`${what}: "${is}" instead of "${wanted}"`],
  );
  const { requests } = outcome;
  const counts = Object.entries({ GET, PATCH, POST: POST ?? requests.POST }).flatMap(([method, wanted]) => {
    const made = requests[method as keyof typeof requests];
    return isCount(made, wanted) ? [] : [`${method}: ${made} instead of ${wanted}`];
  });
  return [
    ...(says.test(outcome.says) ? [] : [`the user is told "${outcome.says}", and should be told ${says}`]),
    ...(/undefined|\[object|\n/.test(outcome.says) ? [`the user is told "${outcome.says}"`] : []),
    ...unequal,
    ...counts,
    ...(outcome.requestsElsewhere === 0 ? [] : ["another server got a request"]),
    ...(outcome.largestAnswer < LARGEST_ANSWER ? [] : [`${outcome.largestAnswer} MiB were taken of an answer`]),
    ...(outcome.seconds <= limitSeconds ? [] : [`took ${outcome.seconds} s, more than ${limitSeconds} s`]),
  ];
}

/** Pauses are random: in this time, one of a billion operations makes more than 9 tries. */
function isCount(made: number, wanted: Count): boolean {
  return wanted === "several" ? made >= 2 && made <= 9 : made === wanted;
}
