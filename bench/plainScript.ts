// Makes the requests of one operation, and nothing else: node plainScript.js <operation> <url> <file of the devices>
import { readFileSync } from "node:fs";
import { ACCESS_TOKEN } from "./accessToken";
import type { Operation } from "./contestant";
import { BUSINESS, CHANGED, type Device } from "./workload";

const [operation, url, file] = process.argv.slice(2) as [Operation, string, string];
const devices: Record<string, Device> = JSON.parse(readFileSync(file, "utf8"));

const IN_FLIGHT = 64;
const headers = { Authorization: `Bearer ${ACCESS_TOKEN}`, "Content-Type": "application/json" };

async function request(id: string, changes?: object): Promise<void> {
  const body = changes && { method: "PATCH", body: JSON.stringify(changes) };
  const response = await fetch(`${url}/api/v1/businesses/${BUSINESS}/devices/${id}`, { headers, ...body });
  await response.text();
  if (!response.ok) throw new Error(`${id}: ${response.status}`);
}

async function work([id, { settings }]: [string, Device]): Promise<void> {
  if (operation !== "one change") await request(id);
  if (operation === "refresh") return;
  if (operation === "first up") await request(id, settings);
  else if (id === CHANGED) await request(id, { max_capacity: settings.max_capacity });
  else return;
  await request(id);
}

const todo = Object.entries(devices).filter(([id]) => operation !== "one change" || id === CHANGED);
async function worker(): Promise<void> {
  for (let next = todo.shift(); next; next = todo.shift()) await work(next);
}

Promise.all(Array.from({ length: IN_FLIGHT }, worker)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
