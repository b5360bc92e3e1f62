/**
 * The same as the main entry, over the native plugin: its classes can be imported, and take an explicit provider. A stack
 * moves from one entry to the other, and back, without a change of a resource.
 */
export * from "./index";
export { FleetSettings, InverterSettings, SiteSettings, VehicleSettings } from "./resources/native";
export { type GetDeviceResult, getDevice, getDeviceOutput, getLatestMetrics } from "./resources/nativeFunctions";
export { Provider, type ProviderArgs } from "./resources/provider";
