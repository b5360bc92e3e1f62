import { Command, Option } from "commander";
import { examples } from "../help";
import { readMeasured } from "../measured/read";
import { stylerFor } from "../style";
import { inColumns, printable } from "../terminal";
import {
  CONDITIONS,
  type Condition,
  conditionsIn,
  type Decision,
  decisionOn,
  isFailed,
  type JudgedReview,
} from "./conditions";
import { markdownOf, markerOf, titleOf } from "./markdown";
import { forgeOf, POSTS, type Post, post } from "./post";
import { readReview } from "./read";
import { mergedReview, type Review, withMeasured } from "./review";
import { reviewText } from "./text";

interface ReviewOptions {
  readonly name?: string;
  readonly measured?: string;
  readonly json?: true;
  readonly markdown?: true;
  readonly post?: Post;
  readonly failOn?: readonly Condition[];
  readonly acceptedBy?: string;
}

const EXIT_CODES = `
Conditions:
${CONDITIONS.map(({ form, help }) => `  ${form.padEnd(20)} ${help}`).join("\n")}

Exit codes:
  0    the review is printed, and posted if you asked for that; no condition is met, or somebody has accepted those
  1    a file is not the result of a preview, GitHub or GitLab refused the post, or the command is wrong
  2    a condition of --fail-on is met
`;

const EXAMPLES = examples(
  "review preview.json",
  "review --markdown preview.json > report.md",
  "review --post comment part-*.json",
  "review --post issue drift.json",
  "review --fail-on ready-lost,sun-loss=5% preview.json",
);

/** `solar-charging review`: explains a preview to its reviewers. */
export function reviewCommand(): Command {
  return new Command("review")
    .argument("<files...>", "output of 'pulumi preview --json' or 'fleet preview --json'; - for standard input")
    .option("--name <name>", "name in the title of the review (default: the stack or fleet in the file)")
    .option(
      "--measured <file>",
      "file of 'solar-charging measure --write': warn if a change moves a value away from the measured one",
    )
    .addOption(
      new Option("--markdown", "print Markdown, short enough for a comment at GitHub or GitLab").conflicts("json"),
    )
    .addOption(new Option("--json", "print the review as JSON"))
    .addOption(
      new Option(
        "--post <what>",
        "post the review at GitHub or GitLab as a comment or an issue, or update the earlier post",
      ).choices(POSTS),
    )
    .option(
      "--fail-on <conditions>",
      "end with exit code 2 if one of these conditions is met, with commas between them; you can repeat the option",
      conditionsIn,
    )
    .option(
      "--accepted-by <text>",
      "pass although a condition is met, and say who or what has accepted it; empty: nobody",
    )
    .addHelpText("after", `${EXIT_CODES}${EXAMPLES}`)
    .action(run);
}

async function run(files: readonly string[], options: ReviewOptions): Promise<void> {
  const { name, measured, json, markdown, post: what, failOn, acceptedBy } = options;
  if (acceptedBy !== undefined && !failOn) throw new Error("--accepted-by has no effect without --fail-on");
  const merged = mergedReview(await Promise.all(files.map((file) => readReview(file, name))));
  const review = measured === undefined ? merged : withMeasured(merged, readMeasured(measured));
  const decision = failOn && decisionOn(review, failOn, acceptedBy?.trim());
  const report = markdownOf(review, forgeOf(process.env), decision);
  const judged: JudgedReview = { ...review, ...(decision && { decision }) };
  if (json) console.log(JSON.stringify(judged, undefined, 2));
  else if (markdown) console.log(report);
  else console.log(inColumns(reviewText(review, stylerFor(process.stdout), decision)));
  if (what !== undefined) {
    const address = await post(what, { marker: markerOf(review), title: titleOf(review), body: report }, process.env);
    console.error(`posted: ${address}`);
  }
  process.exitCode = exitCodeOf(review, decision);
}

function exitCodeOf({ noPreview }: Review, decision: Decision | undefined): number {
  for (const words of noPreview ?? []) console.error(printable(words));
  if (noPreview) return 1;
  return decision && isFailed(decision) ? 2 : 0;
}
