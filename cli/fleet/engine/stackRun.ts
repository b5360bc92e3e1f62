import {
  ConcurrentUpdateError,
  type EngineEvent,
  LocalWorkspace,
  type PulumiFn,
  Stack,
} from "@pulumi/pulumi/automation";
import { RUN_FILE } from "../../../provider/ledger/runFile";
import { type Message, MessageError } from "../../../provider/messages/message";
import { OutcomeCollector } from "../outcome/collector";
import { problemsIn, RunFileReader } from "../progress/runFile";
import type { DeviceStep } from "../progress/tally";
import type { ExistingStack } from "../rollout/plan";
import { targetsOf } from "../rollout/waves";
import { isOfManifest, type StackResult, type StackTask } from "../stack";
import { killedBy, withoutExtraCommands, withoutHistory } from "./automation";
import { engineKilled, heldBy } from "./holder";
import { concurrencyOfStack, resourcesAtOnce } from "./settings";
import { inShort, isConsequence, isHeld, isNoEngine, noEngine, problemOfEngine } from "./texts";

/** The project of a fleet, as the engine sees it. */
export class Project {
  private constructor(
    private readonly fleet: string,
    private readonly folder: string,
    private readonly workspace: LocalWorkspace,
  ) {}

  /**
   * Opens the project in a folder.
   * @param env what the engine's processes get beside the environment of this one
   * @throws Error with one line if the engine is not there
   */
  static async open(fleet: string, folder: string, env: Record<string, string>): Promise<Project> {
    const workspace = await LocalWorkspace.create({ workDir: folder, envVars: env }).catch(({ message }: Error) => {
      throw new MessageError(isNoEngine(message) ? noEngine() : problemOfEngine(inShort(message)));
    });
    return new Project(fleet, folder, withoutExtraCommands(workspace));
  }

  /** Its stacks. @throws Error with one line if the engine's backend cannot be asked */
  async stacks(): Promise<ExistingStack[]> {
    const stacks = await this.workspace.listStacks().catch(({ message }: Error) => {
      throw new MessageError(problemOfEngine(inShort(message)));
    });
    return stacks.map(({ name, resourceCount, lastUpdate }) => ({
      name,
      isEmpty: resourceCount === 0,
      // Some edits of the state, such as `pulumi state delete`, leave the time as it is.
      ...(lastUpdate !== undefined && { revision: `${lastUpdate}, ${resourceCount ?? "?"} resources` }),
    }));
  }

  /** What the backend says of a stack's last update. @returns undefined if it cannot be asked */
  async #revisionOf(name: string): Promise<string | undefined> {
    const stacks = await this.stacks().catch(() => []);
    return stacks.find((stack) => stack.name === name)?.revision;
  }

  /**
   * Runs one stack. It never rejects: what went wrong is in the result.
   * @param program declares what is in the task's manifest
   * @param signal has the engine save what is under way, and end
   */
  async run(
    task: StackTask,
    program: PulumiFn,
    signal: AbortSignal,
    onDevice: (step: DeviceStep) => void,
  ): Promise<StackResult> {
    const { stack: name, operation } = task;
    const file = new RunFileReader(this.workspace.envVars[RUN_FILE] ?? "", "end");
    const readsFirst = task.refresh && isOfManifest(operation);
    const collector = new OutcomeCollector(readsFirst, onDevice, () => problemsIn(file.newLines()));
    const problem = await this.#operate(task, program, signal, collector).catch((error: Error) => error);
    collector.end(task.declared ?? []);
    const killer = signal.aborted ? undefined : killedBy(problem);
    const error = killer
      ? engineKilled(name, this.folder, killer)
      : problem && explained(name, this.folder, problem, collector);
    const { outcomes, sites, warnings, notes } = collector;
    const result = {
      stack: name,
      outcomes,
      sites: [...sites.values()],
      warnings,
      // A preview's are the changes, which the outcomes have.
      ...(notes.size > 0 && !["preview", "drift"].includes(operation) && { notes: [...notes] }),
    };
    if (error !== undefined) return { ...result, error };
    const revision = operation === "up" && !task.isEmptied ? await this.#revisionOf(name) : undefined;
    return { ...result, ...(revision !== undefined && { revision }) };
  }

  /** Has the engine do it. @throws Error of the Automation API */
  async #operate(
    task: StackTask,
    program: PulumiFn,
    signal: AbortSignal,
    collector: OutcomeCollector,
  ): Promise<undefined> {
    const { stack: name, operation } = task;
    const unsaved = new AbortController();
    const onEvent = (event: EngineEvent) => {
      collector.take(event);
      // The engine would go on with all other devices, and try for half a minute to save each.
      if (collector.isUnsaved) unsaved.abort();
    };
    Object.assign(this.workspace.envVars, limitsOf(task));
    const stack = await (task.isNew ? Stack.create(name, this.workspace) : Stack.select(name, this.workspace));
    const operating = {
      ...task,
      fleet: this.fleet,
      program,
      signal: AbortSignal.any([signal, unsaved.signal]),
      onEvent,
    };
    await operate(withoutHistory(stack), operating).catch((problem) => {
      // Without this, one site that cannot be read would keep the whole stack from what is declared.
      if (!collector.isUnread || operating.signal.aborted) throw problem;
      return operate(stack, { ...operating, refresh: false });
    });
    const isOver = operation === "destroy" || (task.isEmptied && operation === "up");
    if (isOver) await this.workspace.removeStack(name, { force: true });
  }
}

