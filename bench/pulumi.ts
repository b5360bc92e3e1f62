import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ACCESS_TOKEN } from "./accessToken";
import { capacityOf, type Operation, type Prepared, type Setting } from "./contestant";
import { measure } from "./measure";
import { BUSINESS, sitesOf } from "./workload";

/** The repository. This file runs from dist/bench. */
export const ROOT = resolve(__dirname, "../..");

/** The name of each project, and of the fleet. */
export const PROJECT = "bench";

/** The class of a program's resources. */
export interface ResourceClass {
  readonly package: "pulumi-solar-charging" | "pulumi-solar-charging/native" | "bench-floor";
  readonly name: "SiteSettings" | "Floor";
}

/** The arguments of `pulumi` for an operation with a stack. */
export const PULUMI_ARGUMENTS: Record<Operation, readonly string[]> = {
  "first preview": ["preview"],
  "first up": ["up", "--yes", "--skip-preview"],
  preview: ["preview"],
  "preview, reading": ["preview", "--refresh"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  "one change": ["up", "--yes", "--skip-preview"],
  "one change, reading": ["up", "--refresh", "--yes", "--skip-preview"],
  "drift repair": ["up", "--refresh", "--yes", "--skip-preview"],
};

/** All resources in one stack. */
export async function oneStack(setting: Setting, resource: ResourceClass): Promise<Prepared> {
  const { folder, sites } = setting;
  writeProgram(folder, resource);
  const env = environmentOf(setting);
  await measure({ command: "pulumi", args: ["stack", "init", "dev"], cwd: folder, env });
  return {
    command(operation) {
      writeFileSync(join(folder, "sites.json"), JSON.stringify(sitesOf(sites, capacityOf(operation))));
      return { command: "pulumi", args: [...PULUMI_ARGUMENTS[operation], "--non-interactive"], cwd: folder, env };
    },
    stateBytes: () => stateBytesIn(setting),
  };
}

/** Writes a program with one resource for each site in sites.json. */
function writeProgram(folder: string, resource: ResourceClass): void {
  writeFileSync(join(folder, "Pulumi.yaml"), `name: ${PROJECT}\nruntime: nodejs\n`);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: PROJECT, main: "index.js" }));
  writeFileSync(
    join(folder, "index.js"),
    `const { ${resource.name} } = require(${JSON.stringify(resource.package)});
for (const [name, args] of Object.entries(require("./sites.json"))) new ${resource.name}(name, args);
`,
  );
  installInto(join(folder, "node_modules"));
}

/** The environment of `pulumi` and of our command line. */
export function environmentOf({ url, env }: Setting): NodeJS.ProcessEnv {
  return {
    ...env,
    SOLAR_CHARGING_BASE_URL: url,
    SOLAR_CHARGING_BUSINESS_ID: BUSINESS,
    SOLAR_CHARGING_ACCESS_TOKEN: ACCESS_TOKEN,
    // Confirms the wire names. Without this, each run would warn about them.
    SOLAR_CHARGING_INVERTER_FIELDS: '{"peakPower":"peak_power"}',
  };
}

/** Bytes of the state of all stacks. */
export function stateBytesIn({ stateFolder }: Setting): number {
  const stacks = join(stateFolder, ".pulumi", "stacks", PROJECT);
  return readdirSync(stacks)
    .filter((name) => /\.json(\.zst)?$/.test(name))
    .reduce((sum, name) => sum + statSync(join(stacks, name)).size, 0);
}

/** Installs the packages that the programs and the engine's host need. */
function installInto(folder: string): void {
  const floor = join(folder, "bench-floor");
  mkdirSync(floor, { recursive: true });
  symlinkSync(join(ROOT, "node_modules", "@pulumi"), join(folder, "@pulumi"));
  symlinkSync(ROOT, join(folder, "pulumi-solar-charging"));
  writeFileSync(join(floor, "index.js"), `module.exports = require(${JSON.stringify(join(__dirname, "floor"))});\n`);
}
