import { type Devices, type FleetReview, reviewOfRun } from "../../cli/fleet/review";
import { countsOf } from "../../cli/review/verdict";
import { deviceNamed } from "../../cli/stacks/collector";
import type { Outcome, SiteInRun } from "../../cli/stacks/outcome";
import type { StackResult } from "../../cli/stacks/stack";
import { deviceView } from "../../cli/view/device";
import type { DeviceView, SiteView } from "../../cli/view/model";
import { placeOf } from "../../provider/settings/groups";
import type { Gap } from "../../provider/settings/readiness";
import type { Values } from "../../provider/settings/setting";

/** The outcome of a device, with values in place of its states. Without any before, it is new. */
export interface GivenOutcome extends Omit<Outcome, "before" | "after"> {
  readonly before?: Values;
  readonly after?: Values;
  /** More of its states. */
  readonly view?: Partial<DeviceView>;
}

export function outcomeOf({ before = {}, after, view, ...outcome }: GivenOutcome): Outcome {
  const { device, label } = outcome;
  const place = placeOf(label);
  if (!place) throw new Error(label);
  const viewOf = (declared: Values): DeviceView => ({
    ...deviceView({ ...place, observe: false, policyFromSite: false, ...deviceNamed(device), declared }),
    ...(outcome.onDelete && { onDelete: outcome.onDelete }),
    ...view,
  });
  const isGone = outcome.onDelete !== undefined;
  const isNew = outcome.result === "changed" && Object.keys(before).length === 0 && !isGone;
  return {
    ...outcome,
    ...(!isNew && { before: viewOf(before) }),
    ...(!isGone && { after: viewOf(after ?? before) }),
  };
}

/** The outcome of a site. Without any readiness before, it is new. */
interface GivenSite {
  readonly site: string;
  readonly readyBefore?: boolean;
  readonly readyAfter?: boolean;
  readonly gaps?: readonly Gap[];
  readonly latitude?: number;
}

/** @param isGone whether the site does not exist any more */
export function siteOutcomeOf(
  { site, readyBefore, readyAfter, gaps = [], latitude }: GivenSite,
  { isGone = false } = {},
): Omit<SiteInRun, "devices"> {
  const solar = readyBefore === true || readyAfter === true || gaps.length > 0;
  const place = latitude === undefined ? {} : { latitude };
  const view = (ready: boolean | undefined, found: readonly Gap[]): SiteView => ({
    ...{ name: site, stack: "", isSite: true, solar, gaps: found, warnings: [], devices: [], ...place },
    ...(ready !== undefined && { ready }),
  });
  return {
    site,
    ...(readyBefore !== undefined && { before: view(readyBefore, []) }),
    ...(!isGone && { after: view(readyAfter, gaps) }),
  };
}

/** The review of a run, beside its counts. By default, all its sites are declared, and it had to process no device. */
export function summarized(
  about: Parameters<typeof reviewOfRun>[0],
  results: readonly StackResult[],
  devices: Partial<Devices> = {},
) {
  const sites = results.flatMap((result) => result.sites.map(({ site }) => ({ id: site })));
  const review = reviewOfRun(about, results, { expected: [], declared: [], sites, ...devices });
  return besideCounts(review, countsOf(review));
}

/** A review, with its counts beside it. */
export function besideCounts<Given extends FleetReview>(
  review: Given,
  counts: ReturnType<typeof countsOf>,
): Given & Omit<typeof counts, keyof FleetReview> {
  return { ...counts, ...review };
}

/** The managed settings of a device; none of one that is only observed, or not managed. */
export function valuesIn(device: DeviceView | undefined): Values {
  return device?.declared ?? {};
}
