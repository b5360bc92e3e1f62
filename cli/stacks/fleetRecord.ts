import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Site } from "../../provider/manifest/model";
import { notWritten, replaceFile } from "../files";
import { version } from "../package";
import { type ExistingStack, type Part, type Plan, suffixOf } from "./plan";

const names = z.array(z.string());

/** By stack, the backend's revision after its last update. */
const revisions = z.record(z.string(), z.string());

/** The progress of a rollout. Waves and stacks are identified by name. */
const progress = z.object({
  /** By wave, the marks of the stacks that finished without a failed device. */
  done: z.record(z.string(), names),
  /** The waves that were applied and watched to the end. */
  soaked: names,
  /** The waves after which the gate let the rollout continue. */
  released: names,
  /** Those of the stacks that the rollout has updated. A running stack has none. */
  revisions,
  /** The wave that is being watched, and the end of the watch. */
  watch: z.object({ wave: z.string(), until: z.iso.datetime() }).optional(),
});

export type RolloutProgress = z.infer<typeof progress>;

/** A rollout that is not finished, with its identity. */
const unfinished = progress.extend({ rollout: z.string() });

/** The declarations that the last `up` on this machine has applied without a failure: by site, their hashes. */
const applied = z.object({ revisions, sites: z.record(z.string(), z.string()) });

/** The result of the last rollout, wave by wave. */
const last = z.object({
  /** The time at which the rollout or its last wave ended. */
  time: z.iso.datetime(),
  outcome: z.enum(["done", "stopped", "interrupted", "failed"]),
  /** The reason why it did not continue. */
  reason: z.string().optional(),
  /** The waves that ran, in numbers of devices. */
  waves: z.array(
    z.object({ wave: z.string(), stacks: z.number(), ok: z.number(), failed: z.number(), notDone: z.number() }),
  ),
});

export type Rollout = z.infer<typeof last>;

/** The result of a wave in numbers of devices, and how many stacks it had. */
export type WaveCounts = Rollout["waves"][number];

/** The content of a record. A part of it that cannot be read does not count. */
const content = z.object({
  rollout: unfinished.optional().catch(undefined),
  applied: applied.optional().catch(undefined),
  last: last.optional().catch(undefined),
});

type Content = z.infer<typeof content>;

/** @param known the content if the file cannot be read */
function contentOf(file: string, known: Content = {}): Content {
  try {
    return content.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return known;
  }
}

/**
 * Whether the backend knows a stack in the recorded revision. Without this, a record from a pipeline's cache or from a
 * checkout would skip stacks that others have changed since, or that never ran, and hide changes from the canary.
 * @param existing all stacks of the backend
 */
function isAsRecorded(recorded: Content["applied"] | RolloutProgress, existing: readonly ExistingStack[]) {
  const known = new Map(existing.map(({ name, revision }) => [name, revision]));
  return (name: string) => known.get(name) !== undefined && known.get(name) === recorded?.revisions[name];
}

/** The part of a progress whose stacks have a recorded revision. A killed run leaves stacks without one. */
function confirmed({ done, soaked, released, watch, revisions }: RolloutProgress): RolloutProgress {
  // The name of the stack is the first word of a mark.
  const isKnown = (mark: string) => revisions[mark.split(" ", 1)[0] as string] !== undefined;
  const known = Object.entries(done).map(([wave, marks]) => [wave, marks.filter(isKnown)] as const);
  const finished = Object.fromEntries(known.filter(([, marks]) => marks.length > 0));
  const isBegun = (wave: string) => wave in finished;
  return {
    done: finished,
    soaked: soaked.filter(isBegun),
    released: released.filter(isBegun),
    revisions,
    ...(watch && isBegun(watch.wave) && { watch }),
  };
}

