import { isObject } from "../../provider/settings/setting";
import { isTime } from "./times";

type Fields = Readonly<Record<string, unknown>>;

/** The value of a JSON text. @throws Error if it is broken */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`line 1: the JSON is cut off or broken: ${(error as Error).message}`);
  }
}

/** Whether a text is JSON rather than a table. */
export function isJson(text: string): boolean {
  return /^\ufeff?\s*[[{]/.test(text.slice(0, 1000));
}

/**
 * The rows of a service's answer in JSON, with a header: its objects that have a start and an end, such as sessions.
 * Objects within an object are part of it.
 */
export function rowsOf(json: unknown): string[][] {
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
