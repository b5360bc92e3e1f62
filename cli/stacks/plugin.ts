import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PACKAGE } from "../package";

/** The folder with the native plugin, which is in this package. */
export const PLUGIN = join(PACKAGE, "dist", "plugin");

/** Longest wait for the end of a process, in milliseconds (our choice): it takes a few. */
const LONGEST_END = 1000;

/** The variable with the addresses of providers to which an engine attaches, instead of starting them. */
const ATTACH = "PULUMI_DEBUG_PROVIDERS";

/**
 * A process of the native plugin for one run of an engine. Without it, the engine would start the plugin twice, one
 * after the other: first for its schema, and then for its resources.
 */
export class PluginProcess {
  readonly #child: ChildProcess;
  readonly #port: Promise<string | undefined>;

  /** Starts it. Its environment follows with `attach`. */
  constructor(folder: string) {
    this.#child = spawn(process.execPath, [join(PLUGIN, "pulumi-resource-solar-charging")], {
      cwd: folder,
      // A signal from a terminal must reach it by way of the engine, which waits for requests in flight.
      detached: process.platform !== "win32",
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    this.#port = portOf(this.#child);
    // It ends when this process does. Without this, this process would wait for a plugin that no engine uses.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /**
   * The variables that make an engine attach to it. If it did not start, there are none: the engine then starts the
   * plugin itself, and reports why it cannot.
   * @param env the environment of the run, in addition to the one of this process
   */
  async attach(env: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const port = await this.#port;
    if (port === undefined) return {};
    this.#child.send(env);
    // The first one counts, so a developer's own provider has precedence.
    const providers = [process.env[ATTACH], `solar-charging:${port}`].filter((one) => one);
    return { [ATTACH]: providers.join(",") };
  }

  /** Lets it end, and waits for that. It ends when its engine has ended the run, or is gone. */
  async end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.ref();
    await once(this.#child, "exit", { signal: AbortSignal.timeout(LONGEST_END) }).catch(() => {});
    this.#child.unref();
  }
}

/** The port that a plugin prints in its first line; undefined if it ends without one. */
async function portOf(child: ChildProcess): Promise<string | undefined> {
  child.on("error", () => {});
  const output = child.stdout as Socket;
  const lines = createInterface(output);
  const [port] = await Promise.race([once(lines, "line"), once(lines, "close")]);
  output.unref();
  return port;
}
