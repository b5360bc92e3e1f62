import { type Message, SECRET } from "../../messages/message";
import { GROUP_NAMES, kindOf, type Place, placeOf } from "../../settings/groups";
import { isObject, type Properties } from "../../settings/objects";
import { FOLDED } from "../../settings/planes";
import type { Problem } from "../../settings/schema";
import { type DeviceKind, keysOf } from "../../settings/setting";

/** The inputs that a program declares as secrets: no message of a check shows their values. */
export class SecretInputs {
  /**
   * @param paths such as `maxCapacity`, `vehicles.car.maxCapacity`, or `vehicles.car` for the whole device
   * @param values the secret values, as far as they are known: the service can repeat texts among them
   */
  constructor(paths: readonly string[] = [], values: readonly unknown[] = []) {
    this.paths = new Set(paths.flatMap(withFolded));
    this.texts = values.filter((value): value is string => typeof value === "string" && value !== "");
  }

  private readonly paths: ReadonlySet<string>;
  private readonly texts: readonly string[];

  has(path: string): boolean {
    // Most resources have none, and a check asks for each setting.
    if (this.paths.size === 0) return false;
    const parts = path.split(".");
    const above = parts.map((_, index) => parts.slice(0, index + 1).join("."));
    return [EVERYTHING, ...above].some((one) => this.paths.has(one));
  }

  /** Whether a setting is a secret. @param place of the device in its site, if it has one */
  hasSetting(key: string, place?: Place): boolean {
    return this.has(place ? `${place.group}.${place.name}.${key}` : key);
  }

  /** The secret inputs of a device of a site. @param path of the device */
  below(path: string): SecretInputs {
    const own = [...this.paths].flatMap((secret) =>
      secret.startsWith(`${path}.`) ? [secret.slice(path.length + 1)] : [],
    );
    return new SecretInputs(this.has(path) ? [EVERYTHING] : own);
  }

  /** The inputs or outputs of the resource, with a mark in place of each secret value. Default: a text. */
  shown(properties: Properties, mark: (value: unknown) => unknown = () => SECRET): Properties {
    return this.paths.size === 0 ? properties : marked(properties, (path) => this.has(path), mark);
  }

  /** The settings of a device that are secrets. */
  keysOf({ settings }: DeviceKind): ReadonlySet<string> {
    return new Set(Object.keys(settings).filter((key) => this.has(key)));
  }

  /** The message without secret values. The engine, the command that started the run, and its files get only this one. */
  hidden(message: Message): Message {
    const { values = {}, numbers, extract, ...rest } = message;
    const shown = Object.entries(values).map(([name, value]) => {
      const isHidden = this.#isSetting(value.setting, value.device ?? message.device);
      return [name, isHidden ? { ...value, words: SECRET } : value] as const;
    });
    const isHidden = shown.some(([name, value]) => value !== values[name]);
    return {
      ...rest,
      ...(message.values && { values: Object.fromEntries(shown) }),
      ...(numbers && !isHidden && { numbers }),
      ...(extract !== undefined && { extract: this.#withoutSecrets(extract) }),
    };
  }

  /** The words of the service without the numbers in them, or without everything if they contain a secret text. */
  #withoutSecrets(extract: string): string {
    if (this.paths.size === 0) return extract;
    const words = extract.toLowerCase();
    return this.texts.some((text) => words.includes(text.toLowerCase())) ? SECRET : extract.replace(NUMBER, SECRET);
  }

  /** Whether a setting is a secret: of this device, or of any device if it is not known by its name in the site. */
  #isSetting(key: string, device: string | undefined): boolean {
    const place = device === undefined ? undefined : placeOf(device);
    if (place) return this.hasSetting(key, place);
    const isWhole = (path: string) => !SETTING_KEYS.some((one) => path === one || path.endsWith(`.${one}`));
    return [...this.paths].some((path) => path === key || path.endsWith(`.${key}`) || isWhole(path));
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
const SETTING_KEYS = [...GROUP_NAMES.flatMap((group) => keysOf(kindOf({ group }))), "planes"];

/**
 * A number of any form, such as `77.000`, `7.7e4` or `1_000`. In the words of the service, it can be a secret value, or
 * one that only the service knows, such as the value of a secret setting before our first update.
 */
const NUMBER = /\d(?:[\d.,_'’]*\d)?(?:e[+-]?\d+)?/gi;

/** The paths that a secret in planes also makes secret: the settings that are computed from the planes. */
function withFolded(path: string): string[] {
  const match = IN_PLANES.exec(path);
  return match ? ["planes", ...FOLDED].map((key) => `${match[1] ?? ""}${key}`) : [path];
}

/** Matches planes by their position, because a device may be called `planes`. */
const IN_PLANES = /^(inverters\..+\.)?planes(?:[.[]|$)/;

/**
 * Inputs or outputs with a mark in place of each secret value.
 * @param isSecret whether the input at a path is a secret
 */
export function marked(
  properties: Properties,
  isSecret: (input: string) => boolean,
  mark: (value: unknown) => unknown,
): Record<string, unknown> {
  const markedAt = (value: unknown, path: readonly string[]): unknown => {
    // These texts contain values of devices.
    const isOfTexts = path.length === 1 && path[0] === "unverified";
    const isHidden = path.length > 0 && (isSecret(inputOf(path)) || isOfTexts) && !isObject(value);
    // A status contains no value, and commands need it in exported state.
    if (isHidden) return path.at(-3) === "settings" && path.at(-1) === "status" ? value : mark(value);
    if (Array.isArray(value)) return value.map((item) => markedAt(item, path));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, markedAt(item, [...path, key])]));
  };
  return markedAt(properties, []) as Record<string, unknown>;
}

/**
 * The path of the input to which a property belongs: `vehicles.car.maxCapacity`. In outputs, `settings` contains the
 * record of each setting. The place of a key in the path decides, because a device may be called `settings`. A secret
 * below an azimuth (`azimuth.degrees`) makes the whole setting secret.
 */
export function inputOf(path: readonly string[]): string {
  const [first, second] = path;
  const isDevice = second !== undefined && (first === "devices" || GROUP_NAMES.some((group) => group === first));
  const place = isDevice && first === "devices" ? placeOf(second) : undefined;
  const device = isDevice ? (place ? [place.group, place.name] : [first, second]) : [];
  const [key, setting] = path.slice(device.length);
  return [...device, key === "settings" ? setting : key].filter((part) => part !== undefined).join(".");
}

/** The path of a resource as a whole. */
export const EVERYTHING = "";
