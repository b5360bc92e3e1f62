import { readManifest } from "../../provider/manifest/manifest";
import { type Manifest, memberCount, shardNamed } from "../../provider/manifest/model";
import { command, flag, parsed, withDefault } from "../command/record";
import { planOf } from "../stacks/plan";
import { programOf, programWithoutStack } from "../stacks/project";
import { MANIFEST } from "../stacks/subject";
import { counted } from "../words";
import { wholeNumber } from "./options";

/** Maximum number of jobs in a matrix of GitHub. */
const MOST_JOBS = 256;
/** Default number of jobs of a pipeline (our choice). */
const DEFAULT_JOBS = 4;
/** The share of the second wave of jobs, as a fraction (our choice). */
const SHARE = 0.1;

/** The stacks of a fleet, and the jobs of a pipeline that share them. */
export interface FleetLayout {
  readonly fleet: string;
  /** The stacks that have sites, in the order of their numbers. */
  readonly stacks: readonly { readonly name: string; readonly sites: number; readonly devices: number }[];
  /**
   * One for each job, as `--shard` takes it. Together they have all stacks, including those that have no sites any
   * more.
   */
  readonly parts: readonly string[];
  /** The `parts` in waves. Only the canary has a part in every fleet. */
  readonly waves: Readonly<Record<"canary" | "share" | "rest", readonly string[]>>;
}

/** The layout of a fleet, from its manifest alone. @param jobs most jobs; a fleet with fewer stacks has fewer jobs */
export function layoutOf(manifest: Manifest, jobs: number): FleetLayout {
  const { fleet, stacks: planned } = planOf(manifest, []);
  const stacks = planned.map(({ name, sites }) => ({ name, sites: sites.length, devices: memberCount(sites) }));
  const count = Math.min(jobs, stacks.length);
  const parts = Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);
  const end = 1 + Math.ceil((count - 1) * SHARE);
  const waves = { canary: parts.slice(0, 1), share: parts.slice(1, end), rest: parts.slice(end) };
  return { fleet, stacks, parts, waves };
}

/** `fleet stacks`: the stacks of a fleet, and its parts for the jobs of a pipeline. */
export const stacks = command({
  options: {
    manifest: MANIFEST,
    jobs: withDefault(
      parsed(
        "<number>",
        "highest number of jobs that share the stacks; at most one for each stack",
        wholeNumber(MOST_JOBS),
      ),
      DEFAULT_JOBS,
    ),
    json: flag("print the stacks, parts and waves as one line of JSON, for the matrix of a pipeline"),
  },
  examples: ["fleet stacks --manifest fleet.yaml", "fleet stacks --manifest fleet.yaml --jobs 8 --json"],
  read: ({ options }) => layoutOf(readManifest(options.manifest), options.jobs),
  show: { text: layoutText, json: (layout) => JSON.stringify(layout) },
});

function layoutText({ fleet, stacks, waves }: FleetLayout): string {
  const total = stacks.reduce((sum, { devices }) => sum + devices, 0);
  return [
    `${fleet}: ${counted(stacks.length, "stack")}, ${counted(total, "device")}`,
    ...stacks.map(({ name, sites, devices }) => `  ${name}: ${counted(sites, "site")}, ${counted(devices, "device")}`),
    "parts for jobs:",
    ...Object.entries(waves).flatMap(([wave, parts]) => (parts.length > 0 ? [`  ${wave}: ${parts.join(" ")}`] : [])),
  ].join("\n");
}

/** `fleet program`: the program of one stack, for a project whose `compiler` it is. */
export const program = command({
  args: ["[stack]", "name of the stack, such as shard-1-of-4 (default: PULUMI_STACK)"],
  options: { manifest: MANIFEST },
  examples: ["fleet program --manifest fleet.yaml shard-1-of-4"],
  read: ({ args: [stack], options }) => programFor(readManifest(options.manifest), stack ?? process.env.PULUMI_STACK),
  show: { text: (text) => text },
  isVerbatim: true,
});

/**
 * The program of a stack.
 * @param stack absent or empty: a program that fails, because Pulumi asks once without a stack for the plugins
 * @throws Error if the fleet cannot have that stack, or has no devices
 */
export function programFor(manifest: Manifest, stack = ""): string {
  if (stack === "") return programWithoutStack();
  const { fleet, shards } = manifest;
  const shard = shardNamed(stack);
  if (!shard)
    throw new Error(
      `'${stack}' is not the name of a stack of ${fleet}, such as ${planOf(manifest, []).stacks[0]?.name}`,
    );
  if (shards !== undefined && shard.of !== shards) {
    throw new Error(`${stack} is one of ${shard.of} stacks, and the manifest of ${fleet} has shards: ${shards}`);
  }
  const { stacks: planned } = planOf({ ...manifest, shards: shard.of }, []);
  return programOf(planned.find(({ name }) => name === stack)?.sites ?? []);
}
