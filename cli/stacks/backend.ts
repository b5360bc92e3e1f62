import { inParallel } from "../../provider/lifecycle/run/pool";
import { readManifest } from "../../provider/manifest/manifest";
import { isObject } from "../../provider/settings/objects";
import { type ExportedStack, parseExported } from "../view/exported";
import { absolutePaths } from "./environment";
import { lastRolloutIn } from "./fleetRecord";
import { type ExistingStack, planOf } from "./plan";
import { StackFolders } from "./project";
import { type ProjectFolder, pulumi } from "./pulumi";
import { defaultParallel } from "./settings";

/** A stack of a project. */
interface ListedStack extends ExistingStack {
  /** Whether it is the selected stack, which commands use by default. */
  readonly isCurrent: boolean;
}

/** The stacks of a project. @throws CommandError */
export async function listStacks(place: ProjectFolder): Promise<ListedStack[]> {
  const listed: unknown[] = JSON.parse(await pulumi(place, "stack", "ls", "--json"));
  return listed.filter(isObject).map(({ name, current, resourceCount, lastUpdate }) => ({
    name: String(name),
    isEmpty: resourceCount === 0,
    isCurrent: current === true,
    // Some edits of the state, such as `pulumi state delete`, do not change the time.
    ...(lastUpdate !== undefined && { revision: `${lastUpdate}, ${resourceCount ?? "?"} resources` }),
  }));
}

/** The stack with this name, otherwise the selected one. @throws Error if none is selected */
export async function selectedStack(place: ProjectFolder, name: string | undefined): Promise<string> {
  const stack = name ?? (await listStacks(place)).find(({ isCurrent }) => isCurrent)?.name;
  if (stack === undefined) throw new Error("no stack is selected: give --stack, or --manifest for a fleet");
  return stack;
}

/** The state of a stack, secrets encrypted. @param name default: the selected stack. @throws CommandError */
export async function exportStack(place: ProjectFolder, name?: string): Promise<ExportedStack & { stack: string }> {
  const stack = await selectedStack(place, name);
  return { stack, ...parseExported(await pulumi(place, "stack", "export", "--stack", stack)) };
}

/** The decrypted configuration of a stack, in the form that the provider gets. @throws CommandError */
export async function configurationOf(place: ProjectFolder, stack: string): Promise<ReadonlyMap<string, string>> {
  const text = await pulumi(place, "config", "--json", "--show-secrets", "--stack", stack);
  const values = Object.entries(JSON.parse(text) as Record<string, { value?: string }>);
  return new Map(values.flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])));
}

/**
 * The fleet of a manifest, the states of its stacks, and its last rollout.
 * @throws Error if the manifest, the engine or its backend cannot be used
 */
export async function fleetStates(manifestFile: string) {
  const manifest = readManifest(manifestFile);
  const { root } = new StackFolders(manifestFile, manifest.fleet);
  const place = { folder: root, env: absolutePaths(process.env) };
  const existing = await listStacks(place);
  const plan = planOf(manifest, existing);
  const names = new Set(existing.filter(({ isEmpty }) => !isEmpty).map(({ name }) => name));
  const stacks = new Map<string, ExportedStack>();
  const stackErrors: { stack: string; finding: string }[] = [];
  const task = async (stack: string) => {
    try {
      stacks.set(stack, await exportStack(place, stack));
    } catch (error) {
      stackErrors.push({ stack, finding: (error as Error).message });
    }
  };
  const planned = [...plan.stacks.map(({ name }) => name), ...plan.emptied].filter((name) => names.has(name));
  await inParallel(planned, defaultParallel(), task, () => false);
  return { manifest, plan, stacks, stackErrors, rollout: lastRolloutIn(root) };
}
