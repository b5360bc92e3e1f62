import { text } from "node:stream/consumers";
import { z } from "zod";
import { parsedJson, readGiven } from "../files";
import { previewIn } from "../view/pulumiPreview";
import { shortened } from "../words";
import { reviewOfPreview } from "./preview";
import type { Review } from "./review";
import { type ResourceSends, sendsInPreview } from "./sends";

/** A review, and the values that its change may send. */
export interface ReviewSource {
  readonly review: Review;
  readonly sends: () => readonly ResourceSends[];
}

/** Recognizes the JSON of a fleet's run. Its content is not checked, because this package wrote it. */
const runSchema = z.custom<Review & { readonly sends?: readonly ResourceSends[] }>(
  (value) =>
    z
      .looseObject({ subjects: z.array(z.string()), sites: z.array(z.looseObject({ name: z.string() })) })
      .safeParse(value).success,
);

/** Reads the output of a preview from a file; `-` is standard input. @throws Error if there is no such file */
export async function readReview(file: string, name?: string): Promise<ReviewSource> {
  const isStandardInput = file === "-";
  const printed = isStandardInput ? await text(process.stdin) : readGiven(file).toString("utf8");
  return sourceOf(printed, name, isStandardInput ? "standard input" : file);
}

/**
 * The result of a preview: the JSON of `pulumi preview` or of `solar-charging fleet`. A failed preview prints
 * something else or nothing. The review shows that unchanged, because a pipeline reports failures too, and the command
 * fails.
 * @param file the name of the source
 */
export function sourceOf(printed: string, name?: string, file = "the file"): ReviewSource {
  const json = parsedJson(printed);
  const run = runSchema.safeParse(json);
  if (run.success) {
    const error = `${file} has no values to approve. Give the output of 'fleet preview --json'`;
    const { sends = [{ urn: "", devices: [], secret: [], error }], ...review } = run.data;
    const named =
      name === undefined ? {} : { subjects: [name], sites: review.sites.map((site) => ({ ...site, stack: name })) };
    return { review: { ...review, ...named }, sends: () => sends };
  }
  const preview = previewIn(json);
  if (preview) return { review: reviewOfPreview(preview, name), sends: () => sendsInPreview(preview) };
  const errors = [
    `${file} is not the result of a preview: ${contentWords(printed, json)}. Give the output of 'pulumi preview --json' or 'fleet preview --json'`,
  ];
  const review: Review = {
    subjects: [name ?? "the program"],
    operation: "preview",
    sites: [],
    others: {},
    warnings: [],
    errors: errors.map((text) => ({ text })),
    noPreview: errors,
    log: printed.split("\n"),
  };
  return { review, sends: () => [] };
}

/** Longest text that is shown of a source that is not a preview, in characters (our choice). */
const LONGEST = 100;

/** The content of a source that is not a preview, in words. */
function contentWords(printed: string, json: unknown): string {
  const content = printed.trim();
  if (content === "")
    return "it is empty, as after a preview that failed before it printed a result (its error is on standard error)";
  if (json === undefined && content.startsWith("{"))
    return "its JSON is cut off or mixed with other text, such as standard error (2>&1)";
  const [first = ""] = content.split("\n");
  return `it ${json === undefined ? "is text" : "is other JSON"}, which begins with ${shortened(first, LONGEST)}`;
}
