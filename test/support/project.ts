import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { type Fleet, type Simulator, type SimulatorOptions, startSimulator } from "solar-charging-simulator";
import * as dynamic from "../../provider";
import * as native from "../../provider/native";
import { filesBelow, removeFolder } from "./folder";

/** The repository: tests run from dist/test/support. */
export const ROOT = resolve(__dirname, "../../..");

export interface Output {
  readonly code: number | null;
  /** Standard output and standard error as a user sees them. */
  readonly text: string;
}

/** The same, and standard output alone. The order in which the two streams are read depends on the machine. */
export interface Printed extends Output {
  readonly stdout: string;
}

/** The command line as Node runs it. */
export const MAIN = join(ROOT, "dist", "cli", "main.js");

/** The folder of the bundled plugin, as the npm package has it. */
export const PLUGIN_FOLDER = join(ROOT, "dist", "plugin");

/** The doors of the package, each with the exports that a program can use. */
const DOORS = {
  dynamic: { entry: "pulumi-solar-charging", names: Object.keys(dynamic) },
  native: { entry: "pulumi-solar-charging/native", names: Object.keys(native) },
};
export type Door = keyof typeof DOORS;
export const EACH_DOOR = Object.keys(DOORS) as Door[];

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** In addition to the environment of the tests. Undefined variables are not set. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The text on standard input. */
  readonly input?: string | undefined;
}

/** Runs `solar-charging` as a process to its end. */
export async function runMain(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { cwd, env, input = "" } = options;
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...process.env, ...env } });
  child.stdin.on("error", () => {}).end(input);
  const closed = once(child, "close") as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

/**
 * Runs commands in bash as documents show them: `npx solar-charging` is this build, and the first failure ends them.
 */
export async function shell(script: string, { cwd, env }: Omit<RunOptions, "input"> = {}): Promise<Output> {
  const npx = `npx() { shift; "${process.execPath}" "${MAIN}" "$@"; }`;
  const options = {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore" as const, "pipe" as const, "pipe" as const],
  };
  return await outputOf(spawn("bash", ["-e", "-c", `${npx}\n${script}`], options));
}

/** The same as `shell`, for commands that have to succeed. @returns their output */
export async function shellSucceeds(script: string, options?: Omit<RunOptions, "input">): Promise<string> {
  const { code, text } = await shell(script, options);
  if (code !== 0) throw new Error(`ended with ${code}:\n${text}`);
  return text;
}

/** The state of one resource. */
export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
}

/** A CommonJS module with all exports of the door in scope. */
export function programText(body: string, door: Door): string {
  const { entry, names } = DOORS[door];
  return `const { ${names.join(", ")} } = require("${entry}");\n${body}\n`;
}

/**
 * A temporary folder with the state of an engine, and an environment in which providers and commands use the business
 * "acme" of a simulator.
 */
export class EngineFolder {
  readonly folder = mkdtempSync(join(tmpdir(), "solar-charging-project-"));
  readonly env: NodeJS.ProcessEnv;

  constructor(simulator: Simulator) {
    const state = join(this.folder, "state");
    mkdirSync(state);
    this.env = {
      ...process.env,
      NO_COLOR: "1",
      PULUMI_BACKEND_URL: pathToFileURL(state).href,
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      // test/tools/types.test.ts and test/long/types.test.ts check the types of all programs, once: each run of the
      // engine would check them again.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      SOLAR_CHARGING_BASE_URL: simulator.url,
      SOLAR_CHARGING_BUSINESS_ID: "acme",
      SOLAR_CHARGING_ACCESS_TOKEN: simulator.token,
    };
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(file: string, text: string): void {
    writeFileSync(this.path(file), text);
  }

  /** Runs commands of a document in this folder. They have to succeed. @returns their output */
  shell(script: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    return shellSucceeds(script, { cwd: this.folder, env: { ...this.env, ...env } });
  }

  /** Runs `solar-charging` in this folder to its end. */
  solarCharging(...args: string[]): Promise<Ended> {
    return runMain(args, { cwd: this.folder, env: this.env });
  }

  /** Every file in this folder, for searches. */
  files(): string[] {
    return filesBelow(this.folder);
  }

  remove(): void {
    removeFolder(this.folder);
  }
}

/** A Pulumi project in a temporary folder, with its stack's state, run by the real engine. */
export class Project extends EngineFolder {
  private constructor(simulator: Simulator) {
    super(simulator);
    symlinkSync(join(ROOT, "node_modules"), this.path("node_modules"));
    this.write("package.json", JSON.stringify({ name: "test", main: "index.js" }));
    this.write("Pulumi.yaml", "name: test\nruntime: nodejs\n");
  }

