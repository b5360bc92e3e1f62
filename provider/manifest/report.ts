import type { z } from "zod";
import { typeName } from "../settings/explain";
import { notAKey } from "../settings/keys";
import { defined, isObject, type Properties } from "../settings/objects";
import { type Path, type Position, pathText, type Source } from "./source";

/** Keys for secrets, in any spelling. */
const SECRET = /token|secret|password|passphrase|authorization|credential|api_?key/i;
const NO_SECRETS =
  "is not allowed, because a manifest must not contain secrets: set SOLAR_CHARGING_ACCESS_TOKEN in the environment";

/** Collects the problems of a manifest, one for each place: later ones often follow from the first. */
export class ManifestProblems {
  readonly #problems = new Map<string, ManifestProblem>();

  constructor(
    private readonly source: Source,
    private readonly file: string,
  ) {}

  /** @param what the part of the place that is wrong; `stranger`: a key that its object cannot have */
  add(path: Path, message: string, what: "key" | "value" | "stranger" = "value"): void {
    const place = pathText(path);
    if (this.#problems.has(place)) return;
    const text = what === "stranger" && SECRET.test(path.at(-1) as string) ? NO_SECRETS : message;
    this.#problems.set(place, { ...this.source.at(path, what === "value" ? what : "key"), message: text, path: place });
  }

  /** The fields of a value that has to be an object; undefined if it is not. Keys without a value are left out. */
  fields(value: unknown, path: Path, what: string): Properties | undefined {
    if (isObject(value)) return defined(value);
    const wrong =
      value === null
        ? `has no value: give it ${what}, or remove it`
        : `must have ${what}, and cannot be ${typeName(value)}`;
    this.add(path, value === undefined ? `is required: ${what}` : wrong);
    return undefined;
  }

  /**
   * The value of an object that fits a schema; empty if it does not. Adds all problems of its keys.
   * @param schema its description names the object
   * @param known the keys to suggest in place of a wrong one; default: all, so that a wrong key can stand for a missing one
   */
  read<Of extends z.ZodObject>(
    schema: Of,
    fields: Properties | undefined,
    path: Path,
    known?: readonly string[],
  ): Partial<z.output<Of>> {
    if (!fields) return {};
    const { data = {}, error } = schema.safeParse(fields);
    const strangers = Object.keys(fields).filter((key) => !Object.hasOwn(schema.shape, key));
    for (const { path: own, message } of error?.issues ?? []) {
      // A wrong key in place of a missing one is one mistake.
      if (own.length > 0 || strangers.length === 0 || known) this.add([...path, ...own.map(String)], message);
    }
    for (const key of strangers) {
      const meant = known ?? Object.keys(schema.shape);
      this.add([...path, key], notAKey(key, String(schema.description), meant, fields), "stranger");
    }
    return data;
  }

  /** The name of a place, for a message about another place. */
  placeOf(path: Path): string {
    const position = this.source.at(path, "key");
    return `as ${pathText(path)}${position ? ` in line ${position.line}` : ""}`;
  }

  /** @throws ManifestError if there is a problem; the problems are in the order of the file */
  throwIfAny(): void {
    if (this.#problems.size === 0) return;
    const inOrder = [...this.#problems.values()].sort((one, other) => order(one, other));
    throw new ManifestError(this.file, inOrder);
  }
}

function order(one: Partial<Position>, other: Partial<Position>): number {
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}

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
