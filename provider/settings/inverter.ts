import { bearingHint, readAzimuth } from "./azimuth";
import type { DeviceKind } from "./setting";
import { VEHICLE_TYPE } from "./vehicle";

/** Peak power above this is a mistake, in W: the largest inverters have about 9 MW. */
const LARGEST_INVERTER = 10_000_000;

/**
 * The settings of a solar inverter. The service documents the five values, but neither their fields nor their ranges:
 * wire names, units and ranges are our choice, and there is no default.
 */
export const inverter: DeviceKind = {
  name: "inverter",
  resource: "InverterSettings",
  isDocumented: false,
  expects: "an inverter",
  // The service does not document an inverter's type, so any type but a vehicle's is accepted.
  accepts: (deviceType) => deviceType !== VEHICLE_TYPE,
  settings: {
    peakPower: {
      type: "number",
      wireName: "peak_power",
      description: "Peak power of the panels.",
      examples: ["9.8 kWp"],
      unit: "W",
      minimum: 100,
      maximum: LARGEST_INVERTER,
      isPeakPower: true,
      source: "our choice",
    },
    azimuth: {
      type: "number",
      wireName: "azimuth",
      description: "Where the panels face, as a compass bearing: 0 north, 90 east, 180 south, 270 west.",
      examples: ["S", 202.5, { degrees: -22.5, convention: "south-zero" }],
      unit: "degrees",
      minimum: 0,
      maximum: 360,
      explain: bearingHint,
      otherForms: readAzimuth,
      otherFormsInWords: "a point of the compass, or degrees in a named convention",
      source: "our choice",
    },
    tilt: {
      type: "number",
      wireName: "tilt",
      description: "The angle of the panels, from horizontal: 0 flat, 90 upright.",
      examples: [30],
      unit: "degrees",
      isTilt: true,
      minimum: 0,
      maximum: 90,
      explain: () => "0° is flat, 90° upright",
      source: "our choice",
    },
    cutInThreshold: {
      type: "number",
      wireName: "cut_in_threshold",
      description: "Power from which the inverter delivers.",
      examples: ["50 W"],
      unit: "W",
      minimum: 0,
      maximum: LARGEST_INVERTER,
      below: "peakPower",
      source: "our choice",
    },
    baseLoad: {
      type: "number",
      wireName: "base_load",
      description: "Power that the site uses all the time.",
      examples: ["300 W"],
      unit: "W",
      minimum: 0,
      maximum: 1_000_000,
      source: "our choice",
    },
  },
};
