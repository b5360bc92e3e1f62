import { command } from "../command/record";
import { lineOf } from "./check";
import type { Findings } from "./doctor";
import { DOCTOR_OPTIONS } from "./options";

/** `solar-charging doctor`. */
export const doctor = command({
  options: DOCTOR_OPTIONS,
  notes: `✓ right, ✗ wrong, – not checked, or not a fault
In the folder of a Pulumi project, it checks the configuration of the stack and the environment; elsewhere, the environment alone.`,
  exitCodes: {
    0: "nothing is wrong",
    1: "something is wrong (✗), or the command is wrong",
    130: "interrupted",
  },
  examples: ["doctor", "doctor --device car-1", "doctor --device roof-1 --identity-patch peakPower"],
  read: async ({ options }) => await (await import("./doctor.js")).examined(options),
  show: {
    text: ({ checks }) => checks.map(lineOf).join("\n"),
    json: (findings): Findings => findings,
  },
  end: ({ checks }) => (checks.some(({ outcome }) => outcome === "failed") ? 1 : 0),
});
