import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Fleet, type Simulator, type SimulatorOptions, startSimulator } from "solar-charging-simulator";
import * as provider from "../../provider";
import { filesBelow } from "./folder";

/** The repository: tests run from dist/test/support. */
export const ROOT = resolve(__dirname, "../../..");

export interface Output {
  readonly code: number | null;
  /** Standard output and standard error as a user sees them. */
  readonly text: string;
}

/** What a stack's state holds about one resource. */
export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
}

/** The environment of an engine whose state is in `state` of the folder, which is made, and of a provider of the business "acme" of the simulator. */
export function environmentOf(folder: string, simulator: Simulator): NodeJS.ProcessEnv {
  const state = join(folder, "state");
  mkdirSync(state);
  return {
    ...process.env,
    NO_COLOR: "1",
    PULUMI_BACKEND_URL: pathToFileURL(state).href,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // test/tools/types.test.ts checks the types of all programs, once: each run of the engine would check them again.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    SOLAR_CHARGING_BASE_URL: simulator.url,
    SOLAR_CHARGING_BUSINESS_ID: "acme",
    SOLAR_CHARGING_ACCESS_TOKEN: simulator.token,
  };
}

/** A Pulumi project in a temporary folder, with a stack whose state is there too, run by the real engine. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), "solar-charging-project-"));
  readonly env: NodeJS.ProcessEnv;

  private constructor(simulator: Simulator) {
    this.env = environmentOf(this.folder, simulator);
  }

  /** Makes a project for the business "acme" of the simulator, with an empty stack. */
  static async create(simulator: Simulator): Promise<Project> {
    const project = new Project(simulator);
    symlinkSync(join(ROOT, "node_modules"), join(project.folder, "node_modules"));
    writeFileSync(join(project.folder, "package.json"), JSON.stringify({ name: "test", main: "index.js" }));
    writeFileSync(join(project.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
    await project.succeeds("stack", "init", "dev");
    return project;
  }

  /** Sets the program: the body of a CommonJS module that has everything the package exports in scope. */
  program(body: string): void {
    const names = Object.keys(provider).join(", ");
    this.write("index.js", `const { ${names} } = require("pulumi-solar-charging");\n${body}\n`);
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Runs `pulumi` to its end. */
  async pulumi(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
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

  /** The text of the stack's state as it lies on the disk. */
  stateText(): string {
    const stacks = join(this.folder, "state", ".pulumi", "stacks", "test");
    return readFileSync(join(stacks, "dev.json"), "utf8");
  }

  /** What the state holds about the resource of this name. */
  resource(name: string): ResourceState {
    const resources: ResourceState[] = JSON.parse(this.stateText()).checkpoint.latest.resources ?? [];
    const found = resources.find(({ urn }) => urn.endsWith(`::${name}`));
    if (!found) throw new Error(`the state has no resource ${name}`);
    return found;
  }

  /** Every file of the project and its state, for searches. */
  files(): string[] {
    return filesBelow(this.folder);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A simulator with this fleet and a project for it: one for all tests of a describe, or a new one for each. */
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
    beforeEach(begin);
    afterEach(end);
  }
  return given;
}

/** Everything that a child process prints, and how it ends. */
export async function outputOf(child: ChildProcess): Promise<Output> {
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk) => chunks.push(chunk));
  const [code] = await once(child, "close");
  return { code, text: chunks.join("") };
}

/** The requests since the last call, as `GET dev` or `PATCH dev {…}`. */
export function takeRequests(simulator: Simulator): string[] {
  return simulator.requests
    .splice(0)
    .map(({ method, deviceId, body }) => [method, deviceId, body && JSON.stringify(body)].filter(Boolean).join(" "));
}
