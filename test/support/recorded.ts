import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fleet, type Settings, type Simulator, startSimulator } from "solar-charging-simulator";
import { Project, ROOT } from "./project";

/**
 * The files that `npm run record` writes for a release, in a folder that is named by its version:
 * - `index.js`, a program, and `stack.json`, its stack after that release, exported
 * - `fleet.json`, the simulator's devices, and `devices.json`, their settings at that time
 * - `expectations.json`, by journey: the operations with that release itself, in the form of `replay`
 */
export const RECORDED = join(ROOT, "test", "recorded");

/** The versions that are recorded. */
export function recordedVersions(): string[] {
  return readdirSync(RECORDED, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** The operations of users after an upgrade. The second `up` finds the result of the first one. */
export const JOURNEYS = {
  "at once": ["preview", "up", "up", "destroy"],
  "after a refresh": ["refresh", "preview", "up", "destroy"],
} as const;
export type Journey = keyof typeof JOURNEYS;
type Operation = (typeof JOURNEYS)[Journey][number];

/** The effect of one operation. */
export interface Done {
  readonly operation: Operation;
  /** The engine's changes, real or planned, by resource, without resources that stay the same. */
  readonly changes: Readonly<Record<string, string>>;
  /** The bodies of the updates that the service got, by device. */
  readonly sent: Readonly<Record<string, readonly unknown[]>>;
}

export interface Outcome {
  readonly operations: readonly Done[];
  /** The settings of all devices afterwards, by business and device. */
  readonly devices: Readonly<Record<string, Readonly<Record<string, Settings>>>>;
}

/**
 * Continues from the recorded stack of a version with the present code. Every operation has to succeed.
 * @param prepare changes the project before
 */
export async function replay(
  version: string,
  journey: Journey,
  prepare: (project: Project) => void = () => {},
): Promise<Outcome> {
  const folder = join(RECORDED, version);
  return withProgram(folder, async ({ project, simulator, devicesFile }) => {
    prepare(project);
    await project.succeeds("stack", "import", "--file", join(folder, "stack.json"));
    const operations: Done[] = [];
    for (const operation of JOURNEYS[journey]) {
      const changes = await changesOf(project, operation);
      operations.push({ operation, changes, sent: takeUpdates(simulator) });
    }
    return { operations, devices: readJson(devicesFile) as Outcome["devices"] };
  });
}

interface Running {
  /** A project with the program, and an empty stack. */
  readonly project: Project;
  readonly simulator: Simulator;
  /** The file in which the simulator keeps the settings. */
  readonly devicesFile: string;
}

/**
 * Runs the program of a folder against its devices.
 * @param folder holds `index.js` and `fleet.json`, and `devices.json` if settings differ from those of the fleet
 */
export async function withProgram<T>(folder: string, use: (running: Running) => Promise<T>): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), "solar-charging-recorded-"));
  cpSync(folder, copy, { recursive: true });
  const devicesFile = join(copy, "devices.json");
  const fleet = readJson(join(copy, "fleet.json")) as Fleet;
  const simulator = await startSimulator({ fleet, stateFile: devicesFile });
  const project = await Project.create(simulator);
  try {
    project.write("index.js", readFileSync(join(copy, "index.js"), "utf8"));
    return await use({ project, simulator, devicesFile });
  } finally {
    project.remove();
    await simulator.close();
    rmSync(copy, { recursive: true });
  }
}

/** The used part of an event of the engine. */
interface EngineEvent {
  readonly resOutputsEvent?: { readonly metadata: { readonly op: string; readonly urn: string } };
}

async function changesOf(project: Project, operation: Operation): Promise<Done["changes"]> {
  const log = join(project.folder, "events.json");
  // Shows the hidden option, as the Automation API does.
  project.env.PULUMI_DEBUG_COMMANDS = "true";
  const yes = operation === "preview" ? [] : ["--yes", "--skip-preview"];
  await project.succeeds(operation, ...yes, "--event-log", log);
  const events: EngineEvent[] = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  rmSync(log);
  const changes = events.flatMap(({ resOutputsEvent }) => {
    const { op = "same", urn = "" } = resOutputsEvent?.metadata ?? {};
    return ["same", "read"].includes(op) ? [] : [[urn.split("::").at(-1), op]];
  });
  return Object.fromEntries(changes.sort());
}

function takeUpdates({ requests }: Simulator): Done["sent"] {
  const updates = requests.splice(0).filter(({ method }) => method === "PATCH");
  const devices = [...new Set(updates.map(({ deviceId = "" }) => deviceId))].sort();
  return Object.fromEntries(
    devices.map((device) => [device, updates.filter(({ deviceId }) => deviceId === device).map(({ body }) => body)]),
  );
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
