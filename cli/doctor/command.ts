import { command, flag, rare, text } from "../command/record";
import { JSON_FORM } from "../command/shared";
import { SUBJECT_OPTIONS } from "../stacks/subject";
import { lineOf } from "./check";

export const DOCTOR_OPTIONS = {
  device: text(
    "<id>",
    "read this device, named by its id or as business/device, and compare the answer with the documented fields",
  ),
  identityPatch: rare(
    text("<key>", "send the present value of this setting again, to see whether the service accepts its field name"),
  ),
  yes: rare(flag("with --identity-patch: do not ask first", { short: "y" })),
  ...SUBJECT_OPTIONS,
  json: JSON_FORM,
};

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
    json: (findings) => findings,
  },
  end: ({ checks }) => (checks.some(({ outcome }) => outcome === "failed") ? 1 : 0),
});
