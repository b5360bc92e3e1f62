import { SINGLE_SETTINGS } from "../../measure/results/model";
import { PANEL_SETTINGS } from "../../measure/sky/judge";
import { readManifest, toManifest } from "../../provider/manifest/manifest";
import { omit, pick } from "../../provider/settings/objects";
import { vehicle } from "../../provider/settings/vehicle";
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

/** The house of somebody without a fleet: a roof and a car, with values in the form of a manifest. */
export function givenSites({
  declared = [],
  latitude,
}: {
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
    [...PANEL_SETTINGS, ...SINGLE_SETTINGS],
  );
  const [values, ofCar] = [Object.fromEntries(given), Object.keys(vehicle.settings)];
  const devices = {
    inverters: { roof: { deviceId: "roof", ...omit(values, ofCar) } },
    vehicles: { car: { deviceId: "car", ...pick(values, ofCar) } },
  };
  return toManifest({ fleet: "home", sites: { home: { latitude, ...devices } } }, "--declared").sites.map(plannedSite);
}
