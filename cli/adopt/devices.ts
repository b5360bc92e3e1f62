import { siteIdSchema } from "../../provider/manifest/form";
import { deviceKey } from "../../provider/manifest/model";
import { notOneOf } from "../../provider/settings/explain";
import { inverter } from "../../provider/settings/inverter";
import { idSchema } from "../../provider/settings/schema";
import type { DeviceKind } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import type { Row } from "./list";

/** A device that is to be adopted. */
export interface Listed {
  readonly deviceId: string;
  readonly businessId: string;
  readonly site: string;
  /** Its kind, if the list names one; else its type decides. */
  readonly kind?: DeviceKind;
  readonly place: string;
}

const KINDS = [vehicle, inverter];

/**
 * The devices of a list, each once. A row that repeats another one says nothing new.
 * @param defaults what holds for a row that does not say otherwise
 * @returns `problems` too: everything that is wrong with the list, each with its place
 */
export function devicesOfList(
  rows: readonly Row[],
  defaults: { readonly businessAt: (site: string) => string | undefined; readonly site: string },
): { devices: Listed[]; problems: string[] } {
  const devices = new Map<string, Listed>();
  const problems: string[] = [];
  for (const row of rows) {
    const { deviceId, site = defaults.site, businessId = defaults.businessAt(site), place } = row;
    const kind = KINDS.find(({ name }) => name === row.kind);
    const wrong = [
      ...idProblems("the id of the device", deviceId),
      ...idProblems("the business", businessId, ": give --business, or set SOLAR_CHARGING_BUSINESS_ID"),
      ...siteProblems(site),
      ...(row.kind === undefined || kind ? [] : [`the kind ${notOneOf(["vehicle", "inverter"], row.kind)}`]),
    ];
    const key = deviceKey(businessId, deviceId);
    const before = devices.get(key);
    if (before && (before.site !== site || before.kind !== kind)) {
      wrong.push(`device '${deviceId}' is in ${before.place} too, with another site or kind: list it once`);
    }
    problems.push(...wrong.map((problem) => `${place}: ${problem}`));
    if (wrong.length === 0 && !before) {
      devices.set(key, { deviceId, businessId: businessId as string, site, ...(kind && { kind }), place });
    }
  }
  return { devices: [...devices.values()], problems };
}

function idProblems(what: string, id: string | undefined, advice = ""): string[] {
  const { error } = idSchema.safeParse(id);
  return error ? [`${what} ${error.issues[0]?.message}${advice}`] : [];
}

function siteProblems(id: string): string[] {
  const { error } = siteIdSchema.safeParse(id);
  return error ? [`the site ${JSON.stringify(id)} ${error.issues[0]?.message}`] : [];
}
