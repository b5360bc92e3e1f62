import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import type { Review } from "../../cli/review/review";
import { verdictOf } from "../../cli/review/verdict";
import type { Status } from "../../cli/status/model";
import type { Printed } from "../../scripts/printed";
import { outputIn } from "./output";
import type { EngineFolder } from "./project";

/** The sites that each command shows: oslo's car is refused, the roof of paris drifts, and rome leaves. */
export const SITES = ["berlin", "oslo", "paris", "rome"];

/** A business whose id has a slash, because names of devices have one too. */
export const BUSINESS = "acme/north";

/** The output of a command with `--json`. Exit code 2 only means that something needs attention. */
export async function json<Command extends keyof Printed>(
  project: EngineFolder,
  command: Command,
  ...args: string[]
): Promise<Printed[Command]> {
  const { stdout, stderr } = await project.solarCharging(command, "--json", ...args);
  if (!stdout.startsWith("{")) throw new Error(stderr);
  return outputIn(command, stdout);
}

/** The data in the page of 'status --html'. */
export async function reported(project: EngineFolder, ...args: string[]): Promise<Status> {
  await project.solarCharging("status", "--html", "--output", "report.html", ...args);
  const [, data = ""] = /id="data">([^<]*)</.exec(readFileSync(project.path("report.html"), "utf8")) ?? [];
  return JSON.parse(inflateRawSync(Buffer.from(data, "base64")).toString());
}

export const countIn = (review: Review, what: string) =>
  verdictOf(review).parts.find((part) => part.what === what)?.count ?? 0;

/** The drifted devices, each with the name of its site. */
export const driftedIn = ({ sites }: Status) =>
  sites.flatMap(({ name, devices }) =>
    devices.filter(({ drift }) => drift.length > 0).map(({ label }) => [name, label]),
  );
export const driftIn = ({ sites }: Review) =>
  sites.flatMap(({ name, drift }) => drift.map(({ label }) => [name, label]));
