import { z } from "zod";
import { check } from "./schemas";
import type { FleetDevice, InverterFields, Settings } from "./types";

/** The documented settings of a vehicle. */
const VehiclePatchSchema = z.strictObject({
  max_capacity: z.number().min(1_000).max(300_000).optional(),
  max_charge_power: z.number().min(1_000).max(350_000).optional(),
  policy: z.enum(["CHARGE BY", "CHARGE BY FORECAST"]).optional(),
});

/** Wire names of an inverter's settings (our choice: the service documents none). */
const DEFAULT_INVERTER_FIELDS: InverterFields = {
  peakPower: "peak_power",
  azimuth: "azimuth",
  tilt: "tilt",
  cutInThreshold: "cut_in_threshold",
  baseLoad: "base_load",
};

/** The changes of a PATCH. @throws Error that names each field that the device does not accept */
export function checkPatch(type: FleetDevice["type"], fields: Partial<InverterFields>, changes: unknown): Settings {
  return check<Settings>(type === "vehicle" ? VehiclePatchSchema : inverterPatchSchema(fields), changes);
}

/** Accepts any finite numbers: the service documents no types and ranges. */
function inverterPatchSchema(fields: Partial<InverterFields>) {
  const names = Object.values({ ...DEFAULT_INVERTER_FIELDS, ...fields });
  return z.strictObject(Object.fromEntries(names.map((name) => [name, z.number().optional()])));
}
