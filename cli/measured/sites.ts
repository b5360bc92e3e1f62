import { readManifest } from "../../provider/manifest/manifest";
import { exportStack } from "../stacks/backend";
import { neededSubject, type SubjectOptions, selectedStack } from "../stacks/subject";
import { plannedSite } from "../view/manifest";
import type { SiteView } from "../view/model";
import { siteInState } from "../view/state";

/** The sites of a manifest, or those that a stack has. */
export async function declaredSites(options: SubjectOptions): Promise<SiteView[]> {
  const subject = neededSubject(options);
  if ("manifest" in subject) return readManifest(subject.manifest).sites.map(plannedSite);
  const stack = await selectedStack(subject, subject.stack);
  return (await exportStack(subject, stack)).resources.map((resource) => siteInState(stack, resource));
}
