import type { EngineRun } from "../../provider/run";
import { defined } from "../../provider/settings/objects";
import { startCommandRun } from "../environment";
import { exportStack, fleetStates } from "../stacks/backend";
import { runOfStack } from "../stacks/subject";
import { hasSecretId } from "../view/exported";
import { siteInManifest } from "../view/manifest";
import type { SiteView } from "../view/model";
import { siteInState } from "../view/state";
import type { Status } from "./model";

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
  const { manifest, plan, stacks, stackErrors, rollout } = await fleetStates(manifestFile);
  const business = process.env.SOLAR_CHARGING_BUSINESS_ID || undefined;
  const known = plan.stacks
    .filter(({ name }) => !stackErrors.some(({ stack }) => stack === name))
    .flatMap(({ name, sites }) =>
      sites.map((site) => {
        const resource = stacks.get(name)?.resources.find((one) => one.kind === "site" && one.name === site.id);
        const applied = resource && siteInState(name, resource);
        return { resource, applied, site: siteInManifest(name, site, applied, business) };
      }),
    );
  const ids = new Set(known.flatMap(({ site }) => site.devices.map(({ device }) => device)));
  const declared = known.map(({ site, applied }) => withLeaving(site, applied, ids));
  const used = new Set(known.map(({ resource }) => resource));
  const leaving = [...stacks].flatMap(([stack, { resources }]) =>
    resources
      .filter((one) => one.kind === "site" && !used.has(one))
      .map((resource): SiteView => ({ ...siteInState(stack, resource), change: "leaving" })),
  );
  return {
    ...{ of: "fleet", name: manifest.fleet, sites: [...declared, ...leaving], stackErrors },
    ...defined({ rollout }),
    run: startCommandRun(),
  };
}

/** The site with its devices in state that no site declares. @param declared all devices of the manifest */
export function withLeaving(site: SiteView, applied: SiteView | undefined, declared: ReadonlySet<string>): SiteView {
  const leaving = applied?.devices.filter(({ device }) => !declared.has(device)) ?? [];
  return { ...site, leaving: leaving.map(({ device, label, onDelete }) => defined({ device, label, onDelete })) };
}

/** One stack of a program. @param name default: the selected stack */
export async function knownStack(
  place: Parameters<typeof exportStack>[0],
  name: string | undefined,
  { isOffline }: { readonly isOffline: boolean },
): Promise<KnownFleet> {
  const { stack, run } = await runOfStack(place, name, { isOffline });
  const { project, resources } = await exportStack(place, stack);
  return {
    of: "stack",
    name: project === undefined ? stack : `${project}/${stack}`,
    sites: resources.map((resource) => siteInState(stack, resource)),
    stackErrors: [],
    run,
  };
}

/** The devices that can be read. */
export function readableIn({ sites }: KnownFleet) {
  return sites.flatMap(({ devices }) =>
    devices.flatMap(({ businessId, deviceId, secret }) =>
      businessId === undefined || hasSecretId({ businessId, deviceId }) ? [] : [{ businessId, deviceId, secret }],
    ),
  );
}
