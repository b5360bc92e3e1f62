import type { Change, Place } from "../lifecycle/changes";
import type { Properties } from "../lifecycle/state";
import { isObject } from "../settings/setting";

/** How the engine shows a property. */
export type Shown = "add" | "update" | "delete";

/**
 * What changes of a resource, by the path of the property in its inputs, such as `vehicles.car.maxChargePower`. The
 * engine takes the values from the inputs.
 */
export function detailOf(
  changes: readonly Change[],
  { oldInputs, news }: { readonly oldInputs: Properties; readonly news: Properties },
): Map<string, Shown> {
  return new Map(
    changes.flatMap(pathsOf).flatMap((path) => {
      const shown = shownAs(valueAt(oldInputs, path), valueAt(news, path));
      return shown ? [[pathOf(path), shown] as const] : [];
    }),
  );
}

function pathsOf(change: Change): (readonly string[])[] {
  const at = ({ group, name }: Place) => [group, name];
  if (change.kind === "value") return [[...(change.device ? at(change.device) : []), change.key]];
  return [at(change.device), ...(change.kind === "renamed" ? [at(change.from)] : [])];
}

function shownAs(before: unknown, after: unknown): Shown | undefined {
  if (after === undefined) return before === undefined ? undefined : "delete";
  // The inputs in state have it already, as an update that failed declared it: an update would show `7400 => 7400`.
  return before === undefined || JSON.stringify(before) === JSON.stringify(after) ? "add" : "update";
}

function valueAt(properties: Properties, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), properties);
}

/** A path as the engine reads it. */
function pathOf(path: readonly string[]): string {
  return path
    .map((key, index) => (/^[\w-]+$/.test(key) ? `${index > 0 ? "." : ""}${key}` : `[${JSON.stringify(key)}]`))
    .join("");
}
