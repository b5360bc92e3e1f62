import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { Site } from "../../provider/manifest/model";
import { readAs, replaceFile } from "../files";
import { version } from "../package";
import { type ExistingStack, type Part, type Plan, suffixOf } from "../stacks/plan";

const time = z.iso.datetime();
const schema = z.object({
  /** The end of the `up`. */
  time,
  /** By site, the hash of its declaration. */
  sites: z.record(z.string(), z.string()),
});

/**
 * The declarations that the last `up` on this machine has applied without a failure. A rollout of a single change
 * needs no canary. What is sent never depends on this record.
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
    private readonly now: () => Date = () => new Date(),
  ) {
    this.#file = join(folder, `applied${suffixOf(part)}.json`);
  }

  /**
   * The sites that differ from the record. In a stack that was updated since, this is every site.
   * @param existing all stacks of the backend
   */
  changed({ stacks }: Plan, existing: readonly ExistingStack[]): Site[] {
    const record = readAs(this.#file, schema);
    const isAsRecorded = (name: string) => {
      const { data: updated } = time.safeParse(existing.find((stack) => stack.name === name)?.updated);
      return record !== undefined && updated !== undefined && Date.parse(updated) <= Date.parse(record.time);
    };
    return stacks.flatMap(({ name, sites }) =>
      isAsRecorded(name) ? sites.filter((site) => record?.sites[site.id] !== this.#hash(site)) : sites,
    );
  }

  /** Records that the sites of a plan are applied. Without the record, a rollout begins with a canary. */
  keep({ stacks }: Plan): void {
    const hashes = stacks.flatMap(({ sites }) => sites.map((site) => [site.id, this.#hash(site)]));
    try {
      replaceFile(this.#file, JSON.stringify({ time: this.now().toISOString(), sites: Object.fromEntries(hashes) }));
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
