import { readdirSync, readFileSync } from "node:fs";

/** What Linux knows of a process. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** User and system time of its own, in seconds. */
  readonly cpuSeconds: number;
  /** That of its children that have ended, and of theirs, as far as somebody waited for them. */
  readonly endedCpuSeconds: number;
  /** Resident memory in bytes; pages that it shares with others count in full. */
  readonly bytes: number;
}

/** Of Linux: clock ticks a second and bytes of a page, in /proc/<pid>/stat. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** @returns undefined for one that has ended */
export function processOf(pid: number): Process | undefined {
  try {
    // The name, in parentheses, can hold anything; the fields of proc(5) from the third come after it.
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

/** A process and all that descend from it; none of those that have ended. */
export function treeOf(root: number): Process[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (processOf(Number(name)) ?? []) : []));
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}
