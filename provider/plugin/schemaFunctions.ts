import { ARGUMENTS } from "../settings/describe";
import { byNames, FLAG, type Properties, type Schema, TEXT, typeRef } from "./schemaTypes";

const DEVICE: Properties = {
  deviceId: { ...TEXT, description: ARGUMENTS.deviceId },
  businessId: { ...TEXT, description: "The business that the device belongs to. Default: the configured one." },
};

const VIEW: Properties = {
  ...DEVICE,
  devType: { ...TEXT, description: "Device type; `Electric vehicle` for a vehicle." },
  devMake: { ...TEXT, description: "Make or integration." },
  setupComplete: { ...FLAG, description: "Whether the setup of the device is complete." },
  locationAware: { ...FLAG, description: "`location_aware`, of which nothing more is documented." },
  serviceStatus: { ...TEXT, description: "What the service is doing: explainStatus says what it means." },
  chargingStatus: { ...TEXT, description: "What the car is doing." },
  reported: { ...typeRef("ReportedSettings"), description: "The settings that the service shows." },
  config: { ...typeRef("DeviceConfig"), description: "The device's configuration, if it has one." },
};

/** The functions of the package, by name. */
export function functionSchemas(): Record<string, Schema> {
  return {
    getDevice: {
      description: "Reads a device as the service has it in its cache, in previews too. It wakes no car.",
      inputs: { type: "object", properties: DEVICE, required: ["deviceId"] },
      outputs: {
        type: "object",
        properties: VIEW,
        required: ["deviceId", "businessId", "reported"],
      },
    },
    getLatestMetrics: {
      description:
        "Reads what the service has just measured. The service may ask the vehicle for it, which wakes a sleeping car " +
        "and can harm its 12 V battery: it is refused without allowWake, and in previews.",
      inputs: {
        type: "object",
        properties: { ...DEVICE, allowWake: { ...FLAG, description: "Has to be true: the car may wake up." } },
        required: ["deviceId", "allowWake"],
      },
      outputs: {
        type: "object",
        properties: {
          metrics: {
            ...byNames({ $ref: "pulumi.json#/Any" }),
            description: "The answer as it was sent: its fields are not documented.",
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
          serviceStatus: { ...TEXT, description: "What the service is doing, such as `active_waiting`." },
          chargingStatus: { ...TEXT, description: "What the car is doing, such as `unplugged`." },
        },
        required: ["serviceStatus"],
      },
      outputs: {
        type: "object",
        properties: {
          meaning: { ...TEXT, description: "What the service is doing." },
          canOccur: { ...FLAG, description: "Whether the two statuses are documented as a pair." },
          advice: { ...TEXT, description: "What to change for another status." },
        },
        required: ["meaning"],
      },
    },
  };
}
