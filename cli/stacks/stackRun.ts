import { RUN_FILE } from "../../provider/ledger/runFile";
import type { Site } from "../../provider/manifest/model";
import type { Message } from "../../provider/messages/message";
import { deviceName } from "../../provider/service/device";
import { OutcomeCollector } from "./collector";
import type { Outcome } from "./outcome";
import { claimsOf, declaredDevicesOf } from "./plan";
import { type EngineFailure, operate, type ProjectFolder } from "./pulumi";
import { isAbout, RunFileReader, reportsIn } from "./runFile";
import { type FleetOperation, isOfManifest, SITE_TYPE, type StackResult, type StackRunOptions } from "./stack";
import { engineKilled, heldBy, isConsequence, isHeld, problemOfEngine } from "./texts";

/** The engine's arguments for each operation, and for emptying a stack. */
const COMMANDS: Readonly<Record<FleetOperation, readonly string[]>> = {
  preview: ["preview"],
  up: ["up", "--yes", "--skip-preview", "--continue-on-error"],
  // Pending creates are cleared, because the next `up` repeats an interrupted creation.
  refresh: ["refresh", "--yes", "--skip-preview", "--clear-pending-creates"],
  drift: ["refresh", "--preview-only"],
  destroy: ["destroy", "--yes", "--skip-preview", "--continue-on-error"],
};
const EMPTYING: Partial<typeof COMMANDS> = {
  preview: ["destroy", "--preview-only"],
  up: ["destroy", "--yes", "--skip-preview"],
};

interface RunOptions extends StackRunOptions {
  /** Whether the end of an earlier `up` is unknown. */
  readonly isAfterKill: boolean;
}

/** One run of a stack. */
export class StackRun {
  constructor(
    private readonly stack: string,
    private readonly place: ProjectFolder,
    private readonly signal: AbortSignal,
    /** The folder of the fleet: that of a preview is gone when the user reads an error. */
    private readonly root: string,
  ) {}

  async result(
    operation: FleetOperation,
    sites: readonly Site[],
    business: string | undefined,
    options: RunOptions,
  ): Promise<StackResult> {
    const file = new RunFileReader(this.place.env?.[RUN_FILE] ?? "", "end");
    const { only } = options;
    const collector = new OutcomeCollector({
      ...options,
      operation,
      declared: isOfManifest(operation)
        ? undefined
        : new Map(claimsOf({ sites }, business).map(([device, values]) => [deviceName(device), values])),
      newReports: () => reportsIn(file.news(isAbout(this.stack)), this.stack),
    });
    const failure = await this.#operate(operation, options, collector);
    const declared = only === undefined ? sites : sites.filter(({ id }) => only.includes(id));
    // Keep the mark while the killed run's lock remains. Without this, the next run would read first, and the killed
    // run's values would count as somebody else's.
    const isBehind =
      options.isAfterKill && failure !== undefined && declared.some(({ id }) => !collector.sites.has(id));
    const isSaved = failure?.signal === undefined && !collector.isUnsaved && !collector.isCutShort && !isBehind;
    collector.end(isOfManifest(operation) ? declaredDevicesOf({ sites: declared }, business) : []);
    const error = failure && this.#explained(failure, collector);
    const { outcomes, sites: ofSites, warnings, notes, steps } = collector;
    return {
      stack: this.stack,
      isSaved,
      outcomes,
      sites: [...ofSites.values()],
      ...{ warnings, steps },
      // Notes about drift only repeat the changes in the outcomes.
      ...(notes.length > 0 && operation !== "drift" && { notes }),
      ...(error !== undefined && { error }),
    };
  }

  /** Runs the engine's operation. */
  async #operate(
    operation: FleetOperation,
    { isEmptied, only, refresh, isAfterKill }: RunOptions,
    collector: OutcomeCollector,
  ): Promise<EngineFailure | undefined> {
    const unsaved = new AbortController();
    const signal = AbortSignal.any([this.signal, unsaved.signal]);
    // A pattern: in a run that reads first, the engine refuses the full name of a site that is not in state yet.
    const urnOf = (site: string) => `**::${SITE_TYPE}::${site}`;
    const command = (isEmptied && EMPTYING[operation]) || COMMANDS[operation];
    const args = [...command, "--stack", this.stack, ...(only ?? []).flatMap((site) => ["--target", urnOf(site)])];
    const execute = (...more: string[]) =>
      operate(this.place, [...args, ...more], signal, (event) => {
        collector.take(event);
        // Without this, the engine would continue with all other devices, and try for half a minute to save each.
        if (collector.isUnsaved) unsaved.abort();
      });
    if (!refresh || isEmptied) return await execute();
    // Without this, a value that a killed run set but did not save would count as somebody else's, and would never be
    // restored.
    const failed = isAfterKill ? await execute() : undefined;
    if (failed) return failed;
    const failure = await execute("--refresh");
    // Without this, one site that cannot be read would keep the whole stack from being updated.
    return failure && collector.isUnread && !signal.aborted ? await execute() : failure;
  }

  /** The error of a failed stack; undefined if the failures of its devices explain it. */
  #explained({ problem, text, signal }: EngineFailure, { outcomes, errors }: OutcomeCollector): Message | undefined {
    const folder = this.root;
    if (signal !== undefined && !this.signal.aborted) return engineKilled(this.stack, folder, signal);
    if (isHeld(text)) return heldBy(this.stack, folder, text);
    const own = errors.filter((one) => !isConsequence(one));
    if (this.signal.aborted && own.length === 0) return undefined;
    if (own.length > 0) return problemOfEngine([...new Set(own)].join("; "));
    const isExplained = ({ result, problem }: Outcome) => result === "failed" || problem !== undefined;
    if ([...outcomes.values()].some(isExplained)) return undefined;
    return problem;
  }
}
