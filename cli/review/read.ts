import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { previewIn } from "../pulumiPreview";
import { reviewOfPreview } from "./preview";
import type { Review } from "./review";
import { reviewOfSummary, summarySchema } from "./summary";

/** Reads the output of a preview from a file; `-` is standard input. @throws Error if there is no such file */
export async function readReview(file: string, name?: string): Promise<Review> {
  return reviewOf(file === "-" ? await text(process.stdin) : textOf(file), name);
}

/**
 * The result of a preview: the JSON of `pulumi preview` or of `solar-charging fleet`. A failed preview prints
 * something else or nothing. The review shows that unchanged, because a pipeline reports failures too.
 */
export function reviewOf(printed: string, name?: string): Review {
  const json = parsed(printed);
  const summary = summarySchema.safeParse(json);
  if (summary.success) return reviewOfSummary(summary.data, name);
  const preview = previewIn(json);
  if (preview) return reviewOfPreview(preview, name);
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
