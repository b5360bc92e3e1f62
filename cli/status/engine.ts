import { execFile } from "node:child_process";
import { MessageError } from "../../provider/messages/message";
import { noEngine } from "../fleet/engine/texts";
import { type ExportedStack, parseExported } from "./exported";

/** Where `pulumi` is run. */
export interface Place {
  readonly folder: string;
  /** Its variables beside the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A stack of a project. */
export interface ListedStack {
  readonly name: string;
  readonly isEmpty: boolean;
  /** Whether it is the one that commands are about that name none. */
  readonly isCurrent: boolean;
}

/** The stacks of a project. @throws Error with one line */
export async function listStacks(place: Place): Promise<ListedStack[]> {
  const listed = JSON.parse(await pulumi(place, "stack", "ls", "--json")) as {
    name: string;
    current?: boolean;
    resourceCount?: number;
  }[];
  return listed.map(({ name, current = false, resourceCount }) => ({
    name,
    isEmpty: resourceCount === 0,
    isCurrent: current,
  }));
}

/** The state of a stack, secrets encrypted. @throws Error with one line */
export async function exportStack(place: Place, stack: string): Promise<ExportedStack> {
  return parseExported(await pulumi(place, "stack", "export", "--stack", stack));
}

/** The configuration of a stack with its secrets, as the provider gets it. @throws Error with one line */
export async function configurationOf(place: Place, stack: string): Promise<ReadonlyMap<string, string>> {
  const text = await pulumi(place, "config", "--json", "--show-secrets", "--stack", stack);
  const values = Object.entries(JSON.parse(text) as Record<string, { value?: string }>);
  return new Map(values.flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])));
}

/** Largest output that is read, in bytes (our choice): the state of a stack of many thousand devices. */
const LARGEST_OUTPUT = 2 ** 29;

/** Runs `pulumi` to its end. @returns what it printed on standard output */
function pulumi({ folder, env = {} }: Place, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: LARGEST_OUTPUT };
  return new Promise((resolve, reject) => {
    execFile("pulumi", [...args, "--non-interactive"], options, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else if (error.code === ("ENOENT" as string)) {
        reject(new MessageError(noEngine()));
      } else reject(new Error(inShort(stderr) || error.message));
    });
  });
}

/** The engine's message about a command that failed. */
function inShort(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  return lines.filter(Boolean).slice(0, MOST_LINES).join("; ");
}

/** Lines of the engine's that are shown (our choice). */
const MOST_LINES = 5;
