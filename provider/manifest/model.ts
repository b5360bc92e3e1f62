import { createHash } from "node:crypto";
import { GROUP_NAMES } from "../settings/groups";
import { declaredSite } from "../settings/planSite";
import { type DeclaredDevice, isSolarSite, type SiteOptions } from "../settings/site";
import type { Rollout } from "./rollout";

/** A fleet as its manifest declares it: defaults are merged in, and quantities are in the units of the settings. */
export interface Manifest {
  /** Name of the fleet, and of the Pulumi project that its stacks belong to. */
  readonly fleet: string;
  /** Number of stacks, if the manifest gives one. Another number would move sites between stacks. */
  readonly shards?: number;
  /** Default: one site, then a share of the devices, then the rest. */
  readonly rollout?: Rollout;
  readonly sites: readonly Site[];
}

/** Devices at one place, all in one stack: the arguments of its `SiteSettings`, and the name of that resource. */
export interface Site extends SiteOptions {
  readonly id: string;
  /** Its name for people, if the id is another one. It is not an argument of the `SiteSettings`. */
  readonly title?: string;
  /** Labels by which the waves of a rollout choose sites. They are not arguments of the `SiteSettings`. */
  readonly labels?: readonly string[];
  readonly vehicles?: Devices;
  readonly inverters?: Devices;
}

/** Devices by name. */
export type Devices = Readonly<Record<string, ManifestDevice>>;

/** The arguments of one device of a `SiteSettings`. */
export interface ManifestDevice {
  readonly deviceId: string;
  readonly businessId?: string;
  /** Whether it is read and never written. */
  readonly observe?: boolean;
  /** The settings, `onDelete`, `onDrift` and `ignoreLints`. */
  readonly [key: string]: unknown;
}

/** One device of a manifest. Without a business, the configured one applies. */
export type Member = Omit<DeclaredDevice, "businessId"> & { readonly businessId?: string | undefined };

/** All devices of a site, inverters first. */
export function membersOf(site: Site): Member[] {
  return [...declaredSite({ ...site }).devices];
}

/** The number of devices in sites. A fleet has thousands, so their values are not computed for it. */
export function memberCount(sites: readonly Site[]): number {
  const sizes = sites.map((site) => GROUP_NAMES.reduce((sum, group) => sum + Object.keys(site[group] ?? {}).length, 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The arguments of the `SiteSettings` of a site. */
export function argumentsOf({ id: _, title: __, labels: ___, ...args }: Site): Omit<Site, "id" | "title" | "labels"> {
  return args;
}

/** Whether a site is made ready for solar-aware charging. */
export function isSolarManifestSite(site: Site): boolean {
  return isSolarSite(site.solar, membersOf(site));
}

/** The identity of a device: the same id in another business is another device. */
export function deviceIdentity(businessId: string | undefined, deviceId: string): string {
  return JSON.stringify([businessId, deviceId]);
}

/**
 * Devices per stack of a new fleet that gives no number of stacks (our choice). The time of a first update grows with
 * the square of a stack, and smaller stacks make finer waves. With five devices per site, 5,000 devices in stacks of
 * 1,000 take a third less time for a preview than in stacks of 500, and the same time for a first update.
 */
const DEVICES_PER_SHARD = 1000;

/** One of the stacks that a fleet is split into. */
interface Shard {
  /** Its number, from 1. */
  readonly number: number;
  /** Number of stacks, including those without sites. */
  readonly of: number;
}

/** Number of stacks of a new fleet. An existing fleet keeps its number, because another one would move sites. */
export function shardsOf({ shards, sites }: Manifest): number {
  return shards ?? Math.max(1, Math.ceil(memberCount(sites) / DEVICES_PER_SHARD));
}

/** Number of the shard to which a site belongs, from 1. It depends only on the site's id and the number of shards. */
export function shardOf(siteId: string, shards: number): number {
  return (createHash("sha256").update(siteId).digest().readUInt32BE() % shards) + 1;
}

/** Name of a shard, which is the name of its stack: `shard-07-of-32`. */
export function shardName(number: number, of: number): string {
  const digits = String(of).length;
  return `shard-${String(number).padStart(digits, "0")}-of-${of}`;
}

/** The shard with that name; undefined if the text is not the name of a shard. */
export function shardNamed(name: string): Shard | undefined {
  const [, number, of] = (/^shard-(\d+)-of-(\d+)$/.exec(name) ?? []).map(Number);
  const isOne = number !== undefined && of !== undefined && 1 <= number && number <= of;
  return isOne && shardName(number, of) === name ? { number, of } : undefined;
}

/** The sites by shard, in the order of the shards. A shard without sites is left out. @param of number of shards */
export function sitesByShard({ sites }: Pick<Manifest, "sites">, of: number) {
  const byNumber = new Map<number, Site[]>();
  for (const site of sites) {
    const number = shardOf(site.id, of);
    byNumber.set(number, [...(byNumber.get(number) ?? []), site]);
  }
  const inOrder = [...byNumber].sort(([a], [b]) => a - b);
  return inOrder.map(([number, own]) => ({ number, name: shardName(number, of), sites: own }));
}
