import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { localStackEnvironment } from "../scripts/local-stack";
import type { Contestant, Operation, Setting } from "./contestant";
import { measure } from "./measure";

/** The repository: this runs from dist/bench. */
const ROOT = resolve(__dirname, "../..");

const ARGUMENTS: Record<Operation, string[]> = {
  "first preview": ["preview"],
  "first up": ["up", "--yes", "--skip-preview"],
  preview: ["preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  "one change": ["up", "--yes", "--skip-preview"],
};

/** This package, as its users have it. */
export const ours = onTheEngine("ours", "pulumi-solar-charging");

/** The engine with an empty dynamic resource: no request, no check. */
export const floor = onTheEngine("floor", "pulumi-floor-charging");

/** The floor, with a read that waits as long as the service: how a refresh hides what it waits for. */
export const waitingFloor = onTheEngine("floor, 20 ms reads", "pulumi-floor-charging", "20");

function onTheEngine(name: string, module: string, readMs = "0"): Contestant {
  return {
    name,
    async prepare({ folder, vehicles, url, engine }: Setting) {
      writeFileSync(join(folder, "Pulumi.yaml"), "name: bench\nruntime: nodejs\n");
      writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bench", main: "index.js" }));
      writeFileSync(
        join(folder, "index.js"),
        `const { VehicleSettings } = require(${JSON.stringify(module)});
for (let index = 0; index < ${vehicles}; index++) {
  new VehicleSettings(\`car-\${index}\`, {
    deviceId: \`car-\${index}\`,
    maxCapacity: index === 0 ? Number(process.env.BENCH_CAPACITY) : 77000,
    maxChargePower: 11000,
    policy: "CHARGE BY FORECAST",
  });
}
`,
      );
      installInto(join(folder, "node_modules"));
      const base = {
        ...process.env,
        SOLAR_CHARGING_BASE_URL: url,
        SOLAR_CHARGING_BUSINESS_ID: "acme",
        SOLAR_CHARGING_ACCESS_TOKEN: "bench",
        BENCH_CAPACITY: "77000",
        BENCH_READ_MS: readMs,
      };
      const env = localStackEnvironment({ folder: join(folder, "state"), engine, base });
      await measure("pulumi", ["stack", "init", "dev"], { cwd: folder, env });
      return {
        command: (operation: Operation) => ({
          command: "pulumi",
          args: [...ARGUMENTS[operation], "--non-interactive"],
          cwd: folder,
          env: operation === "one change" ? { ...env, BENCH_CAPACITY: "78000" } : env,
        }),
        stateBytes: () => statSync(join(folder, "state", ".pulumi", "stacks", "bench", "dev.json")).size,
      };
    },
  };
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
