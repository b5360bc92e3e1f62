import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { DEMO_FLEET, type Simulator, startSimulator } from "solar-charging-simulator";
import { devicePath } from "../provider/service/device";
import { findOrFetchEngine } from "./engine";
import { execute, reason } from "./execute";
import { localStackEnvironment } from "./local-stack";

const MAIN = resolve(__dirname, "..", "cli", "main.js");

/** The service of the program. */
interface Service {
  readonly env: {
    readonly SOLAR_CHARGING_BASE_URL: string;
    readonly SOLAR_CHARGING_BUSINESS_ID: string;
    readonly SOLAR_CHARGING_ACCESS_TOKEN: string;
  };
  /** Absent if the service is not ours. */
  readonly simulator?: Simulator;
}

/**
 * `npm start`: previews and applies the program of examples/home with the real engine and local state. The service is
 * the one in SOLAR_CHARGING_BASE_URL if it is set, otherwise the simulator. Then shows the devices.
 */
async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      vehicle: { type: "string", default: "car" },
      inverter: { type: "string", default: "roof" },
      folder: { type: "string", default: ".local" },
    },
  });
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true });
  const engine = await findOrFetchEngine();
  const service = await serviceOf(process.env, join(folder, "simulator.json"));
  const base = { ...process.env, ...service.env };
  const env = localStackEnvironment({ folder: join(folder, "state"), engine, base });
  const devices = ["--config", `vehicle=${options.vehicle}`, "--config", `inverter=${options.inverter}`];
  try {
    // Each service has its own stack, because the state of simulated devices says nothing about real ones.
    await pulumi(env, "stack", "select", "--create", service.simulator ? "simulator" : "service");
    await pulumi(env, "preview", ...devices);
    await pulumi(env, "up", "--yes", "--skip-preview", ...devices);
    if (service.simulator) showReceived(service.simulator);
    await showCachedReads(service, [options.inverter, options.vehicle]);
    await showVerdict(env, devices, folder);
    showNextSteps();
  } finally {
    await service.simulator?.close();
  }
}

async function serviceOf(env: NodeJS.ProcessEnv, stateFile: string): Promise<Service> {
  const { SOLAR_CHARGING_BASE_URL, SOLAR_CHARGING_BUSINESS_ID, SOLAR_CHARGING_ACCESS_TOKEN } = env;
  if (SOLAR_CHARGING_BASE_URL) {
    if (!SOLAR_CHARGING_BUSINESS_ID || !SOLAR_CHARGING_ACCESS_TOKEN) {
      throw new Error(
        "SOLAR_CHARGING_BASE_URL is set: set SOLAR_CHARGING_BUSINESS_ID and SOLAR_CHARGING_ACCESS_TOKEN too",
      );
    }
    return { env: { SOLAR_CHARGING_BASE_URL, SOLAR_CHARGING_BUSINESS_ID, SOLAR_CHARGING_ACCESS_TOKEN } };
  }
  const isKnown = existsSync(stateFile);
  const simulator = await startSimulator({ fleet: DEMO_FLEET, stateFile });
  heading(
    `The simulated service listens on ${simulator.url}, with business acme, vehicle car and inverter roof` +
      (isKnown ? ", as the last run left them" : ""),
  );
  return {
    simulator,
    env: {
      SOLAR_CHARGING_BASE_URL: simulator.url,
      SOLAR_CHARGING_BUSINESS_ID: "acme",
      SOLAR_CHARGING_ACCESS_TOKEN: simulator.token,
    },
  };
}

async function pulumi(env: NodeJS.ProcessEnv, ...args: string[]): Promise<void> {
  heading(`pulumi ${args.join(" ")}`);
  await run("pulumi", [...args, "--non-interactive"], env);
}

async function run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const [code] = await once(spawn(command, args, { env, stdio: "inherit" }), "exit");
  if (code !== 0) throw new Error(`${command} ${args[0]} failed, see above`);
}

/** Shows the review of the stack as it is now, the sun of its site, and the path of its report. */
async function showVerdict(env: NodeJS.ProcessEnv, devices: string[], folder: string): Promise<void> {
  const file = join(folder, "preview.json");
  const preview = ["preview", "--json", "--show-sames", "--non-interactive", ...devices];
  writeFileSync(file, await execute("pulumi", preview, { env, seconds: 120 }));
  for (const args of [
    ["review", file],
    ["sun", "--preview", file, "--site", "home"],
    ["status", "--html", "--output", join(folder, "report.html")],
  ]) {
    heading(`npx solar-charging ${args.join(" ")}`);
    await run(process.execPath, [MAIN, ...args], env);
  }
}

function showReceived({ requests }: Simulator): void {
  heading("What the service received");
  for (const { method, path, body } of requests) console.log(method, path, body ? JSON.stringify(body) : "");
  if (requests.length === 0) console.log("Nothing: everything is as declared.");
}

async function showCachedReads({ env }: Service, deviceIds: string[]): Promise<void> {
  heading("What the cached read shows now");
  for (const deviceId of deviceIds) {
    const path = devicePath({ businessId: env.SOLAR_CHARGING_BUSINESS_ID, deviceId });
    const response = await fetch(env.SOLAR_CHARGING_BASE_URL.replace(/\/+$/, "") + path, {
      headers: { Authorization: `Bearer ${env.SOLAR_CHARGING_ACCESS_TOKEN}` },
      redirect: "error",
    });
    console.log(`${deviceId}: ${JSON.stringify(await response.json())}`);
  }
}

function showNextSteps(): void {
  heading("To run the same program against the real service");
  console.log("export SOLAR_CHARGING_BASE_URL=https://<host> SOLAR_CHARGING_BUSINESS_ID=<business_id>");
  console.log("export SOLAR_CHARGING_ACCESS_TOKEN=<token>");
  console.log("npm start -- --vehicle <dev_id> --inverter <dev_id>");
}

function heading(text: string): void {
  console.log(`\n--- ${text}`);
}

main().catch((error) => {
  console.error(reason(error));
  process.exitCode = 1;
});
