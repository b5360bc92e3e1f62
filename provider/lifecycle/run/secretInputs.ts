import type { Message, ShownValue } from "../../messages/message";
import { placeOf } from "../../settings/groups";
import { FOLDED } from "../../settings/planes";
import { GROUPS } from "../../settings/readiness";
import type { Problem } from "../../settings/schema";
import type { DeviceKind } from "../../settings/setting";

/** Replaces a value that no message may show. */
export const SECRET = "[secret]";

/** The inputs that a program declares as secrets: no message of a check shows their values. */
export class SecretInputs {
  /**
   * @param paths such as `maxCapacity`, `vehicles.car.maxCapacity`, or `vehicles.car` for the whole device
   * @param values the secret values, as far as they are known: the service can repeat them in words of its own
   */
  constructor(
    paths: readonly string[] = [],
    private readonly values: readonly unknown[] = [],
  ) {
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

  /** The message without secret values. The engine, the command that started the run, and its files get only this one. */
  hidden(message: Message): Message {
    const { values = {}, numbers, extract, ...rest } = message;
    const shown = Object.entries(values).map(([name, value]): [string, ShownValue] => {
      const isHidden = this.#isSetting(value.setting, value.device ?? message.device);
      return [name, isHidden ? { ...value, words: SECRET } : value];
    });
    const isHidden = shown.some(([name, value]) => value !== values[name]);
    return {
      ...rest,
      ...(message.values && { values: Object.fromEntries(shown) }),
      ...(numbers && !isHidden && { numbers }),
      ...(extract !== undefined && { extract: this.values.some((one) => mentions(extract, one)) ? SECRET : extract }),
    };
  }

  /** Whether a setting is a secret: of this device, or of any device if it is not known by its name in the site. */
  #isSetting(key: string, device: string | undefined): boolean {
    const place = device === undefined ? undefined : placeOf(device);
    if (place) return this.has(`${place.group}.${place.name}.${key}`);
    const isWhole = (path: string) => !SETTING_KEYS.some((one) => path === one || path.endsWith(`.${one}`));
    return this.paths.some((path) => path === key || path.endsWith(`.${key}`) || isWhole(path));
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

/** The keys of all settings. */
const SETTING_KEYS = [...Object.values(GROUPS).flatMap(({ settings }) => Object.keys(settings)), "planes"];

/** Minimum number of digits that are searched for without their separators, anywhere in a text (our choice). */
const LONG = 4;

/**
 * Whether a foreign text contains a value, in any unit or spelling: `77000`, `77 kWh`, `77.000`, `7.7e4`. It may find
 * the value where it is not, but never misses it.
 */
function mentions(text: string, value: unknown): boolean {
  if (typeof value === "string") return value !== "" && text.toLowerCase().includes(value.toLowerCase());
  if (typeof value !== "number" || value === 0) return false;
  const digits = digitsOf(String(value));
  if (digits.length >= LONG) return text.replace(/[.,_'’\s]/g, "").includes(digits);
  return [/\d+/g, /\d(?:[\d.,_'’]*\d)?/g].some((form) =>
    [...text.matchAll(form)].some(([number]) => digitsOf(number) === digits),
  );
}

/** The digits of a number without zeros at its beginning and end, which depend on the unit. */
function digitsOf(number: string): string {
  const [mantissa = ""] = number.toLowerCase().split("e");
  const digits = mantissa.replace(/\D/g, "");
  return digits.slice(digits.search(/[1-9]/), [...digits].findLastIndex((digit) => digit !== "0") + 1);
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
