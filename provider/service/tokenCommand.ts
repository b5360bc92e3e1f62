import { type Failure, failureOfCommand } from "./errors";
import { extractOf } from "./extract";
import { type Grant, SECRET } from "./secret";

/**
 * Runs a shell command whose standard output is a token and at most one line break. It gets no input.
 * @param secrets texts that are removed from the shown standard error. The standard output is never shown
 */
export async function runTokenCommand(
  command: string,
  timeoutSeconds: number,
  secrets: ReadonlySet<string>,
): Promise<Grant | Failure> {
  const { error, stdout, stderr } = await run(command, timeoutSeconds);
  const token = stdout.replace(/\r?\n$/, "");
  if (!error && SECRET.test(token)) return { token };
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

async function run(command: string, timeoutSeconds: number) {
  const { exec } = await import("node:child_process");
  return await new Promise<{ error: CommandFailure | null; stdout: string; stderr: string }>((done) => {
    // SIGKILL, because a shell that ignores a milder signal would never end.
    const limits = { timeout: Math.ceil(timeoutSeconds * 1000), killSignal: "SIGKILL" } as const;
    const child = exec(command, { ...limits, windowsHide: true }, (error, stdout, stderr) =>
      done({ error: error as CommandFailure | null, stdout, stderr }),
    );
    child.stdin?.end();
  });
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
