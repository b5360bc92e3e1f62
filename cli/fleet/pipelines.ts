import { posix } from "node:path";
import type { Manifest } from "../../provider/manifest/model";
import { shardName, shardOf, shardsOf } from "../../provider/manifest/shards";

/** Parts of a fleet that run together. The next wave begins after all parts of this one have succeeded. */
export interface Wave {
  readonly name: "canary" | "share" | "rest";
  /** Numbers of the parts, from 1. */
  readonly parts: readonly number[];
}

/** A generated file: its path from the root of the repository, and its text. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** The tools that a runner needs, in the versions that this package is tested with. */
export const VERSIONS = { engine: "3.259.0", node: 22 };

/** The share of the second wave, as a fraction (our choice). */
const SHARE = 0.1;

/** The parts 1 to `count` in waves: the first part, a tenth, and the rest. Empty waves are left out. */
export function wavesOf(count: number): Wave[] {
  const parts = Array.from({ length: count }, (_, index) => index + 1);
  const end = 1 + Math.ceil((count - 1) * SHARE);
  const waves: Wave[] = [
    { name: "canary", parts: parts.slice(0, 1) },
    { name: "share", parts: parts.slice(1, end) },
    { name: "rest", parts: parts.slice(end) },
  ];
  return waves.filter((wave) => wave.parts.length > 0);
}

/** The stacks of a fleet: the shards that have sites, in their order. */
export function stacksOf(manifest: Manifest): string[] {
  const shards = shardsOf(manifest);
  const occupied = new Set(manifest.sites.map(({ id }) => shardOf(id, shards)));
  return [...occupied].sort((a, b) => a - b).map((shard) => shardName(shard, shards));
}

/**
 * The path of a manifest as a pipeline names it.
 * @throws Error if it would not lead to the same file in a clone, or needs escaping in a pipeline
 */
export function portable(file: string): string {
  const path = posix.normalize(file);
  if (posix.isAbsolute(path) || path.startsWith("..")) {
    throw new Error(
      `${path} is outside this folder: run this in the root of the repository, and give the path from there`,
    );
  }
  if (!/^\w[\w./-]*$/.test(path)) {
    throw new Error(`${path} has characters that have a meaning in pipelines: use only letters, digits and _ . / -`);
  }
  return path;
}
