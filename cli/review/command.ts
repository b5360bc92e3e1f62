import { choice, command, parsed, text } from "../command/record";
import { JSON_FORM, MARKDOWN_FORM, measuredFile } from "../command/shared";
import { readMeasured } from "../measured/read";
import { printable } from "../terminal";
import { CONDITIONS, type Condition, conditionsIn, decisionOn, isFailed, type JudgedReview } from "./conditions";
import { markdownOf, markerOf, titleOf } from "./markdown";
import { forgeOf, POSTS, post } from "./post";
import { readReview } from "./read";
import { mergedReview, withMeasured } from "./review";
import { reviewText } from "./text";

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
    acceptedBy: text("<text>", "pass although a condition is met, and say who or what has accepted it; empty: nobody"),
  },
  notes: `Conditions:
${CONDITIONS.map(({ form, help }) => `  ${form.padEnd(20)} ${help}`).join("\n")}`,
  exitCodes: {
    0: "the review is printed, and posted if you asked for that; no condition is met, or somebody has accepted those",
    1: "a file is not the result of a preview, GitHub or GitLab refused the post, or the command is wrong",
    2: "a condition of --fail-on is met",
  },
  examples: [
    "review preview.json",
    "review --markdown preview.json > report.md",
    "review --post comment part-*.json",
    "review --post issue drift.json",
    "review --fail-on ready-lost,sun-loss=5% preview.json",
  ],
  read: async ({ args, options: { name, measured, failOn, acceptedBy } }): Promise<JudgedReview> => {
    if (acceptedBy !== undefined && !failOn) throw new Error("--accepted-by has no effect without --fail-on");
    const merged = mergedReview(await Promise.all(args.map((file) => readReview(file, name))));
    const review = measured === undefined ? merged : withMeasured(merged, readMeasured(measured));
    return { ...review, ...(failOn && { decision: decisionOn(review, failOn, acceptedBy?.trim()) }) };
  },
  show: {
    text: (review, { styled }) => reviewText(review, styled, review.decision),
    markdown: reportOf,
    json: (review) => review,
  },
  end: async (review, { options }) => {
    if (options.post !== undefined) {
      const body = reportOf(review);
      const title = titleOf(review);
      console.error(`posted: ${await post(options.post, { marker: markerOf(review), title, body }, process.env)}`);
    }
    for (const words of review.noPreview ?? []) console.error(printable(words));
    if (review.noPreview) return 1;
    return review.decision && isFailed(review.decision) ? 2 : 0;
  },
});

function reportOf(review: JudgedReview): string {
  return markdownOf(review, forgeOf(process.env), review.decision);
}
