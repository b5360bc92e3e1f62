import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { RequestLogEntry } from "../simulator";
import { ACCESS_TOKEN } from "./accessToken";
import { processOf } from "./processes";

/** How long the service takes for each answer, in seconds. */
export const LATENCY_SECONDS = 0.02;

/** Calls that the service was asked for. */
export interface Calls {
  readonly GET: number;
  readonly PATCH: number;
}

/** The simulated service, in a process of its own, with vehicles `car-0`, `car-1`, … of the business `acme`. */
export class Service {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  static async start(folder: string, vehicles: number): Promise<Service> {
    const settings = { max_capacity: 60_000, max_charge_power: 7400 };
    const cars = Array.from({ length: vehicles }, (_, index) => [`car-${index}`, { type: "vehicle", settings }]);
    const fleet = join(folder, "service.json");
    writeFileSync(fleet, JSON.stringify({ token: ACCESS_TOKEN, businesses: { acme: Object.fromEntries(cars) } }));
    const cli = join(__dirname, "..", "simulator", "cli.js");
    const args = [cli, "--fleet", fleet, "--port", "0", "--latency-seconds", String(LATENCY_SECONDS)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    for await (const line of createInterface(child.stderr)) {
      const url = /Listening on (http:\/\/[\d.]+:\d+)/.exec(line)?.[1];
      if (url) return new Service(child, url);
    }
    throw new Error("the simulator did not start");
  }

  /** What it took until now, in seconds of CPU time; it has one thread, so that one second a second is its limit. */
  cpuSeconds(): number {
    return processOf(this.process.pid as number)?.cpuSeconds ?? Number.NaN;
  }

  /** The calls since the last time. */
  async takeCalls(): Promise<Calls> {
    const log = `${this.url}/simulator/requests`;
    const entries = (await (await fetch(log)).json()) as RequestLogEntry[];
    await fetch(log, { method: "DELETE" });
    if (entries.some(({ operation }) => operation === "latest")) throw new Error("there was a latest read");
    const count = (method: string) => entries.filter((entry) => entry.method === method).length;
    return { GET: count("GET"), PATCH: count("PATCH") };
  }

  async stop(): Promise<void> {
    const ended = once(this.process, "exit");
    this.process.kill();
    await ended;
  }
}
