/** Longest beginning of a text that is shown, in characters (our choice). */
const LONGEST = 200;

/** What is left of a secret in base64 has to be this long to be looked for, in characters: less could be any word. */
const SHORTEST = 6;

/** Beginning of a text from outside as it may be shown: one line, without these secrets and without bearer tokens. */
export function extractOf(text: string, secrets: ReadonlySet<string>): string {
  const forms = [...secrets].flatMap(formsOf).sort((a, b) => b.length - a.length);
  const known = new RegExp(forms.map((form) => form.replace(/[^a-z0-9]/gi, "\\$&")).join("|") || "(?!)", "gi");
  const cleaned = text
    .replace(known, "[redacted]")
    .replace(/bearer\s+[^\s"',;<]+/gi, "Bearer [redacted]")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return cleaned.length > LONGEST ? `${cleaned.slice(0, LONGEST).toWellFormed()}…` : cleaned;
}

/** A secret as it is, in JSON, in a URL or a form, and in base64, also as a part of something longer. */
function formsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const base64 = [Buffer.from(secret).toString("base64"), ...[0, 1, 2].map((before) => withinBase64(secret, before))];
  return [
    secret,
    inJson,
    inJson.replaceAll("/", "\\/"),
    encodeURIComponent(secret),
    new URLSearchParams([["", secret]]).toString().slice(1),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ].filter((form, index) => index < 5 || form.length >= SHORTEST);
}

/** The characters of base64 that stand for nothing but the secret, where so many bytes, modulo 3, come before it. */
function withinBase64(secret: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const begin = Math.ceil((before * 8) / 6);
  return bytes.toString("base64").slice(begin, Math.floor((bytes.length * 8) / 6));
}
