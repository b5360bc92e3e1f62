import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { DEMO_FLEET, startSimulator } from "solar-charging-simulator";
import { findOrFetchEngine } from "./engine";
import { execute, reason } from "./execute";
import { drawFleet } from "./fleet-pictures";
import { localStackEnvironment } from "./local-stack";
import { drawTerminal } from "./terminal-picture";

const ROOT = resolve(__dirname, "../..");
const MAIN = join(ROOT, "dist", "cli", "main.js");
const COLUMNS = 132;

/** The changes of a pull request in examples/home. The service would accept each of them without an error. */
const MISTAKES: readonly [was: string, is: string][] = [
  [`azimuth: "SSW"`, "azimuth: 22.5"], // The azimuth counted from south.
  [`baseLoad: "400 W",`, ""],
  [`maxChargePower: "11 kW"`, `maxChargePower: "150 kW"`], // The charge power of a fast charger.
];

/**
 * `npm run screenshot`: draws the terminal during a preview and its review, with the real engine and the simulator.
 * First it applies the example; then a pull request with mistakes is previewed. At the end it draws a fleet.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { folder: { type: "string", default: join(ROOT, "docs") } } });
  const folder = mkdtempSync(join(tmpdir(), "solar-charging-screenshot-"));
  const simulator = await startSimulator({ fleet: DEMO_FLEET });
  try {
    cpSync(join(ROOT, "examples", "home"), folder, { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const { PATH, HOME } = process.env; // Hides the rest of this machine's environment.
    const env = localStackEnvironment({
      folder: join(folder, "state"),
      engine: await findOrFetchEngine(),
      base: {
        PATH,
        HOME,
        SOLAR_CHARGING_BASE_URL: simulator.url,
        SOLAR_CHARGING_BUSINESS_ID: "acme",
        SOLAR_CHARGING_ACCESS_TOKEN: simulator.token,
        SOLAR_CHARGING_INVERTER_FIELDS: `{"peakPower":"peak_power"}`, // Confirms the wire names, so that only the mistakes cause warnings.
      },
    });
    const options = { cwd: folder, env, seconds: 120 };
    await execute("pulumi", ["stack", "init", "production"], options);
    await execute("pulumi", ["up", "--yes", "--skip-preview", "--non-interactive"], options);
    makeMistakes(join(folder, "index.ts"));
    const at = { cwd: folder, env, columns: COLUMNS };
    const pictureIn = (name: string) => join(values.folder, `${name}.svg`);
    await drawTerminal(pictureIn("preview"), "pulumi preview", ["pulumi", "preview"], at);
    const preview = await execute("pulumi", ["preview", "--json", "--show-sames"], options);
    writeFileSync(join(folder, "preview.json"), preview);
    const review = ["review", "--name", "home/production", "preview.json"];
    const typed = `npx solar-charging ${review.join(" ")}`;
    await drawTerminal(pictureIn("review"), typed, [process.execPath, MAIN, ...review], at);
  } finally {
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
  await drawFleet(values.folder, await findOrFetchEngine());
}

function makeMistakes(file: string): void {
  let program = readFileSync(file, "utf8");
  for (const [was, is] of MISTAKES) {
    if (!program.includes(was)) throw new Error(`examples/home/index.ts has no '${was}' any more: change MISTAKES`);
    program = program.replace(was, is);
  }
  writeFileSync(file, program);
}

main().catch((error) => {
  console.error(reason(error));
  process.exitCode = 1;
});
