/** Longest part of a text that is shown, in characters (our choice). */
const LONGEST = 200;

/**
 * Shortest form of a secret in hex or base64 that is searched for, in characters: a shorter one could match any word.
 */
const SHORTEST = 6;

/**
 * A text is not shown if it contains so many consecutive characters of a secret, in any form (our choice). Fewer
 * characters could match any word.
 */
const PIECE = 8;

/**
 * So many consecutive characters of a secret are no coincidence, even in the name of a device. A shorter secret counts
 * as a whole (our choice).
 */
const RUN = 16;

/**
 * Number of newest secrets whose parts are searched for (our choice): a service repeats the last secrets that it
 * received.
 */
const NEWEST = 10;

/** Replaces a secret. */
export const REDACTED = "[redacted]";

/** Maximum number of secrets, and of their characters, that are searched for (our choice). More would take too long. */
const MOST_SECRETS = 100;
const MOST_CHARACTERS = 16_384;

/**
 * Longest part of a text that is searched, in characters (our choice). It is longer than the shown part, because
 * cleaning shortens the text.
 */
const SEARCHED = 16_384;

/**
 * The beginning of a foreign text that is safe to show: one line, without these secrets and without bearer tokens.
 * Empty if an unknown escaping leaves a piece of a secret in it, or if there are too many secrets to search for.
 */
export function extractOf(text: string, secrets: ReadonlySet<string> = new Set()): string {
  if (secrets.size > MOST_SECRETS || [...secrets].join("").length > MOST_CHARACTERS) return REDACTED;
  const forms = [...secrets].flatMap(formsOf).sort((a, b) => b.length - a.length);
  const known = new RegExp(forms.map((form) => form.replace(/[^a-z0-9]/gi, "\\$&")).join("|") || "(?!)", "gi");
  const searched = beginningOf(text, known, forms[0]?.length ?? 0);
  const cleaned = searched
    .replace(known, REDACTED)
    .replace(/^\s*<[\s\S]*/, wordsOfPage)
    .replace(/bearer\s+[^\s"',;<]+/gi, `Bearer ${REDACTED}`)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  const isWhole = cleaned.length <= LONGEST && searched.length === text.length;
  const shown = isWhole ? cleaned : `${cleaned.slice(0, LONGEST).toWellFormed()}…`;
  return holdsPiece(shown, secrets) ? REDACTED : shown;
}

/** The title of a web page, or its text without the markup. */
function wordsOfPage(page: string): string {
  const [, title] = /<title>([^<]+)/i.exec(page) ?? [];
  return title ?? page.replace(/<(style|script)\b[^<]*<\/\1>|<[^<>]*>/gi, " ");
}

/**
 * The part of a text that is searched. It never ends within a secret. @param longest length of the longest known
 * form, in characters
 */
function beginningOf(text: string, known: RegExp, longest: number): string {
  if (text.length <= SEARCHED) return text;
  // A secret that begins before this is searched to its end.
  const end = Math.max(0, SEARCHED - longest);
  const ends = [...text.slice(0, SEARCHED).matchAll(known)]
    .filter(({ index }) => index < end)
    .map((match) => match.index + match[0].length);
  return text.slice(0, Math.max(end, ...ends));
}

function holdsPiece(text: string, secrets: ReadonlySet<string>): boolean {
  const long = [...secrets].filter(({ length }) => length >= PIECE);
  const forms = long.flatMap(formsOf).join("\n").toLowerCase();
  return partsOfLength(PIECE, text.toLowerCase()).some((piece) => forms.includes(piece));
}

/**
 * Whether a text contains so much of a secret, in any form, that it is no coincidence. To save time, it looks only at
 * every ninth place: a long piece always covers one of them.
 */
export function holdsSecret(text: string, secrets: ReadonlySet<string>): boolean {
  const { probes, long, short } = partsOf(secrets);
  const lower = text.toLowerCase();
  for (let at = 0; at + PIECE <= lower.length; at += RUN - PIECE + 1) {
    if (probes.has(lower.slice(at, at + PIECE)) && isWithinRun(lower, at, long)) return true;
  }
  return short.some((form) => lower.includes(form));
}

/** Whether the text at this place is part of a run of one of these forms. */
function isWithinRun(text: string, at: number, forms: readonly string[]): boolean {
  const around = text.slice(Math.max(0, at + PIECE - RUN), at + RUN);
  return partsOfLength(RUN, around).some((run) => forms.some((form) => form.includes(run)));
}

/**
 * The forms in which secrets are recognized: the long forms, the pieces of each, and the forms that are too short for
 * pieces.
 */
interface Parts {
  readonly size: number;
  readonly probes: ReadonlySet<string>;
  readonly long: readonly string[];
  readonly short: readonly string[];
}

const partsBySecrets = new WeakMap<ReadonlySet<string>, Parts>();

/**
 * The parts of these secrets. They are cached, because each answer is searched and a token of 2,000 characters has
 * 30,000 parts. Secrets are only ever added.
 */
function partsOf(secrets: ReadonlySet<string>): Parts {
  const kept = partsBySecrets.get(secrets);
  if (kept?.size === secrets.size) return kept;
  const known = [...secrets].slice(-NEWEST).filter(({ length }) => length >= PIECE);
  const forms = [...new Set(known.flatMap(formsOf).map((form) => form.toLowerCase()))];
  const long = forms.filter(({ length }) => length >= RUN);
  const short = forms.filter(({ length }) => length < RUN);
  const probes = new Set(long.flatMap((form) => partsOfLength(PIECE, form)));
  const parts = { size: secrets.size, probes, long, short };
  partsBySecrets.set(secrets, parts);
  return parts;
}

function partsOfLength(length: number, text: string): string[] {
  const count = Math.max(0, text.length - length + 1);
  return Array.from({ length: count }, (_, begin) => text.slice(begin, begin + length));
}

/** The forms of a secret: plain text, JSON, URLs and forms, hex, and base64, even inside a longer encoded text. */
function formsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const base64 = [Buffer.from(secret).toString("base64"), ...[0, 1, 2].map((before) => withinBase64(secret, before))];
  const asText = [
    secret,
    inJson,
    inJson.replaceAll("/", "\\/"),
    encodeURIComponent(secret),
    new URLSearchParams([["", secret]]).toString().slice(1),
    Buffer.from(secret).toString("hex").replace(/../g, "%$&"),
    [...secret].reverse().join(""),
  ];
  const encoded = [
    Buffer.from(secret).toString("hex"),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  return [...asText, ...encoded.filter(({ length }) => length >= SHORTEST)];
}

/** The characters that depend on the secret alone, in the base64 form of a text that contains the secret. */
function withinBase64(secret: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const begin = Math.ceil((before * 8) / 6);
  return bytes.toString("base64").slice(begin, Math.floor((bytes.length * 8) / 6));
}
