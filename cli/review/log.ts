import { nameIn, typeIn } from "../../provider/lifecycle/urn";
import { isObject } from "../../provider/settings/setting";
import type { Preview } from "./pulumiPreview";

type Fields = Readonly<Record<string, unknown>>;

/** Inputs that follow from others, or say nothing to a person. */
const LEFT_OUT = ["__provider", "__program", "gaps"];

/** The preview's lines for each resource that changes, and all messages, for reference. */
export function logOf({ steps, diagnostics }: Preview): string[] {
  const planned = steps
    .filter(({ op }) => op !== "same" && op !== "refresh")
    .flatMap(({ op, urn, oldState, newState }) => {
      const [before, after] = [flat(oldState?.inputs ?? {}), flat(newState?.inputs ?? {})];
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (key) => op !== "delete" && before.get(key) !== after.get(key),
      );
      const lines = changed.map((key) => `    ${key}: ${shown(before.get(key))} => ${shown(after.get(key))}`);
      return [`${op} ${typeIn(urn)} ${nameIn(urn)}`, ...lines];
    });
  const told = diagnostics
    .filter(({ severity }) => !severity.endsWith("#err") && severity !== "debug")
    .flatMap(({ message }) => message.trimEnd().split("\n"));
  return [...planned, ...(told.length > 0 ? ["", ...told] : [])];
}

/** All values of an object by their paths. */
function flat(fields: Fields, path = ""): Map<string, string> {
  const all = new Map<string, string>();
  for (const [key, value] of Object.entries(fields)) {
    if (path === "" && LEFT_OUT.includes(key)) continue;
    const at = path === "" ? key : `${path}.${key}`;
    if (isObject(value)) for (const [below, text] of flat(value, at)) all.set(below, text);
    else all.set(at, JSON.stringify(value));
  }
  return all;
}

function shown(value: string | undefined): string {
  return value ?? "(none)";
}
