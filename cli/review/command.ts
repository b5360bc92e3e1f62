import { Command, Option } from "commander";
import { examples } from "../help";
import { readMeasured } from "../measured/read";
import { paintOn } from "../paint";
import { inColumns } from "../terminal";
import { markdownOf, markerOf, titleOf } from "./markdown";
import { forgeOf, POSTS, type Post, post } from "./post";
import { readReview } from "./read";
import { mergedReview, withMeasured } from "./review";
import { reviewText } from "./text";

interface Options {
  readonly name?: string;
  readonly measured?: string;
  readonly json?: true;
  readonly markdown?: true;
  readonly post?: Post;
}

const EXIT_CODES = `
Exit codes:
  0    the review is printed, whatever it shows, and posted if you asked for that
  1    a file cannot be read, GitHub or GitLab refused the post, or the command is wrong
`;

const EXAMPLES = examples(
  "review preview.json",
  "review --markdown preview.json > report.md",
  "review --post comment part-*.json",
  "review --post issue drift.json",
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
    .addHelpText("after", `${EXIT_CODES}${EXAMPLES}`)
    .action(run);
}

async function run(files: readonly string[], { name, measured, json, markdown, post: what }: Options): Promise<void> {
  const merged = mergedReview(await Promise.all(files.map((file) => readReview(file, name))));
  const review = measured === undefined ? merged : withMeasured(merged, readMeasured(measured));
  const report = markdownOf(review, forgeOf(process.env));
  if (json) console.log(JSON.stringify(review, undefined, 2));
  else if (markdown) console.log(report);
  else console.log(inColumns(reviewText(review, paintOn(process.stdout))));
  if (what === undefined) return;
  const address = await post(what, { marker: markerOf(review), title: titleOf(review), body: report }, process.env);
  console.error(`posted: ${address}`);
}
