import { ARGUMENTS } from "../settings/describe";
import { inverter } from "../settings/inverter";
import { vehicle } from "../settings/vehicle";

export type Schema = Readonly<Record<string, unknown>>;

const TEXT = { type: "string" };
const FLAG = { type: "boolean" };
const NUMBER = { type: "number" };

const DEVICE = {
  deviceId: { ...TEXT, description: ARGUMENTS.deviceId },
  businessId: { ...TEXT, description: `${ARGUMENTS.businessId} Default: the configured one.` },
};

/** The settings that any device reports: of a device whose type is not shown, those of both kinds. */
const REPORTED = Object.fromEntries(
  Object.entries({ ...vehicle.settings, ...inverter.settings }).map(([key, { type, description }]) => [
    key,
    { ...(type === "number" ? NUMBER : TEXT), description },
  ]),
);

/** Fields of a device's configuration: units, bounds and allowed values are not documented. */
const CONFIG = {
  optOut: FLAG,
  optOutUntil: TEXT,
  chargeBy: { ...TEXT, description: "Time of day, HH:MM." },
  chargeFrom: { ...TEXT, description: "Time of day, HH:MM." },
  guaranteedMaxPrice: NUMBER,
  guaranteedSoc: { ...NUMBER, description: "State of charge in percent." },
  targetSoc: { ...NUMBER, description: "State of charge in percent." },
};

const VIEW = {
  ...DEVICE,
  devType: { ...TEXT, description: "Device type; `Electric vehicle` for a vehicle." },
  devMake: { ...TEXT, description: "Make or integration." },
  setupComplete: FLAG,
  locationAware: FLAG,
  serviceStatus: { ...TEXT, description: "What the service is doing: explainStatus says what it means." },
  chargingStatus: { ...TEXT, description: "What the car is doing." },
};

/** Function results have their objects in place of named types, which differ by language. */
const any = (description: string) => ({
  type: "object",
  additionalProperties: { $ref: "pulumi.json#/Any" },
  description,
});

/** The functions of the package, by name. */
export function functionSchemas(): Record<string, Schema> {
  const names = (fields: object) => Object.keys(fields).join(", ");
  return {
    getDevice: {
      description: "Reads a device as the service has it in its cache, in previews too. It wakes no car.",
      inputs: { type: "object", properties: DEVICE, required: ["deviceId"] },
      outputs: {
        type: "object",
        properties: {
          ...VIEW,
          reported: any(`The settings that are shown: ${names(REPORTED)}.`),
          config: any(`The device's configuration: ${names(CONFIG)}.`),
        },
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
        properties: { metrics: any("The answer as it was sent: its fields are not documented.") },
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