/** How many requests, and resources, the engine may work on for a stack, as variables. */
function limitsOf({ atOnce }: StackTask): Record<string, string> {
  const { SOLAR_CHARGING_MAX_CONCURRENCY: all, PULUMI_PARALLEL } = process.env;
  const concurrency = concurrencyOfStack(all, atOnce);
  return {
    SOLAR_CHARGING_MAX_CONCURRENCY: concurrency,
    PULUMI_PARALLEL: PULUMI_PARALLEL || resourcesAtOnce(concurrency),
  };
}

interface Operating extends StackTask {
  readonly fleet: string;
  readonly program: PulumiFn;
  readonly signal: AbortSignal;
  onEvent(event: EngineEvent): void;
}

async function operate(
  stack: Stack,
  { fleet, operation, onlySite, isEmptied, refresh = false, program, signal, onEvent }: Operating,
): Promise<void> {
  const all = { onEvent, signal, suppressOutputs: true, suppressProgress: true };
  const target = onlySite === undefined ? {} : { target: targetsOf(fleet, onlySite, await presentIn(stack)) };
  const some = { ...all, program, refresh, ...target };
  if (operation === "preview") {
    await (isEmptied ? stack.previewDestroy(all) : stack.preview(some));
  } else if (operation === "up") {
    await (isEmptied ? stack.destroy(all) : stack.up({ ...some, continueOnError: true }));
  } else if (operation === "refresh") {
    // What was interrupted while it was created is not of use: an up creates it again.
    await stack.refresh({ ...all, clearPendingCreates: true });
  } else if (operation === "drift") {
    await stack.previewRefresh(all);
  } else {
    await stack.destroy({ ...all, continueOnError: true });
  }
}

async function presentIn(stack: Stack): Promise<{ readonly urn: string }[]> {
  const { deployment } = await stack.exportStack();
  return deployment?.resources ?? [];
}

/** The error of a stack that failed; undefined if the failures of its devices say it all. */
function explained(
  stack: string,
  folder: string,
  problem: Error,
  { outcomes, errors }: OutcomeCollector,
): Message | undefined {
  if (problem instanceof ConcurrentUpdateError || isHeld(problem.message)) {
    return heldBy(stack, folder, problem.message);
  }
  const own = errors.filter((text) => !isConsequence(text));
  if (own.length > 0) return problemOfEngine([...new Set(own)].join("; "));
  if ([...outcomes.values()].some(({ result }) => result === "failed")) return undefined;
  return problemOfEngine(inShort(problem.message));
}
