import { join } from "node:path";
import type { Site } from "../../provider/manifest/model";
import { type Message, MessageError, problemOf } from "../../provider/messages/message";
import { pick } from "../../provider/settings/setting";
import { SITE_KEYS } from "../../provider/settings/site";
import type { ExportedResource } from "../view/exported";
import { exportStack, listStacks } from "./backend";
import { heldBy } from "./holder";
import type { ExistingStack, StackPlan } from "./plan";
import { PluginProcess } from "./plugin";
import type { ForeignUrns, StackFolders } from "./project";
import { CommandError, type EngineFailure, type ProjectFolder, pulumi } from "./pulumi";
import { concurrencyOfStack, resourcesAtOnce } from "./settings";
import {
  type FleetOperation,
  isWhole,
  notRun,
  notRunning,
  SITE_TYPE,
  type StackResult,
  type StackRunOptions,
} from "./stack";
import { type RunEngine, StackRun } from "./stackRun";
import { isHeld } from "./texts";

/** The stacks of a fleet, each run by an engine of its own. */
export class FleetStacks {
  readonly #stacks = new Set<string>();
  /** Stacks that had resources before this run. Resources of this run need no read. */
  readonly #filled = new Set<string>();
  /** Processes for the next runs. The first one starts while the stacks are listed. */
  readonly #free: PluginProcess[] = [];
  /** The backend's last answer, and the next one, which a caller still has to request. */
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
    this.#free.push(this.#newPlugin());
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
    let [isAfterKill, isReadable] = [false, true];
    try {
      const { folders, scratch } = this;
      const foreign = await this.#foreignSites(name, operation);
      if (foreign.length > 0 && operation !== "preview") await this.#takeOver(name, foreign, place);
      const folder =
        operation === "up"
          ? folders.write(name, sites)
          : folders.writeAside(name, sites, scratch, this.#foreignUrns(name, foreign));
      place = { ...place, folder };
      // The engine could not read a device of the other program.
      isReadable = foreign.length === 0 || operation !== "preview";
      if (!this.#stacks.has(name)) await pulumi(place, "stack", "init", name, "--no-select");
      isAfterKill = this.folders.isUnfinished(name);
      if (operation === "up") this.folders.begin(name);
      this.#stacks.add(name); // A later wave can run another part of this stack.
    } catch (error) {
      const text = error instanceof CommandError ? error.failure.text : "";
      if (isHeld(text)) return notRun(name, heldBy(name, this.folders.root, text));
      return notRun(name, error instanceof MessageError ? problemOf(error) : notRunning((error as Error).message));
    }
    const run = new StackRun(name, place, signal, {
      root: this.folders.root,
      withPlugin: (work) => this.#withPlugin(name, place, work),
    });
    const result = await run.result(operation, sites, this.business, {
      ...options,
      refresh: options.refresh === true && this.#filled.has(name) && isReadable,
      isAfterKill: operation === "up" && isAfterKill,
    });
    if (operation === "up" && run.isSaved) this.folders.finish(name);
    if (result.error !== undefined) return result;
    if (operation === "destroy" || (options.isEmptied && operation === "up")) {
      // A device that could not be restored is still in the stack, with its baseline.
      return isWhole(result) ? await this.#removed(place, result) : result;
    }
    const revision = operation === "up" ? await this.#revisionOf(name) : undefined;
    return { ...result, ...(revision !== undefined && { revision }) };
  }

  /** Ends the processes that wait for a run. */
  async end(): Promise<void> {
    await Promise.all(this.#free.splice(0).map((plugin) => plugin.end()));
  }

  #newPlugin(): PluginProcess {
    return new PluginProcess(this.folders.root, this.env);
  }

  /**
   * The sites that another program has put into a stack: one with `FleetSettings`, or one of a user. They are searched
   * for only if the stack's folder is new, because a run of this version creates one.
   * @throws MessageError if they cannot be taken over
   */
  async #foreignSites(name: string, operation: FleetOperation): Promise<readonly ExportedResource[]> {
    if (!this.#filled.has(name) || this.folders.has(name)) return [];
    const { resources } = await exportStack({ folder: this.folders.root, env: this.env }, name);
    if (resources.every((resource) => this.#isOwn(name, resource))) return [];
    const strange = resources.filter(({ kind, secrets }) => kind !== "site" || secrets.length > 0);
    if (strange.length > 0 || operation === "drift") throw new MessageError(takeoverRefused(strange));
    return resources;
  }

  #isOwn(stack: string, { urn }: ExportedResource): boolean {
    return urn.startsWith(`urn:pulumi:${stack}::${this.folders.fleet}::${SITE_TYPE}::`);
  }

  #foreignUrns(stack: string, resources: readonly ExportedResource[]): ForeignUrns {
    const others = resources.filter((resource) => !this.#isOwn(stack, resource));
    return new Map(others.map(({ name, urn }) => [name, urn]));
  }

  /**
   * Makes the sites of another program this command's own, as state has them, so that nothing is sent. Without this,
   * the engine would create each site again, with our values as baselines.
   * @throws CommandError
   */
  async #takeOver(stack: string, resources: readonly ExportedResource[], place: ProjectFolder): Promise<void> {
    const sites = resources.map(({ name, inputs }) => ({ id: name, ...pick(inputs, SITE_KEYS) }) as Site);
    const scratch = join(this.scratch, "takeover");
    const folder = this.folders.writeAside(stack, sites, scratch, this.#foreignUrns(stack, resources));
    await this.#withPlugin(stack, place, async ({ env }) => {
      await pulumi({ folder, env: env ?? {} }, "up", "--yes", "--skip-preview", "--stack", stack);
      return undefined;
    });
  }

  /**
   * Runs an engine with a process of the plugin. The process serves a later engine too if this one does not fail.
   * Otherwise it ends, because a request could still be in flight.
   */
  async #withPlugin(stack: string, place: ProjectFolder, work: RunEngine): Promise<EngineFailure | undefined> {
    const plugin = this.#free.pop() ?? this.#newPlugin();
    let isClean = false;
    try {
      const attached = await plugin.bind({ stack, project: this.folders.fleet }, place.env ?? {});
      const failure = await work({ ...place, env: { ...place.env, ...attached } });
      isClean = failure === undefined;
      return failure;
    } finally {
      if (isClean && plugin.isFree) this.#free.push(plugin);
      else await plugin.end();
    }
  }

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

/** Refuses a stack with resources of another program. @param strange those that cannot be taken over */
function takeoverRefused(strange: readonly ExportedResource[]): Message {
  if (strange.length === 0) {
    return {
      code: "stackNotRun",
      finding: "another program has made the sites of this stack",
      advice: "Run 'fleet up' first, which takes them over with their baselines",
    };
  }
  const [{ name }] = strange as [ExportedResource];
  const others = strange.length > 1 ? ` and ${strange.length - 1} more resources` : "";
  return {
    code: "stackNotRun",
    finding: `another program has ${name}${others} in this stack, which is no site or has secret settings`,
    advice: "Remove it with that program, which restores its devices, or give the fleet another name",
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
