import { isObject, type Properties } from "./objects";

/** The value of one setting, as the program declares it and as the service reports it. */
export type Value = number | string;

/** Values by setting key (camelCase), in the units of the settings table. */
export type Values = Readonly<Record<string, Value>>;

/** Longest text that counts as a value, an id or a name, in characters (our choice: the service documents no limit). */
export const LONGEST_TEXT = 256;

/** The fields of every setting. */
interface Common {
  /** Field of the device object and of the PATCH body. */
  readonly wireName: string;
  /**
   * The meaning of the setting, in a sentence. It is shown in both schemas, the docstrings of the classes and the
   * tables in docs/.
   */
  readonly description: string;
  /** Values as a person would write them. */
  readonly examples?: readonly unknown[];
  /** The value that the service assumes if it knows none. Absent if the service documents no default. */
  readonly default?: Value;
  /** The source of the range: the service documents it, it is our choice, or no other value is possible. */
  readonly source: "documented" | "our choice" | "by definition";
}

/** A setting whose value is a number. */
export interface NumberSetting extends Common {
  /** The type of the value. It distinguishes this setting from a choice. */
  readonly type: "number";
  /** The unit of its number, at the service and in state. */
  readonly unit: "Wh" | "W" | "degrees";
  /** Smallest accepted value, inclusive. */
  readonly minimum: number;
  /** Largest accepted value, inclusive. */
  readonly maximum: number;
  /** Whether it is the peak power of panels, for which kWp is accepted. */
  readonly isPeakPower?: boolean;
  /** Whether it is an angle from horizontal, which people may give as a slope. */
  readonly isTilt?: boolean;
  /** Key of another setting that this one has to stay below, if both are declared. */
  readonly below?: string;
  /** A suggestion for a value outside the range. */
  readonly explain?: (value: number) => string | undefined;
  /** Reads a value that is not a number. Absent if only numbers are accepted. */
  readonly otherForms?: (given: unknown) => ReadNumber;
  /** The forms that `otherForms` reads, in words. */
  readonly otherFormsInWords?: string;
}

/** Whether a number is in a range. A message tells to write only values that are. */
export function isWithin(
  { minimum = -Infinity, maximum = Infinity }: Partial<Pick<NumberSetting, "minimum" | "maximum">>,
  value: number,
): boolean {
  return value >= minimum && value <= maximum;
}

/** The number for a value in another form, or the problem of that value. */
export type ReadNumber =
  | {
      /** The number, in the unit of the setting. */
      readonly value: number;
    }
  | {
      /** The mistake, and a better value. */
      readonly problem: string;
    };

/** Accepted texts, each with its effect in words. */
export type Choices<C extends string = string> = Readonly<Record<C, string>>;

/** A setting whose value is one of a few texts. */
export interface ChoiceSetting extends Common {
  /** The type of the value. It distinguishes this setting from a number. */
  readonly type: "choice";
  /** The accepted texts, each with its effect in words. */
  readonly choices: Choices;
}

/** One field of a device that can be set. */
export type Setting = NumberSetting | ChoiceSetting;

/** A kind of device, with the table of its settings. A new setting needs only a new entry. */
export interface DeviceKind {
  /** Name of the kind. It is part of the provider string in every state, so it never changes. */
  readonly name: "vehicle" | "inverter";
  /** Name of the resource class. */
  readonly resource: string;
  /** Whether the service documents the wire names of the settings. */
  readonly isDocumented: boolean;
  /** The name of this kind of device, for messages. */
  readonly expects: string;
  /** Whether a device that reports this type may be of this kind. */
  readonly accepts: (deviceType: string) => boolean;
  /** The settings by key. */
  readonly settings: Readonly<Record<string, Setting>>;
}

/**
 * The keys of the settings of a kind of device, in the order of its table.
 * @example
 * keysOf(vehicle); // ["maxCapacity", "maxChargePower", "policy"]
 */
export function keysOf(kind: DeviceKind): string[] {
  return Object.keys(kind.settings);
}

/** Body of the device PATCH that sets exactly `values`. */
export function toPatch(kind: DeviceKind, values: Values): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [settingOf(kind, key).wireName, value]));
}

/**
 * The places of a setting in a device object, in the order of the search; `""` is the top level. The service does not
 * document where reported capacity and power are (our choice).
 */
export const PLACES = ["", "config", "metadata"] as const;

/**
 * The settings in a device object of the cached read. A value of a wrong JSON type counts as not reported. So does a
 * text that state cannot hold.
 */
export function fromDevice(kind: DeviceKind, device: Properties): Values {
  const reported: Record<string, Value> = {};
  for (const [key, setting] of Object.entries(kind.settings)) {
    const value = fieldsOf(setting, device).find((candidate) => isValueOf(setting, candidate));
    if (value !== undefined) reported[key] = value as Value;
  }
  return reported;
}

/** The settings that a device object has only in another JSON type: a text `"77000"` for a number. */
export function mistypedIn(kind: DeviceKind, device: Properties): string[] {
  const reported = fromDevice(kind, device);
  return keysOf(kind).filter((key) => !(key in reported) && fieldsOf(settingOf(kind, key), device).length > 0);
}

/** The content of a setting's field, at each place that has it. */
function fieldsOf({ wireName }: Setting, device: Properties): unknown[] {
  const places = PLACES.map((place) => (place === "" ? device : device[place])).filter(isObject);
  return places.flatMap((place) => (Object.hasOwn(place, wireName) ? [place[wireName]] : []));
}

/** The kind with other wire names for some of its keys. */
export function withWireNames(kind: DeviceKind, wireNames: Readonly<Record<string, string>>): DeviceKind {
  const settings = Object.entries(kind.settings).map(([key, setting]) => [
    key,
    { ...setting, wireName: wireNames[key] ?? setting.wireName },
  ]);
  return { ...kind, settings: Object.fromEntries(settings) };
}

function settingOf(kind: DeviceKind, key: string): Setting {
  const setting = kind.settings[key];
  if (!setting) throw new Error(`${kind.resource} has no setting ${key}`);
  return setting;
}

/** Whether a value from outside has the type of this setting. It may be out of range. */
export function isValueOf(setting: Setting, value: unknown): value is Value {
  return setting.type === "number" ? Number.isFinite(value) : typeof value === "string" && isPlain(value);
}

/** Whether a text is short, well-formed and without control characters. The engine refuses or loses other texts. */
function isPlain(text: string): boolean {
  return text.length <= LONGEST_TEXT && text.isWellFormed() && !/\p{Cc}/u.test(text);
}
