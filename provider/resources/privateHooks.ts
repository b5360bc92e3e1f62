import { createRequire } from "node:module";
import { Server } from "node:net";
import { dirname, join, sep } from "node:path";
import * as pulumi from "@pulumi/pulumi";

// All undocumented interfaces of Node and Pulumi that this package uses. The protocol tests run each with the oldest
// and the newest supported SDK.

/**
 * The value of an input, without its dependencies and its mark as a secret. In a preview, an unknown part is
 * `pulumi.unknown`. `apply` would not work: it never calls back for an unknown value, so the hidden input would never
 * be complete.
 */
export async function bareValue<T>(input: pulumi.Input<T>): Promise<pulumi.Unwrap<T>> {
  // No type has `promise`, but each version of the SDK calls it on the outputs of other versions.
  const output = pulumi.output(input) as unknown as { promise(withUnknowns: true): Promise<pulumi.Unwrap<T>> };
  return await output.promise(true);
}

/**
 * An error that shows only its message. It has no stack, because Pulumi prints details of every error to its trace, for
 * which Node needs half a minute if the stack contains Pulumi's files.
 */
export function userError(message: string): pulumi.RunError {
  return Object.assign(new pulumi.RunError(message), { stack: message });
}

/** The folder of the program, from which Pulumi's host of dynamic resources loads this package. */
const PROGRAM = process.cwd();

/**
 * Whether Pulumi's launcher runs the program. If not, a test or the Automation API does, which can run it in any
 * folder.
 */
export const IS_LAUNCHED = require.main?.filename.endsWith(join("cmd", "run", "index.js")) === true;

/**
 * Refuses a program from whose folder Node cannot find this package. Without this, the error would be a stack trace of
 * Pulumi's host, for example in a strict workspace in which only a library depends on the package.
 * @throws RunError
 */
export function refuseUnreachable(folder = PROGRAM): void {
  try {
    createRequire(join(folder, "index.js")).resolve("pulumi-solar-charging/host");
  } catch {
    throw userError(
      `Pulumi does not find pulumi-solar-charging from ${folder}, because only a library depends on it. ` +
        "Add it to the package.json of the program too: run npm install, pnpm add or yarn add pulumi-solar-charging there",
    );
  }
}

/** Rejects with an error of one line, because Pulumi's host prints the text and the stack of an error. */
export async function withOneLineError<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    const { message } = error as Error;
    throw Object.assign(new Error(message), { toString: () => "solar-charging", stack: message });
  }
}

/** The folder of this package's files. */
const PACKAGE = dirname(__dirname) + sep;

/**
 * Frames that Pulumi skips. It skips its own frames and that of a class, and takes the next one as the place in the
 * program.
 */
const SKIPPED = "\n    at Pulumi".repeat(5);

/**
 * Shortens every formatted stack trace to the place in the program, until the returned function is called. For each
 * property of a resource, Pulumi formats four traces for debugging, which takes a third of a program's time. It stores
 * one trace in state, which is a third of the resource.
 */
export function shortenTraces(): () => void {
  const { prepareStackTrace, stackTraceLimit } = Error;
  let place: string | undefined;
  Error.prepareStackTrace = (error, frames) => {
    const ours = frames.findLastIndex((frame) => frame.getFileName()?.startsWith(PACKAGE));
    place ??= SKIPPED + formatted(frames.slice(ours + 1, ours + 2), prepareStackTrace);
    Error.stackTraceLimit = 0; // The other traces need no frames.
    return `${error}${place}`;
  };
  return () => Object.assign(Error, { prepareStackTrace, stackTraceLimit });
}

/** The lines of a trace of these frames, each after a line break. The previous formatter applies source maps. */
function formatted(frames: NodeJS.CallSite[], previous: typeof Error.prepareStackTrace): string {
  const [, ...lines] = previous
    ? String(previous(new Error(), frames)).split("\n")
    : ["", ...frames.map((frame) => `    at ${frame}`)];
  return lines.map((line) => `\n${line}`).join("");
}

/**
 * A signal that aborts when the engine asks this process to cancel, for example after Ctrl-C. Pulumi's host answers
 * that request itself, so this observes the HTTP/2 server of the process. Without it, a site of 500 devices would
 * continue to its last device.
 */
export function engineStops(): AbortSignal {
  const stop = new AbortController();
  // There is no public way to find a server that another module created.
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): unknown[] };
  const servers = handles.call(process).filter((handle): handle is Server => handle instanceof Server);
  for (const server of servers) {
    server.on("stream", (_stream: unknown, headers: Readonly<Record<string, unknown>>) => {
      if (headers[":path"] === "/pulumirpc.ResourceProvider/Cancel") stop.abort();
    });
  }
  return stop.signal;
}

/**
 * Lets this process log to the engine. The engine's address is the only argument of Pulumi's host that is not a flag.
 * Without this, warnings go to standard error, and the engine shows them without their resource.
 * @returns the address
 */
export function connectToEngine(): string | undefined {
  const address = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  if (address) pulumi.runtime.resetOptions("", "", -1, address, "", false, "");
  return address;
}
