import { createHash } from "node:crypto";
import { type Ran, type RunOptions, run } from "./run";
import {
  CHANGES,
  DEVICES,
  type DeviceId,
  type Form,
  firstWorld,
  type Log,
  type Program,
  RARE_CHANGES,
  type World,
} from "./world";

const RUNS: Readonly<Record<string, RunOptions>> = {
  up: {},
  upReverse: { isReversed: true },
  upSequential: { isSequential: true },
  upRefresh: { refreshes: true },
  refresh: { onlyRefreshes: true },
  upNoDelete: { failsBeforeDeletes: true },
  upRefused: { fault: "refused" },
  upLost: { fault: "lost" },
  upAnswerLost: { fault: "answer lost" },
  upKilledBefore: { fault: "killed before" },
  upKilled: { fault: "killed after" },
};

/** The runs of one of two stacks, or of one part of a fleet. */
const RARE_RUNS: Readonly<Record<string, RunOptions>> = {
  up1: { only: "R1" },
  up2: { only: "R2" },
};

/** All events, in the order in which they are tried. */
export const EVENTS: readonly string[] = [...Object.keys(CHANGES), ...Object.keys(RUNS)];

/** The beginnings: after a run of a program that declares the first device, or both. */
const BEGINNINGS: Readonly<Record<string, Program["devices"]>> = {
  x: { R1: "x", R2: undefined },
  "x y": { R1: "x", R2: "y" },
};

/** A search from the beginnings of one kind of world. */
export interface Found {
  readonly worlds: number;
  readonly runs: number;
  /** The laws that are broken, each with the shortest path that breaks it. */
  readonly breaks: readonly string[];
  /** By law, the number of runs that break it. */
  readonly counts: ReadonlyMap<string, number>;
}

type Step = { readonly world: World; readonly path: readonly string[] };

/** Most runs until a program without faults has converged. */
const MOST = 3;

const keys = new WeakMap<World, string>();

/** A short text that is the same for equal worlds only. */
function keyOf(world: World): string {
  let key = keys.get(world);
  if (key === undefined) {
    key = createHash("sha1").update(JSON.stringify(world)).digest("base64");
    keys.set(world, key);
  }
  return key;
}

class Search {
  readonly #first = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** Results of runs, by world and event. */
  readonly #results = new Map<string, Ran>();
  readonly story: string[] = [];
  runs = 0;

  /** @param tells whether it keeps the stories of its runs: those of a whole search would fill the memory */
  constructor(private readonly tells = false) {}

