import { pick } from "../../provider/settings/objects";
import { problemsOf } from "../../provider/settings/schema";
import { type DeviceKind, keysOf, type Setting, type Value, type Values } from "../../provider/settings/setting";
import { quantityText } from "../../provider/settings/units";

/** The reported values that can be declared, and remarks about the others. */
export interface Declarable {
  readonly values: Values;
  /** The reason why a setting is not declared, and what to do, by its key. */
  readonly remarks: Readonly<Record<string, string>>;
  /** The settings that are not declared because their reported value is not valid. */
  readonly refused: readonly string[];
  /**
   * The settings that are not declared because a default declares them. The next update sends the default if the device
   * has another value.
   */
  readonly defaulted: readonly string[];
  /** The reason why the device cannot be declared at all: the defaults do not fit its reported values. */
  readonly misfit?: string;
}

/** Valid ids, because only the settings are checked here. */
export const SOME_DEVICE = { businessId: "business", deviceId: "device" };

/**
 * Divides the reported settings of a device into those that a program can declare, and others.
 * @param defaults the defaults of settings that the device does not report
 */
export function declarable(kind: DeviceKind, reported: Values, defaults: Values = {}): Declarable {
  let values: Record<string, Value> = pick(reported, keysOf(kind));
  for (const key of Object.keys(values)) if (values[key] === 0) values[key] = 0; // JSON can contain -0, which YAML would show.
  const reasons = new Map<string, string>();
  let misfit: string | undefined;
  for (;;) {
    const problems = problemsOf(kind, { ...SOME_DEVICE, ...defaults, ...values }, new Set());
    if (problems.length === 0) break;
    const own = problems.filter(({ property }) => property in values);
    if (own.length === 0) {
      misfit = problems.map(({ property, reason }) => `${property}: ${reason}`).join(", ");
      break;
    }
    for (const { property, reason } of own) reasons.set(property, reason);
    values = Object.fromEntries(Object.entries(values).filter(([key]) => !reasons.has(key)));
  }
  const remarks = Object.entries(kind.settings).flatMap(([key, setting]) => {
    if (key in values) return [];
    const reason = reasons.get(key);
    const found =
      reason === undefined ? "is not reported" : `is left out, because the reported value is not valid: it ${reason}`;
    const remedy =
      key in defaults
        ? `the next update sends the default, ${shown(setting, defaults[key])}`
        : `supply it by hand${reason === undefined ? `, ${rangeOf(setting)}` : ""}`;
    return [[key, `${key} ${found}; ${remedy}`]];
  });
  return {
    values,
    remarks: Object.fromEntries(remarks),
    refused: [...reasons.keys()],
    defaulted: Object.keys(defaults).filter((key) => !(key in values)),
    ...(misfit !== undefined && { misfit }),
  };
}

function shown(setting: Setting, value: Value | undefined): string {
  return setting.type === "number" ? quantityText(setting.unit, Number(value)) : String(value);
}

function rangeOf(setting: Setting): string {
  if (setting.type === "choice") return Object.keys(setting.choices).join(" or ");
  const { unit, minimum, maximum } = setting;
  return `${quantityText(unit, minimum)} to ${quantityText(unit, maximum)}`;
}
