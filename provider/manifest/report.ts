import { notAKey } from "../settings/keys";
import type { Properties } from "../settings/objects";
import { ManifestError, type ManifestProblem } from "./error";
import { type Path, type Position, pathText, type Source } from "./source";

/** Collects the problems of a manifest, one for each place: later ones often follow from the first. */
export class ManifestProblems {
  readonly #problems = new Map<string, ManifestProblem>();

  constructor(
    private readonly source: Source,
    private readonly file: string,
  ) {}

  add(path: Path, message: string, what: "key" | "value" = "value"): void {
    const place = pathText(path);
    if (!this.#problems.has(place)) this.#problems.set(place, { ...this.source.at(path, what), message, path: place });
  }

  /** Adds the keys of an object that it cannot have, each with a hint. @param what the object, in words */
  addStrangers(given: Properties, path: Path, what: string, known: readonly string[]): void {
    for (const key of Object.keys(given)) {
      if (!known.includes(key)) this.add([...path, key], notAKey(key, what, known, given), "key");
    }
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
