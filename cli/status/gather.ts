import { NAMESPACE } from "../../provider/configuration/configurationKeys";
import { inParallel } from "../../provider/lifecycle/pool";
import { readManifest } from "../../provider/manifest/manifest";
import { type Run, startRun } from "../../provider/run";
import type { DeviceRef } from "../../provider/service/device";
import { labelOf } from "../../provider/settings/site";
import { startCommandRun } from "../environment";
import { absolutePaths } from "../fleet/engine/environment";
import { projectFolder, writeProject } from "../fleet/engine/project";
import { defaultParallel } from "../fleet/options";
import { lastRolloutIn } from "../fleet/rollout/lastRollout";
import { planOf } from "../fleet/rollout/plan";
import { configurationOf, exportStack, listStacks, type Place } from "./engine";
import type { ExportedStack } from "./exported";
import { deviceInState, type KnownDevice, type KnownSite, siteInManifest, siteInState } from "./known";
import type { StackError, Status } from "./model";

/** The declarations, and the stacks' states of them. The service was not asked yet. */
export interface Known extends Pick<Status, "of" | "name" | "stackErrors" | "rollout"> {
  readonly sites: readonly KnownSite[];
  /** The devices of no site, with their stack. */
  readonly devices: readonly (KnownDevice & { readonly stack: string })[];
  /** Calls the service as the provider of these stacks does. */
  readonly run: Run;
}

/**
 * A fleet: what its manifest declares, with the states of its stacks.
 * @throws Error if the manifest, the engine or its backend cannot be used
 */
export async function knownFleet(manifestFile: string): Promise<Known> {
  const manifest = readManifest(manifestFile);
  const folder = projectFolder(manifestFile, manifest.fleet);
  writeProject(folder, manifest.fleet);
  const place = { folder, env: absolutePaths(process.env) };
  const existing = await listStacks(place);
  const plan = planOf(manifest, existing);
  const names = new Set(existing.filter(({ isEmpty }) => !isEmpty).map(({ name }) => name));
  const wanted = [...plan.stacks.map(({ name }) => name), ...plan.emptied].filter((name) => names.has(name));
  const { stacks, stackErrors } = await exported(place, wanted);
  const business = process.env.SOLAR_CHARGING_BUSINESS_ID;
  const declared = plan.stacks
    .filter(({ name }) => !stackErrors.some(({ stack }) => stack === name))
    .flatMap(({ name, sites }) =>
      sites.map((site) => {
        const resource = stacks.get(name)?.resources.find((one) => one.kind === "site" && one.name === site.id);
        return siteInManifest(name, site, resource, business);
      }),
    );
  const isDeclared = new Set(declared.map(({ stack, site }) => JSON.stringify([stack, site])));
  const leaving = [...stacks].flatMap(([stack, { resources }]) =>
    resources
      .filter(({ kind, name }) => kind === "site" && !isDeclared.has(JSON.stringify([stack, name])))
      .map((resource): KnownSite => ({ ...siteInState(stack, resource), change: "leaving" })),
  );
  const rollout = lastRolloutIn(folder);
  return {
    of: "fleet",
    name: manifest.fleet,
    sites: [...declared, ...leaving],
    devices: [],
    stackErrors,
    ...(rollout && { rollout }),
    run: startCommandRun(),
  };
}

/**
 * One stack of a program.
 * @param name default: the one that is selected
 * @param isOffline then the stack's configuration is not asked for: it takes the passphrase, or a request
 */
export async function knownStack({
  folder,
  stack: name,
  isOffline,
}: {
  readonly folder: string;
  readonly stack?: string | undefined;
  readonly isOffline: boolean;
}): Promise<Known> {
  const place = { folder };
  const stack = name ?? (await listStacks(place)).find(({ isCurrent }) => isCurrent)?.name;
  if (stack === undefined) throw new Error("no stack is selected: give --stack, or --manifest for a fleet");
  const { project, resources } = await exportStack(place, stack);
  const configuration = isOffline ? new Map<string, string>() : await configurationOf(place, stack);
  const show = async (message: string) => console.error(message);
  const run = startRun((key) => configuration.get(`${NAMESPACE}:${key}`), process.env, {
    warn: show,
    info: show,
    progress: async () => {},
  });
  return {
    of: "stack",
    name: project === undefined ? stack : `${project}/${stack}`,
    sites: resources.filter(({ kind }) => kind === "site").map((resource) => siteInState(stack, resource)),
    devices: resources.filter(({ kind }) => kind !== "site").map((resource) => ({ ...deviceInState(resource), stack })),
    stackErrors: [],
    run,
  };
}

/** The states of stacks, several at a time. */
async function exported(place: Place, names: readonly string[]) {
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

/** What is known, without the sites and devices that a text does not name. */
export function filtered(known: Known, text: string): Known {
  const word = text.toLowerCase();
  const isNamed = (...names: (string | undefined)[]) => names.some((name) => name?.toLowerCase().includes(word));
  const nameOf = ({ role, deviceId, businessId }: KnownDevice) => [labelOf(role), `${businessId}/${deviceId}`];
  return {
    ...known,
    sites: known.sites.filter(({ site, devices }) => isNamed(site, ...devices.flatMap(nameOf))),
    devices: known.devices.filter((device) => isNamed(...nameOf(device))),
  };
}

/** The devices that can be read. */
export function readableIn({ sites, devices }: Known): DeviceRef[] {
  return [...sites.flatMap((site) => site.devices), ...devices].flatMap(({ businessId, deviceId }) =>
    businessId === undefined ? [] : [{ businessId, deviceId }],
  );
}
