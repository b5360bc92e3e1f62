// Does the HTTP calls of one operation, and nothing else: node plainScript.js <operation> <url> <vehicles>
import { ACCESS_TOKEN } from "./accessToken";

const [operation, url, vehicles] = process.argv.slice(2) as [string, string, string];

const IN_FLIGHT = 64;
const headers = { Authorization: `Bearer ${ACCESS_TOKEN}`, "Content-Type": "application/json" };
const addressOf = (index: number) => `${url}/api/v1/businesses/acme/devices/car-${index}`;

async function call(index: number, fields?: object): Promise<void> {
  const body = fields && { method: "PATCH", body: JSON.stringify(fields) };
  const response = await fetch(addressOf(index), { headers, ...body });
  await response.text();
  if (!response.ok) throw new Error(`car-${index}: ${response.status}`);
}

async function work(index: number): Promise<void> {
  if (operation === "refresh") return await call(index);
  if (operation === "first up") {
    await call(index);
    await call(index, { max_capacity: 77_000, max_charge_power: 11_000, policy: "CHARGE BY FORECAST" });
  } else {
    await call(index, { max_capacity: 78_000 });
  }
  await call(index);
}

let next = 0;
const last = operation === "one change" ? 1 : Number(vehicles);
async function worker(): Promise<void> {
  while (next < last) await work(next++);
}

Promise.all(Array.from({ length: IN_FLIGHT }, worker)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
