/**
 * Declares the settings of electric vehicles and solar inverters. Pulumi's host of dynamic resources loads this
 * package: there is nothing else to install.
 * @module pulumi-solar-charging
 */
export type {
  DeviceConfig,
  GetDeviceArgs,
  GetDeviceResult,
  PersonalFields,
  ReportedSettings,
} from "./engine/deviceView";
export type {
  FleetDefaults,
  FleetManifest,
  ManifestDefaults,
  ManifestSite,
  ManifestWave,
} from "./resources/fleetManifest";
export { FleetSettings, type FleetSettingsArgs } from "./resources/fleetSettings";
export {
  type ExplainStatusOutputArgs,
  explainStatusOutput,
  type GetDeviceOutputArgs,
  getDevice,
  getDeviceOutput,
  getLatestMetrics,
  getLatestMetricsOutput,
} from "./resources/getDevice";
export {
  type AzimuthInput,
  type InverterSettingStates,
  InverterSettings,
  type InverterSettingsArgs,
  type InverterSettingsState,
  type Plane,
  type PlaneArgs,
  type ReportedInverterSettings,
} from "./resources/inverterSettings";
export type {
  DriftInput,
  NumberState,
  SettingState,
  SettingStates,
  SettingsArgs,
  SettingsResource,
  TextState,
} from "./resources/settingsResource";
export {
  type DeviceSettingStates,
  type ObservedDeviceArgs,
  type SiteDevice,
  type SiteInverterArgs,
  SiteSettings,
  type SiteSettingsArgs,
  type SiteVehicleArgs,
} from "./resources/siteSettings";
export {
  type ReportedVehicleSettings,
  type VehicleSettingStates,
  VehicleSettings,
  type VehicleSettingsArgs,
  type VehicleSettingsState,
} from "./resources/vehicleSettings";
export type { AzimuthConvention, CardinalName } from "./settings/azimuth";
export { OnDelete, OnDrift } from "./settings/declaration";
export type { LintName } from "./settings/lints";
export { type Gap, GapReason } from "./settings/readiness";
export { kW, kWh } from "./settings/units";
export { ChargePolicy } from "./settings/vehicle";
export { SettingStatus } from "./settings/verification";
export { explainStatus, type StatusExplanation } from "./status/explain";
export { type DeviceStatus, statusOf } from "./status/find";
export { ChargingStatus, ServiceStatus } from "./status/vocabulary";
