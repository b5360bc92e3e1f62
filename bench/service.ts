import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { RequestLogEntry } from "solar-charging-simulator";
import { ACCESS_TOKEN } from "./accessToken";
import { processOf } from "./processes";
import { BUSINESS, type Device, devicesBefore } from "./workload";

const SIMULATOR = resolve(__dirname, "../../simulator/bin.js");

/** Time that the service takes for each answer, in seconds. */
export const LATENCY_SECONDS = 0.02;

/** Requests to the service. */
export interface Calls {
  readonly GET: number;
  readonly PATCH: number;
}

/** The simulated service with the devices of a workload, in its own process. */
export class Service {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  static async start(folder: string, sites: number): Promise<Service> {
    const fleet = join(folder, "service.json");
    const businesses = { [BUSINESS]: devicesBefore(sites) };
    writeFileSync(fleet, JSON.stringify({ token: ACCESS_TOKEN, businesses }));
    const args = [SIMULATOR, "--fleet", fleet, "--port", "0", "--latency-seconds", String(LATENCY_SECONDS)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    for await (const line of createInterface(child.stderr)) {
      const url = /Listening on (http:\/\/[\d.]+:\d+)/.exec(line)?.[1];
      if (url) return new Service(child, url);
    }
    throw new Error("the simulator did not start");
  }

  /** Its CPU time so far, in seconds. It has one thread, so its limit is one second per second. */
  cpuSeconds(): number {
    return processOf(this.process.pid as number)?.cpuSeconds ?? Number.NaN;
  }

  /** The settings of a device. */
  async settingsOf(deviceId: string): Promise<Device["settings"]> {
    const response = await fetch(this.addressOf(deviceId));
    return (await response.json()) as Device["settings"];
  }

  /** Changes a device as somebody else does. */
  async change(deviceId: string, settings: Device["settings"]): Promise<void> {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(this.addressOf(deviceId), {
      method: "PATCH",
      headers,
      body: JSON.stringify(settings),
    });
    if (!response.ok) throw new Error(`the simulator answered ${response.status}: ${await response.text()}`);
  }

  /** The requests since the last call. */
  async takeCalls(): Promise<Calls> {
    const log = `${this.url}/simulator/requests`;
    const entries = (await (await fetch(log)).json()) as RequestLogEntry[];
    await fetch(log, { method: "DELETE" });
    if (entries.some(({ operation }) => operation === "latest")) throw new Error("there was a latest read");
    const count = (method: string) => entries.filter((entry) => entry.method === method).length;
    return { GET: count("GET"), PATCH: count("PATCH") };
  }

  private addressOf(deviceId: string): string {
    return `${this.url}/simulator/devices/${BUSINESS}/${deviceId}`;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, "exit");
    this.process.kill();
    await ended;
  }
}
