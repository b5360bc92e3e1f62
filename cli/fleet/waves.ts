import { type Manifest, memberCount, type Site } from "../../provider/manifest/model";
import { defined } from "../../provider/settings/objects";
import { compareNames, refuseUnknown } from "../names";
import type { Plan, StackPlan } from "../stacks/plan";

/** The part of a stack that is in a wave. */
export interface WaveStack extends StackPlan {
  /** The wave's sites in this stack. */
  readonly own: readonly Site[];
  /** Whether other sites of the stack follow in a later wave: then the wave's sites are the engine's targets. */
  readonly isPart: boolean;
}

/**
 * The mark of a finished stack in the record of a rollout. It names the sites of a part. Without them, a resumed
 * rollout with another canary would skip the other sites of the stack.
 */
export function markOf({ name, own, isPart }: WaveStack): string {
  return isPart ? [name, ...own.map(({ id }) => id)].join(" ") : name;
}

/** Whether nothing of a wave's stack is left to do. @param done by wave, the marks of the finished stacks */
export function isFinished(
  wave: string,
  stack: WaveStack,
  done: Readonly<Record<string, readonly string[]>> = {},
): boolean {
  // A stack that was applied as a whole is finished in every wave.
  return Object.values(done).some((marks) => marks.includes(stack.name)) || !!done[wave]?.includes(markOf(stack));
}

/** The sites of waves in stacks of which nothing is left to do. @param done see `isFinished` */
export function finishedSites(waves: readonly Wave[], done?: Parameters<typeof isFinished>[2]): Site[] {
  return waves.flatMap(({ name, stacks }) =>
    stacks.filter((stack) => isFinished(name, stack, done)).flatMap(({ own }) => own),
  );
}

/** A step of a rollout: its stacks run at the same time, after those of the wave before. */
export interface Wave {
  /** `canary`, `share` and `rest`, or the numbers of the manifest's waves and `rest`; last `removal`. */
  readonly name: string;
  readonly stacks: readonly WaveStack[];
  /** Whether the stacks have no sites left: the wave empties and removes them. */
  readonly isRemoval: boolean;
  /** Largest share of the wave's devices, from 0 to 1, that may fail before the rollout stops. */
  readonly failureLimit: number;
  /** Time for which the wave is watched after it was applied, in seconds. */
  readonly soak?: number;
}

interface WaveOptions {
  /**
   * Id of the first site. Default: of the changed sites, the first by name. It stays the same if lines of
   * the manifest move.
   */
  readonly canary?: string | undefined;
  /** Share of the devices in the second wave, from 0 to 1. Default: a tenth. */
  readonly share?: number | undefined;
  readonly maxFailures: number;
  /** The waves of the manifest, in place of canary and share. */
  readonly declared?: NonNullable<Manifest["rollout"]>["waves"] | undefined;
  /** The sites that may have changed since the last `up`. Default: all. */
  readonly changed?: readonly Site[] | undefined;
  /** Whether a command decides between waves. Then a single change has a canary too. */
  readonly hasGate?: boolean;
}

interface Chosen extends Pick<Wave, "name" | "failureLimit" | "soak"> {
  readonly sites: readonly Site[];
}

/**
 * The waves of a run: the manifest's, or the canary site and a share of the devices; then the other sites, then the
 * stacks whose sites are gone. A wave without a site is left out.
 * @throws Error if there is no such site in these stacks
 */
export function wavesOf(plan: Plan, options: WaveOptions): Wave[] {
  const { maxFailures: failureLimit } = options;
  const chosen = chosenWaves(plan, options).filter(({ sites }) => sites.length > 0);
  const waves = chosen.map(({ sites, ...wave }, index): Wave => {
    const later = new Set(chosen.slice(index + 1).flatMap((one) => one.sites));
    const own = new Set(sites);
    const stacks = plan.stacks
      .map((stack) => ({
        ...stack,
        own: stack.sites.filter((site) => own.has(site)),
        isPart: stack.sites.some((site) => later.has(site)),
      }))
      .filter((stack) => stack.own.length > 0);
    return { ...wave, stacks, isRemoval: false };
  });
  const emptied = plan.emptied.map((name) => ({ name, sites: [], own: [], isPart: false }));
  const removal: Wave = { name: "removal", stacks: emptied, isRemoval: true, failureLimit };
  return emptied.length > 0 ? [...waves, removal] : waves;
}

