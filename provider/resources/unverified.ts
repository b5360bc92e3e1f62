import type * as pulumi from "@pulumi/pulumi";
import type { SettingsResource } from "./settingsResource";

/** What a resource declares, was accepted, and is not seen: `vehicle/car: maxCapacity accepted, not reported`. */
export function unseen(label: string, resource: SettingsResource): pulumi.Output<string[]> {
  const words = {
    pending: "accepted, another value is shown",
    notReported: "accepted, not reported",
    verified: undefined,
  };
  return resource.verification.apply((verification = {}) =>
    Object.entries(verification).flatMap(([setting, is]) => (words[is] ? [`${label}: ${setting} ${words[is]}`] : [])),
  );
}
