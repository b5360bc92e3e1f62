import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

/** What a command took, with all processes that it started. */
export interface Cost {
  /** Wall time in seconds. */
  readonly seconds: number;
  /** User and system time of all processes, in seconds. */
  readonly cpuSeconds: number;
  /** Most resident memory of all processes at one time, in MB; pages that they share count for each. */
  readonly peakMegabytes: number;
}

/** Time between two looks at the processes, in milliseconds: CPU time since the last look at a process is missed. */
const SAMPLE_MS = 50;

/** Of Linux: clock ticks a second and bytes of a page, in /proc/<pid>/stat. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** Runs a command to its end. @throws Error with its output when it fails */
export async function measure(command: string, args: readonly string[], options: Where): Promise<Cost> {
  const start = performance.now();
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  const ticks = new Map<number, number>();
  let peak = 0;
  const look = () => {
    const tree = treeOf(child.pid as number);
    for (const { pid, ticks: used } of tree) ticks.set(pid, used);
    peak = Math.max(
      peak,
      tree.reduce((sum, { bytes }) => sum + bytes, 0),
    );
  };
  const sampling = setInterval(look, SAMPLE_MS);
  const [code] = await once(child, "close");
  clearInterval(sampling);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${Buffer.concat(output)}`);
  return {
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: [...ticks.values()].reduce((sum, used) => sum + used, 0) / TICKS_PER_SECOND,
    peakMegabytes: peak / 1e6,
  };
}

export interface Where {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  readonly bytes: number;
}

/** A process and all that descend from it. */
function treeOf(root: number): Process[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? processOf(Number(name)) : []));
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

/** @returns nothing for one that has ended */
function processOf(pid: number): Process[] {
  try {
    // The name, in parentheses, can hold anything; fields 4, 14, 15 and 24 of proc(5) come after it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    const at = (field: number) => fields[field - 3] as number;
    return [{ pid, parent: at(4), ticks: at(14) + at(15), bytes: at(24) * PAGE_BYTES }];
  } catch {
    return [];
  }
}