/** The share of the devices in the second wave (our choice). */
const SHARE = 0.1;

function chosenWaves({ stacks }: Plan, options: WaveOptions): Chosen[] {
  const { canary, maxFailures, declared } = options;
  const chooser = new SiteChooser(stacks);
  if (declared !== undefined) {
    const waves = declared.map((wave, index): Chosen => {
      const { sites, labels, soak, maxFailures: failureLimit = maxFailures } = wave;
      return {
        name: String(index + 1),
        sites:
          wave.share !== undefined
            ? chooser.share(wave.share)
            : chooser.those(
                ({ id, labels: own = [] }) => sites?.includes(id) || labels?.some((one) => own.includes(one)),
              ),
        failureLimit,
        ...defined({ soak }),
      };
    });
    return [...waves, { name: "rest", sites: chooser.rest(), failureLimit: maxFailures }];
  }
  const all = stacks.flatMap(({ sites }) => sites);
  const { changed = all, hasGate = false } = options;
  // A change of one site needs no canary: the site would be its own.
  const isCareful = changed.length > 1 || hasGate;
  const share = options.share ?? (isCareful ? SHARE : undefined);
  refuseUnknown(
    "--canary",
    "site in the stacks of this run",
    canary === undefined ? [] : [canary],
    all.map(({ id }) => id),
  );
  const first = canary ?? (isCareful ? changed.map(({ id }) => id).sort(compareNames)[0] : undefined);
  return [
    { name: "canary", sites: all.length > 1 ? chooser.those(({ id }) => id === first) : [], failureLimit: 0 },
    {
      name: "share",
      sites: all.length > 1 && share !== undefined ? chooser.share(share) : [],
      failureLimit: maxFailures,
    },
    { name: "rest", sites: chooser.rest(), failureLimit: maxFailures },
  ];
}

/** Chooses sites, each once. */
class SiteChooser {
  readonly #taken = new Set<Site>();
  readonly #devices: number;

  constructor(private readonly stacks: readonly StackPlan[]) {
    this.#devices = memberCount(stacks.flatMap(({ sites }) => sites));
  }

  those(isChosen: (site: Site) => boolean | undefined): Site[] {
    return this.#take(this.#left(this.stacks).filter((site) => isChosen(site)));
  }

  rest(): Site[] {
    return this.those(() => true);
  }

  /**
   * Chooses sites with a share of all devices, at least one site. Stacks that an earlier wave has begun come first, so
   * that fewer stacks run twice.
   */
  share(share: number): Site[] {
    const begun = this.stacks.filter(({ sites }) => sites.some((site) => this.#taken.has(site)));
    const others = this.stacks.filter((stack) => !begun.includes(stack));
    let devices = 0;
    const chosen = this.#left([...begun, ...others]).filter((site, index) => {
      const isChosen = index === 0 || devices < share * this.#devices;
      devices += memberCount([site]);
      return isChosen;
    });
    return this.#take(chosen);
  }

  #left(stacks: readonly StackPlan[]): Site[] {
    return stacks.flatMap(({ sites }) => sites).filter((site) => !this.#taken.has(site));
  }

  #take(sites: Site[]): Site[] {
    for (const site of sites) this.#taken.add(site);
    return sites;
  }
}

/** The number of devices in a wave. */
export function sizeOf({ stacks }: Pick<Wave, "stacks">): number {
  return memberCount(stacks.flatMap(({ own }) => own));
}
