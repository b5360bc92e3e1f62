import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { isObject } from "../../provider/settings/setting";
import { reviewOfPreview } from "./preview";
import { previewSchema } from "./pulumiPreview";
import type { Review } from "./review";
import { reviewOfSummary, summarySchema } from "./summary";

/** Reads what a preview left in a file; `-` is standard input. @throws Error if there is no such file */
export async function readReview(file: string, name?: string): Promise<Review> {
  return reviewOf(file === "-" ? await text(process.stdin) : textOf(file), name);
}

/**
 * The result of a preview: the JSON of `pulumi preview` or of `solar-charging fleet`. A preview that broke off leaves
 * something else, or nothing: that is shown as it is, because a pipeline reports it too.
 */
export function reviewOf(printed: string, name?: string): Review {
  const json = parsed(printed);
  const summary = summarySchema.safeParse(json);
  if (summary.success) return reviewOfSummary(summary.data, name);
  const preview = previewSchema.safeParse(json);
  const isPreview = isObject(json) && ["steps", "diagnostics", "changeSummary"].some((key) => key in json);
  if (isPreview && preview.success) return reviewOfPreview(preview.data, name);
  return {
    subjects: [name ?? "the program"],
    operation: "change",
    sites: [],
    others: {},
    errors: ["the preview ended without a result: see below, and the log of the job"],
    warnings: [],
    log: printed.split("\n"),
  };
}

function parsed(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch {
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
