import { dirname, sep } from "node:path";

/** Where the files of this package are. */
const PACKAGE = dirname(__dirname) + sep;

/** Frames that Pulumi passes over, its own and that of a class, until it takes one for the place in the program. */
const PASSED_OVER = "\n    at Pulumi".repeat(5);

/**
 * Has every stack trace that is formatted name the place in the program only, until the function that it returns is
 * called. While a resource is made, Pulumi formats four for each property, to debug itself, which takes a third of the
 * time of a program; and one for state, where all its frames, this package's among them, are a third of the resource.
 */
export function shortenTraces(): () => void {
  const { prepareStackTrace } = Error;
  let place: string | undefined;
  Error.prepareStackTrace = (error, frames) => {
    const ours = frames.findLastIndex((frame) => frame.getFileName()?.startsWith(PACKAGE));
    place ??= PASSED_OVER + formatted(frames.slice(ours + 1, ours + 2), prepareStackTrace);
    return `${error}${place}`;
  };
  return () => {
    Error.prepareStackTrace = prepareStackTrace;
  };
}

/** The lines of a trace of these frames, each after a line break: what formatted traces before knows source maps. */
function formatted(frames: NodeJS.CallSite[], before: typeof Error.prepareStackTrace): string {
  const [, ...lines] = before
    ? String(before(new Error(), frames)).split("\n")
    : ["", ...frames.map((frame) => `    at ${frame}`)];
  return lines.map((line) => `\n${line}`).join("");
}
