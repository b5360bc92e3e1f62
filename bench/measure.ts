import { spawn } from "node:child_process";
import { once } from "node:events";
import { processOf, treeOf } from "./processes";

/** A command to run to its end. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Its exit code if it succeeds. Default: 0. */
  readonly exitCode?: number;
}

/** The cost of a command, with all processes that it started. */
export interface Cost {
  /** Wall time in seconds. */
  readonly seconds: number;
  /** User and system time of all processes, in seconds. */
  readonly cpuSeconds: number;
  /** Highest resident memory of all processes together, in MB. Shared pages count for each process. */
  readonly peakMegabytes: number;
}

/** Time between two readings of the processes' memory, in milliseconds. Each takes about 5 ms of one core. */
const SAMPLE_MS = 100;

/** Runs a command to its end, one at a time. @throws Error with its output if it ends with another exit code */
export async function measure({ command, args, exitCode = 0, ...options }: Command): Promise<Cost> {
  const start = performance.now();
  const cpuBefore = endedCpuSeconds();
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  let peak = 0;
  const look = () => {
    const bytes = treeOf(child.pid as number).reduce((sum, process) => sum + process.bytes, 0);
    peak = Math.max(peak, bytes);
  };
  const sampling = setInterval(look, SAMPLE_MS);
  try {
    const [code] = await once(child, "close");
    if (code !== exitCode)
      throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${Buffer.concat(output)}`);
  } finally {
    clearInterval(sampling);
  }
  return {
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: endedCpuSeconds() - cpuBefore,
    peakMegabytes: peak / 1e6,
  };
}

/** CPU time of ended processes that this process started, with all that they started. */
function endedCpuSeconds(): number {
  return processOf(process.pid)?.endedCpuSeconds ?? Number.NaN;
}
