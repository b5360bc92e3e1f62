import type { SunSide } from "../../sun/sunSite";
import type { DeviceSummary, Summary } from "./summary";

/** The values that decide about the sun of a site, before a run and after it. */
export function sunSidesOf(
  { sites }: Pick<Summary, "sites">,
  name: string,
  devices: readonly DeviceSummary[],
): { readonly before: SunSide; readonly after: SunSide } {
  const latitude = sites.find(({ site }) => site === name)?.latitude;
  const side = (which: "before" | "after"): SunSide => ({
    latitude,
    devices: devices.flatMap((device) => {
      const values = device[which];
      return values === undefined ? [] : [{ label: device.label, values }];
    }),
  });
  return { before: side("before"), after: side("after") };
}
