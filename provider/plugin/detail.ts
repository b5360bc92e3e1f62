import type { Difference } from "../lifecycle/run/changes";
import type { Place } from "../settings/groups";
import { isObject, type Properties } from "../settings/objects";

type Path = readonly string[];

/** The ways in which the engine shows a property. */
export type Shown = "add" | "update" | "delete";

/**
 * The changes of a resource, by the path of the property in its inputs, such as `vehicles.car.maxChargePower`. The
 * engine takes the values from the inputs.
 */
export function detailOf(
  { changes }: Difference,
  { oldInputs, news }: { readonly oldInputs: Properties; readonly news: Properties },
): Map<string, Shown> {
  return new Map(
    changes
      .flatMap((change) => pathsOf(change, oldInputs, news))
      .flatMap((path) => {
        const shown = shownAs(valueAt(oldInputs, path), valueAt(news, path));
        return shown ? [[pathOf(path), shown] as const] : [];
      }),
  );
}

function pathsOf(change: Difference["changes"][number], oldInputs: Properties, news: Properties): Path[] {
  const at = ({ group, name }: Place) => [group, name];
  if (change.kind === "policyOwner")
    return [
      [...at(change.device), "policy"],
      ["policies", change.device.name],
    ];
  if (change.kind === "value") {
    const { device, key } = change;
    if (!device) return [[key]];
    // The policy of a car can be declared by the car or by the site.
    return [[...at(device), key], ...(key === "policy" ? [["policies", device.name]] : [])];
  }
  if (change.kind === "renamed") return [at(change.device), at(change.from)];
  return identityPaths(at(change.device), oldInputs, news);
}

/**
 * The paths of the properties that identify a device. Without these paths, `replaceOnChanges:
 * ["vehicles.car.deviceId"]` would replace nothing, because the engine compares whole paths.
 */
function identityPaths(place: Path, oldInputs: Properties, news: Properties): Path[] {
  if (!valueAt(oldInputs, place) || !valueAt(news, place)) return [place];
  const candidates = [[...place, "deviceId"], [...place, "businessId"], ["businessId"]];
  const changed = candidates.filter((path) => valueAt(oldInputs, path) !== valueAt(news, path));
  return changed.length > 0 ? changed : [place];
}

function shownAs(before: unknown, after: unknown): Shown | undefined {
  if (after === undefined) return before === undefined ? undefined : "delete";
  // After a failed update, the inputs in state already have the new value. As an update, the change would be shown as
  // `7400 => 7400`.
  return before === undefined || JSON.stringify(before) === JSON.stringify(after) ? "add" : "update";
}

function valueAt(properties: Properties, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), properties);
}

/** A path in the engine's notation. */
function pathOf(path: Path): string {
  return path
    .map((key, index) => (/^[\w-]+$/.test(key) ? `${index > 0 ? "." : ""}${key}` : `[${JSON.stringify(key)}]`))
    .join("");
}
