import { ManifestError } from "../../provider/manifest/error";
import { toManifest } from "../../provider/manifest/manifest";
import { deviceKey } from "../../provider/manifest/model";
import { notOneOf } from "../../provider/settings/explain";
import { inverter } from "../../provider/settings/inverter";
import { idSchema } from "../../provider/settings/schema";
import type { DeviceKind } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import type { Row } from "./list";

/** A device that is to be adopted. */
export interface Wanted {
  readonly deviceId: string;
  readonly businessId: string;
  readonly site: string;
  /** What the list says that it is; absent: its type tells. */
  readonly kind?: DeviceKind;
  readonly place: string;
}

const KINDS = [vehicle, inverter];

/**
 * The devices of a list, each once. A row that repeats another one says nothing new.
 * @param defaults what a row has that does not say otherwise
 * @returns `problems` too: everything that is wrong with the list, each with its place
 */
export function wantedOf(
  rows: readonly Row[],
  defaults: { readonly businessAt: (site: string) => string | undefined; readonly site: string },
): { wanted: Wanted[]; problems: string[] } {
  const wanted = new Map<string, Wanted>();
  const problems: string[] = [];
  for (const row of rows) {
    const { deviceId, site = defaults.site, businessId = defaults.businessAt(site), place } = row;
    const wrong = [
      ...idProblems("the id of the device", deviceId),
      ...idProblems("the business", businessId, "give --business, or set SOLAR_CHARGING_BUSINESS_ID"),
      ...siteProblems(site),
    ];
    const kind = KINDS.find(({ name }) => name === row.kind);
    if (row.kind !== undefined && !kind)
      wrong.push(
        `the kind ${notOneOf(
          KINDS.map(({ name }) => name),
          row.kind,
        )}`,
      );
    const key = deviceKey(businessId, deviceId);
    const before = wanted.get(key);
    if (before && (before.site !== site || before.kind !== kind)) {
      wrong.push(`device '${deviceId}' is in ${before.place} too, with another site or kind: list it once`);
    }
    problems.push(...wrong.map((problem) => `${place}: ${problem}`));
    if (wrong.length === 0 && !before) {
      wanted.set(key, { deviceId, businessId: businessId as string, site, ...(kind && { kind }), place });
    }
  }
  return { wanted: [...wanted.values()], problems };
}

function idProblems(what: string, id: string | undefined, remedy?: string): string[] {
  const parsed = idSchema.safeParse(id);
  return parsed.success ? [] : [`${what} ${parsed.error.issues[0]?.message}${remedy ? `: ${remedy}` : ""}`];
}

/** What a manifest would say of a site of this id. */
function siteProblems(id: string): string[] {
  try {
    toManifest({ fleet: "fleet", sites: [{ id }] });
    return [];
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return error.problems.map(({ message }) => `the site ${JSON.stringify(id)} ${message}`);
  }
}
