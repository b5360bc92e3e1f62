import type { OnDelete } from "../settings/declaration";
import { labelOf, type SiteDevice } from "../settings/site";
import { UNKNOWN } from "./program";
import { SECRET, SecretInputs } from "./secretInputs";

/** A device in its site. */
export type Place = Pick<SiteDevice, "group" | "name">;

/**
 * One thing that an update changes: what every preview says is made from it. Without a device it is about the resource
 * as a whole. A value that is not declared any more has no `after`.
 */
export type Change =
  | {
      readonly kind: "value";
      readonly device?: Place;
      readonly key: string;
      readonly before?: unknown;
      readonly after?: unknown;
    }
  | { readonly kind: "new"; readonly device: SiteDevice }
  | { readonly kind: "renamed"; readonly device: Place; readonly from: Place }
  | { readonly kind: "leaves"; readonly device: Place; readonly onDelete: OnDelete | "observed" };

/** What a diff finds. */
export interface Difference {
  /** Empty if there is nothing to be done. */
  readonly changes: readonly Change[];
  /** Inputs whose change means another device. */
  readonly replaces: readonly string[];
}

/** A line for each device that changes: `inverter/roof: azimuth 202.5 → 22.5, baseLoad 400 → unmanaged`. */
export function wordsOf(changes: readonly Change[], secrets = new SecretInputs()): string[] {
  // By device and not by label: a new device can have the name of one that leaves.
  const lines = new Map<Place | undefined, string[]>();
  for (const change of changes)
    lines.set(change.device, [...(lines.get(change.device) ?? []), textOf(change, secrets)]);
  return [...lines].map(([device, texts]) => `${device ? labelOf(device) : "site"}: ${texts.join(", ")}`);
}

function textOf(change: Change, secrets: SecretInputs): string {
  switch (change.kind) {
    case "new": {
      const { observe, values } = change.device;
      const declared = Object.entries(values).map(
        ([key, value]) => `${key} ${shownAs(secrets, change.device, key, value)}`,
      );
      return observe ? "new, only observed" : ["new", ...declared].join(" ");
    }
    case "renamed":
      return `was ${labelOf(change.from)}`;
    case "leaves":
      return change.onDelete === "observed" ? "no longer observed" : `leaves (${change.onDelete})`;
    case "value":
      return textOfValue(change, secrets);
  }
}

function textOfValue(
  { device, key, before: old, after: next }: Extract<Change, { kind: "value" }>,
  secrets: SecretInputs,
): string {
  const [before, after] = [old, next].map((value) =>
    value === undefined ? value : shownAs(secrets, device, key, value),
  );
  if (key === "policyFromSite") return next ? "policy by the site" : "policy by the program";
  // What is about the site as a whole is never reported: it is declared or it is not.
  if (!device && before === undefined) return `${key} ${after}`;
  const end = after ?? (device ? "unmanaged" : "not declared");
  return `${key} ${before ?? "(not reported)"} → ${end}`;
}

function shownAs(secrets: SecretInputs, device: Place | undefined, key: string, value: unknown): string {
  if (secrets.has(device ? `${device.group}.${device.name}.${key}` : key)) return SECRET;
  return value === UNKNOWN ? "(known after the update)" : String(value);
}
