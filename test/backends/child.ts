import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";

/** Requests to a server of state by their kind, and the bytes that they contained. */
export interface Traffic {
  readonly requests: Readonly<Record<string, number>>;
  readonly uploadedBytes: number;
}

/** A real server that keeps state. */
export interface Backend {
  readonly name: string;
  /** The environment in which an engine keeps its state there. */
  readonly env: Readonly<Record<string, string>>;
  /** A secret that no message may contain. */
  readonly password?: string;
  /** The engine's requests to the server since the last call, if the server shows them. */
  readonly traffic?: () => Traffic;
  readonly close: () => Promise<void>;
}

/** Time in which a server has to answer, in ms. */
const START_MS = 30_000;

/**
 * Starts a server, and waits until `answers` resolves.
 * @returns a function that ends it
 * @throws Error with its last output if it ends first
 */
export async function startServer(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
  answers: () => Promise<unknown>,
): Promise<() => Promise<void>> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-2_000);
    });
  }
  let failure: Error | undefined;
  child.on("error", (error) => {
    failure = error;
  });
  const end = Date.now() + START_MS;
  for (;;) {
    const answered = await answers().then(
      () => true,
      () => false,
    );
    if (answered) return () => stop(child);
    if (failure) throw failure;
    if (child.exitCode !== null || Date.now() > end) {
      await stop(child);
      throw new Error(`${command} does not answer: ${said}`);
    }
    await setTimeout(50);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGINT"); // On this signal, PostgreSQL ends its sessions. On SIGTERM, it would wait for them.
  await once(child, "exit");
}
