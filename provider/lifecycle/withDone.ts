import type { Done } from "../ledger/done";
import { type Message, MessageError, problemOf } from "../messages/message";
import { isEmpty, type Properties } from "../settings/objects";
import type { Context } from "./run/context";
import { PartialError, withPrintableError } from "./run/errors";
import type { Run } from "./run/run";

/** The facts that an operation notes while it runs. */
export interface Trace {
  /** By device, the settings that were sent. */
  readonly sent: Record<string, readonly string[]>;
  /** By device, their problems. */
  readonly problems: Record<string, Message>;
}

/**
 * Runs an operation on a site, and reports it to the command that started the run. Rejects only with errors that the
 * engine can print.
 * @param end returns a function that makes the report of a success, which is called only if a command reads it. Returns
 * nothing if the state is the same as before and there is no problem: a preview would otherwise write a line for each
 * unchanged site. Without `end`, only a failure is reported
 */
export function withDone<T>(
  currentRun: () => Run,
  { operation, before, planned, urn, secrets }: Context & Pick<Done, "operation" | "before" | "planned">,
  work: (trace: Trace) => T | Promise<T>,
  end?: (value: T, trace: Trace) => (() => Partial<Done>) | undefined,
): Promise<T> {
  const trace: Trace = { sent: {}, problems: {} };
  const shown = (properties: Properties | undefined) => properties && secrets.shown(properties);
  const report = (found: () => Partial<Done>) =>
    currentRun().report.done(() => {
      const done = { before, planned, ...trace, ...found() };
      const states = { before: shown(done.before), after: shown(done.after), planned: shown(done.planned) };
      return { ...done, ...states, urn, operation };
    });
  const perform = async () => {
    try {
      const value = await work(trace);
      const found = end?.(value, trace);
      if (found) report(found);
      return value;
    } catch (error) {
      const isWhole = error instanceof MessageError || isEmpty(trace.problems);
      const problem = isWhole ? secrets.hidden(problemOf(error)) : undefined;
      report(() => ({ after: error instanceof PartialError ? error.outputs : before, problem }));
      throw error;
    }
  };
  return withPrintableError(`${operation} of SiteSettings`, currentRun, secrets, perform);
}
