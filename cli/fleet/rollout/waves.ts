import { membersOf, type Site } from "../../../provider/manifest/model";
import { declaredIn, type Outcomes, type Result } from "../outcome/outcome";
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
 * @throws Error if there is no such site in these stacks
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
 * Why a rollout does not go on after this wave; undefined if it does.
 * @param wave with those of its stacks that were run, and not those that an earlier run was through with
 */
export function stopReason(wave: Wave, outcomes: Outcomes): string | undefined {
  const count = (result: Result) => [...outcomes.values()].filter((outcome) => outcome.result === result).length;
  const failed = count("failed");
  const declared = declaredIn(outcomes).length;
  const devices = Math.max(sizeOf(wave), declared);
  const heldBack = count("held") + devices - declared;
  if (failed === 0 || (failed + heldBack) / devices <= wave.failureLimit) return undefined;
  const limit = wave.canary ? "the canary may have none" : `at most ${percent(wave.failureLimit)} may`;
  const others = heldBack > 0 ? ` and held ${heldBack} more back` : "";
  return `${failed} of ${devices} devices failed${others}, and ${limit}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}

/** A resource in state. */
export interface Present {
  readonly urn: string;
}

/**
 * The engine's --target for one site. The component above it is a target only if the stack does not have it yet: a site is
 * not made without, and if it is a target, the engine refuses the update if another site is gone.
 * @param present the resources of the stack
 */
export function targetsOf(fleet: string, site: string, present: readonly Present[]): string[] {
  const component = `:FleetSettings::${fleet}`;
  const isThere = present.some(({ urn }) => urn.endsWith(component));
  return [...(isThere ? [] : [`**${component}`]), `**:SiteSettings::${site}`];
}
