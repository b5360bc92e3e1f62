import { beginningOf, type Pieces } from "./text";
import { isTime } from "./times";

type Fields = Readonly<Record<string, unknown>>;

/** Largest JSON that is read, in bytes (our choice): its values take ten times as much memory. */
const LARGEST = 32 * 1024 * 1024;

/**
 * A string, also one that is cut off; or the place between two texts in one file: a bracket opens right behind one that
 * closes. Without the strings, a name such as "PV [Dach] [W]" would get a comma.
 */
const STRING_OR_SEAM = /("[^"\\]*(?:\\.[^"\\]*)*"?)|(?<=[}\]])\s*(?=[{[])/g;

/** The value of a JSON text; of several texts in one file, such as months, a list. @throws Error if it is broken or too large */
export function jsonOf(pieces: Pieces): unknown {
  const bytes = beginningOf(pieces, LARGEST + 1);
  if (bytes.length > LARGEST)
    throw new Error(`JSON may have at most ${LARGEST / 1024 / 1024} MB: export fewer days, or CSV`);
  try {
    return parsed(bytes.toString().replace(/^\ufeff/, ""));
  } catch (error) {
    // Some runtimes quote the text.
    const place = /at position \d+/.exec((error as Error).message)?.[0] ?? "at its end";
    throw new Error(`line 1: the JSON is cut off or broken ${place}: export it again`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const list = text.replace(STRING_OR_SEAM, (_, string) => string ?? ",");
    if (list === text) throw error;
    return JSON.parse(`[${list}]`);
  }
}

/** Whether a text is JSON rather than a table. */
export function isJson(pieces: Pieces): boolean {
  return /^\ufeff?\s*[[{]/.test(beginningOf(pieces, 1000).toString());
}

/**
 * The rows of a service's answer in JSON, with a header. A row is an object with times, such as a session or an hour, or
 * a list with a time, such as `[1748772900, "2315"]`. Objects within an object are part of it. Texts around them, such
 * as a unit or a kind, become columns too.
 */
export function rowsIn(json: unknown): string[][] {
  const found = [...recordsIn(json, {})];
  const names = [...new Set(found.flatMap((one) => Object.keys(one)))];
  return [names, ...found.map((one) => names.map((name) => textOf(one[name])))];
}

/** Levels of an answer. Tibber's has eight. Without a limit, a broken file could exhaust the stack. */
const MOST_LEVELS = 20;

function* recordsIn(json: unknown, around: Fields, level = 0, { isEntry = false } = {}): Generator<Fields> {
  if (typeof json !== "object" || json === null || level > MOST_LEVELS) return;
  if (Array.isArray(json)) {
    const names = Array.isArray(around.columns) ? around.columns.map(String) : ["time", "value"];
    const { columns: _, ...outer } = around;
    for (const one of json)
      if (Array.isArray(one) && hasTime(one) && !one.some((cell) => typeof cell === "object" && cell !== null))
        yield { ...outer, ...Object.fromEntries(one.map((cell, i) => [names[i] ?? `value ${i}`, cell])) };
      else yield* recordsIn(one, around, level + 1, { isEntry: true });
    return;
  }
  const fields = flat(json as Fields, level);
  const times = Object.values(fields).filter((one) => isTime(textOf(one))).length;
  const lists = Object.entries(fields).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const holdsRecords = lists.some(([, list]) => list.some((one) => isObject(one) && hasTime(Object.values(one))));
  if (times > 1 || (times === 1 && isEntry && !holdsRecords)) {
    yield { ...around, ...fields };
    return;
  }
  const texts = Object.entries(fields).filter(([key, one]) => key === "columns" || isWord(one));
  for (const one of Object.values(json)) yield* recordsIn(one, { ...around, ...Object.fromEntries(texts) }, level + 1);
}

function hasTime(values: readonly unknown[]): boolean {
  return values.some((one) => isTime(textOf(one)));
}

function isWord(value: unknown): boolean {
  return typeof value === "string" && !isTime(value) && value.length < 60;
}

/**
 * The fields of an object and of the objects in it. If several fields have the same name, the names of the objects
 * around them are added.
 */
function flat(object: Fields, level: number): Fields {
  const paths: [path: readonly string[], value: unknown][] = [];
  const visit = (one: Fields, path: readonly string[], depth: number) => {
    for (const [key, value] of Object.entries(one))
      if (!isObject(value)) paths.push([[...path, key], value]);
      else if (depth <= MOST_LEVELS) visit(value, [...path, key], depth + 1);
  };
  visit(object, [], level);
  const counts = new Map<string, number>();
  for (const [path] of paths) counts.set(path.at(-1) as string, (counts.get(path.at(-1) as string) ?? 0) + 1);
  return Object.fromEntries(
    paths.map(([path, value]) => [counts.get(path.at(-1) as string) === 1 ? path.at(-1) : path.join(" "), value]),
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
