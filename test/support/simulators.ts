import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fleet, type Simulator, type SimulatorOptions, startSimulator } from "solar-charging-simulator";
import { removeFolder } from "./folder";

export const FLEET: Fleet = {
  businesses: {
    acme: {
      car: { type: "vehicle", make: "tesla", title: "Pool car", settings: { max_capacity: 60_000 } },
      roof: { type: "inverter", settings: { peak_power: 9_800 } },
    },
  },
};

/** Returns a function that starts simulators. All of them are closed after the test. */
export function simulators(): (options?: Partial<SimulatorOptions>) => Promise<Simulator> {
  const running: Simulator[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((simulator) => simulator.close()));
  });
  return async (options = {}) => {
    const simulator = await startSimulator({ fleet: FLEET, ...options });
    running.push(simulator);
    return simulator;
  };
}

/** Returns a function that gives a path in a new directory. The directory is removed after the test. */
export function temporaryFiles(): (name: string) => string {
  const directories: string[] = [];
  afterEach(() => {
    for (const directory of directories.splice(0)) removeFolder(directory);
  });
  return (name) => {
    const directory = mkdtempSync(join(tmpdir(), "simulator-"));
    directories.push(directory);
    return join(directory, name);
  };
}

export interface Answer {
  status: number;
  text: string;
  /** The body as JSON. @throws Error if it is not JSON */
  json: () => Record<string, unknown>;
}

type Target = Pick<Simulator, "url" | "token">;

/** One request with the right token, unless `headers` says otherwise. */
export async function call({ url, token }: Target, method: string, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...init.headers };
  const response = await fetch(url + path, { ...init, method, headers });
  const text = await response.text();
  return { status: response.status, text, json: () => JSON.parse(text) } satisfies Answer;
}

export function devicePath(deviceId: string, businessId = "acme"): string {
  return `/api/v1/businesses/${encodeURIComponent(businessId)}/devices/${encodeURIComponent(deviceId)}`;
}

export function read(target: Target, deviceId: string): Promise<Answer> {
  return call(target, "GET", devicePath(deviceId));
}

export function patch(target: Target, deviceId: string, changes: unknown): Promise<Answer> {
  return call(target, "PATCH", devicePath(deviceId), { body: JSON.stringify(changes) });
}

/** The code of the socket's error below a failed fetch, e.g. ECONNRESET. */
export async function failure(answer: Promise<unknown>): Promise<unknown> {
  try {
    await answer;
  } catch (error) {
    return ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;
  }
  throw new Error("the request was answered");
}
