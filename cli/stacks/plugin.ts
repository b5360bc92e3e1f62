import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { type Binding, type BoundRun, ENDED } from "../../provider/plugin/binding";
import { PACKAGE } from "../package";

/** The folder with the native plugin, which is in this package. */
export const PLUGIN = join(PACKAGE, "dist", "plugin");

/** Longest wait for the end of a process, in milliseconds (our choice): it takes a few. */
const LONGEST_END = 1000;

/** The variable with the addresses of providers to which an engine attaches, instead of starting them. */
const ATTACH = "PULUMI_DEBUG_PROVIDERS";

/** Variables of the engine that the plugin never needs. */
const OF_ENGINE = /^PULUMI_(ACCESS_TOKEN|CONFIG_PASSPHRASE|BACKEND_URL)/;

/** Variables that a waiting process does not get: the configuration, with its credentials, and the engine's. */
const LATER = /^(SOLAR_CHARGING|PULUMI)_/;

/**
 * A process of the native plugin, which serves the runs of engines one by one. Without it, each engine would start the
 * plugin twice: first for its schema, and then for its resources. Until it is bound to its first run, the process has
 * no credentials, and between runs it has no port: it can wait for hours, and other users can run on the same machine.
 */
export class PluginProcess {
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  /** Whether its engine has ended the run, so that it can serve another one. */
  #isFree = false;

  /** Starts it. It waits for `bind`. @param env the environment of its runs, in addition to the one of this process */
  constructor(
    folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.#child = spawn(process.execPath, [join(PLUGIN, "pulumi-resource-solar-charging")], {
      cwd: folder,
      env: without(LATER, env),
      // A signal from a terminal must reach it by way of the engine, which waits for requests in flight.
      detached: process.platform !== "win32",
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    this.#child.on("error", () => {});
    this.#child.on("message", (message) => {
      this.#isFree = message === ENDED;
    });
    this.#lines = createInterface(this.#child.stdout as Socket);
    // It ends when this process does. Without this, this process would wait for a plugin that no engine uses.
    this.#child.unref();
    this.#child.channel?.unref();
    (this.#child.stdout as Socket).unref();
  }

  /** Whether it can serve another run. */
  get isFree(): boolean {
    return this.#isFree && this.#child.connected;
  }

  /**
   * Lets it serve a run, and no other before that has ended.
   * @param env the environment of the run, in addition to that of all runs
   * @returns the variables that make an engine attach to it. If it did not start, there are none: the engine then
   * starts the plugin itself, and reports why it cannot
   */
  async bind(run: BoundRun, env: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    this.#isFree = false;
    const binding = { environment: without(OF_ENGINE, { ...this.env, ...env }), run } satisfies Binding;
    this.#child.send(binding, () => {}); // An error means that it has ended: then it has no port.
    const port = await this.#port();
    if (port === undefined) return {};
    // The first one counts, so a developer's own provider has precedence.
    const providers = [process.env[ATTACH], `solar-charging:${port}`].filter((one) => one);
    return { [ATTACH]: providers.join(",") };
  }

  /** The port that it prints in a line for each run; undefined if it ends without one. */
  async #port(): Promise<string | undefined> {
    const output = this.#child.stdout as Socket;
    // Without this, the wait for a process that has ended would never end.
    if (output.destroyed || output.readableEnded) return undefined;
    output.ref();
    const waiting = new AbortController();
    const either = ["line", "close"].map((event) => once(this.#lines, event, waiting));
    const [port] = await Promise.race(either);
    // Without this, each run would leave listeners behind, of which Node warns the user after ten.
    waiting.abort();
    output.unref();
    return port;
  }

  /** Makes it end after its engine's run, and waits for that. Without this, it could keep the token. */
  async end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.ref();
    await once(this.#child, "exit", { signal: AbortSignal.timeout(LONGEST_END) }).catch(() =>
      this.#child.kill("SIGKILL"),
    );
    this.#child.unref();
  }
}

/** The environment of this process and these variables, without some. */
function without(names: RegExp, env: Readonly<Record<string, string>>): Record<string, string> {
  const set = Object.entries({ ...process.env, ...env }) as [string, string][];
  return Object.fromEntries(set.filter(([name]) => !names.test(name)));
}
