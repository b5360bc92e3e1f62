export {
  InverterSettings,
  type InverterSettingsArgs,
  type ReportedInverterSettings,
} from "./resources/inverterSettings";
export type { SettingsArgs, SettingsResource } from "./resources/settingsResource";
export { type SiteVehicleArgs, SolarReadiness, type SolarReadinessArgs } from "./resources/solarReadiness";
export { type ReportedVehicleSettings, VehicleSettings, type VehicleSettingsArgs } from "./resources/vehicleSettings";
export type { AzimuthConvention, CardinalName } from "./settings/azimuth";
export type { OnDelete } from "./settings/declaration";
export type { LintName } from "./settings/lints";
export { kW, kWh } from "./settings/units";
export { ChargePolicy } from "./settings/vehicle";
export type { Verification } from "./settings/verification";