  /** Makes a project for the business "acme" of the simulator, with an empty stack. */
  static async create(simulator: Simulator): Promise<Project> {
    const project = new Project(simulator);
    Project.#withStack ??= Project.#initialized(simulator);
    const { folder } = await Project.#withStack;
    for (const entry of ["state", "Pulumi.dev.yaml"]) {
      cpSync(join(folder, entry), join(project.folder, entry), { recursive: true });
    }
    project.env.PULUMI_STACK = "dev";
    return project;
  }

  /** A project with an empty stack. All others copy it, because each start of the engine takes a second. */
  static #withStack: Promise<Project> | undefined;

  static async #initialized(simulator: Simulator): Promise<Project> {
    const project = new Project(simulator);
    process.once("exit", () => project.remove());
    await project.succeeds("stack", "init", "dev");
    return project;
  }

  /** Sets the program by its body. The engine finds the plugin of this build. */
  program(body: string, door: Door = "dynamic"): void {
    if (door === "native") this.findPlugin();
    this.write("index.js", programText(body, door));
  }

  /** Lets the engine find the plugin of this build. */
  findPlugin(): void {
    if (!this.env.PATH?.startsWith(PLUGIN_FOLDER)) this.env.PATH = [PLUGIN_FOLDER, this.env.PATH].join(delimiter);
  }

  /** Runs `pulumi` to its end. */
  async pulumi(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Printed> {
    return await outputOf(
      spawn("pulumi", [...args, "--non-interactive"], { cwd: this.folder, env: { ...this.env, ...env } }),
    );
  }

  /** Runs `pulumi`, which has to succeed. */
  async succeeds(...args: string[]): Promise<string> {
    const { code, text } = await this.pulumi(args);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${text}`);
    return text;
  }

  /** Runs `pulumi`, which has to fail. */
  async fails(...args: string[]): Promise<string> {
    const { code, text } = await this.pulumi(args);
    if (code === 0) throw new Error(`pulumi ${args.join(" ")} succeeded:\n${text}`);
    return text;
  }

  up(...args: string[]): Promise<string> {
    return this.succeeds("up", "--yes", "--skip-preview", ...args);
  }

  refresh(...args: string[]): Promise<string> {
    return this.succeeds("refresh", "--yes", "--skip-preview", ...args);
  }

  destroy(): Promise<string> {
    return this.succeeds("destroy", "--yes", "--skip-preview");
  }

  /** The text of the stack's state file. */
  stateText(): string {
    const stacks = join(this.folder, "state", ".pulumi", "stacks", "test");
    return readFileSync(join(stacks, "dev.json"), "utf8");
  }

  /** The state of the resource with this name. */
  resource(name: string): ResourceState {
    const resources: ResourceState[] = JSON.parse(this.stateText()).checkpoint.latest.resources ?? [];
    const found = resources.find(({ urn }) => urn.endsWith(`::${name}`));
    if (!found) throw new Error(`the state has no resource ${name}`);
    return found;
  }

  /** The outputs of the stack. A secret output is the text that state contains for it. */
  outputs(): Record<string, unknown> {
    return this.resource("test-dev").outputs;
  }
}

/** A simulator with this fleet, and a project for it: one for all tests of a describe, or a new one for each test. */
export function givenProject(
  fleet: Fleet,
  scope: "for all" | "for each",
  onRequest: SimulatorOptions["onRequest"] = () => {},
): { simulator: Simulator; project: Project } {
  const given = {} as { simulator: Simulator; project: Project };
  const begin = async () => {
    given.simulator = await startSimulator({ fleet, onRequest });
    given.project = await Project.create(given.simulator);
  };
  const end = async () => {
    given.project?.remove();
    await given.simulator?.close();
  };
  if (scope === "for all") {
    before(begin);
    after(end);
  } else {
    beforeEach(function () {
      // The engine chooses the order of parallel work. A test that fails gets one more try, in a new project, and the
      // end of the log names it. Without this, one rare order would refuse an unrelated change.
      this.currentTest?.retries(1);
      return begin();
    });
    afterEach(end);
  }
  return given;
}

/** The whole output of a child process, and its exit code. */
export async function outputOf(child: ChildProcess): Promise<Printed> {
  const chunks: string[] = [];
  const out: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk) => chunks.push(chunk));
  child.stdout?.on("data", (chunk) => out.push(chunk));
  const [code] = await once(child, "close");
  return { code, text: chunks.join(""), stdout: out.join("") };
}

/** The counts in the summary of a run, such as `2 unchanged`. */
export const counted = (text: string) => /Resources:\n((?: {4}.*\n?)+)/.exec(text)?.[1]?.trim().split(/\n\s*/) ?? [];

/** The requests since the last call, as `GET dev` or `PATCH dev {…}`. */
export function takeRequests(simulator: Simulator): string[] {
  return simulator.requests
    .splice(0)
    .map(({ method, deviceId, body }) => [method, deviceId, body && JSON.stringify(body)].filter(Boolean).join(" "));
}

/** The updates among them. */
export function takeUpdates(simulator: Simulator): string[] {
  return takeRequests(simulator).filter((request) => request.startsWith("PATCH"));
}
