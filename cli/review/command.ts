import { defined } from "../../provider/settings/objects";
import { choice, command, flag, parsed, text } from "../command/record";
import { JSON_FORM, MARKDOWN_FORM, measuredFile } from "../command/shared";
import { readMeasured } from "../measured/read";
import { printable } from "../terminal";
import { approve, discardSet } from "./approve";
import { CONDITIONS, type Condition, conditionsIn, decisionOn, isFailed, type JudgedReview } from "./conditions";
import { markdownOf, markerOf, reviewTitle } from "./markdown";
import { forgeOf, POSTS, type Post, post } from "./post";
import { type ReviewSource, readReview } from "./read";
import { mergedReview, type Review, withMeasuredMoves } from "./review";
import { reviewText } from "./terminal";
import { countsOf } from "./verdict";

/** `solar-charging review`: explains a preview to its reviewers. */
export const review = command({
  args: ["<files...>", "output of 'pulumi preview --json' or 'fleet preview --json'; - for standard input"],
  options: {
    name: text("<name>", "name in the title of the review (default: the stack or fleet in the file)"),
    measured: measuredFile("warn if a change moves a value away from the measured one"),
    markdown: { ...MARKDOWN_FORM, description: "print Markdown, short enough for a comment at GitHub or GitLab" },
    json: JSON_FORM,
    post: choice(
      "<what>",
      "post the review at GitHub or GitLab as a comment or an issue, or update the earlier post",
      POSTS,
    ),
    failOn: parsed<readonly Condition[]>(
      "<conditions>",
      "end with exit code 2 if one of these conditions is met, with commas between them; you can repeat the option",
      conditionsIn,
    ),
    acceptedBy: text(
      "<text>",
      "pass although a condition is met, and name the person or label that accepts it; an empty text accepts nothing",
      { parse: (text) => text.trim() },
    ),
    approve: text(
      "<file>",
      "write the approved set, the only values that the change may then send, unless a condition is met; the review shows its digest",
    ),
    approveRepair: flag("let the set also allow to repair drift to the declared values"),
  },
  notes: `Conditions:
${CONDITIONS.map(({ form, help }) => `  ${form.padEnd(20)} ${help}`).join("\n")}`,
  exitCodes: {
    0: "the review is printed, and posted if you asked for that; no condition is met, or somebody has accepted those",
    1: "a file is not the result of a preview, the review could not be posted, the set could not be written, or the command is wrong",
    2: "a condition of --fail-on is met, whether or not the review could be posted",
  },
  examples: [
    "review preview.json",
    "review --markdown preview.json > report.md",
    "review --post comment part-*.json",
    "review --post issue drift.json",
    "review --fail-on ready-lost,sun-loss=5% preview.json",
    "review --approve approved.json preview.json",
  ],
  read: async ({ args, options: { name, measured, failOn, acceptedBy, ...options } }): Promise<JudgedReview> => {
    if (acceptedBy !== undefined && !failOn) throw new Error("--accepted-by has no effect without --fail-on");
    // Without this, an approved set of an earlier review would stay if this one writes none.
    if (options.approve !== undefined) discardSet(options.approve);
    const sources = await Promise.all(args.map((file) => readReview(file, name)));
    const merged = mergedReview(sources.map((source) => source.review));
    const review = measured === undefined ? merged : withMeasuredMoves(merged, readMeasured(measured));
    const decision = failOn && decisionOn(review, failOn, acceptedBy);
    const approval = decision && isFailed(decision) ? {} : approvalOf(review, sources, options);
    return { ...review, ...defined({ decision }), ...approval };
  },
  show: {
    text: (review, { styled }) => reviewText(review, styled),
    markdown: reportOf,
    json: (review) => ({ ...review, counts: countsOf(review) }),
  },
  end: async (review, { options }) => {
    const isPosted = options.post === undefined || (await isPostedAs(options.post, review));
    // Without this, the log of a job would not show why it failed if the review goes to a file.
    if (options.markdown || options.json) for (const words of review.noPreview ?? []) console.error(printable(words));
    if (review.notApproved !== undefined) console.error(printable(review.notApproved));
    if (review.noPreview) return 1;
    if (review.decision && isFailed(review.decision)) return 2;
    return isPosted && review.notApproved === undefined ? 0 : 1;
  },
});

/** Posts the review. A failure is a line for the log, because the exit code of a met condition comes first. */
async function isPostedAs(what: Post, review: JudgedReview): Promise<boolean> {
  try {
    const posted = { marker: markerOf(review), title: reviewTitle(review), body: reportOf(review) };
    console.error(`posted: ${printable(await post(what, posted, process.env))}`);
    return true;
  } catch (error) {
    console.error(printable((error as Error).message));
    return false;
  }
}

function reportOf(review: JudgedReview): string {
  return markdownOf(review, forgeOf(process.env));
}

interface ApproveOptions {
  readonly approve?: string;
  readonly approveRepair?: boolean;
}

/** Writes the approved set, if the command asks for one and the change can be approved. */
function approvalOf(
  review: Review,
  sources: readonly ReviewSource[],
  { approve: path, approveRepair: repair = false }: ApproveOptions,
): Pick<JudgedReview, "approval" | "notApproved"> {
  if (path === undefined) {
    if (repair) throw new Error("--approve-repair has no effect without --approve");
    return {};
  }
  try {
    return { approval: approve(path, review, () => sources.flatMap(({ sends }) => sends()), { repair }) };
  } catch (error) {
    return { notApproved: (error as Error).message };
  }
}
