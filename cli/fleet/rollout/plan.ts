import type { Claim } from "../../../provider/lifecycle/claims";
import { isSolar, type Manifest, type Member, membersOf, type Site } from "../../../provider/manifest/model";
import { shardName, shardNamed, shardOf, shardsOf } from "../../../provider/manifest/shards";
import { gapsBeforePolicy, type ReadinessMember } from "../../../provider/settings/readiness";
import type { Values } from "../../../provider/settings/setting";
import { asMember, labelOf } from "../../../provider/settings/site";
import { ChargePolicy } from "../../../provider/settings/vehicle";
import { fullNameOf } from "../../fullName";
import { grouped } from "../../grouped";
import type { DeclaredDevice } from "../outcome/outcome";

/** One stack of the fleet, and the sites in it. */
export interface StackPlan {
  readonly name: string;
  readonly sites: readonly Site[];
}

/** A stack of the fleet's project that is there. */
export interface ExistingStack {
  readonly name: string;
  /** Whether it is known to have no resources, as a preview leaves a stack that it has made. */
  readonly isEmpty: boolean;
  /** What the backend says of its last update: it changes with each. Absent if it was never updated. */
  readonly revision?: string;
}

/** The subject of a run of the fleet. */
export interface Plan {
  readonly fleet: string;
  /** The stacks that have sites, in the order of their numbers. */
  readonly stacks: readonly StackPlan[];
  /** Stacks that exist and have no site: what is in them is to be deleted, and they are to be removed. */
  readonly emptied: readonly string[];
}

/** One machine's part of the shards: the `index`th, from 1, of `count`. */
export interface Part {
  readonly index: number;
  readonly count: number;
}

/**
 * Splits a fleet into stacks.
 * @param existing the stacks of the fleet's project
 * @throws Error if another number of shards has resources: their sites would be declared twice; and if there are no
 *   devices, as a manifest that was cut short must not remove a whole fleet
 */
export function planOf(
  manifest: Manifest,
  existing: readonly ExistingStack[],
  part: Part = { index: 1, count: 1 },
): Plan {
  const { fleet, sites } = manifest;
  if (sites.flatMap(membersOf).length === 0) {
    throw new Error(
      `the manifest of ${fleet} has no devices, and nothing is done: to stop managing a whole fleet, ` +
        "run 'solar-charging fleet destroy' with the manifest that has them",
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
    const says = manifest.shards === undefined ? "others of" : "the manifest says shards:";
    throw new Error(
      `${fleet} has stacks of ${others.join(" and ")} shards, and ${says} ${shards}, which would ` +
        `declare sites twice. Set shards: ${others[0]} again, or first destroy the fleet with that number`,
    );
  }
  const byShard = grouped(sites, ({ id }) => shardOf(id, shards));
  const isMine = (shard: number) => (shard - 1) % part.count === part.index - 1;
  return {
    fleet,
    stacks: [...byShard]
      .filter(([shard]) => isMine(shard))
      .sort(([a], [b]) => a - b)
      .map(([shard, ofShard]) => ({ name: shardName(shard, shards), sites: ofShard })),
    emptied: numbered
      .filter(({ number, of }) => isMine(number) && !(of === shards && byShard.has(number)))
      .map(({ name }) => name),
  };
}

/** Stacks in the order in which many are through soonest: with a large one last, all wait for that one alone. */
export function largestFirst(stacks: readonly StackPlan[]): StackPlan[] {
  return [...stacks].sort((a, b) => deviceCount(b) - deviceCount(a));
}

/** How many devices the sites of a stack have. */
export function deviceCount({ sites }: Pick<StackPlan, "sites">): number {
  return sites.flatMap(membersOf).length;
}

/** The devices of sites. @param business that of the devices which do not say theirs */
export function devicesOf({ sites }: Pick<StackPlan, "sites">, business: string | undefined): DeclaredDevice[] {
  return sites.flatMap((site) =>
    membersOf(site).map(({ group, name, businessId = business, deviceId }) => ({
      device: fullNameOf({ businessId, deviceId }),
      site: site.id,
      label: labelOf({ group, name }),
    })),
  );
}

/**
 * The declarations of the whole fleet. Without them, a device that moves would be reset by the stack that it leaves.
 * @param business that of the devices which do not say theirs
 */
export function claimsOf({ sites }: Pick<Manifest, "sites">, business: string | undefined): Claim[] {
  return sites.flatMap((site) => {
    const members = membersOf(site);
    const valuesOf = isSolar(site) ? valuesAtSolarSite(members) : ({ values }: Member) => values;
    return members.flatMap((member): Claim[] => {
      const { businessId = business, deviceId, observe } = member;
      return businessId === undefined || observe ? [] : [[{ businessId, deviceId }, valuesOf(member)]];
    });
  });
}

/** Gives what is declared of a device, with the policy that a vehicle has if nothing that it needs is missing. */
function valuesAtSolarSite(members: readonly Member[]): (member: Member) => Values {
  const gapsOfCar = gapsBeforePolicy(members.map(asDeclared), true, ({ observe, declared }) =>
    observe ? undefined : declared,
  );
  return (member) => {
    const car = asDeclared(member);
    const isFromSite = member.group === "vehicles" && !car.isLeftOut && gapsOfCar(car).length === 0;
    return isFromSite ? { ...member.values, policy: ChargePolicy.ChargeByForecast } : member.values;
  };
}

function asDeclared({ group, name, observe, values }: Member): ReadinessMember {
  return asMember({ group, name, observe, policyFromSite: false }, values);
}
