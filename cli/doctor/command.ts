import { command } from "../command/record";
import { type Check, lineOf } from "./check";
import type { Findings } from "./doctor";
import { DOCTOR_OPTIONS } from "./options";

/** `solar-charging doctor`. */
export const doctor = command({
  options: DOCTOR_OPTIONS,
  notes: "✓ right, ✗ wrong, – not checked, or not a fault",
  exitCodes: {
    0: "nothing is wrong",
    1: "something is wrong (✗), or the command is wrong",
    2: "the fields differ from the file of --compare",
    130: "interrupted",
  },
  examples: [
    "doctor",
    "doctor --device car-1",
    "doctor --device roof-1 --identity-patch peakPower",
    "doctor --device car-1 --fingerprint > vehicle.json",
    "doctor --device car-1 --compare vehicle.json",
  ],
  read: async ({ options }) => await (await import("./doctor.js")).examined(options),
  show: {
    text: ({ checks }) => linesOf(checks),
    json: (findings): Findings => findings,
    fingerprint: ({ fingerprint = "" }) => fingerprint,
  },
  remarks: ({ checks }, { fingerprint, json }) => (fingerprint && !json ? [linesOf(checks)] : []),
  end: ({ checks, changes }) => {
    const { appeared = [], disappeared = [], retyped = [] } = changes ?? {};
    if (appeared.length + disappeared.length + retyped.length > 0) return 2;
    return checks.some(({ outcome }) => outcome === "failed") ? 1 : 0;
  },
});

function linesOf(checks: readonly Check[]): string {
  return checks.map(lineOf).join("\n");
}
