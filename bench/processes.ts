import { readdirSync, readFileSync } from "node:fs";

/** The facts about a process that Linux shows. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Its own user and system time, in seconds. */
  readonly cpuSeconds: number;
  /** User and system time of its ended children, and of theirs, as far as a process waited for them. */
  readonly endedCpuSeconds: number;
  /** Resident memory in bytes. Shared pages count in full. */
  readonly bytes: number;
}

/** Linux' clock ticks per second and bytes per page, in /proc/<pid>/stat. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** @returns undefined for a process that has ended */
export function processOf(pid: number): Process | undefined {
  try {
    // The name, in parentheses, can contain anything. The fields of proc(5) from the third on come after it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    const at = (field: number) => fields[field - 3] as number;
    return {
      pid,
      parent: at(4),
      cpuSeconds: (at(14) + at(15)) / TICKS_PER_SECOND,
      endedCpuSeconds: (at(16) + at(17)) / TICKS_PER_SECOND,
      bytes: at(24) * PAGE_BYTES,
    };
  } catch {
    return undefined;
  }
}

/** A process and all its descendants that still run. */
export function treeOf(root: number): Process[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (processOf(Number(name)) ?? []) : []));
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}
