import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { signalIfAlive } from "./processes";
import { type Output, outputOf, type Project } from "./project";

/** Loaded by each Node process that the engine starts. The provider's process writes its id to a file. */
const ANNOUNCEMENT = `
const { argv, pid } = process;
if (argv[1]?.includes("dynamic-provider")) require("node:fs").writeFileSync("host.pid", String(pid));
`;

/** A `pulumi` in its own process group, as from a terminal. A test can signal or kill it. */
export class RunningPulumi {
  /** Resolves when it has ended. */
  readonly output: Promise<Output>;
  readonly #process: ChildProcess;

  constructor(
    private readonly project: Project,
    ...args: string[]
  ) {
    project.write("announcement.js", ANNOUNCEMENT);
    project.write("host.pid", "0");
    this.#process = spawn("pulumi", [...args, "--non-interactive"], {
      cwd: project.folder,
      env: { ...project.env, NODE_OPTIONS: `--require ${join(project.folder, "announcement.js")}` },
      detached: true,
    });
    this.output = outputOf(this.#process);
  }

  /** Signals the process group, if it has not ended. The engine starts its plugins in groups of their own. */
  signal(signal: NodeJS.Signals): void {
    signalIfAlive(-(this.#process.pid as number), signal);
  }

  /** Kills the provider's process alone. */
  killHost(): void {
    signalIfAlive(this.#hostPid, "SIGKILL");
  }

  /** Resolves when the provider's process has ended. It is not a child of ours, so this asks for it repeatedly. */
  async hostEnded(): Promise<void> {
    while (signalIfAlive(this.#hostPid, 0)) await setTimeout(10);
  }

  /** 0 until it has started. */
  get #hostPid(): number {
    return Number(readFileSync(join(this.project.folder, "host.pid"), "utf8"));
  }
}
