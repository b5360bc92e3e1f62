import { command } from "../command/record";
import { print } from "../command/run";
import { reviewText } from "../review/terminal";
import { countsOf } from "../review/verdict";
import type { FleetOperation } from "../stacks/stack";
import { acceptInto } from "./acceptDrift";
import { FLEET_OPTIONS } from "./options";
import { ranFleet } from "./run";
import { program, stacks } from "./stacks";

const EXIT_CODES = {
  0: "nothing to do, or everything applied",
  1: "something failed or was not done, a stack could not be run, or the command is wrong",
  2: "preview or drift found changes or sites not applied yet, or up left values that nobody has approved",
  3: "stopped: too many devices failed, the gate failed, or a person declined",
  130: "interrupted; updates in progress are saved",
};

const EXAMPLES: Readonly<Record<FleetOperation, readonly string[]>> = {
  preview: ["fleet preview --manifest fleet.yaml"],
  up: [
    "fleet up --manifest fleet.yaml --canary berlin --gate ./healthy.sh",
    "fleet up --manifest fleet.yaml --shard 2/4 --yes",
  ],
  refresh: ["fleet refresh --manifest fleet.yaml"],
  drift: [
    "fleet drift --manifest fleet.yaml --json > drift.json",
    "fleet drift --manifest fleet.yaml --accept --site berlin --setting maxCapacity",
  ],
  destroy: ["fleet destroy --manifest fleet.yaml --yes"],
};

/** The command `fleet`: works on the sites that a manifest declares. */
export const fleet = {
  commands: [
    operation("preview", "Show what up would change; sends nothing"),
    operation("up", "Read the devices, then apply the manifest: to one site, to a share of the devices, to the rest"),
    operation("refresh", "Read all devices and record their values in state"),
    operation("drift", "Read all devices and show differences from the applied values; changes nothing"),
    operation("destroy", "Stop managing all devices, apply the onDelete of each, and remove the stacks"),
    {
      name: "stacks",
      description:
        "Show the stacks of a fleet, and how the jobs of a pipeline share them; needs no engine and no token",
      load: async () => stacks,
    },
    {
      name: "program",
      description:
        "Print the program of one stack in Pulumi's YAML, as 'fleet up' runs it: for plain Pulumi and its Kubernetes operator",
      load: async () => program,
    },
  ],
  notes:
    "The SOLAR_CHARGING_* variables configure the service. The state is stored in the backend of 'pulumi login' or PULUMI_BACKEND_URL.",
  exitCodes: EXIT_CODES,
  examples: [...EXAMPLES.preview, ...EXAMPLES.up, ...EXAMPLES.drift],
};

function operation(name: FleetOperation, description: string) {
  return { name, description, load: async () => commandFor(name) };
}

/** Exit code of a check that found drift. */
const DRIFTED = 2;

function commandFor(name: FleetOperation) {
  return command({
    options: FLEET_OPTIONS[name],
    exitCodes: EXIT_CODES,
    examples: EXAMPLES[name],
    handlesSignals: true,
    read: async ({ options }) => await ranFleet(name, options),
    show: {
      text: ({ review }, { styled }) => (review ? reviewText(review, styled) : ""),
      json: ({ review }) => (review ? { ...review, counts: countsOf(review) } : ""),
    },
    remarks: ({ review }, { json, engineLog }, { styled }) => [
      ...(json && review ? [reviewText(review, styled)] : []),
      ...(review?.errors.some(({ code }) => code !== undefined && code !== "stopped") && !engineLog
        ? ["To look for the cause in the engine's log, run the command again with --engine-log."]
        : []),
    ],
    end: async ({ review, code }, { options }) => {
      if (!("accept" in options) || !options.accept || !review) return code;
      const { patch, left } = acceptInto(options, review);
      if (patch !== "") await print(`${patch}\n`, options.json ? process.stderr : process.stdout);
      for (const line of left) console.error(line);
      return code === DRIFTED && left.length === 0 ? 0 : code;
    },
  });
}
