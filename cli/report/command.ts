import { command, text, withDefault } from "../command/record";
import { JSON_FORM } from "../command/shared";
import { notWritten, replaceOutput } from "../files";
import type { Status } from "../status/model";
import { LOOK_OPTIONS } from "../status/options";

/** `solar-charging report`: the status as one HTML file. */
export const report = command({
  options: {
    ...LOOK_OPTIONS,
    output: withDefault(text("<file>", "the file to write", { short: "o" }), "report.html"),
    json: JSON_FORM,
  },
  exitCodes: {
    0: "the report is written, whatever it shows ('solar-charging status' has exit codes for that)",
    1: "it is not written, or a device or a stack could not be read, or the command is wrong",
    130: "interrupted",
  },
  examples: [
    "report --manifest fleet.yaml",
    "report --stack production --output production.html",
    "report --manifest fleet.yaml --offline --ledger ledger.jsonl",
  ],
  read: async ({ options }) => {
    const [{ lookAt }, { htmlOf, isReport }] = await Promise.all([import("../status/look.js"), import("./html.js")]);
    const status = await lookAt(options);
    try {
      replaceOutput(options.output, htmlOf(status), isReport);
    } catch (error) {
      throw new Error(`the report cannot be written: ${notWritten(error)}`);
    }
    return status;
  },
  show: {
    text: async (status, { styled }, { output }) =>
      [...(await import("../status/table.js")).headline(status, styled), `written: ${output}`].join("\n"),
    json: (status): Status => status,
  },
  end: ({ stackErrors, counts }) => (stackErrors.length > 0 || counts.unread > 0 ? 1 : 0),
});
