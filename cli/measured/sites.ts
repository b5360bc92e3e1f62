import { PANEL_SETTINGS } from "../../measure/sky/judge";
import { readManifest, toManifest } from "../../provider/manifest/manifest";
import { omit, pick } from "../../provider/settings/objects";
import { USUAL_MANIFEST } from "../command/shared";
import { refuseUnknown } from "../names";
import { exportStack } from "../stacks/backend";
import { neededSubject } from "../stacks/subject";
import { plannedSite } from "../view/manifest";
import type { SiteView } from "../view/model";
import { siteInState } from "../view/state";

/** Advice for somebody who has no fleet. */
const WITHOUT_FLEET = `To measure without a fleet, give 'measure' --latitude (degrees, north positive) and --declared "azimuth=S tilt=35 peakPower=9.8kWp" (the values to compare). To measure, this ${USUAL_MANIFEST} suffices; to see the sun, add peakPower, azimuth and tilt to the roof:
fleet: home
sites:
  home:
    latitude: 52.5
    inverters: { roof: { deviceId: roof } }
    vehicles: { car: { deviceId: car } }`;

/** The sites of a manifest, or those that a stack has. */
export async function declaredSites(options: Parameters<typeof neededSubject>[0]): Promise<SiteView[]> {
  const subject = neededSubject(options, WITHOUT_FLEET);
  if ("manifest" in subject) return readManifest(subject.manifest).sites.map(plannedSite);
  const { stack, resources } = await exportStack(subject, subject.stack);
  return resources.map((resource) => siteInState(stack, resource));
}

/** The settings that a kind of file measures. */
const MEASURED_BY = {
  sessions: ["maxCapacity", "maxChargePower"],
  meter: ["baseLoad"],
  production: [...PANEL_SETTINGS, "cutInThreshold"],
} as const;

type GivenFiles = { readonly [Kind in keyof typeof MEASURED_BY]?: unknown };

/**
 * The house of somebody without a fleet: a roof and a car, with values in the form of a manifest. Names the values that
 * no file measures: without this, they would seem to agree.
 */
export function givenSites({
  declared = [],
  latitude,
  ...files
}: GivenFiles & {
  readonly declared?: readonly string[] | undefined;
  readonly latitude?: number | undefined;
}): SiteView[] {
  const given = declared
    .flatMap((one) => one.trim().split(/,?\s(?=\w+=)/))
    .map((one): [key: string, value: string | number] => {
      const [key = "", value = ""] = one.split("=").map((part) => part.trim());
      return [key, value === "" || Number.isNaN(Number(value)) ? value : Number(value)];
    });
  refuseUnknown(
    "--declared",
    "setting",
    given.map(([key]) => key),
    Object.values(MEASURED_BY).flat(),
  );
  const values = Object.fromEntries(given);
  for (const [kind, keys] of Object.entries(MEASURED_BY)) {
    if (files[kind as keyof GivenFiles]) continue;
    for (const key of keys.filter((one) => one in values))
      console.error(`--declared ${key} is not compared: give a file with --${kind}`);
  }
  const devices = {
    inverters: { roof: { deviceId: "roof", ...omit(values, MEASURED_BY.sessions) } },
    vehicles: { car: { deviceId: "car", ...pick(values, MEASURED_BY.sessions) } },
  };
  return toManifest({ fleet: "home", sites: { home: { latitude, ...devices } } }, "--declared").sites.map(plannedSite);
}
