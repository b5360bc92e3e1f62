import { inParallel } from "../../provider/lifecycle/run/pool";
import { readManifest } from "../../provider/manifest/manifest";
import type { EngineRun } from "../../provider/run";
import type { DeviceRef } from "../../provider/service/device";
import { defined } from "../defined";
import { startCommandRun } from "../environment";
import { exportStack, listStacks } from "../stacks/backend";
import { absolutePaths } from "../stacks/environment";
import { lastRolloutIn } from "../stacks/fleetRecord";
import { planOf } from "../stacks/plan";
import { projectFolder, StackFolders } from "../stacks/project";
import type { ProjectFolder } from "../stacks/pulumi";
import { defaultParallel } from "../stacks/settings";
import { runOfStack, selectedStack } from "../stacks/subject";
import { type ExportedStack, hasSecretId } from "../view/exported";
import { siteInManifest } from "../view/manifest";
import type { SiteView } from "../view/model";
import { siteInState } from "../view/state";
import type { StackError, Status } from "./model";

/** The declarations and their states in the stacks, before the service is asked. */
export interface KnownFleet extends Pick<Status, "of" | "name" | "stackErrors" | "rollout"> {
  /** The sites, and each device outside of a site as a site of its own. */
  readonly sites: readonly SiteView[];
  /** The run that calls the service, configured in the same way as the provider of these stacks. */
  readonly run: EngineRun;
}

/**
 * The fleet of a manifest, with the states of its stacks.
 * @throws Error if the manifest, the engine or its backend cannot be used
 */
export async function knownFleet(manifestFile: string): Promise<KnownFleet> {
  const manifest = readManifest(manifestFile);
  const folder = projectFolder(manifestFile, manifest.fleet);
  const { root } = new StackFolders(folder, manifest.fleet);
  const place = { folder: root, env: absolutePaths(process.env) };
  const existing = await listStacks(place);
  const plan = planOf(manifest, existing);
  const names = new Set(existing.filter(({ isEmpty }) => !isEmpty).map(({ name }) => name));
  const stackNames = [...plan.stacks.map(({ name }) => name), ...plan.emptied].filter((name) => names.has(name));
  const { stacks, stackErrors } = await exported(place, stackNames);
  const business = process.env.SOLAR_CHARGING_BUSINESS_ID;
  const declared = plan.stacks
    .filter(({ name }) => !stackErrors.some(({ stack }) => stack === name))
    .flatMap(({ name, sites }) =>
      sites.map((site) => {
        const resource = stacks.get(name)?.resources.find((one) => one.kind === "site" && one.name === site.id);
        return siteInManifest(name, site, resource && siteInState(name, resource), business);
      }),
    );
  const isDeclared = new Set(declared.map(({ stack, name }) => JSON.stringify([stack, name])));
  const leaving = [...stacks].flatMap(([stack, { resources }]) =>
    resources
      .filter(({ kind, name }) => kind === "site" && !isDeclared.has(JSON.stringify([stack, name])))
      .map((resource): SiteView => ({ ...siteInState(stack, resource), change: "leaving" })),
  );
  return {
    ...{ of: "fleet", name: manifest.fleet, sites: [...declared, ...leaving], stackErrors },
    ...defined({ rollout: lastRolloutIn(folder) }),
    run: startCommandRun(),
  };
}

/** One stack of a program. @param name default: the selected stack */
export async function knownStack(
  place: ProjectFolder,
  name: string | undefined,
  { isOffline }: { readonly isOffline: boolean },
): Promise<KnownFleet> {
  const stack = await selectedStack(place, name);
  const { project, resources } = await exportStack(place, stack);
  return {
    of: "stack",
    name: project === undefined ? stack : `${project}/${stack}`,
    sites: resources.map((resource) => siteInState(stack, resource)),
    stackErrors: [],
    run: await runOfStack(place, stack, { isOffline }),
  };
}

/** The states of stacks, several at a time. */
async function exported(place: ProjectFolder, names: readonly string[]) {
  const stacks = new Map<string, ExportedStack>();
  const stackErrors: StackError[] = [];
  const task = async (stack: string) => {
    try {
      stacks.set(stack, await exportStack(place, stack));
    } catch (error) {
      stackErrors.push({ stack, finding: (error as Error).message });
    }
  };
  await inParallel(names, defaultParallel(), task, () => false);
  return { stacks, stackErrors };
}

/** The devices that can be read. */
export function readableIn({ sites }: KnownFleet): DeviceRef[] {
  return sites.flatMap(({ devices }) =>
    devices.flatMap(({ businessId, deviceId }) =>
      businessId === undefined || hasSecretId({ businessId, deviceId }) ? [] : [{ businessId, deviceId }],
    ),
  );
}
