import type * as pulumi from "@pulumi/pulumi";
import type { GetDeviceArgs, GetDeviceResult } from "../provider/engine/deviceView";
import type { FleetManifest } from "../provider/resources/fleetManifest";
import type { InverterSettings, InverterSettingsArgs } from "../provider/resources/inverterSettings";
import type { ProviderArgs } from "../provider/resources/provider";
import type { SiteSettings, SiteSettingsArgs } from "../provider/resources/siteSettings";
import type { VehicleSettings, VehicleSettingsArgs } from "../provider/resources/vehicleSettings";
import type { StatusExplanation } from "../provider/status/explain";

/** The outputs of a resource, without Pulumi's wrapper. */
type Outputs<R> = {
  [K in Exclude<keyof R, "id" | "urn"> as R[K] extends pulumi.Output<unknown> ? K : never]: R[K] extends pulumi.Output<
    infer T
  >
    ? T
    : never;
};

/** The types from which `npm run schema` makes the schemas of manifests and of the package. */
export interface Published {
  manifest: FleetManifest;
  configuration: pulumi.Unwrap<ProviderArgs>;
  VehicleSettingsArgs: pulumi.Unwrap<VehicleSettingsArgs>;
  VehicleSettings: Outputs<VehicleSettings>;
  InverterSettingsArgs: pulumi.Unwrap<InverterSettingsArgs>;
  InverterSettings: Outputs<InverterSettings>;
  SiteSettingsArgs: pulumi.Unwrap<SiteSettingsArgs>;
  SiteSettings: Outputs<SiteSettings>;
  getDeviceArgs: GetDeviceArgs;
  getDevice: Omit<GetDeviceResult, "personal" | "raw">;
  getLatestMetricsArgs: GetDeviceArgs & {
    /** Must be `true`, because the call may wake the car. */
    readonly allowWake: true;
  };
  getLatestMetrics: {
    /** The unchanged answer of the service, which does not document its fields. */
    readonly metrics: Readonly<Record<string, unknown>>;
  };
  explainStatusArgs: {
    /** Status of the service for this vehicle, such as `active_waiting`. */
    readonly serviceStatus: string;
    /** Status of the car, such as `unplugged`. */
    readonly chargingStatus?: string;
  };
  explainStatus: StatusExplanation;
}
