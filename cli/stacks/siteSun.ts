import { byPriceOf, type SunSide } from "../clearDays/sunSite";
import type { DeviceSummary, Summary } from "./summary";

/** The values that determine the sun of a site, before a run and after it. */
export function sunSidesOf(
  { sites }: Pick<Summary, "sites">,
  name: string,
  devices: readonly DeviceSummary[],
): { readonly before: SunSide; readonly after: SunSide } {
  const { latitude, readyBefore, readyAfter, missing = [] } = sites.find(({ site }) => site === name) ?? {};
  const reasons = {
    before: readyBefore === false ? ("notReady" as const) : undefined,
    after: byPriceOf(readyAfter, missing),
  };
  const side = (which: "before" | "after"): SunSide => ({
    latitude,
    byPrice: reasons[which],
    devices: devices.flatMap((device) => {
      const values = device[which];
      return values === undefined ? [] : [{ label: device.label, values, planes: device.planes?.[which] }];
    }),
  });
  return { before: side("before"), after: side("after") };
}
