import type { writeClaims } from "../../provider/ledger/runFile";
import {
  type Manifest,
  memberCount,
  membersOf,
  type Site,
  shardNamed,
  shardsOf,
  sitesByShard,
} from "../../provider/manifest/model";
import { deviceName } from "../../provider/service/device";
import { labelOf } from "../../provider/settings/groups";
import { declaredSite, planSite } from "../../provider/settings/planSite";
import type { ExpectedDevice } from "./outcome";

/** One stack of the fleet, and the sites in it. */
export interface StackPlan {
  readonly name: string;
  readonly sites: readonly Site[];
}

/** An existing stack of the fleet's project. */
export interface ExistingStack {
  readonly name: string;
  /** Whether it is known to have no resources. A preview leaves such a stack if it created it. */
  readonly isEmpty: boolean;
  /** The identity of its last update, from the backend. Absent if it was never updated. */
  readonly revision?: string;
}

/** The subject of a run of the fleet. */
export interface Plan {
  readonly fleet: string;
  /** The stacks that have sites, in the order of their numbers. */
  readonly stacks: readonly StackPlan[];
  /** Existing stacks without sites: the run deletes their resources and removes them. */
  readonly emptied: readonly string[];
}

/** One machine's part of the shards: the `index`th, from 1, of `count`. */
export interface Part {
  readonly index: number;
  readonly count: number;
}

/** The declarations of a device by a fleet. */
export type Claim = Parameters<typeof writeClaims>[1][number];

/** The end of the names of a part's files: each of several machines has files of its own. */
export function suffixOf(part: Part | undefined): string {
  return part ? `-${part.index}-of-${part.count}` : "";
}

/**
 * Splits a fleet into stacks.
 * @param existing the stacks of the fleet's project
 * @throws Error if stacks of another number of shards have resources, because their sites would be declared twice
 * @throws Error if there are no devices: a truncated manifest must not remove a whole fleet
 */
export function planOf(
  manifest: Manifest,
  existing: readonly ExistingStack[],
  part: Part = { index: 1, count: 1 },
): Plan {
  const { fleet, sites } = manifest;
  if (memberCount(sites) === 0) {
    throw new Error(
      `the manifest of ${fleet} has no devices, so nothing is done. To stop managing a whole fleet, ` +
        "run 'solar-charging fleet destroy' with the manifest that has the devices",
    );
  }
  const numbered = existing.flatMap((stack) => {
    const shard = shardNamed(stack.name);
    return shard ? [{ ...stack, ...shard }] : [];
  });
  const used = numbered.filter(({ isEmpty }) => !isEmpty);
  const shards = manifest.shards ?? used[0]?.of ?? shardsOf(manifest);
  const others = [...new Set(used.filter(({ of }) => of !== shards).map(({ of }) => of))];
  if (others.length > 0) {
    throw new Error(
      `${fleet} has stacks of ${others.join(" and ")} shards. This run would declare their sites again, in ` +
        `${shards} shards. Set shards: ${others[0]} again, or first destroy the fleet with that number`,
    );
  }
  const all = sitesByShard(manifest, shards);
  const names = new Set(all.map(({ name }) => name));
  const isMine = (shard: number) => (shard - 1) % part.count === part.index - 1;
  return {
    fleet,
    stacks: all.filter(({ number }) => isMine(number)).map(({ name, sites: own }) => ({ name, sites: own })),
    emptied: numbered.filter(({ number, name }) => isMine(number) && !names.has(name)).map(({ name }) => name),
  };
}

/** Stacks with the largest first. Without this, a run could end by waiting for one large stack alone. */
export function largestFirst<Stack extends StackPlan>(stacks: readonly Stack[]): Stack[] {
  return [...stacks].sort((a, b) => memberCount(b.sites) - memberCount(a.sites));
}

/** The devices of sites. @param business the default business id */
export function declaredDevicesOf({ sites }: Pick<StackPlan, "sites">, business: string | undefined): ExpectedDevice[] {
  return sites.flatMap((site) =>
    membersOf(site).map(({ group, name, businessId = business, deviceId }) => ({
      device: deviceName({ businessId, deviceId }),
      site: site.id,
      label: labelOf({ group, name }),
    })),
  );
}

/**
 * The declarations of the whole fleet. Without them, a stack would reset a device that moves from it to another one.
 * @param business the default business id
 */
export function claimsOf({ sites }: Pick<Manifest, "sites">, business: string | undefined): Claim[] {
  // The values of a car include the policy that its site gives it if nothing is missing.
  return sites.flatMap((site) => {
    const { devices } = planSite(declaredSite({ ...site }));
    return devices.flatMap(({ businessId = business, deviceId, observe, values }): Claim[] =>
      businessId === undefined || observe ? [] : [[{ businessId, deviceId }, values]],
    );
  });
}
