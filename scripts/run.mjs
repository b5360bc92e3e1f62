/**
 * `node scripts/run.mjs <program> [arguments…]` installs the dependencies, builds, and runs `<program>.ts`, such as
 * scripts/start. It runs before anything is installed, so it may import only Node's own modules.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LOCK = join(ROOT, ".local", "run.lock");
const LOCK_LIFE_MS = 15 * 60_000; // Longer than any install and build. It also limits how long a reused process id can keep a lock.

class UserError extends Error {}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(join(ROOT, file), "utf8"));
}

function checkPlatform() {
  // node-fetch is an ES module, and earlier versions of Node cannot `require` it.
  if (!process.features.require_module) {
    const { node } = readJson("package.json").engines;
    throw new UserError(
      `This needs Node ${node}, and runs on ${process.versions.node}. Install a newer one (nodejs.org).`,
    );
  }
  if (process.platform === "win32") throw new UserError("This does not run on Windows itself. Run it in WSL.");
}

/** Whether node_modules matches package-lock.json. npm records in node_modules which packages it has installed. */
function dependenciesMatch() {
  let installed;
  try {
    installed = readJson("node_modules/.package-lock.json").packages;
  } catch {
    return false; // The file is missing or truncated.
  }
  return Object.entries(readJson("package-lock.json").packages)
    .filter(([path]) => path.includes("node_modules/"))
    .every(([path, wanted]) =>
      installed[path] ? installed[path].version === wanted.version : wanted.optional || wanted.peer,
    );
}

/**
 * Runs a command to its end. Passes our signals on to it, except a terminal's Ctrl-C, which the command gets anyway.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @param {(pid: number | undefined) => void} [started]
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
async function run(command, args, options, started) {
  const child = spawn(command, args, options);
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  /** @type {NodeJS.Signals[]} */
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  try {
    return await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", (code, signal) => resolve({ code, signal }));
      started?.(child.pid);
    });
  } finally {
    for (const signal of signals) process.off(signal, forward);
  }
}

/**
 * @param {string} what
 * @param {string} command
 * @param {string[]} args
 */
async function step(what, command, args) {
  console.error(`${what} …`);
  // Standard output is reserved for the script. If this process is killed, the lock holds while the child still runs.
  const { code, signal } = await run(command, args, { cwd: ROOT, stdio: ["ignore", 2, 2] }, (pid) =>
    writeFileSync(LOCK, `${process.pid} ${pid}`),
  ).catch((error) => {
    throw new UserError(`${what}: cannot run ${command} (${error.message}).`);
  });
  if (code !== 0) throw new UserError(`${what}: failed (${signal ?? `exit code ${code}`}), see above.`);
}

async function installAndBuild() {
  if (!dependenciesMatch()) {
    // Skips the script `prepare`, because the next step builds. Includes development dependencies even if NODE_ENV
    // excludes them, because the compiler is one.
    const args = ["ci", "--ignore-scripts", "--include=dev"];
    await step("Installing dependencies with npm ci (about a minute)", "npm", args);
  }
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  await step("Building (a few seconds)", process.execPath, [compiler, "--build", "policy", "cli/status/page"]);
  await step("Bundling the plugin and the report's page", process.execPath, [join(ROOT, "scripts", "bundle.mjs")]);
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM"; // The process exists, and belongs to another user.
  }
}

/** Removes the lock if the processes named in it have ended. @returns whether it did */
function breakStaleLock() {
  try {
    const pids = readFileSync(LOCK, "utf8");
    const young = Date.now() - statSync(LOCK).mtimeMs < LOCK_LIFE_MS;
    if (young && pids.split(" ").some((pid) => Number(pid) !== process.pid && isAlive(Number(pid)))) return false;
    // If two processes do this at once, the second may take the first one's new lock. It then puts the lock back.
    const taken = `${LOCK}.${process.pid}`;
    renameSync(LOCK, taken);
    if (readFileSync(taken, "utf8") === pids) rmSync(taken);
    else renameSync(taken, LOCK);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  return true;
}

/** Runs `task` while no other process does the same in this folder. @param {() => Promise<void>} task */
async function exclusively(task) {
  mkdirSync(dirname(LOCK), { recursive: true });
  for (let told = false; ; await sleep(100)) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      if (breakStaleLock() || told) continue;
      told = true;
      console.error(`Waiting for another process that installs or builds here. If there is none, delete ${LOCK}.`);
    }
  }
  try {
    await task();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

async function main() {
  const [program = "", ...args] = process.argv.slice(2);
  checkPlatform();
  if (!existsSync(join(ROOT, `${program}.ts`))) {
    throw new UserError(`There is no ${program}.ts. Usage: node scripts/run.mjs <program> [arguments…]`);
  }
  await exclusively(installAndBuild);
  const file = join(ROOT, "dist", `${program}.js`);
  const { code, signal } = await run(process.execPath, [file, ...args], { stdio: "inherit" });
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}

main().catch((error) => {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
});
