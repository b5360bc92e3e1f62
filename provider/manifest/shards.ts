import { createHash } from "node:crypto";
import { type Manifest, membersOf, type Site } from "./model";

/**
 * How many devices a stack has at first if a fleet does not say how many stacks it has (our choice). With five devices a
 * site, 5,000 devices in stacks of 1,000 take a third less time for a preview than in stacks of 500, and as long for a
 * first update, whose time grows with the square of a stack; and the smaller the stacks, the finer the waves.
 */
const DEVICES_PER_SHARD = 1000;

/** One of the stacks that a fleet is split into. */
export interface Shard {
  /** From 1. */
  readonly number: number;
  /** How many there are, those without sites among them. */
  readonly of: number;
}

/** How many stacks a new fleet is split into. One that has stacks keeps their number, as another would move sites. */
export function shardsOf({ shards, sites }: Manifest): number {
  return shards ?? Math.max(1, Math.ceil(sites.flatMap(membersOf).length / DEVICES_PER_SHARD));
}

/** Number of the shard that a site belongs to, from 1. It depends on nothing but the site's id and the number of shards. */
export function shardOf(siteId: string, shards: number): number {
  return (createHash("sha256").update(siteId).digest().readUInt32BE() % shards) + 1;
}

/** Name of a shard, which is the name of its stack: `shard-07-of-32`. */
export function shardName(number: number, of: number): string {
  const digits = String(of).length;
  return `shard-${String(number).padStart(digits, "0")}-of-${of}`;
}

/** The shard of that name; undefined if there is none of that name. */
export function shardNamed(name: string): Shard | undefined {
  const [, number, of] = (/^shard-(\d+)-of-(\d+)$/.exec(name) ?? []).map(Number);
  const isOne = number !== undefined && of !== undefined && 1 <= number && number <= of;
  return isOne && shardName(number, of) === name ? { number, of } : undefined;
}

/** The sites of a shard. */
export function sitesOf({ sites }: Manifest, { number, of }: Shard): Site[] {
  return sites.filter(({ id }) => shardOf(id, of) === number);
}
