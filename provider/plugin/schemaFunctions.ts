import { ARGUMENTS } from "../settings/describe";
import { byNames, FLAG, type Schema, type SchemaProperties, TEXT, typeRef } from "./schemaTypes";

const DEVICE: SchemaProperties = {
  deviceId: { ...TEXT, description: ARGUMENTS.deviceId },
  businessId: { ...TEXT, description: "The business that the device belongs to. Default: the configured one." },
};

const VIEW: SchemaProperties = {
  ...DEVICE,
  devType: { ...TEXT, description: "Device type; `Electric vehicle` for a vehicle." },
  devMake: { ...TEXT, description: "Make of the device, or name of its integration." },
  setupComplete: { ...FLAG, description: "Whether the setup of the device is complete." },
  locationAware: { ...FLAG, description: "The field `location_aware`. The service does not document its meaning." },
  serviceStatus: { ...TEXT, description: "Status of the service for this device. explainStatus explains it." },
  chargingStatus: { ...TEXT, description: "Status of the car." },
  reported: { ...typeRef("ReportedSettings"), description: "The settings that the service reports." },
  config: { ...typeRef("DeviceConfig"), description: "The device's configuration, if it has one." },
};

/** The functions of the package, by name. */
export function functionSchemas(): Record<string, Schema> {
  return {
    getDevice: {
      description: "Reads a device from the service's cache, also in previews. It never wakes a car.",
      inputs: { type: "object", properties: DEVICE, required: ["deviceId"] },
      outputs: {
        type: "object",
        properties: VIEW,
        required: ["deviceId", "businessId", "reported"],
      },
    },
    getLatestMetrics: {
      description:
        "Reads the latest metrics. The service may ask the vehicle for them, which wakes a sleeping car and can harm its " +
        "12 V battery. Therefore it needs allowWake: true, and is refused in previews.",
      inputs: {
        type: "object",
        properties: {
          ...DEVICE,
          allowWake: { ...FLAG, description: "Must be true, because the call may wake the car." },
        },
        required: ["deviceId", "allowWake"],
      },
      outputs: {
        type: "object",
        properties: {
          metrics: {
            ...byNames({ $ref: "pulumi.json#/Any" }),
            description: "The unchanged answer of the service, which does not document its fields.",
          },
        },
        required: ["metrics"],
      },
    },
    explainStatus: {
      description: "Explains the status of a vehicle, as far as the service documents it.",
      inputs: {
        type: "object",
        properties: {
          serviceStatus: { ...TEXT, description: "Status of the service for this vehicle, such as `active_waiting`." },
          chargingStatus: { ...TEXT, description: "Status of the car, such as `unplugged`." },
        },
        required: ["serviceStatus"],
      },
      outputs: {
        type: "object",
        properties: {
          meaning: { ...TEXT, description: "Meaning of the status, in a sentence." },
          canOccur: { ...FLAG, description: "Whether the service documents that the two statuses occur together." },
          advice: { ...TEXT, description: "Steps that lead to another status." },
        },
        required: ["meaning"],
      },
    },
  };
}
