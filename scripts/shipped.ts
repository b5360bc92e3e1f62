import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(__dirname, "../..");

/** A package in a lockfile. */
export interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

const nameOf = (folder: string) => folder.split("node_modules/").at(-1) ?? "";

/**
 * A lockfile of the packages that users get: those that npm installs for them, and the bundled ones. npm treats the
 * bundled ones as development dependencies, so its audit would leave them out.
 * @param bundled folders of packages
 */
export function lockOfShipped(
  { name, version, license }: Manifest,
  packages: Readonly<Record<string, Locked>>,
  bundled: readonly string[],
) {
  const isShipped = (folder: string, { dev, link }: Locked) =>
    folder.startsWith("node_modules/") && !link && (!dev || bundled.includes(folder));
  const shipped = Object.entries(packages).filter(([folder, locked]) => isShipped(folder, locked));
  const names = new Set(shipped.map(([folder]) => nameOf(folder)));
  const shippedOnly = (dependencies: Locked["dependencies"] = {}) =>
    Object.fromEntries(Object.entries(dependencies).filter(([dependency]) => names.has(dependency)));
  const direct = shipped.flatMap(([folder, locked]) =>
    folder === `node_modules/${nameOf(folder)}` ? [[nameOf(folder), locked.version ?? ""] as const] : [],
  );
  const root = { name, version, license, dependencies: Object.fromEntries(direct) };
  const rest = shipped.map(([folder, { version, dependencies, ...locked }]) => {
    const { resolved, integrity, license } = locked as Readonly<Record<string, string>>;
    return [folder, { version, resolved, integrity, license, dependencies: shippedOnly(dependencies) }] as const;
  });
  return { ...root, lockfileVersion: 3, requires: true, packages: { "": root, ...Object.fromEntries(rest) } };
}

/**
 * `node dist/scripts/shipped.js audit` and `… sbom --sbom-format cyclonedx`: runs a command of npm on the packages that
 * users get.
 */
function main(args: readonly string[]): void {
  const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), "utf8"));
  const lock = lockOfShipped(read("package.json"), read("package-lock.json").packages, read("dist/bundled.json"));
  const temporary = mkdtempSync(join(tmpdir(), "solar-charging-shipped-"));
  const folder = join(temporary, lock.name); // npm names a bill of materials after the folder.
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify(lock.packages[""]));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
    const { status } = spawnSync("npm", [...args, "--package-lock-only"], { cwd: folder, stdio: "inherit" });
    process.exitCode = status ?? 1;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (require.main === module) main(process.argv.slice(2));
