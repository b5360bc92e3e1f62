import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { reason } from "./execute";

/** The Node version line that the newest SDK needs. npm has its binaries, one package for each platform. */
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
const NODE_VERSION = "22";

/**
 * `npm run test:newest`: runs `npm test` on Node 22 with the newest supported `@pulumi/pulumi`, in a copy of the
 * repository.
 */
async function main(): Promise<void> {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const sdk: string = devDependencies["@pulumi/pulumi-newest"].replace("npm:", "");
  const folder = mkdtempSync(join(tmpdir(), "solar-charging-newest-"));
  try {
    console.log(`Installing ${sdk} and Node ${NODE_VERSION} in a copy of this folder (about a minute) …`);
    const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      encoding: "utf8",
    });
    for (const file of files.split("\0").filter(Boolean)) cpSync(file, join(folder, file), { force: true });
    const install = [
      "install",
      "--ignore-scripts",
      "--no-audit",
      "--save-dev",
      "--save-exact",
      sdk,
      `${NODE_PACKAGE}@${NODE_VERSION}`,
    ];
    execFileSync("npm", install, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    const env = {
      ...process.env,
      PATH: [join(folder, "node_modules", NODE_PACKAGE, "bin"), process.env.PATH].join(delimiter),
    };
    const test = spawn("node", ["scripts/run.mjs", "scripts/test", ...process.argv.slice(2)], {
      cwd: folder,
      env,
      stdio: "inherit",
    });
    const [code] = await once(test, "exit");
    process.exitCode = code ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error) => {
  console.error(reason(error));
  process.exitCode = 1;
});
