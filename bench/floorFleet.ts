// Runs one operation with each stack of shares.json, some at a time: node floorFleet.js <operation> <stacks at a time>
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { type Operation, PULUMI_ARGUMENTS } from "./contestant";

const [operation, parallel] = process.argv.slice(2) as [Operation, string];
const stacks = Object.keys(JSON.parse(readFileSync("shares.json", "utf8")));

async function pulumi(...args: string[]): Promise<void> {
  await promisify(execFile)("pulumi", [...args, "--non-interactive"], { maxBuffer: 2 ** 28 });
}

async function worker(): Promise<void> {
  for (let stack = stacks.shift(); stack !== undefined; stack = stacks.shift()) {
    // As the driver does, which makes the stacks that are not there.
    if (operation === "first preview") await pulumi("stack", "init", stack, "--no-select");
    await pulumi(...PULUMI_ARGUMENTS[operation], "--stack", stack);
  }
}

Promise.all(Array.from({ length: Number(parallel) }, worker)).catch((error: Error & { stdout?: string }) => {
  console.error(error.message, error.stdout);
  process.exitCode = 1;
});