  async #run(world: World, name: string, options: RunOptions): Promise<Ran> {
    const key = `${name} ${keyOf(world)}`;
    const known = this.#results.get(key);
    if (known) return known;
    this.runs += 1;
    const { story, ...ran } = await run(world, options);
    const result = { ...ran, story: this.tells ? story : [] };
    this.#results.set(key, result);
    return result;
  }

  #note(laws: readonly string[], path: readonly string[]): void {
    for (const law of laws) {
      if (!this.#first.has(law)) this.#first.set(law, path.join(", "));
      this.#counts.set(law, (this.#counts.get(law) ?? 0) + 1);
    }
  }

  /** A world after its first run. */
  async begin(kind: string, name: string, events: readonly string[]): Promise<Step> {
    const [form, , log] = kind.split(" ") as [Form, "with", Log];
    const world = firstWorld(form, log, BEGINNINGS[name] as Program["devices"], events.includes("solar"));
    const { path, ...step } = await this.next({ world, path: [kind] }, "up");
    return { ...step, path: [...path.slice(0, -1), name] };
  }

  async next({ world, path }: Step, event: string): Promise<Step> {
    const change = CHANGES[event] ?? RARE_CHANGES[event];
    if (change) return { world: change(world), path: [...path, event] };
    const ran = await this.#run(world, ...(await this.#shortest(world, event)));
    this.story.push(...ran.story);
    const after = [...path, event];
    this.#note(ran.broken, after);
    return { world: ran.world, path: after };
  }

  /** The event, or `up` if it can differ in nothing from it: most runs send nothing, and most delete nothing. */
  async #shortest(world: World, event: string): Promise<[name: string, options: RunOptions]> {
    const options = (RUNS[event] ?? RARE_RUNS[event]) as RunOptions;
    if (options.only) return [event, options];
    const { refreshes, onlyRefreshes, isReversed, isSequential, failsBeforeDeletes, fault } = options;
    if (refreshes || onlyRefreshes || event === "up") return [event, options];
    const { updates, deletes, operations, registrations } = (await this.#run(world, "up", {})).did;
    const isOther =
      ((isReversed || isSequential) && registrations > 1 && operations > 0) ||
      (failsBeforeDeletes && deletes > 0) ||
      (fault && updates > 0);
    return isOther ? [event, options] : ["up", {}];
  }

  /** Ends each world with runs without faults: the program as it is, then a destroy. */
  async end(step: Step): Promise<void> {
    await this.destroy(await this.#untilDone(step, "up"));
  }

  async destroy({ world, path }: Step): Promise<Step> {
    const program = { ...world.program, devices: { R1: undefined, R2: undefined } };
    const destroyed = await this.#untilDone({ world: { ...world, program }, path }, "destroy");
    this.#note(lostIn(destroyed.world), destroyed.path);
    return destroyed;
  }

  async #untilDone(step: Step, name: string): Promise<Step> {
    let { world } = step;
    const path = [...step.path, name];
    for (let index = 0; index < MOST; index += 1) {
      const ran = await this.#run(world, "up", {});
      this.story.push(...ran.story);
      this.#note(ran.broken, path);
      ({ world } = ran);
      if (ran.succeeded) return { world, path };
    }
    this.#note([`${name} never succeeds`], path);
    return { world, path };
  }

  found(worlds: number): Found {
    const breaks = [...this.#first].map(([law, path]) => `${law}: ${path}`);
    return { worlds, runs: this.runs, breaks, counts: this.#counts };
  }
}

/** The devices that have neither their value from before us nor a later one of their owner, and whose value nobody printed. */
function lostIn({ devices, lives, printed, policies, printedPolicies }: World): string[] {
  const lostPolicies = Object.entries(policies).filter(
    ([id, before]) => devices[id as DeviceId].policy !== before && !printedPolicies.includes(id as DeviceId),
  );
  const lost = lostPolicies.map(() => "a policy is lost unseen");
  return DEVICES.flatMap((id) => {
    const life = lives[id];
    if (!life || [life.before, ...life.later].includes(devices[id].value)) return [];
    return printed.includes(life.before) ? [] : ["a baseline is lost unseen"];
  }).concat(lost);
}

/**
 * All orders of up to so many events. Worlds that are reached twice are walked once.
 * @param kind the form of the program, and its log: `cars with ledger`
 */
export async function search(kind: string, depth: number, events = EVENTS): Promise<Found> {
  const search = new Search();
  const seen = new Set<string>();
  const reach = async (step: Step): Promise<Step[]> => {
    const key = keyOf(step.world);
    if (seen.has(key)) return [];
    seen.add(key);
    await search.end(step);
    return [step];
  };
  let steps: Step[] = [];
  for (const name of Object.keys(BEGINNINGS)) steps.push(...(await reach(await search.begin(kind, name, events))));
  for (let length = 1; length <= depth; length += 1) {
    const next: Step[] = [];
    for (const step of steps) for (const event of events) next.push(...(await reach(await search.next(step, event))));
    steps = next;
  }
  return search.found(seen.size);
}

/** Walks one path, as a search shows it. @returns what happened at each event, and the laws that were broken */
export async function replay(
  path: string,
): Promise<{ readonly story: readonly string[]; readonly breaks: readonly string[] }> {
  const [kind = "", beginning = "", ...events] = path.replace(/^.*: /, "").split(", ");
  const search = new Search(true);
  const story: string[] = [];
  let step = await search.begin(kind, beginning, events);
  for (const event of events) {
    const before = search.story.length;
    step = event === "destroy" ? await search.destroy(step) : await search.next(step, event);
    story.push(event, ...search.story.slice(before).map((line) => `  ${line}`), `  ${wordsOf(step.world)}`);
  }
  return { story, breaks: search.found(0).breaks };
}

function wordsOf({ devices, lives, files }: World): string {
  const logs = Object.values(files).flatMap((content) => content.split("\n").filter(Boolean));
  return [JSON.stringify({ devices, lives }), ...logs].join("\n    ");
}
