import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import * as pty from "@lydell/node-pty";
import { Terminal } from "@xterm/headless";
import { startSimulator } from "../simulator";
import { DEMO_FLEET } from "../simulator/demo-fleet";
import { findOrFetchEngine } from "./engine";
import { execute, reason } from "./execute";
import { localStackEnvironment } from "./local-stack";
import { terminalSvg } from "./terminal-svg";

const ROOT = resolve(__dirname, "../..");
const MAIN = join(ROOT, "dist", "cli", "main.js");
const COLUMNS = 132;
const ROWS = 100; // More than are shown: nothing scrolls away.

/** What a pull request changes in examples/home. The service would accept all of it in silence. */
const MISTAKES: readonly [was: string, is: string][] = [
  [`azimuth: "SSW"`, "azimuth: 22.5"], // counted from south
  [`baseLoad: "400 W",`, ""],
  [`maxChargePower: "11 kW"`, `maxChargePower: "150 kW"`], // a fast charger's
];

/**
 * `npm run screenshot`: draws what a terminal shows of a preview and of its review, by the real engine against the simulator,
 * of a pull request with mistakes, after the example itself has been applied.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { folder: { type: "string", default: join(ROOT, "docs") } } });
  const folder = mkdtempSync(join(tmpdir(), "solar-charging-screenshot-"));
  const simulator = await startSimulator({ fleet: DEMO_FLEET });
  try {
    cpSync(join(ROOT, "examples", "home"), folder, { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const { PATH, HOME } = process.env; // Nothing else of this machine shows.
    const env = localStackEnvironment({
      folder: join(folder, "state"),
      engine: await findOrFetchEngine(),
      base: {
        PATH,
        HOME,
        SOLAR_CHARGING_BASE_URL: simulator.url,
        SOLAR_CHARGING_BUSINESS_ID: "acme",
        SOLAR_CHARGING_ACCESS_TOKEN: simulator.token,
        SOLAR_CHARGING_INVERTER_FIELDS: `{"peakPower":"peak_power"}`, // Confirmed: no warning but the mistakes'.
      },
    });
    const options = { cwd: folder, env, seconds: 120 };
    await execute("pulumi", ["stack", "init", "production"], options);
    await execute("pulumi", ["up", "--yes", "--skip-preview", "--non-interactive"], options);
    makeMistakes(join(folder, "index.ts"));
    const draw = async (name: string, shown: string, command: string, args: string[]) => {
      const terminal = await terminalOf(shown, command, args, { cwd: folder, env });
      const file = join(values.folder, `${name}.svg`);
      writeFileSync(file, terminalSvg(terminal.buffer.active, COLUMNS, shown));
      console.log(`Drawn: ${file}`);
    };
    await draw("preview", "pulumi preview", "pulumi", ["preview"]);
    const preview = await execute("pulumi", ["preview", "--json", "--show-sames"], options);
    writeFileSync(join(folder, "preview.json"), preview);
    const review = ["review", "--name", "home/production", "preview.json"];
    await draw("review", `npx solar-charging ${review.join(" ")}`, process.execPath, [MAIN, ...review]);
  } finally {
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeMistakes(file: string): void {
  let program = readFileSync(file, "utf8");
  for (const [was, is] of MISTAKES) {
    if (!program.includes(was)) throw new Error(`examples/home/index.ts has no '${was}' any more: change MISTAKES`);
    program = program.replace(was, is);
  }
  writeFileSync(file, program);
}

/** A terminal in which a command was typed, as it is when the command has ended. @param typed what the terminal shows of it */
async function terminalOf(
  typed: string,
  command: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Terminal> {
  const terminal = new Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  terminal.write(`$ ${typed}\r\n`);
  const child = pty.spawn(command, args, { ...options, name: "xterm-256color", cols: COLUMNS, rows: ROWS });
  child.onData((data) => terminal.write(data));
  const { exitCode } = await new Promise<{ exitCode: number }>((done) => child.onExit(done));
  await new Promise<void>((done) => terminal.write("", done));
  if (exitCode !== 0) throw new Error(`${command} ${args[0]} ended with ${exitCode}`);
  return terminal;
}

main().catch((error) => {
  console.error(reason(error));
  process.exitCode = 1;
});
