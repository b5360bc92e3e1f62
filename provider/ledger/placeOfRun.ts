import { accessSync, constants, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/**
 * The path of a file that the provider processes of one run share. Each line begins with the process that wrote it, as
 * `{"pid":1,`. The path contains the identity of the run. Without this, a run would read the file of an ended run whose
 * engine had the same port.
 * @param engine address of the engine
 * @throws Error if there is no folder for it that only this user can use
 */
export function pathOfRun(engine: string, environment: NodeJS.ProcessEnv): string {
  const folder = folderOfRuns(environment);
  const listener = listenerOf(engine);
  const name = `${engine.replace(/[^\w.-]/g, "-").slice(0, 100)}${listener ?? ""}.jsonl`;
  // Without an identity, a file counts as that of an earlier run if all its writers have ended.
  sweep(folder, listener === undefined ? undefined : name);
  return join(folder, name);
}

/**
 * Errors that make a folder unusable for every process of a run. A full disk is not one of them, because it may have
 * space again later.
 */
const LASTING = ["EACCES", "EEXIST", "ELOOP", "ENOTDIR", "EPERM", "EROFS"];

/**
 * A folder that only this user can read and write: in Pulumi's home, or else in the system's temporary folder. All
 * processes of a run have to choose the same one. The home comes first, because no other user can make or remove a
 * folder in it during a run.
 */
function folderOfRuns(environment: NodeJS.ProcessEnv): string {
  const user = process.getuid?.();
  const name = user === undefined ? "solar-charging" : `solar-charging-${user}`;
  const problems: string[] = [];
  for (const folder of [join(homeOfEngine(environment), name), join(tmpdir(), name)]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      accessSync(folder, constants.W_OK | constants.X_OK);
      const stat = lstatSync(folder);
      const isOurs = stat.isDirectory() && (user === undefined || (stat.uid === user && (stat.mode & 0o077) === 0));
      if (isOurs) return folder;
      problems.push(`${folder} is not a folder that only you can use`);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      problems.push(`${folder}: ${code}`);
      if (!LASTING.includes(code)) break;
    }
  }
  throw new Error(problems.join("; "));
}

/**
 * The engine's folder in the home of the user. The engine asks the system for the home, not `HOME`: in a container, a
 * job can have another `HOME`, and would not find the logins of `pulumi login` there.
 */
export function homeOfEngine({ PULUMI_HOME }: NodeJS.ProcessEnv): string {
  return PULUMI_HOME || join(homeOfUser(), ".pulumi");
}

function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    return homedir(); // The system does not know this user.
  }
}

/**
 * The identity of the socket at which the engine listens, such as `-81234-1a2b3c4d`. No other socket has it until the
 * machine starts again. Undefined on systems that do not show it.
 */
function listenerOf(engine: string): string | undefined {
  const [, host = "", port] = /^([\d.]+):(\d+)$/.exec(engine) ?? [];
  const hex = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, "0");
  // `/proc/net/tcp` has the bytes of an address in reverse order: 0100007F is 127.0.0.1.
  const bytes = host.split(".").map((byte) => hex(Number(byte), 2));
  const places = [bytes.reverse().join(""), "00000000"].map((local) => `${local}:${hex(Number(port), 4)}`);
  try {
    const [boot] = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").split("-");
    const rows = readFileSync("/proc/net/tcp", "utf8").split("\n");
    // The columns of a row: number, local address, other address, state (0A: listening); the tenth is the socket.
    const columns = rows.map((row) => row.trim().split(/\s+/)).filter(([, , , state]) => state === "0A");
    const [socket] = places.flatMap((place) => columns.filter(([, local]) => local === place).map((row) => row[9]));
    return socket && `-${socket}-${boot}`;
  } catch {
    return undefined;
  }
}

/** Age in milliseconds up to which a file without a line counts as new (our choice). */
const NEW = 60_000;

/**
 * Removes the files of ended runs. Their providers cannot always do it, because the engine can kill them.
 * @param own the file of this run, which stays even if all its writers have ended
 */
function sweep(folder: string, own: string | undefined): void {
  for (const name of readdirSync(folder)) {
    if (name === own || !name.endsWith(".jsonl")) continue;
    removeUnused(join(folder, name));
  }
}

/** Removes a file of a run if no process that wrote to it is alive. */
export function removeUnused(path: string, isUsing: (pid: number) => boolean = isAlive): void {
  try {
    const writers = [...readFileSync(path, "utf8").matchAll(/^\{"pid":(\d{1,10}),?/gm)].map(([, pid]) => Number(pid));
    const isNew = writers.length === 0 && Date.now() - statSync(path).mtimeMs < NEW;
    if (!isNew && ![...new Set(writers)].some(isUsing)) rmSync(path);
  } catch {
    // Another process has removed the file, or will remove it.
  }
}

/** Whether this machine runs a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
