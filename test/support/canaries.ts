/** Secrets by name. Each has a run of at least 16 letters and digits that no other text has. */
export type Canaries = Readonly<Record<string, string>>;

/** Contains every character that JSON, URLs or HTML escape. Two secrets have no run of characters in common. */
export const ACCESS_TOKEN = `cn/+=~%22"\\&<'Q7f2kZ9xW4mT8vB3nR6yH1sD/end`;
export const CLIENT_SECRET = `cs'<&\\"~%2B=+/J5w8dP2gV7zK4bM9rT3qX6cF/client`;
export const SECRETS: Canaries = { "access token": ACCESS_TOKEN, "client's secret": CLIENT_SECRET };

export interface Search {
  readonly places: number;
  readonly bytes: number;
  /** `access token in base64: <place>`. */
  readonly found: readonly string[];
}

/**
 * Length of the pieces that are searched for. Together with their distance, this finds any run of 15 characters of a
 * secret, in any form.
 */
const PIECE = 12;
const DISTANCE = 4;

/**
 * Searches texts for secrets and pieces of them: plain, escaped, in hex, and in base64, alone or within a longer text.
 */
export function searchFor(canaries: Canaries, texts: Iterable<readonly [place: string, content: Buffer]>): Search {
  const needles = Object.entries(canaries).flatMap(([name, secret]) => {
    const core = coreOf(secret);
    const hex = Buffer.from(core).toString("hex");
    const encoded = (["base64", "base64url"] as const).flatMap((encoding) =>
      [0, 1, 2].map((before) => ({ name: `${name} in base64`, form: within(core, before, encoding) })),
    );
    const inHex = [hex, hex.toUpperCase()].map((form) => ({ name: `${name} in hex`, form }));
    return [{ name, form: core }, ...inHex, ...encoded].flatMap(({ name, form }) =>
      piecesOf(form).map((needle) => ({ name, needle })),
    );
  });
  const found = new Set<string>();
  let places = 0;
  let bytes = 0;
  for (const [place, content] of texts) {
    places += 1;
    bytes += content.length;
    for (const { name, needle } of needles) if (content.includes(needle)) found.add(`${name}: ${place}`);
  }
  return { places, bytes, found: [...found] };
}

/**
 * The longest run of letters and digits. JSON, URLs, forms and HTML never change it, even if they escape a text several
 * times.
 */
function coreOf(secret: string): string {
  const [core = ""] = (secret.match(/[a-z0-9]+/gi) ?? []).sort((a, b) => b.length - a.length);
  if (core.length < 16) throw new Error("a canary needs a run of 16 letters and digits");
  return core;
}

/** The characters of an encoding that depend only on the text, if this many bytes, modulo 3, come before it. */
function within(text: string, before: number, encoding: "base64" | "base64url"): string {
  const bytes = Buffer.from("\0".repeat(before) + text);
  return bytes.toString(encoding).slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

function piecesOf(form: string): string[] {
  const begins = Array.from(
    { length: Math.floor((form.length - PIECE) / DISTANCE) + 1 },
    (_, index) => index * DISTANCE,
  );
  return [...begins, form.length - PIECE].map((begin) => form.slice(begin, begin + PIECE));
}
