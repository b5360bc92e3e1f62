import { type Message, MessageError, problemOf } from "../../provider/messages/message";
import { exportStack, listStacks } from "./backend";
import type { ExistingStack, StackPlan } from "./plan";
import type { StackFolders } from "./project";
import { CommandError, type ProjectFolder, pulumi } from "./pulumi";
import { concurrencyOfStack, resourcesAtOnce } from "./settings";
import { type FleetOperation, isWhole, SITE_TYPE, type StackResult, type StackRunOptions } from "./stack";
import { StackRun } from "./stackRun";
import { heldBy, isHeld } from "./texts";

/** The stacks of a fleet, each run by an engine of its own. */
export class FleetStacks {
  readonly #stacks = new Set<string>();
  /** Stacks that had resources before this run. Resources of this run need no read. */
  readonly #filled = new Set<string>();
  /** The request in progress or answered last, and the one queued behind it, which later callers share. */
  #lastList: Promise<readonly ExistingStack[]> | undefined;
  #nextList: Promise<readonly ExistingStack[]> | undefined;

  /**
   * @param env variables of the engines, in addition to the environment of this process
   * @param scratch a folder that this process removes at its end
   * @param business the default business id
   */
  constructor(
    private readonly folders: StackFolders,
    private readonly env: Readonly<Record<string, string>>,
    private readonly scratch: string,
    private readonly business?: string,
  ) {}

  /** All existing stacks. @throws MessageError if the engine is missing, or its backend cannot be reached */
  async list(): Promise<readonly ExistingStack[]> {
    const stacks = await listStacks({ folder: this.folders.root, env: this.env });
    for (const { name, isEmpty } of stacks) {
      this.#stacks.add(name);
      if (!isEmpty) this.#filled.add(name);
    }
    return stacks;
  }

  /** Runs one stack. It never rejects: the result contains any error. @param signal makes the engine save and end */
  async run(
    { name, sites }: StackPlan,
    operation: FleetOperation,
    signal: AbortSignal,
    options: StackRunOptions,
  ): Promise<StackResult> {
    let place = { folder: this.folders.root, env: { ...this.env, ...limitsOf(options.atOnce) } };
    let isAfterKill = false;
    try {
      const { folders, scratch } = this;
      await this.#refuseOtherProgram(name);
      const folder = operation === "up" ? folders.write(name, sites) : folders.writeAside(name, sites, scratch);
      place = { ...place, folder };
      if (!this.#stacks.has(name)) await pulumi(place, "stack", "init", name, "--no-select");
      isAfterKill = this.folders.isUnfinished(name);
      if (operation === "up") this.folders.begin(name);
      this.#stacks.add(name); // A later wave can run another part of this stack.
    } catch (error) {
      return { stack: name, outcomes: new Map(), sites: [], warnings: [], error: this.#notBegun(name, error as Error) };
    }
    const run = new StackRun(name, place, signal, this.folders.root);
    const result = await run.result(operation, sites, this.business, {
      ...options,
      refresh: options.refresh === true && this.#filled.has(name),
      isAfterKill: operation === "up" && isAfterKill,
    });
    if (operation === "up" && result.isSaved) this.folders.finish(name);
    if (result.error !== undefined) return result;
    if (operation === "destroy" || (options.isEmptied && operation === "up")) {
      // A device that could not be restored is still in the stack, with its baseline.
      return isWhole(result) ? await this.#removed(place, result) : result;
    }
    const revision = operation === "up" ? await this.#revisionOf(name) : undefined;
    return { ...result, ...(revision !== undefined && { revision }) };
  }

  /** The reason why a run could not begin. */
  #notBegun(name: string, error: Error): Message {
    const text = error instanceof CommandError ? error.failure.text : "";
    if (isHeld(text)) return heldBy(name, this.folders.root, text);
    return error instanceof MessageError ? error.problem : { code: "stackNotRun", finding: error.message };
  }

  /**
   * Without this, the engine would delete what another program has put into the stack, and create each site again, with
   * our values as baselines. It is checked only if the stack's folder is new, because a run of this version creates one.
   * @throws MessageError if another program has resources in it
   */
  async #refuseOtherProgram(name: string): Promise<void> {
    if (!this.#filled.has(name) || this.folders.has(name)) return;
    const { resources } = await exportStack({ folder: this.folders.root, env: this.env }, name);
    const own = `urn:pulumi:${name}::${this.folders.fleet}::${SITE_TYPE}::`;
    const others = resources.filter(({ urn }) => !urn.startsWith(own));
    if (others.length > 0) throw new MessageError(ofOtherProgram(others.map((resource) => resource.name)));
  }

  /** Removes an emptied stack. */
  async #removed(place: ProjectFolder, result: StackResult): Promise<StackResult> {
    try {
      await pulumi(place, "stack", "rm", result.stack, "--yes");
      this.folders.remove(result.stack);
      return result;
    } catch (error) {
      return { ...result, error: problemOf(error) };
    }
  }

  /** The last update of a stack in the backend. @returns undefined if the backend cannot be reached */
  async #revisionOf(name: string): Promise<string | undefined> {
    return (await this.listed()).find((stack) => stack.name === name)?.revision;
  }

  /** All existing stacks at this time; none if the backend cannot be reached. Calls share the next answer. */
  listed(): Promise<readonly ExistingStack[]> {
    this.#nextList ??= (this.#lastList ?? Promise.resolve()).then(() => {
      this.#nextList = undefined;
      this.#lastList = listStacks({ folder: this.folders.root, env: this.env }).catch(() => []);
      return this.#lastList;
    });
    return this.#nextList;
  }
}

function ofOtherProgram([first = "", ...more]: readonly string[]): Message {
  return {
    code: "stackNotRun",
    finding: `another program has ${first}${more.length > 0 ? ` and ${more.length} more` : ""} in this stack`,
    advice: "Remove them with that program, which follows their onDelete, or give the fleet another name",
  };
}

/** Variables that limit the requests and resources in progress of a stack. */
function limitsOf(atOnce: number): Record<string, string> {
  const { SOLAR_CHARGING_MAX_CONCURRENCY: all, PULUMI_PARALLEL } = process.env;
  const concurrency = concurrencyOfStack(all, atOnce);
  return {
    SOLAR_CHARGING_MAX_CONCURRENCY: concurrency,
    PULUMI_PARALLEL: PULUMI_PARALLEL || resourcesAtOnce(concurrency),
  };
}
