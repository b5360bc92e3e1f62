import { createHash } from "node:crypto";
import type { Manifest, Site } from "./model";

/** How many stacks a fleet is split into that does not say it (our choice). A change would move sites of such fleets. */
export const DEFAULT_SHARDS = 16;

/** Number of the shard that a site belongs to, from 1. It depends on nothing but the site's id and the number of shards. */
export function shardOf(siteId: string, shards: number): number {
  return (createHash("sha256").update(siteId).digest().readUInt32BE() % shards) + 1;
}

/** Name of a shard, which is the name of its stack: `shard-07-of-32`. */
export function shardName(shard: number, shards: number): string {
  const digits = String(shards).length;
  return `shard-${String(shard).padStart(digits, "0")}-of-${shards}`;
}

/** The sites of the shard with this name. */
export function sitesOf(manifest: Manifest, name: string): Site[] {
  return manifest.sites.filter(({ id }) => shardName(shardOf(id, manifest.shards), manifest.shards) === name);
}
