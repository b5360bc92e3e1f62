import { inParallel } from "../../provider/lifecycle/run/pool";
import { readManifest } from "../../provider/manifest/manifest";
import type { ExportedStack } from "../view/exported";
import { exportStack, listStacks } from "./backend";
import { absolutePaths } from "./environment";
import { lastRolloutIn } from "./fleetRecord";
import { planOf } from "./plan";
import { StackFolders } from "./project";
import { defaultParallel } from "./settings";

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
