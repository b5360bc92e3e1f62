import { flag, rare, text } from "../command/record";
import { JSON_FORM } from "../command/shared";
import { SUBJECT_OPTIONS } from "../stacks/subject";

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
