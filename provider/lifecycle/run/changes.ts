import { SECRET } from "../../messages/message";
import { type OnDelete, OPTION_KEYS } from "../../settings/declaration";
import { labelOf, type Place } from "../../settings/groups";
import { UNKNOWN } from "../../settings/objects";
import type { readinessOf } from "../../settings/readiness";
import type { DeclaredDevice } from "../../settings/site";
import { changeInWords, valueInWords } from "../../settings/valueWords";
import { SecretInputs } from "./secretInputs";

/** The change of a setting, an option or an id. Without `after`, it is no longer declared. */
export interface ValueChange {
  readonly kind: "value";
  /** Absent if it concerns the whole resource. */
  readonly device?: Place;
  readonly key: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** One change of an update. Every preview is made from these. */
export type Change =
  | ValueChange
  | { readonly kind: "new"; readonly device: DeclaredDevice }
  | { readonly kind: "policyOwner"; readonly device: DeclaredDevice; readonly isSite: boolean }
  | { readonly kind: "renamed"; readonly device: Place; readonly from: Place }
  | { readonly kind: "leaves"; readonly device: Place; readonly onDelete: OnDelete | "observed" };

/** The result of a diff. */
export interface Difference {
  /** Empty if nothing changes. */
  readonly changes: readonly Change[];
  /** Inputs whose change requires a replacement, because they identify the device. */
  readonly replaces: readonly string[];
  /**
   * The readiness of a site in which the program keeps somebody else's policies. A check does not see state, so it counts
   * the declared ones. Without this, each preview would show that the site becomes ready.
   */
  readonly readiness?: ReturnType<typeof readinessOf>;
}

/** A line for each device that changes: `inverter/roof: tilt 35° → 20°, baseLoad 400 W → no longer managed`. */
export function wordsOf(changes: readonly Change[], secrets = new SecretInputs()): string[] {
  // Grouped by device and not by label: a new device can have the name of one that leaves.
  const lines = new Map<Place | undefined, string[]>();
  // In a new site, every device is new.
  const isNew = changes.every(({ kind }) => kind === "new");
  for (const change of changes)
    lines.set(change.device, [...(lines.get(change.device) ?? []), ...textsOfChange(change, secrets, { isNew })]);
  return [...lines].map(([device, texts]) => `${device ? labelOf(device) : "site"}: ${texts.join(", ")}`);
}

/** One line about a device with its own resource: `maxCapacity 60 → 77 kWh, policy CHARGE BY`. */
export function wordsOfDevice(changes: readonly Change[], secrets = new SecretInputs()): string[] {
  const texts = changes.flatMap((change) =>
    change.kind === "value" ? textOfValue(change, secrets, "no longer managed") : [],
  );
  return texts.length > 0 ? [texts.join(", ")] : [];
}

function textsOfChange(change: Change, secrets: SecretInputs, { isNew }: { readonly isNew: boolean }): string[] {
  if (change.kind !== "new") return [textOfChange(change, secrets)];
  const { observe, values } = change.device;
  const declared = Object.entries(values).map(
    ([key, value]) => `${key} ${valueInWords(key, shownAs(secrets, change.device, key, value))}`,
  );
  const texts = observe ? ["only observed"] : declared;
  if (isIdUnknown(change.device)) return [`device ${valueInWords("deviceId", UNKNOWN)}`, ...texts];
  return isNew && texts.length > 0 ? texts : ["new", ...texts];
}

/** Whether only the update knows which device this is. */
export function isIdUnknown({ businessId, deviceId }: DeclaredDevice): boolean {
  return [businessId, deviceId].includes(UNKNOWN);
}

function textOfChange(change: Exclude<Change, { kind: "new" }>, secrets: SecretInputs): string {
  switch (change.kind) {
    case "renamed":
      return `was ${labelOf(change.from)}`;
    case "policyOwner":
      return change.isSite ? "policy now set by the site" : "policy now set by the program";
    case "leaves":
      return change.onDelete === "observed" ? "no longer observed" : `leaves (${change.onDelete})`;
    case "value":
      return textOfValue(change, secrets, change.device ? "no longer managed" : "not declared");
  }
}

function textOfValue(
  { device, key, before: old, after: next }: ValueChange,
  secrets: SecretInputs,
  end: string,
): string {
  const [before, after] = [old, next].map((value) =>
    value === undefined ? value : shownAs(secrets, device, key, value),
  );
  // The present values of a new device are not known yet. Options of a whole site are never reported.
  if (!device && before === undefined) return `${key} ${valueInWords(key, after)}`;
  if (before !== undefined && after !== undefined) return `${key} ${changeInWords(key, before, after)}`;
  const isOption = OPTION_KEYS.some((option) => option === key);
  return before === undefined
    ? `${key} (${isOption ? "not declared" : "not reported"}) → ${valueInWords(key, after)}`
    : `${key} ${valueInWords(key, before)} → ${isOption ? "not declared" : end}`;
}

function shownAs(secrets: SecretInputs, device: Place | undefined, key: string, value: unknown): unknown {
  return secrets.hasSetting(key, device) ? SECRET : value;
}
