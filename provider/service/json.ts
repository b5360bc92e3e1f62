import { holdsSecret, REDACTED } from "./extract";

/**
 * A text as JSON; undefined if it is not JSON. A text or a name in it that contains a secret is redacted: a server
 * that shows what it was sent, such as one for trying out requests, must not bring the token into state or messages.
 */
export function parseJson(text: string, secrets: ReadonlySet<string>): unknown {
  const unescaped = text.replace(/\\u([\da-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  try {
    return holdsSecret(unescaped, secrets) ? JSON.parse(text, without(secrets)) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function without(secrets: ReadonlySet<string>): (name: string, value: unknown) => unknown {
  const clean = (text: string) => (holdsSecret(text, secrets) ? REDACTED : text);
  return (_, value) => {
    if (typeof value === "string") return clean(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [clean(name), field]));
  };
}
