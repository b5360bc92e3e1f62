import { problemsOf } from "../../provider/settings/schema";
import { type DeviceKind, keysOf, pick, type Setting, type Value, type Values } from "../../provider/settings/setting";

/** What of a device can be declared as it is, and what a person has to look at. */
export interface Declarable {
  readonly values: Values;
  /** For each other setting, by key, why it is not declared and what it takes. */
  readonly remarks: Readonly<Record<string, string>>;
  /** The keys among them whose reported value is one that a program may not declare. */
  readonly refused: readonly string[];
}

/** Ids that the check accepts: it is about the settings only. */
const SOME_DEVICE = { businessId: "business", deviceId: "device" };

/** Sorts the reported settings of a device by whether a program may declare them. */
export function declarable(kind: DeviceKind, reported: Values): Declarable {
  let values: Record<string, Value> = pick(reported, keysOf(kind));
  for (const key of Object.keys(values)) if (values[key] === 0) values[key] = 0; // JSON has -0, which YAML would show.
  const reasons = new Map<string, string>();
  for (;;) {
    const problems = problemsOf(kind, { ...SOME_DEVICE, ...values }, new Set());
    if (problems.length === 0) break;
    for (const { property, reason } of problems) reasons.set(property, reason);
    values = Object.fromEntries(Object.entries(values).filter(([key]) => !reasons.has(key)));
  }
  const remarks = Object.entries(kind.settings).flatMap(([key, setting]) => {
    if (key in values) return [];
    const reason = reasons.get(key);
    const found =
      reason === undefined ? "is not reported" : `is left out, because what is reported cannot be declared: ${reason}`;
    return [[key, `${key} ${found}; supply it by hand, ${rangeOf(setting)}`]];
  });
  return { values, remarks: Object.fromEntries(remarks), refused: [...reasons.keys()] };
}

function rangeOf(setting: Setting): string {
  if (setting.type === "choice") return setting.choices.join(" or ");
  const { unit, minimum, maximum, source } = setting;
  const whose = source === "our choice" ? " (our range: the service documents none)" : "";
  return `in ${unit}, ${minimum} to ${maximum}${whose}`;
}
