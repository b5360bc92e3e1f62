import type { PolicyConfigSchema, StackValidationPolicy } from "@pulumi/policy";
import { LINTS } from "pulumi-solar-charging/rules";
import { type DeviceConfig, deviceConfigProperties, devicesOf } from "./devices";

type LintName = keyof typeof LINTS;

/** What each lint asks for, as an administrator reads it in the list of rules. Limits are the lints'. */
const DESCRIPTIONS: Readonly<Record<LintName, string>> = {
  "direct-current-power": "A vehicle's charge power should be at most 22000 W.",
  "power-for-capacity": "A vehicle's charge power should be at most 1.3 times its capacity per hour.",
  "default-power": "A vehicle's charge power should be its own, not the 7200 W that the service assumes.",
  "small-capacity": "A vehicle's capacity should be at least 8000 Wh.",
  "large-capacity": "A vehicle's capacity should be at most 130000 Wh.",
  "default-capacity": "A vehicle's capacity should be its own, not the 80000 Wh that the service assumes.",
  "ignored-metadata": "A vehicle with capacity or charge power should be on CHARGE BY FORECAST, which alone uses them.",
  "forecast-without-metadata": "A vehicle on CHARGE BY FORECAST should have its capacity and charge power declared.",
  "small-peak-power": "An inverter's peak power should be at least 300 W.",
  "large-peak-power": "An inverter's peak power should be at most 100000 W.",
  "flat-tilt": "An inverter's tilt should not be 0 degrees.",
  "tilt-in-radians": "An inverter's tilt should not look like radians: between 0 and 1.6 degrees.",
  "steep-tilt": "An inverter's tilt should be at most 60 degrees.",
  "high-cut-in": "An inverter's cut-in threshold should be at most half of its peak power.",
  "low-cut-in": "An inverter's cut-in threshold should be at least 1 W.",
  "base-load-above-peak": "A site's base load should be below the inverter's peak power.",
  "low-base-load": "A site's base load should be at least 50 W.",
  "high-base-load": "A site's base load should be at most 5000 W.",
  "incomplete-inverter": "An inverter should have all five values declared, or none.",
  "azimuth-off-equator": "An inverter's azimuth should not face away from the equator, where `latitude` is configured.",
};

interface Config extends DeviceConfig {
  readonly latitude?: number;
}

/** A program's `latitude` is not stored on its resources, so that the rule has one of its own. */
const latitude: PolicyConfigSchema["properties"] = {
  latitude: {
    type: "number",
    minimum: -90,
    maximum: 90,
    description: "Where the sites are, in degrees, north positive. Nothing is said without it",
  },
};

/** Each lint as a rule of its own, over all that a stack declares for a device. */
export const lintRules: StackValidationPolicy[] = (Object.keys(LINTS) as LintName[]).map((name) => {
  const { of, property, reads, find } = LINTS[name];
  return {
    name,
    description: DESCRIPTIONS[name],
    enforcementLevel: "advisory",
    configSchema: { properties: { ...deviceConfigProperties, ...(name === "azimuth-off-equator" && latitude) } },
    validateStack: ({ resources, getConfig }, reportViolation) => {
      const config = getConfig<Config>();
      for (const { kind, deviceId, values, unknownKeys, urns, urn } of devicesOf(resources, config)) {
        if (kind.name !== of.name || reads.some((key) => unknownKeys.has(key))) continue;
        const finding = find(values, config.latitude);
        if (finding) reportViolation(`${kind.name}/${deviceId}: ${finding}`, urns.get(property) ?? urn);
      }
    },
  };
});
