import { readinessOf } from "./compare";
import type { SiteChange } from "./model";

/**
 * The readiness of a site that is removed: `removed (was ready)`, or that the next update removes: `no longer declared
 * (was ready)`; undefined for other sites.
 */
export function removedWords(site: SiteChange): string | undefined {
  const isLeaving = site.after?.change === "leaving";
  if (!site.isSite || (site.after && !isLeaving)) return undefined;
  const { before } = readinessOf(site);
  const words = isLeaving ? "no longer declared" : "removed";
  return before === undefined ? words : `${words} (was ${before ? "ready" : "not ready"})`;
}

/** Whether a site that stays loses its readiness. */
export function losesReadiness(site: SiteChange): boolean {
  const { before, after } = readinessOf(site);
  return before === true && after === false;
}
