export {
  InverterSettings,
  type InverterSettingsArgs,
  type ReportedInverterSettings,
} from "./resources/inverterSettings";
export type { SettingsArgs, SettingsResource } from "./resources/settingsResource";
export { type ReportedVehicleSettings, VehicleSettings, type VehicleSettingsArgs } from "./resources/vehicleSettings";
export type { OnDelete } from "./settings/declaration";
export { ChargePolicy } from "./settings/vehicle";
export type { Verification } from "./settings/verification";
