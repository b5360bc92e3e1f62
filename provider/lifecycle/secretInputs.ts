import type { Problem } from "../settings/schema";
import type { DeviceKind } from "../settings/setting";

/** Stands for a value that nobody may read. */
export const SECRET = "[secret]";

/** Which inputs a program declares as secrets: no message of a check shows their values. */
export class SecretInputs {
  /** @param paths such as `maxCapacity`, `vehicles.car.maxCapacity`, or `vehicles.car` for all that is in it */
  constructor(private readonly paths: readonly string[] = []) {}

  has(path: string): boolean {
    return this.paths.some((secret) => path === secret || path.startsWith(`${secret}.`));
  }

  /** Those of a device of a site. @param path of the device */
  below(path: string): SecretInputs {
    const own = this.paths.flatMap((secret) => (secret.startsWith(`${path}.`) ? [secret.slice(path.length + 1)] : []));
    return this.has(path) ? EVERYTHING : new SecretInputs(own);
  }

  /** The settings of a device that are secrets. */
  keysOf({ settings }: DeviceKind): ReadonlySet<string> {
    return new Set(Object.keys(settings).filter((key) => this.has(key)));
  }

  /** A problem without the value of a secret, which the engine and most reasons show. */
  hiding(problem: Problem, kind?: DeviceKind): Problem {
    const setting = kind?.settings[problem.property];
    const limit = setting?.type === "number" ? setting.below : undefined;
    if (!this.has(problem.property) && (limit === undefined || !this.has(limit))) return problem;
    const reason = "is not accepted; as a value is a secret, neither it nor the reason is shown";
    return { property: problem.property, reason, isSecret: true };
  }
}

const EVERYTHING = new (class extends SecretInputs {
  override has(): boolean {
    return true;
  }
})();
