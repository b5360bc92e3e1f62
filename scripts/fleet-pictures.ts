import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { type FleetDevice, type Simulator, startSimulator } from "solar-charging-simulator";
import { browserOfMachine } from "./browser";
import type { Engine } from "./engine";
import { execute } from "./execute";
import { localStackEnvironment } from "./local-stack";
import { drawTerminal } from "./terminal-picture";

const MAIN = resolve(__dirname, "../..", "dist", "cli", "main.js");
const COLUMNS = 110;

/** Latitudes of the sites of a fleet with several problems. */
const SITES = { aachen: 50.8, bonn: 50.7, dresden: 51.1, essen: 51.5, kiel: 54.3, leipzig: 51.3, mainz: 50, ulm: 48.4 };

/**
 * Draws the status of a fleet on a terminal, and its report in a browser, at two widths, in light and dark. The
 * pictures of the documents are those of a wide, light screen.
 */
export async function drawFleet(pictures: string, engine: Engine): Promise<void> {
  const executablePath = browserOfMachine();
  if (executablePath === undefined)
    throw new Error("there is no Chromium on the PATH (Debian: apt-get install chromium)");
  const folder = mkdtempSync(join(tmpdir(), "solar-charging-pictures-"));
  const simulator = await startSimulator({ fleet: { businesses: { acme: devices() } } });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const env = environmentOf(folder, engine, simulator);
    const options = { cwd: folder, env, seconds: 120 };
    writeFileSync(join(folder, "fleet.yaml"), manifest());
    await execute(process.execPath, [MAIN, "fleet", "up", "--manifest", "fleet.yaml", "--yes"], options);
    simulator.appUserSets("acme", "roof-kiel", { azimuth: 22.5 });
    const optedOut = { opt_out: true, opt_out_until: "2027-01-07" };
    simulator.appUserSets("acme", "van-1-ulm", { config: optedOut, service_status: "inactive_opted_out" });
    const status = ["status", "--manifest", "fleet.yaml"];
    await drawTerminal(
      join(pictures, "status.svg"),
      `npx solar-charging ${status.join(" ")}`,
      [process.execPath, MAIN, ...status],
      {
        ...{ cwd: folder, env, columns: COLUMNS },
        codes: [2], // The exit code for sites that need attention.
      },
    );
    await execute(
      process.execPath,
      [MAIN, "status", "--html", "--output", "report.html", "--manifest", "fleet.yaml"],
      options,
    );
    const page = pathToFileURL(join(folder, "report.html")).href;
    await drawPage(browser, page, join(pictures, "report.png"));
    await drawPage(browser, `${page}#/site/shard-1-of-1/kiel`, join(pictures, "report-site.png"));
  } finally {
    await browser.close();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function drawPage(browser: Browser, url: string, path: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 860 } });
  await page.goto(url);
  await page.waitForSelector("main h1[tabindex]");
  await page.screenshot({ path });
  console.log(`Drawn: ${path}`);
}

function devices(): Record<string, FleetDevice> {
  const of = (site: string): [string, FleetDevice][] => [
    [`roof-${site}`, { type: "inverter" }],
    [`van-1-${site}`, { type: "vehicle" }],
    [`van-2-${site}`, { type: "vehicle" }],
  ];
  return Object.fromEntries(Object.keys(SITES).flatMap(of));
}

function manifest(): string {
  const sites = Object.entries(SITES).map(([site, latitude]) => {
    const baseLoad = site === "bonn" ? "" : ", baseLoad: 400 W";
    return `  ${site}:
    latitude: ${latitude}
    vehicles: { van-1: { deviceId: van-1-${site} }, van-2: { deviceId: van-2-${site}, maxCapacity: 60 kWh } }
    inverters: { roof: { deviceId: roof-${site}, peakPower: 18 kWp, azimuth: S${baseLoad} } }`;
  });
  return `fleet: acme
shards: 1
defaults:
  vehicle: { maxCapacity: 77 kWh, maxChargePower: 11 kW }
  inverter: { tilt: 30, cutInThreshold: 150 W }
sites:
${sites.join("\n")}
`;
}

function environmentOf(folder: string, engine: Engine, simulator: Simulator): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env; // Hides the rest of this machine's environment.
  const base = {
    ...{ PATH, HOME, GITHUB_ACTIONS: "true", GITHUB_SERVER_URL: "https://github.com" },
    ...{ GITHUB_REPOSITORY: "acme/fleet", GITHUB_RUN_ID: "4711" }, // The changes come from a pipeline.
    SOLAR_CHARGING_BASE_URL: simulator.url,
    SOLAR_CHARGING_BUSINESS_ID: "acme",
    SOLAR_CHARGING_ACCESS_TOKEN: simulator.token,
    SOLAR_CHARGING_LEDGER_FILE: join(folder, "ledger.jsonl"),
    SOLAR_CHARGING_INVERTER_FIELDS: "{}",
  };
  return localStackEnvironment({ folder: join(folder, "state"), engine, base });
}