function hashOf(value: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** The end of a rollout. */
interface Ended {
  readonly interrupted?: boolean;
  readonly stopped?: string;
  readonly broken?: string;
}

/**
 * The record of a fleet's runs: an unfinished rollout, which the next `up` continues; the applied sites, because a
 * rollout of a single change needs no canary; and the last rollout, for `status` and `report`. The sent values never
 * depend on it.
 */
export class FleetRecord {
  readonly #file: string;
  readonly #rollout: string;
  #content: Content;
  /** The waves of this rollout. */
  #waves: WaveCounts[] = [];

  /**
   * @param service the identity of the service
   * @param what what makes another rollout, beside another service
   */
  constructor(
    folder: string,
    part: Part | undefined,
    private readonly service: readonly unknown[],
    what: readonly unknown[],
  ) {
    this.#file = join(folder, `record${suffixOf(part)}.json`);
    this.#rollout = hashOf([...what, ...service]);
    this.#content = contentOf(this.#file);
  }

  /**
   * The progress of this rollout in an earlier run, as far as the backend confirms it. A record that the backend
   * contradicts is ignored, and everything runs again.
   * @param existing all stacks of the backend
   */
  resume(existing: readonly ExistingStack[]): RolloutProgress | undefined {
    const found = this.#content.rollout;
    if (found?.rollout !== this.#rollout) return undefined;
    const recorded = Object.keys(found.revisions);
    if (recorded.length === 0 || !recorded.every(isAsRecorded(found, existing))) return undefined;
    this.#waves = this.#content.last?.waves ?? [];
    return confirmed(found);
  }

  /**
   * The sites that differ from the applied ones. In a stack that the backend knows in another revision, this is every
   * site.
   * @param existing all stacks of the backend
   */
  changed({ stacks }: Plan, existing: readonly ExistingStack[]): Site[] {
    const { applied } = this.#content;
    const isKnown = isAsRecorded(applied, existing);
    const isApplied = (site: Site) => applied?.sites[site.id] === this.#hashOfSite(site);
    return stacks.flatMap(({ name, sites }) => (isKnown(name) ? sites.filter((site) => !isApplied(site)) : sites));
  }

  /**
   * The stacks that the last whole `up` on this machine has applied, and that have no resources any more.
   * @param existing all stacks of the backend. A preview creates an empty one
   */
  lost(existing: readonly ExistingStack[]): string[] {
    const filled = existing.filter(({ isEmpty }) => !isEmpty).map(({ name }) => name);
    return Object.keys(this.#content.applied?.revisions ?? {}).filter((name) => !filled.includes(name));
  }

  /** @throws Error if it cannot be written, as on a full disk; the earlier record stays */
  write(progress: RolloutProgress): void {
    try {
      this.#write({ rollout: { rollout: this.#rollout, ...progress } });
    } catch (error) {
      throw new Error(`the rollout cannot be recorded: ${notWritten(error)}`);
    }
  }

  /** A wave has ended. If the rollout continues an earlier run, the waves of that run count too. */
  add(counts: WaveCounts): void {
    this.#waves = [...this.#waves.filter(({ wave }) => wave !== counts.wave), counts];
    this.#keep({ last: this.#lastOf("interrupted") });
  }

  /**
   * Records the end of an `up`.
   * @param updated the backend's revision of each stack. @param code the exit code of the run
   */
  end({ stacks }: Plan, updated: z.infer<typeof revisions>, ended: Ended, code: number): void {
    const { interrupted, stopped, broken } = ended;
    const reason = stopped ?? broken;
    const outcome = interrupted ? "interrupted" : stopped !== undefined ? "stopped" : code === 1 ? "failed" : "done";
    const hashes = stacks.flatMap(({ sites }) => sites.map((site) => [site.id, this.#hashOfSite(site)]));
    this.#keep({
      last: { ...this.#lastOf(outcome), ...(reason !== undefined && { reason }) },
      ...(code === 0 && {
        rollout: undefined,
        applied: { revisions: updated, sites: Object.fromEntries(hashes) },
      }),
    });
  }

  /**
   * Records that no rollout is unfinished any more, because a refresh or a destroy has changed the stacks. The applied
   * sites stay in stacks that it has found as they were. Without this, each change after a refresh would begin with a
   * canary.
   * @param unchanged the names of these stacks. @param before all stacks before the run
   * @param list lists all stacks; not called if there is nothing to keep
   */
  async renew(
    unchanged: readonly string[],
    before: readonly ExistingStack[],
    list: () => Promise<readonly ExistingStack[]>,
  ): Promise<void> {
    const { applied } = this.#content;
    const kept = unchanged.filter(isAsRecorded(applied, before));
    const now = kept.length > 0 ? await list() : [];
    const renewed = now.flatMap(({ name, revision }) => (kept.includes(name) && revision ? [[name, revision]] : []));
    const revisions = { ...applied?.revisions, ...Object.fromEntries(renewed) };
    this.#keep({ rollout: undefined, ...(applied && { applied: { ...applied, revisions } }) });
  }

  #lastOf(outcome: Rollout["outcome"]): Rollout {
    return { time: new Date().toISOString(), outcome, waves: this.#waves };
  }

  /** Without a record, as on a full disk, the next rollout begins from the start. An unfinished one stays recorded. */
  #keep(change: Partial<Content>): void {
    try {
      this.#write(change);
    } catch {
      if (!this.#content.rollout) rmSync(this.#file, { force: true });
    }
  }

  #write(change: Partial<Content>): void {
    // A run that began before another one ended must not erase what that one wrote.
    this.#content = { ...contentOf(this.#file, this.#content), ...change };
    replaceFile(this.#file, JSON.stringify(this.#content));
  }

  #hashOfSite(site: Site): string {
    return hashOf([version, this.service, site]);
  }
}

/** The last rollout of this folder's fleet or of a part of it; undefined if there was none. */
export function lastRolloutIn(folder: string): Rollout | undefined {
  const records = readdirSync(folder).filter((name) => /^record.*\.json$/.test(name));
  const rollouts = records.flatMap((name) => contentOf(join(folder, name)).last ?? []);
  // Without this, a time in the future would hide every later rollout.
  const past = rollouts.filter(({ time }) => Date.parse(time) <= Date.now());
  return past.sort((a, b) => a.time.localeCompare(b.time)).at(-1);
}
