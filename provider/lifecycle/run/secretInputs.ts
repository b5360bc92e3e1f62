import { FOLDED } from "../../settings/planes";
import type { Problem } from "../../settings/schema";
import type { DeviceKind } from "../../settings/setting";

/** Replaces a value that no message may show. */
export const SECRET = "[secret]";

/** The inputs that a program declares as secrets: no message of a check shows their values. */
export class SecretInputs {
  /** @param paths such as `maxCapacity`, `vehicles.car.maxCapacity`, or `vehicles.car` for the whole device */
  constructor(paths: readonly string[] = []) {
    this.paths = paths.flatMap(withFolded);
  }

  private readonly paths: readonly string[];

  has(path: string): boolean {
    return this.paths.some((secret) => secret === EVERYTHING || path === secret || path.startsWith(`${secret}.`));
  }

  /** The secret inputs of a device of a site. @param path of the device */
  below(path: string): SecretInputs {
    const own = this.paths.flatMap((secret) => (secret.startsWith(`${path}.`) ? [secret.slice(path.length + 1)] : []));
    return new SecretInputs(this.has(path) ? [EVERYTHING] : own);
  }

  /** The settings of a device that are secrets. */
  keysOf({ settings }: DeviceKind): ReadonlySet<string> {
    return new Set(Object.keys(settings).filter((key) => this.has(key)));
  }

  /** A problem without the secret value, which the engine and most reasons would show. */
  hiding(problem: Problem, kind?: DeviceKind): Problem {
    const property = problem.property.replace(/\[.*/, "");
    const setting = kind?.settings[property];
    const limit = setting?.type === "number" ? setting.below : undefined;
    if (!this.has(property) && (limit === undefined || !this.has(limit))) return problem;
    const reason = "is refused. Its value, or a value that it depends on, is a secret, so the reason is hidden";
    return { property, reason, isSecret: true };
  }
}

/** The paths that a secret in planes also makes secret: the settings that are computed from the planes. */
function withFolded(path: string): string[] {
  const match = IN_PLANES.exec(path);
  return match ? ["planes", ...FOLDED].map((key) => `${match[1] ?? ""}${key}`) : [path];
}

/** Matches planes by their position, because a device may be called `planes`. */
const IN_PLANES = /^(inverters\..+\.)?planes(?:[.[]|$)/;

/** The path of a resource as a whole. */
const EVERYTHING = "";
