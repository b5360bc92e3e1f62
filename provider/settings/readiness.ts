import { type DeviceKind, keysOf } from "./setting";
import { ChargePolicy } from "./vehicle";

/** What is declared for one device of a site, or shown by it where the program only reads it. */
export interface SiteDevice {
  readonly kind: DeviceKind;
  /** Names the device in reasons: `vehicle/<key>` or `inverter/<key>`. */
  readonly label: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether the values are what the service shows. */
  readonly isOnlyRead?: boolean;
}

/**
 * Why a site cannot charge by the solar forecast (interface 1); empty when nothing is missing. Each reason has one of
 * these forms, which stay: `site: no vehicle`, `site: no inverter`, `vehicle/<key>: <setting> not declared`, `… not
 * reported` for a device that is only read, the same with `inverter/<key>`, and `vehicle/<key>: policy is <policy>`.
 */
export function missingFor(devices: readonly SiteDevice[]): string[] {
  const absent = ["vehicle", "inverter"].filter((name) => !devices.some(({ kind }) => kind.name === name));
  return [...absent.map((name) => `site: no ${name}`), ...devices.flatMap(missingOf)];
}

/** What one device lacks, in the words of `missingFor`. */
export function missingOf({ kind, label, values, isOnlyRead }: SiteDevice): string[] {
  return keysOf(kind).flatMap((setting) => {
    const value = values[setting];
    if (value === undefined) return [`${label}: ${setting} not ${isOnlyRead ? "reported" : "declared"}`];
    return setting === "policy" && value !== ChargePolicy.ChargeByForecast ? [`${label}: policy is ${value}`] : [];
  });
}

/** Name of the resource that declares the policy of a ready vehicle. @param resource that which declares its settings */
export function policyName(resource: string): string {
  return `${resource}-policy`;
}

/** Whether a vehicle has its policy from its site, once that is ready. */
export function takesPolicy(site: { readonly isSolar: boolean }, { values }: Pick<SiteDevice, "values">): boolean {
  return site.isSolar && values.policy === undefined;
}
