import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { localStackEnvironment } from "../scripts/local-stack";
import { ACCESS_TOKEN } from "./accessToken";
import type { Setting } from "./contestant";

/** The repository: this runs from dist/bench. */
export const ROOT = resolve(__dirname, "../..");

/** The name of each project, and of the fleet. */
export const PROJECT = "bench";

/** The packages whose vehicles a program declares. */
export type Package = "pulumi-solar-charging" | "pulumi-floor-charging";

/**
 * Writes a program that declares vehicles.
 * @param devices expression of JavaScript that gives their ids
 * @param before statements that it begins with
 */
export function writeProgram(folder: string, from: Package, devices: string, before = ""): void {
  writeFileSync(join(folder, "Pulumi.yaml"), `name: ${PROJECT}\nruntime: nodejs\n`);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: PROJECT, main: "index.js" }));
  writeFileSync(
    join(folder, "index.js"),
    `${before}const { VehicleSettings } = require(${JSON.stringify(from)});
for (const deviceId of ${devices}) {
  new VehicleSettings(deviceId, {
    deviceId,
    maxCapacity: deviceId === "car-0" ? Number(process.env.BENCH_CAPACITY) : 77000,
    maxChargePower: 11000,
    policy: "CHARGE BY FORECAST",
  });
}
`,
  );
  installInto(join(folder, "node_modules"));
}

/** The environment of `pulumi` and of our command line; the state is in the folder. */
export function environmentOf({ folder, url, engine }: Setting): NodeJS.ProcessEnv {
  const base = {
    ...process.env,
    SOLAR_CHARGING_BASE_URL: url,
    SOLAR_CHARGING_BUSINESS_ID: "acme",
    SOLAR_CHARGING_ACCESS_TOKEN: ACCESS_TOKEN,
    BENCH_CAPACITY: "77000",
    BENCH_READ_MS: "0",
  };
  return localStackEnvironment({ folder: join(folder, "state"), engine, base });
}

/** Bytes of the state of all stacks. */
export function stateBytesIn(folder: string): number {
  const stacks = join(folder, "state", ".pulumi", "stacks", PROJECT);
  return readdirSync(stacks)
    .filter((name) => /\.json(\.zst)?$/.test(name))
    .reduce((sum, name) => sum + statSync(join(stacks, name)).size, 0);
}

/** The packages that the programs and the engine's host look for. */
function installInto(folder: string): void {
  const floorPackage = join(folder, "pulumi-floor-charging");
  mkdirSync(floorPackage, { recursive: true });
  symlinkSync(join(ROOT, "node_modules", "@pulumi"), join(folder, "@pulumi"));
  symlinkSync(ROOT, join(folder, "pulumi-solar-charging"));
  for (const [file, source] of Object.entries({ "index.js": "floorVehicle.js", "host.js": "floorHost.js" })) {
    writeFileSync(join(floorPackage, file), `module.exports = require(${JSON.stringify(join(__dirname, source))});\n`);
  }
}
