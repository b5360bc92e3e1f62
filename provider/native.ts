/**
 * The same classes and functions, with the native plugin: resources can be imported, and accept an explicit provider. A
 * stack can move from one entry to the other and back without a change of its resources.
 * @module pulumi-solar-charging/native
 */
export * from "./index";
export { FleetSettings, InverterSettings, SiteSettings, VehicleSettings } from "./resources/native";
export {
  type GetDeviceResult,
  getDevice,
  getDeviceOutput,
  getLatestMetrics,
  getLatestMetricsOutput,
} from "./resources/nativeFunctions";
export { Provider, type ProviderArgs } from "./resources/provider";
