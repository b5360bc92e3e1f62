export type { Verification } from "./handlers/verification";
export {
  InverterSettings,
  type InverterSettingsArgs,
  type ReportedInverterSettings,
} from "./resources/inverterSettings";
export { type SettingsArgs, SettingsResource } from "./resources/settingsResource";
export { type ReportedVehicleSettings, VehicleSettings, type VehicleSettingsArgs } from "./resources/vehicleSettings";
export type { OnDelete } from "./settings/schema";
export { ChargePolicy } from "./settings/vehicle";
