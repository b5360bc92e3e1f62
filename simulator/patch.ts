import { z } from "zod";
import { check } from "./schemas.js";
import type { FleetDevice, InverterFields, Settings } from "./types.js";

/** Interface 2.5. */
const VehiclePatchSchema = z.strictObject({
  max_capacity: z.number().min(1_000).max(300_000).optional(),
  max_charge_power: z.number().min(1_000).max(350_000).optional(),
  policy: z.enum(["CHARGE BY", "CHARGE BY FORECAST"]).optional(),
});

/** The changes a PATCH asks for; throws an Error that names each field the device does not take. */
export function checkPatch(type: FleetDevice["type"], fields: InverterFields, changes: unknown): Settings {
  return check<Settings>(type === "vehicle" ? VehiclePatchSchema : inverterPatchSchema(fields), changes);
}

/** Any finite numbers: interface 4.3 does not show the types and ranges. */
function inverterPatchSchema(fields: InverterFields) {
  return z.strictObject(Object.fromEntries(Object.values(fields).map((name) => [name, z.number().optional()])));
}
