import { membersOf, type Site } from "../../provider/manifest/model";
import { declaredIn, type Outcomes } from "./outcomes";
import type { Plan, StackPlan } from "./plan";

/** Stacks that are run before anything else is, or a part of one of them. */
export interface Wave {
  readonly name: "canary" | "share" | "rest" | "removal";
  readonly stacks: readonly StackPlan[];
  /** The site that is rolled out alone. */
  readonly canary?: Site;
  /** Largest share of the wave's devices, from 0 to 1, that may fail before the rollout stops. */
  readonly failureLimit: number;
}

export interface WaveOptions {
  /** Id of the first site. Default: the first by the alphabet, which stays the same when lines of the manifest move. */
  readonly canary?: string;
  /** Share of the stacks in the second wave, from 0 to 1. */
  readonly share: number;
  readonly maxFailures: number;
}

/**
 * The canary site, then a share of the stacks, then the rest, then the stacks whose sites are gone. The canary's stack is
 * the first of the share, because another site of it has to follow. Without any other site there is no canary.
 * @throws Error where there is no such site in these stacks
 */
export function wavesOf(plan: Plan, options: WaveOptions): Wave[] {
  const emptied = plan.emptied.map((name) => ({ name, sites: [] }));
  const removal: Wave = { name: "removal", stacks: emptied, failureLimit: options.maxFailures };
  return [...wavesOfSites(plan, options), removal].filter((wave) => wave.stacks.length > 0);
}

function wavesOfSites({ stacks }: Plan, { canary, share, maxFailures }: WaveOptions): Wave[] {
  const sites = stacks.flatMap((stack) => stack.sites.map((site) => ({ site, stack })));
  const [first] = sites
    .filter(({ site }) => canary === undefined || site.id === canary)
    .sort((a, b) => (a.site.id < b.site.id ? -1 : 1));
  if (canary !== undefined && !first) throw new Error(`--canary ${canary}: no such site in the stacks of this run`);
  if (!first || sites.length === 1) return [{ name: "rest", stacks, failureLimit: maxFailures }];
  const ordered = [first.stack, ...stacks.filter((stack) => stack !== first.stack)];
  const size = Math.max(1, Math.ceil(share * stacks.length));
  return [
    { name: "canary", stacks: [first.stack], canary: first.site, failureLimit: 0 },
    { name: "share", stacks: ordered.slice(0, size), failureLimit: maxFailures },
    { name: "rest", stacks: ordered.slice(size), failureLimit: maxFailures },
  ];
}

/** How many devices a wave is about. */
export function sizeOf({ canary, stacks }: Pick<Wave, "canary" | "stacks">): number {
  const sites = canary ? [canary] : stacks.flatMap((stack) => stack.sites);
  return sites.flatMap(membersOf).length;
}

/**
 * Why a rollout does not go on after this wave; undefined where it does.
 * @param wave with those of its stacks that were run, and not those that an earlier run was through with
 */
export function stopReason(wave: Wave, outcomes: Outcomes): string | undefined {
  const failed = [...outcomes.values()].filter(({ result }) => result === "failed").length;
  const declared = declaredIn(outcomes).length;
  const devices = Math.max(sizeOf(wave), declared);
  // Those that depend on one that failed are left out, as the cars of a site are on its inverters.
  const heldBack = devices - declared;
  if (failed === 0 || (failed + heldBack) / devices <= wave.failureLimit) return undefined;
  const limit = wave.canary ? "the canary may have none" : `at most ${percent(wave.failureLimit)} may`;
  const others = heldBack > 0 ? ` and held ${heldBack} more back` : "";
  return `${failed} of ${devices} devices failed${others}, and ${limit}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}

/** The resources of a site, as patterns for the engine's --target: the component above it, and its own. */
export function targetsOf(fleet: string, site: Site): string[] {
  return [`**:FleetSettings::${fleet}`, `**:SiteSettings::${site.id}`];
}

/** A resource in state, which lists it after all that it depends on. */
export interface Present {
  readonly urn: string;
  readonly dependencies?: readonly string[];
}

/**
 * The targets of an update of a stack that has these resources. The engine refuses the whole update where a resource that is
 * gone depends on a target and is none, or is below a component that is one. So what depends on a target is one too, and a
 * component is only where the stack has it not, as what is below it is not made without.
 */
export function targetsIn(present: readonly Present[], targets: readonly string[]): string[] {
  const isOf = (target: string, urn: string) => urn.endsWith(target.slice(2));
  const isComponent = (target: string) => target.startsWith("**:FleetSettings::");
  const needed = targets.filter((target) => !isComponent(target) || !present.some(({ urn }) => isOf(target, urn)));
  const chosen = new Set<string>();
  const dependents: string[] = [];
  for (const { urn, dependencies = [] } of present) {
    const isTarget = needed.some((target) => isOf(target, urn));
    if (!isTarget && !dependencies.some((dependency) => chosen.has(dependency))) continue;
    chosen.add(urn);
    if (!isTarget) dependents.push(urn);
  }
  return [...needed, ...dependents];
}
