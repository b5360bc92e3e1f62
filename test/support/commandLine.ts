import { Console } from "node:console";
import { Writable } from "node:stream";
import { type Fleet, type Simulator, startSimulator } from "solar-charging-simulator";
import { runCommand, showFailure } from "../../cli/program/program";
import { temporaryFolder } from "./folder";
import { type Ended, MAIN, type RunOptions, runMain, shellSucceeds } from "./project";
import { Terminal } from "./terminal";

/** Thrown by `process.exit` in a command that runs in the process of the tests. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit with ${code}`);
  }
}

/** Events of its process that a command can listen for. */
const EVENTS = ["SIGINT", "SIGTERM", "SIGHUP", "exit"];

/** The environment and output of a command that runs in the process of the tests, in place of those of the process. */
class Inside {
  readonly printed = { stdout: "", stderr: "" };
  readonly #kept = { argv: process.argv, env: process.env, exit: process.exit, exitCode: process.exitCode };
  readonly #folder = process.cwd();
  readonly #console = globalThis.console;
  readonly #streams = ["stdout", "stderr"].map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor] as const,
  );
  readonly #listeners = EVENTS.flatMap((event) => process.listeners(event as "exit"));

  constructor(args: readonly string[], { env = {}, cwd = this.#folder }: RunOptions) {
    process.chdir(cwd);
    const set = Object.entries({ ...process.env, ...env }).filter(([, value]) => value !== undefined);
    Object.assign(process, {
      argv: [process.execPath, MAIN, ...args],
      env: Object.fromEntries(set),
      exitCode: undefined,
      exit: (code = process.exitCode) => {
        throw new Exit(Number(code ?? 0));
      },
    });
    const streams = { stdout: this.#stream("stdout"), stderr: this.#stream("stderr") };
    for (const [name, value] of Object.entries(streams))
      Object.defineProperty(process, name, { value, configurable: true });
    globalThis.console = new Console(streams.stdout, streams.stderr);
  }

  #stream(name: "stdout" | "stderr"): Writable {
    return new Writable({
      decodeStrings: false,
      write: (text, _, done) => {
        this.printed[name] += text;
        done();
      },
    });
  }

  /** Runs the command's handlers for the end of its process, and restores the process. */
  end(code: number): void {
    for (const event of EVENTS) {
      const added = process.listeners(event as "exit").filter((listener) => !this.#listeners.includes(listener));
      for (const listener of added) {
        if (event === "exit") listener(code);
        process.off(event, listener);
      }
    }
    globalThis.console = this.#console;
    for (const [name, descriptor] of this.#streams) Object.defineProperty(process, name, descriptor);
    Object.assign(process, this.#kept);
    process.chdir(this.#folder);
  }
}

/**
 * Runs `solar-charging` to its end in this process, as if in its own without a terminal. Without this, each run would
 * take most of a second to start Node, and its coverage would not count. A command that reads standard input gets its
 * own process.
 */
export async function solarCharging(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  if (options.input !== undefined) return await runMain(args, options);
  const inside = new Inside(args, options);
  let code = 1;
  try {
    await runCommand().catch((error) => {
      if (error instanceof Exit) throw error;
      return showFailure(error);
    });
    code = Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    code = error.code;
  } finally {
    inside.end(code);
  }
  return { code, ...inside.printed };
}

/** A simulated service, a folder, and `solar-charging` in that folder, configured for the service. */
export interface CommandLine {
  simulator: Simulator;
  /** Called, in this test, before a request is answered. */
  onRequest?: (() => void) | undefined;
  /** A path in the folder. */
  readonly path: (name: string) => string;
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Runs commands of a document, which have to succeed. @returns their output */
  shell(script: string, env?: NodeJS.ProcessEnv): Promise<string>;
  /** Starts the command at a terminal, outside of any pipeline. */
  terminal(args: readonly string[], env?: NodeJS.ProcessEnv): Terminal;
}

/** A command line for each test, and a service with this fleet. */
export function givenCommandLine(fleet: Fleet = { businesses: {} }): CommandLine {
  const path = temporaryFolder();
  const environment = (env: NodeJS.ProcessEnv) => ({
    SOLAR_CHARGING_BASE_URL: given.simulator.url,
    SOLAR_CHARGING_ACCESS_TOKEN: given.simulator.token,
    SOLAR_CHARGING_BUSINESS_ID: "acme",
    SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS: "0",
    // Without this, a stalled request could time out on a slow machine before the test ends it.
    SOLAR_CHARGING_REQUEST_TIMEOUT_SECONDS: "600",
    NO_COLOR: "1",
    ...env,
  });
  const given: CommandLine = {
    simulator: {} as Simulator,
    path,
    run: (args, { env = {}, ...options } = {}) =>
      solarCharging(args, { cwd: path(""), env: environment(env), ...options }),
    shell: (script, env = {}) => shellSucceeds(script, { cwd: path(""), env: environment(env) }),
    terminal: (args, env = {}) =>
      new Terminal([MAIN, ...args], {
        ...process.env,
        ...environment({ TERM: "xterm", CI: undefined, NO_COLOR: undefined, ...env }),
      }),
  };
  beforeEach(async () => {
    given.onRequest = undefined;
    given.simulator = await startSimulator({ fleet, onRequest: () => given.onRequest?.() });
  });
  afterEach(() => given.simulator.close());
  return given;
}
