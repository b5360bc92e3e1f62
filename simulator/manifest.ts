import { parse } from "yaml";
import { z } from "zod";
import { check } from "./schemas";
import type { Fleet, FleetDevice } from "./types";

/** The part of a manifest that the simulator reads: ids of businesses and devices. */
const DeviceSchema = z.looseObject({ deviceId: z.string().min(1), businessId: z.string().optional() });
const DevicesSchema = z.record(z.string(), DeviceSchema).optional();
const ManifestSchema = z.looseObject({
  businessId: z.string().optional(),
  sites: z.record(
    z.string(),
    z.looseObject({ businessId: z.string().optional(), vehicles: DevicesSchema, inverters: DevicesSchema }),
  ),
});

/** Default business id, the same as in the provider's environment for the demo fleet. */
const BUSINESS = "acme";

/** The devices of a fleet's manifest in YAML or JSON. They have no values yet, so that an update sends all of them. */
export function fleetOfManifest(text: string): Fleet {
  const { businessId: own, sites } = check(ManifestSchema, parse(text));
  const businesses: Record<string, Record<string, FleetDevice>> = {};
  for (const site of Object.values(sites)) {
    for (const [type, devices] of [["vehicle", site.vehicles] as const, ["inverter", site.inverters] as const]) {
      for (const [name, { deviceId, businessId }] of Object.entries(devices ?? {})) {
        const business = businessId ?? site.businessId ?? own ?? BUSINESS;
        businesses[business] = { ...businesses[business], [deviceId]: { type, title: name } };
      }
    }
  }
  return { businesses };
}
