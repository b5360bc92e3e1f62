import type { EngineEvent, LocalWorkspace, Stack } from "@pulumi/pulumi/automation";
import { heldBy } from "./lock";
import { OutcomeCollector, type Outcomes } from "./outcomes";
import { withoutPresent } from "./waves";

/** What can be done with the stacks of a fleet. */
export type Operation = "preview" | "up" | "refresh" | "drift" | "destroy";

/** What a run of one stack comes to. */
export interface StackResult {
  readonly stack: string;
  readonly outcomes: Outcomes;
  readonly notReady: readonly string[];
  /** What is wrong with the stack as a whole; of its devices, `outcomes` tells. */
  readonly error?: string;
}

export interface StackRunOptions {
  /** Patterns of the resources that it is about. Default: all. */
  readonly targets?: readonly string[];
  /** Has the stack's resources let go of, and the stack removed, as none of its sites is in the manifest any more. */
  readonly isEmptied?: boolean;
  readonly onDevice?: () => void;
}

/** Runs one stack. It never rejects: what went wrong is in the result. */
export type RunStack = (stack: string, operation: Operation, options: StackRunOptions) => Promise<StackResult>;

/** The stacks of a project, as the engine's backend has them. */
export interface Stacks {
  readonly existing: readonly string[];
  readonly run: RunStack;
}

/**
 * Opens the project in a folder.
 * @param env what the engine's processes get beside the environment of this one
 * @param signal has the engines save what is under way, and end
 * @throws Error where the engine is not there, or its backend cannot be asked
 */
export async function openStacks(folder: string, env: Record<string, string>, signal: AbortSignal): Promise<Stacks> {
  // Loading it takes half a second, which the rest of the command line does without.
  const automation = await import("@pulumi/pulumi/automation/index.js");
  const { workspace, existing } = await opened(automation.LocalWorkspace.create({ workDir: folder, envVars: env }));
  leaveOut(workspace, existing);
  return {
    existing: [...existing],
    run: async (name, operation, options) => {
      const collector = new OutcomeCollector();
      const unsaved = new AbortController();
      const seen = () => collector.outcomes.size;
      const onEvent = (event: EngineEvent) => {
        const before = seen();
        collector.take(event);
        // The engine would go on with all other devices, and try for half a minute to save each.
        if (collector.isUnsaved) unsaved.abort();
        for (let count = before; count < seen(); count += 1) options.onDevice?.();
      };
      let error: string | undefined;
      try {
        const stack = await (existing.has(name)
          ? automation.Stack.select(name, workspace)
          : automation.Stack.create(name, workspace));
        existing.add(name); // The canary's stack has a part in a later wave too.
        stack.info = async () => undefined;
        await operate(stack, operation, { ...options, signal: AbortSignal.any([signal, unsaved.signal]), onEvent });
        if (options.isEmptied && operation === "up") await workspace.removeStack(name, { force: true });
        if (operation === "destroy") await workspace.removeStack(name, { force: true });
      } catch (problem) {
        error = explained(name, folder, problem as Error, collector, automation);
      }
      const { outcomes, notReady } = collector;
      return { stack: name, outcomes, notReady: [...notReady], ...(error !== undefined && { error }) };
    },
  };
}

/** The workspace, and the stacks that it has. @throws Error with one line */
async function opened(
  creating: Promise<LocalWorkspace>,
): Promise<{ workspace: LocalWorkspace; existing: Set<string> }> {
  try {
    const workspace = await creating;
    return { workspace, existing: new Set((await workspace.listStacks()).map(({ name }) => name)) };
  } catch (problem) {
    const { message } = problem as Error;
    if (!message.includes("pulumi ENOENT")) throw new Error(inShort(message));
    throw new Error("there is no pulumi on the PATH: https://www.pulumi.com/docs/install tells how to install it");
  }
}

/** What the Automation API says of a command that failed, without all else that it printed: errors, and the lists in them. */
function inShort(message: string): string {
  const lines = message.split("\n").filter((line) => /error:|canceled|^ +\d+\) /.test(line));
  return lines.length > 0 ? [...new Set(lines.map((line) => line.trim()))].join("; ") : message;
}

/**
 * Leaves out what costs a start of the engine each and is not needed: selecting a stack that is named in each command
 * anyway, and reading its outputs and its history after each update.
 */
function leaveOut(workspace: LocalWorkspace, existing: ReadonlySet<string>): void {
  const select = workspace.selectStack.bind(workspace);
  workspace.selectStack = async (name) => {
    if (!existing.has(name)) await select(name);
  };
  workspace.stackOutputs = async () => ({});
}

async function operate(
  stack: Stack,
  operation: Operation,
  { targets, isEmptied, signal, onEvent }: StackRunOptions & { signal: AbortSignal; onEvent(event: EngineEvent): void },
): Promise<void> {
  const all = { onEvent, signal, suppressOutputs: true, suppressProgress: true };
  const some = { ...all, ...(targets && { target: withoutPresent(targets, await urnsOf(stack)) }) };
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

async function urnsOf(stack: Stack): Promise<string[]> {
  const { deployment } = await stack.exportStack();
  return (deployment?.resources ?? []).map(({ urn }: { urn: string }) => urn);
}

/** What to tell of a stack's failure; undefined where its devices tell it all. */
function explained(
  stack: string,
  folder: string,
  problem: Error,
  { outcomes, errors }: OutcomeCollector,
  { ConcurrentUpdateError }: typeof import("@pulumi/pulumi/automation"),
): string | undefined {
  if (problem instanceof ConcurrentUpdateError || problem.message.includes("the stack is currently locked by")) {
    return heldBy(stack, folder, problem.message);
  }
  const own = errors.filter((text) => !/^(update|preview|refresh|destroy) failed$|^resource .*failed/.test(text));
  if (own.length > 0) return [...new Set(own)].join("; ");
  if ([...outcomes.values()].some(({ result }) => result === "failed")) return undefined;
  return inShort(problem.message);
}
