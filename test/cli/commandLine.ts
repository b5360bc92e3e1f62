import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Fleet, type Simulator, startSimulator } from "solar-charging-simulator";
import { ROOT } from "../support/project";
import { Terminal } from "./terminal";

const MAIN = join(ROOT, "dist", "cli", "main.js");

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A simulated service, and `solar-charging` with an environment that leads to it. */
export interface CommandLine {
  simulator: Simulator;
  /** What happens, in this test, before a request is answered. */
  onRequest?: (() => void) | undefined;
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** The same at a terminal of a person, which no pipeline runs in. */
  terminal(args: readonly string[], env?: NodeJS.ProcessEnv): Terminal;
}

interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** What is on standard input. */
  readonly input?: string;
}

/** A command line for each test, and a service with this fleet. */
export function givenCommandLine(fleet: Fleet): CommandLine {
  const environment = (env: NodeJS.ProcessEnv) => ({
    ...process.env,
    SOLAR_CHARGING_BASE_URL: given.simulator.url,
    SOLAR_CHARGING_ACCESS_TOKEN: given.simulator.token,
    SOLAR_CHARGING_BUSINESS_ID: "acme",
    SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "0",
    ...env,
  });
  const given: CommandLine = {
    simulator: {} as Simulator,
    async run(args, { env = {}, cwd, input = "" } = {}) {
      const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: environment(env) });
      child.stdin.on("error", () => {}).end(input);
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close") as Promise<[number | null]>,
      ]);
      return { code, stdout, stderr };
    },
    terminal: (args, env = {}) => new Terminal([MAIN, ...args], environment({ TERM: "xterm", CI: undefined, ...env })),
  };
  beforeEach(async () => {
    given.onRequest = undefined;
    given.simulator = await startSimulator({ fleet, onRequest: () => given.onRequest?.() });
  });
  afterEach(() => given.simulator.close());
  return given;
}
