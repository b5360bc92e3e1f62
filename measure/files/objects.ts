import { beginningOf, type Pieces } from "./text";
import { isTime } from "./times";

type Fields = Readonly<Record<string, unknown>>;

/** Largest JSON that is read, in bytes (our choice): its values take ten times as much memory. */
const LARGEST = 32 * 1024 * 1024;

/** The value of a JSON text. @throws Error if it is broken or too large */
export function jsonOf(pieces: Pieces): unknown {
  const bytes = beginningOf(pieces, LARGEST + 1);
  if (bytes.length > LARGEST)
    throw new Error(`JSON may have at most ${LARGEST / 1024 / 1024} MB: export fewer days, or CSV`);
  try {
    return JSON.parse(bytes.toString().replace(/^\ufeff/, ""));
  } catch (error) {
    throw new Error(`line 1: the JSON is cut off or broken: ${(error as Error).message}`);
  }
}

/** Whether a text is JSON rather than a table. */
export function isJson(pieces: Pieces): boolean {
  return /^\ufeff?\s*[[{]/.test(beginningOf(pieces, 1000).toString());
}

/**
 * The rows of a service's answer in JSON, with a header: its objects that have a start and an end, such as sessions.
 * Objects within an object are part of it.
 */
export function rowsIn(json: unknown): string[][] {
  const found = [...objectsIn(json)];
  const names = [...new Set(found.flatMap((one) => Object.keys(one)))];
  return [names, ...found.map((one) => names.map((name) => textOf(one[name])))];
}

/** Levels of an answer. Tibber's has eight. Without a limit, a broken file could exhaust the stack. */
const MOST_LEVELS = 20;

function* objectsIn(json: unknown, level = 0): Generator<Fields> {
  if (typeof json !== "object" || json === null || level > MOST_LEVELS) return;
  const fields = Array.isArray(json) ? {} : flat(json as Fields, level);
  if (Object.values(fields).filter((one) => isTime(textOf(one))).length > 1) yield fields;
  else for (const one of Object.values(json)) yield* objectsIn(one, level + 1);
}

function flat(object: Fields, level: number): Fields {
  if (level > MOST_LEVELS) return {};
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) =>
      isObject(value) ? Object.entries(flat(value, level + 1)) : [[key, value]],
    ),
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
