import type { StackValidationPolicy } from "@pulumi/policy";
import { ChargePolicy, gapInWords, gapsOfDevice, inverter, vehicle } from "pulumi-solar-charging/rules";
import { type Device, type DeviceConfig, deviceConfigProperties, readStack } from "./stack";

interface Config extends DeviceConfig {
  readonly requireForecast: boolean;
  readonly requireInverter: boolean;
}

/** A gap and its resource; without a resource, it is a gap of the stack. */
interface Violation {
  readonly missing: readonly string[];
  readonly urn?: string;
}

/** A program that asks for charging by the solar forecast has to declare all that this charging needs. */
export const solarReady: StackValidationPolicy = {
  name: "solar-ready",
  description:
    "Charging by the solar forecast needs the vehicle's capacity and charge power, and an inverter with all five values.",
  enforcementLevel: "mandatory",
  configSchema: {
    properties: {
      ...deviceConfigProperties,
      requireForecast: {
        type: "boolean",
        default: false,
        description: `Whether every vehicle must be on ${ChargePolicy.ChargeByForecast}`,
      },
      requireInverter: {
        type: "boolean",
        default: true,
        description: "Whether the inverter must be in the same stack as the vehicle",
      },
    },
  },
  validateStack: ({ resources, getConfig }, reportViolation) => {
    const config = getConfig<Config>();
    const { devices, sites } = readStack(resources, config);
    const violations = [
      ...sites.map(({ gaps, urn }) => ({ missing: gaps.map(gapInWords), urn })),
      ...violationsOfDevices(devices, config),
    ];
    for (const { missing, urn } of violations) {
      if (missing.length > 0) reportViolation(missing.join("\n"), urn);
    }
  },
};

/**
 * The violations of vehicles whose readiness no site decides: those with the policy CHARGE BY FORECAST; with
 * `requireForecast`, all.
 */
function violationsOfDevices(devices: readonly Device[], { requireForecast, requireInverter }: Config): Violation[] {
  const vehicles = devices.filter(
    ({ kind, values, isJudgedBySite }) =>
      kind.name === vehicle.name &&
      !isJudgedBySite &&
      (requireForecast || values.policy === ChargePolicy.ChargeByForecast),
  );
  const businesses = requireInverter ? new Set(vehicles.map(({ businessId }) => businessId)) : [];
  const inverters = devices.filter(({ kind }) => kind.name === inverter.name);
  return [
    ...vehicles.map(violationOf),
    ...[...businesses].flatMap((businessId) => violationsOfBusiness(businessId, inverters)),
  ];
}

/**
 * A business needs only one inverter with all its values, because no program declares which car charges at which roof.
 */
function violationsOfBusiness(businessId: string, inverters: readonly Device[]): Violation[] {
  const violations = inverters.filter((device) => device.businessId === businessId).map(violationOf);
  if (violations.length === 0) return [{ missing: [`business/${businessId}: no inverter`] }];
  return violations.every(({ missing }) => missing.length > 0) ? violations : [];
}

/** The gaps of one device. A value that is known only in the update counts as declared and valid. */
function violationOf({ kind, deviceId, values, reported, unknownKeys, urn }: Device): Violation {
  const assumed = Object.fromEntries([...unknownKeys].map((key) => [key, ChargePolicy.ChargeByForecast]));
  const declared = { ...values, ...assumed };
  const member = { kind, label: `${kind.name}/${deviceId}`, observe: false, isLeftOut: false, declared };
  // Without a site, the program declares the policy like any other setting.
  const gaps = gapsOfDevice(member, { ...reported, ...declared })
    // Before the first read, nobody knows which values a car reports.
    .filter(({ reason }) => reason !== "assumed" || reported !== undefined)
    .map((gap) => (gap.reason === "notAccepted" ? { ...gap, reason: "notDeclared" as const } : gap));
  return { missing: gaps.map(gapInWords), urn };
}
