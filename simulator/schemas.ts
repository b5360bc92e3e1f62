import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { APPEARS_WITH, CHARGING_STATUSES, type ServiceStatus } from "./statuses";
import type { Behaviour, Fault, Fleet, FleetDevice, InverterFields, Settings } from "./types";

// The data that users write in files, arguments and control requests. `satisfies` checks each schema against its public
// type.

export const SettingsSchema = z.record(z.string(), z.unknown()) satisfies z.ZodType<Settings>;

export const ReportsSchema = z.enum(["top-level", "config", "metadata", "nowhere"]);
export const ServiceStatusSchema = z.enum(["none", "derived", ...(Object.keys(APPEARS_WITH) as ServiceStatus[])]);
export const SecondsSchema = z.number().min(0);

export const InverterFieldsSchema = z.strictObject({
  peakPower: z.string().exactOptional(),
  azimuth: z.string().exactOptional(),
  tilt: z.string().exactOptional(),
  cutInThreshold: z.string().exactOptional(),
  baseLoad: z.string().exactOptional(),
}) satisfies z.ZodType<Partial<InverterFields>>;

export const BehaviourSchema = z.strictObject({
  reports: ReportsSchema.exactOptional(),
  cacheLagSeconds: SecondsSchema.exactOptional(),
  cacheLagReads: z.int().min(0).exactOptional(),
  latencySeconds: SecondsSchema.exactOptional(),
  ignoresPatches: z.boolean().exactOptional(),
  inverterFields: InverterFieldsSchema.exactOptional(),
  serviceStatus: ServiceStatusSchema.exactOptional(),
  chargingStatus: z.enum(CHARGING_STATUSES).exactOptional(),
  showsDefaults: z.boolean().exactOptional(),
}) satisfies z.ZodType<Partial<Behaviour>>;

export const FaultSchema = z.strictObject({
  method: z.enum(["GET", "PATCH"]).exactOptional(),
  businessId: z.string().exactOptional(),
  deviceId: z.string().exactOptional(),
  times: z.int().min(1).exactOptional(),
  status: z.int().min(200).max(599).exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  body: z.string().exactOptional(),
  kind: z.enum(["reset", "reset-after-apply", "stall-headers", "stall-body", "truncate"]).exactOptional(),
}) satisfies z.ZodType<Fault>;

export const FleetDeviceSchema = z.strictObject({
  type: z.enum(["vehicle", "inverter"]),
  make: z.string().exactOptional(),
  title: z.string().exactOptional(),
  physId: z.string().exactOptional(),
  settings: SettingsSchema.exactOptional(),
  behaviour: BehaviourSchema.exactOptional(),
}) satisfies z.ZodType<FleetDevice>;

export const FleetSchema = z.strictObject({
  token: z.string().min(1).exactOptional(),
  businesses: z.record(z.string(), z.record(z.string(), FleetDeviceSchema)),
}) satisfies z.ZodType<Fleet>;

/** The value, after the schema has checked it. @throws Error that names each problem and its place */
export function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`,
  );
  throw new HTTPException(422, { message: problems.join("; ") });
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HTTPException(400, { message: "not valid JSON" });
  }
}
