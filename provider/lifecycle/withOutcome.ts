import type { DeviceOutcome, OutcomeOperation } from "../ledger/outcome";
import { MessageError } from "../messages/message";
import { kindOf, type Place, placeOf } from "../settings/groups";
import type { Properties } from "./device/state";
import type { Context } from "./run/context";
import { PartialError } from "./run/errors";
import { withPrintableError } from "./run/printableError";
import type { Run } from "./run/run";
import type { SecretInputs } from "./run/secretInputs";
import { type Failure, newTrace, type Outcomes, type Trace, withoutSecrets } from "./site/outcome";

/** The result or the failure of an operation. */
export interface End<T> {
  readonly trace: Trace;
  /** The result of the operation. Absent if it failed. */
  readonly value?: T | undefined;
  /** The outputs of a resource that was created or updated in part. */
  readonly outputs?: Properties | undefined;
  /** Absent if it succeeded. A refresh succeeds although it cannot read some devices. */
  readonly failure?: Failure | undefined;
}

/** An operation, its context, and the class of its resource. */
interface ResourceOperation extends Context {
  readonly operation: OutcomeOperation;
  readonly resource: string;
}

/**
 * Runs an operation, and reports its outcome to the command that started the run. Rejects only with errors that the
 * engine can print.
 */
export function withOutcome<T>(
  currentRun: () => Run,
  { operation, resource, urn, secrets }: ResourceOperation,
  work: (trace: Trace) => T | Promise<T>,
  outcomeOf: (end: End<T>) => Partial<Outcomes>,
): Promise<T> {
  const trace = newTrace();
  const secretsOf = ({ label, site }: DeviceOutcome) =>
    site === undefined ? secrets.keysOf(kindOf(placeOf(label) as Place)) : secretsOfDevice(secrets, label);
  const tell = (end: Omit<End<T>, "trace">) =>
    currentRun().report.outcome(() => {
      const { site, devices = [] } = known(() => outcomeOf({ trace, ...end })) ?? {};
      return { urn, operation, ...(site && { site }), devices: withoutSecrets(devices, secretsOf) };
    });
  const perform = async () => {
    try {
      const value = await work(trace);
      tell({ value, ...(trace.problems.size > 0 && { failure: trace }) });
      return value;
    } catch (error) {
      const whole = error instanceof MessageError ? secrets.hidden(error.problem) : undefined;
      tell({ ...(error instanceof PartialError && { outputs: error.outputs }), failure: { ...trace, whole } });
      throw error;
    }
  };
  return withPrintableError(`${operation} of ${resource}`, perform, () => currentRun().report.names, secrets);
}

/** The secret settings of a device of a site. */
export function secretsOfDevice(secrets: SecretInputs, label: string): ReadonlySet<string> {
  const place = placeOf(label);
  return place ? secrets.below(`${place.group}.${place.name}`).keysOf(kindOf(place)) : new Set();
}

/** A part of an outcome. Undefined if the state cannot be read, which must not hide why the operation failed. */
export function known<T>(part: () => T): T | undefined {
  try {
    return part();
  } catch {
    return undefined;
  }
}
