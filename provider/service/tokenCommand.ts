import { failureOfCommand, type ServiceFailure } from "./errors";
import { extractOf } from "./extract";
import { type Grant, SECRET_FORM } from "./secret";

/**
 * Runs a shell command whose standard output is a token and at most one line break. It gets no input.
 * @param secrets texts that are removed from the shown standard error. The standard output is never shown
 */
export async function runTokenCommand(
  command: string,
  timeoutSeconds: number,
  secrets: ReadonlySet<string>,
): Promise<Grant | ServiceFailure> {
  const { error, stdout, stderr } = await run(command, timeoutSeconds);
  const token = stdout.replace(/\r?\n$/, "");
  if (!error && SECRET_FORM.test(token)) return { token };
  const printed = stdout.split(/\s+/).filter(Boolean);
  const end = error ? endOf(error, timeoutSeconds) : excessOf(token);
  return failureOfCommand(end, extractOf(stderr, new Set([...secrets, ...printed])));
}

/** The failure of a command, in words. */
interface CommandFailure {
  readonly code?: number | string | null;
  readonly killed?: boolean;
  readonly signal?: string | null;
}

/**
 * Variables that the command does not get, because it does not need them: the credentials of the provider, and those of
 * the engine, with the access token of its backend and the passphrase of the state.
 */
const WITHHELD = /^(SOLAR_CHARGING_(ACCESS_TOKEN|OAUTH_CLIENT_SECRET)|PULUMI_(?!HOME$|CREDENTIALS_PATH$).*)$/;

/** Longest output on each stream, in bytes (our choice). A token has a few thousand bytes. */
const MOST_OUTPUT = 1024 * 1024;

/** Time in milliseconds for the rest of the output after the command has ended (our choice). */
const GRACE = 200;

async function run(command: string, timeoutSeconds: number) {
  const { spawn } = await import("node:child_process");
  return await new Promise<{ error: CommandFailure | null; stdout: string; stderr: string }>((done) => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !WITHHELD.test(name)));
    // The command gets its own process group. Without it, the programs that the shell has started would outlive the
    // shell.
    const isGroup = process.platform !== "win32";
    const child = spawn(command, {
      ...{ shell: true, env, detached: isGroup, windowsHide: true },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    // Without this, "close" would wait for every process that holds the streams, such as a daemon in its own session,
    // which is not in the command's process group.
    const hangUp = () => {
      child.stdout.destroy();
      child.stderr.destroy();
    };
    let stopped: CommandFailure | undefined;
    let grace: NodeJS.Timeout | undefined;
    const stop = (failure: CommandFailure) => {
      stopped ??= failure;
      // SIGKILL, because a shell that ignores a milder signal would never end.
      if (isGroup && child.pid !== undefined) killGroup(child.pid);
      else child.kill("SIGKILL");
      hangUp();
    };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
        if (output[name].length > MOST_OUTPUT) stop({ code: "ERR_CHILD_PROCESS_STDIO_MAXBUFFER" });
      });
    }
    const limit = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000));
    limit.onabort = () => stop({ killed: true });
    const end = (failure: CommandFailure | null) => {
      limit.onabort = null;
      clearTimeout(grace);
      process.off("exit", atExit);
      done({ error: stopped ?? failure, ...output });
    };
    const atExit = () => stop({ killed: true });
    process.once("exit", atExit);
    child.on("error", ({ code }: NodeJS.ErrnoException) => end({ code: code ?? null }));
    child.on("exit", () => {
      // `setImmediate` lets Node read first. If Node was busy for the whole grace, the output is still in the pipe.
      grace = setTimeout(() => setImmediate(hangUp), GRACE);
    });
    child.on("close", (code, signal) => end(code === 0 ? null : { code, signal }));
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process group has already ended.
  }
}

function endOf({ code, killed, signal }: CommandFailure, timeoutSeconds: number): string {
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "printed far more than a token";
  if (killed) return `did not end within ${timeoutSeconds} s, the limit in {requestTimeoutSeconds}`;
  return signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
}

function excessOf(token: string): string {
  if (token === "") return "printed nothing";
  return /[\r\n]/.test(token) ? "printed more than one line" : "printed more than a token";
}
