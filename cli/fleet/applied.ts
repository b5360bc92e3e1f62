import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { Site } from "../../provider/manifest/model";
import { readAs, replaceFile } from "../files";
import { version } from "../package";
import { type ExistingStack, type Part, type Plan, suffixOf } from "../stacks/plan";

const schema = z.object({
  /** The backend's revision of each stack after the `up`. */
  revisions: z.record(z.string(), z.string()),
  /** By site, the hash of its declaration. */
  sites: z.record(z.string(), z.string()),
});

/**
 * The declarations that the last `up` on this machine has applied without a failure. A rollout of a single change needs
 * no canary. The sent values never depend on this record.
 */
export class AppliedSites {
  readonly #file: string;

  /**
   * @param part each of several machines has a record of its own
   * @param where the identity of the service
   */
  constructor(
    folder: string,
    part: Part | undefined,
    private readonly where: readonly unknown[],
  ) {
    this.#file = join(folder, `applied${suffixOf(part)}.json`);
  }

  /**
   * The sites that differ from the record. In a stack that the backend knows in another revision, this is every site.
   * Without this, a record from a checkout could hide a change from the canary.
   * @param existing all stacks of the backend
   */
  changed({ stacks }: Plan, existing: readonly ExistingStack[]): Site[] {
    const record = readAs(this.#file, schema);
    const isAsRecorded = (name: string) => {
      const revision = existing.find((stack) => stack.name === name)?.revision;
      return revision !== undefined && record?.revisions[name] === revision;
    };
    return stacks.flatMap(({ name, sites }) =>
      isAsRecorded(name) ? sites.filter((site) => record?.sites[site.id] !== this.#hash(site)) : sites,
    );
  }

  /**
   * Records that the sites of a plan are applied. Without the record, a rollout begins with a canary.
   * @param revisions the backend's revision of each stack
   */
  keep({ stacks }: Plan, revisions: Readonly<Record<string, string>>): void {
    const hashes = stacks.flatMap(({ sites }) => sites.map((site) => [site.id, this.#hash(site)]));
    this.#write({ revisions, sites: Object.fromEntries(hashes) });
  }

  /**
   * Keeps the record of stacks that a refresh has found as they were applied. Without this, each change after a refresh
   * would begin with a canary.
   * @param unchanged the names of these stacks. @param before all stacks before the refresh
   * @param list lists all stacks; not called if there is nothing to keep
   */
  async renew(
    unchanged: readonly string[],
    before: readonly ExistingStack[],
    list: () => Promise<readonly ExistingStack[]>,
  ): Promise<void> {
    const record = readAs(this.#file, schema);
    const known = before.filter(({ name, revision }) => revision !== undefined && record?.revisions[name] === revision);
    const kept = known.map(({ name }) => name).filter((name) => unchanged.includes(name));
    if (!record || kept.length === 0) return;
    const now = (await list()).flatMap(({ name, revision }) =>
      kept.includes(name) && revision ? [[name, revision]] : [],
    );
    this.#write({ ...record, revisions: { ...record.revisions, ...Object.fromEntries(now) } });
  }

  #write(record: z.infer<typeof schema>): void {
    try {
      replaceFile(this.#file, JSON.stringify(record));
    } catch {
      // Ignored, because the sites are applied: on a full disk, the next rollout begins with a canary.
    }
  }

  #hash(site: Site): string {
    return createHash("sha256")
      .update(JSON.stringify([version, this.where, site]))
      .digest("hex");
  }
}
