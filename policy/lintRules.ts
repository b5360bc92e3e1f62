import type { PolicyConfigSchema, StackValidationPolicy } from "@pulumi/policy";
import { LINTS, roofsOf, SITE_LINTS } from "pulumi-solar-charging/rules";
import { type Device, type DeviceConfig, deviceConfigProperties, readStack, type Site, type Stack } from "./stack";

type DeviceLintName = keyof typeof LINTS;
type SiteLintName = keyof typeof SITE_LINTS;

/** The demand of each lint, for administrators who read the list of rules. Limits are those of the lints. */
const DESCRIPTIONS: Readonly<Record<DeviceLintName | SiteLintName, string>> = {
  "direct-current-power": "A vehicle's charge power should be at most 22 kW.",
  "power-for-capacity": "A vehicle's charge power should be low enough that a full charge takes at least 46 minutes.",
  "default-power": "A vehicle's charge power should be its own, not the 7.2 kW that the service assumes.",
  "small-capacity": "A vehicle's capacity should be at least 8 kWh.",
  "large-capacity": "A vehicle's capacity should be at most 130 kWh.",
  "default-capacity": "A vehicle's capacity should be its own, not the 80 kWh that the service assumes.",
  "ignored-metadata":
    "A vehicle with capacity or charge power should be on CHARGE BY FORECAST: no other policy uses them.",
  "forecast-without-metadata": "A vehicle on CHARGE BY FORECAST should have its capacity and charge power declared.",
  "small-peak-power": "An inverter's peak power should be at least 300 W.",
  "large-peak-power": "An inverter's peak power should be at most 100 kW.",
  "flat-tilt": "An inverter's tilt should not be 0°.",
  "tilt-in-radians": "An inverter's tilt should not look like radians: between 0° and 1.6°.",
  "steep-tilt": "An inverter's tilt should be at most 60°.",
  "high-cut-in": "An inverter's cut-in threshold should be at most half of its peak power.",
  "low-cut-in": "An inverter's cut-in threshold should be at least 1 W.",
  "base-load-above-peak": "A site's base load should be below the inverter's peak power.",
  "low-base-load": "A site's base load should be at least 50 W.",
  "high-base-load": "A site's base load should be at most 5 kW.",
  "incomplete-inverter": "An inverter should have all five values declared, or none.",
  "azimuth-off-equator": "An inverter's azimuth should not face away from the equator; without a latitude, not north.",
  "repeated-base-load":
    "Inverters of one site should not declare the same base load: the service would count it several times.",
  "base-load-above-site": "The base loads of a site's inverters should add up to less than their peak powers.",
};

interface Config extends DeviceConfig {
  readonly latitude?: number;
}

/** The latitude of inverters whose program declares none. */
const latitude: PolicyConfigSchema["properties"] = {
  latitude: {
    type: "number",
    minimum: -90,
    maximum: 90,
    description:
      "Latitude of inverters that declare none, themselves or by their site: in degrees, positive in the north",
  },
};

/**
 * A violation and its resource. The text names settings and shows no values, because the policy SDK gives rules
 * secret values in plain text, without a mark.
 */
interface Finding {
  readonly text: string;
  readonly urn: string;
}

/** Each lint as a rule of its own, over all that a stack declares. */
export const lintRules: StackValidationPolicy[] = [
  ...(Object.keys(LINTS) as DeviceLintName[]).map((name) =>
    ruleOf(
      name,
      ({ devices }, config) => devices.flatMap((device) => findingOf(name, device, config)),
      name === "azimuth-off-equator" ? latitude : {},
    ),
  ),
  ...(Object.keys(SITE_LINTS) as SiteLintName[]).map((name) =>
    ruleOf(name, ({ sites }) => sites.flatMap((site) => siteFindingOf(name, site))),
  ),
];

function ruleOf(
  name: DeviceLintName | SiteLintName,
  find: (stack: Stack, config: Config) => Finding[],
  properties: PolicyConfigSchema["properties"] = {},
): StackValidationPolicy {
  return {
    name,
    description: DESCRIPTIONS[name],
    enforcementLevel: "advisory",
    configSchema: { properties: { ...deviceConfigProperties, ...properties } },
    validateStack: ({ resources, getConfig }, reportViolation) => {
      const config = getConfig<Config>();
      for (const { text, urn } of find(readStack(resources, config), config)) reportViolation(text, urn);
    },
  };
}

function findingOf(name: DeviceLintName, device: Device, config: Config): Finding[] {
  const { of, property, reads, find } = LINTS[name];
  const { kind, deviceId, values, unknownKeys, urns, urn } = device;
  if (kind.name !== of.name || reads.some((key) => unknownKeys.has(key))) return [];
  if (!find(values, device.latitude ?? config.latitude)) return [];
  const declared = reads.filter((key) => values[key] !== undefined);
  const keys = declared.length > 0 ? declared : [property];
  return [{ text: `${kind.name}/${deviceId}: ${keys.join(", ")}`, urn: urns.get(property) ?? urn }];
}

function siteFindingOf(name: SiteLintName, { devices, urn }: Site): Finding[] {
  const roofs = roofsOf(devices);
  return SITE_LINTS[name](roofs) ? [{ text: `${roofs.map(({ label }) => label).join(", ")}: baseLoad`, urn }] : [];
}
