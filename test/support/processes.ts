import { execFileSync } from "node:child_process";

/** Whether this process or group exists and got the signal. The signal 0 only asks. No process has the id 0. */
export function signalIfAlive(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== 0 && process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** The running children of a process. */
export function childrenOf(parent: number): number[] {
  return parents().flatMap(([pid, of]) => (of === parent ? [pid] : []));
}

/** Kills a process of ours and all its descendants, even in other process groups. */
export function killTree(root: number): void {
  const processes = parents();
  const tree = [root];
  for (const parent of tree) tree.push(...processes.flatMap(([pid, of]) => (of === parent ? [pid] : [])));
  // Some may have ended since the list was made, for example when their parent was killed.
  for (const pid of tree) signalIfAlive(pid, "SIGKILL");
}

/** All processes, each with its parent. */
function parents(): [pid: number, parent: number][] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number) as [pid: number, parent: number]);
}
