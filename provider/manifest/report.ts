import { isObject } from "../settings/setting";
import { ManifestError, type ManifestProblem } from "./error";
import { type Path, type Position, pathText, type Source } from "./source";

/** Gathers what is wrong with a manifest, one problem for each place: what comes after the first is often its consequence. */
export class Report {
  readonly #problems = new Map<string, ManifestProblem>();
  readonly #affected = new Set<string>();

  constructor(
    private readonly source: Source,
    private readonly file: string,
  ) {}

  add(path: Path, reason: string, what: "key" | "value" = "value"): void {
    const place = pathText(path);
    if (this.#problems.has(place)) return;
    const position = this.source.at(path, what);
    // Without a line, the path says what it is about.
    const message = position ? `${this.#subject(path)}${reason}` : reason;
    this.#problems.set(place, { ...position, message, path: place });
    for (let length = 1; length <= path.length; length += 1) this.#affected.add(pathText(path.slice(0, length)));
  }

  /** Whether there is a problem at a place, or with something in it. */
  has(path: Path): boolean {
    return this.#affected.size > 0 && this.#affected.has(pathText(path));
  }

  /** Where something stands, for the message about something else. */
  placeOf(path: Path): string {
    const position = this.source.at(path, "value");
    return position ? `in line ${position.line}` : `as ${pathText(path)}`;
  }

  /** @throws ManifestError where there is a problem; the problems are in the order of the file */
  throwIfAny(): void {
    if (this.#problems.size === 0) return;
    const inOrder = [...this.#problems.values()].sort((one, other) => order(one, other));
    throw new ManifestError(this.file, inOrder);
  }

  /** What a problem is about: `maxCapacity of vehicle 'car-1'`. */
  #subject(path: Path): string {
    const [first] = path;
    if (first === undefined) return "";
    const key = typeof path.at(-1) === "string" ? String(path.at(-1)) : undefined;
    const owner = this.#ownerOf(path);
    return `${[key, owner].filter((word) => word !== undefined).join(" of ")}: `;
  }

  #ownerOf(path: Path): string | undefined {
    const [, site, list, member] = path;
    if (path[0] === "defaults" || list === "defaults") return path.length > 2 ? "the defaults" : undefined;
    if (path[0] !== "sites" || typeof site !== "number") return undefined;
    const sites = isObject(this.source.tree) ? this.source.tree.sites : undefined;
    const found = Array.isArray(sites) ? sites[site] : undefined;
    const siteName = isObject(found) && typeof found.id === "string" ? `site '${found.id}'` : `site ${site + 1}`;
    if (typeof member !== "number") return siteName;
    const members = isObject(found) ? found[String(list)] : undefined;
    const device = Array.isArray(members) ? members[member] : undefined;
    const id = isObject(device) && typeof device.deviceId === "string" ? `'${device.deviceId}'` : `${member + 1}`;
    return `${String(list).replace(/s$/, "")} ${id} of ${siteName}`;
  }
}

function order(one: Partial<Position>, other: Partial<Position>): number {
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}
