import { execFileSync } from "node:child_process";

/** Kills a process of ours and all its descendants, even in other process groups. */
export function killTree(root: number): void {
  const processes = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number) as [pid: number, parent: number]);
  const tree = [root];
  for (const parent of tree) tree.push(...processes.filter(([, of]) => of === parent).map(([pid]) => pid));
  for (const pid of tree) process.kill(pid, "SIGKILL");
}
