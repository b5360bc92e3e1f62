import { flag, text } from "../command/record";
import { JSON_FORM } from "../command/shared";

export const DOCTOR_OPTIONS = {
  device: text(
    "<id>",
    "read this device, named by its id or as business/device, and compare the answer with the documented fields",
  ),
  business: text("<id>", "business id of the device (default: SOLAR_CHARGING_BUSINESS_ID)"),
  identityPatch: text(
    "<key>",
    "send the present value of this setting again, to see whether the service accepts its field name",
  ),
  yes: flag("send it without asking", { short: "y" }),
  json: JSON_FORM,
};
