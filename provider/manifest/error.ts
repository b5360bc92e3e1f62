/** One problem of a manifest, with its place. Lines and columns count from 1; a manifest that is an object has none. */
export interface ManifestProblem {
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /**
   * The place in the manifest, such as `sites.berlin.vehicles.van-1.maxCapacity`; empty for the manifest as a whole.
   */
  readonly path: string;
}

/** Maximum number of problems in one message (our choice): nobody would read more. */
const MOST_LINES = 100;

/** All problems of a manifest. The message has a line for each problem: `fleet.yaml:12:7: …`. */
export class ManifestError extends Error {
  constructor(
    readonly file: string,
    readonly problems: readonly ManifestProblem[],
  ) {
    const lines = problems.slice(0, MOST_LINES).map(({ line, column, path, message }) => {
      const place = line === undefined ? file : `${file}:${line}:${column}`;
      return [place, ...(path ? [path] : []), message].join(": ");
    });
    const rest = problems.length - lines.length;
    super([...lines, ...(rest > 0 ? [`${file}: ${rest} more problems`] : [])].join("\n"));
    this.name = "ManifestError";
  }
}
