import type { Place } from "../manifest/wrongInputs";

/** A text that a person typed at a place: `maxCapacity: 77 kWh`; empty if the person removes the line. */
export type Typed = readonly [place: Place, text: string];

/** A wrong entry, and its message. */
interface Wrong {
  readonly place: Place;
  readonly key: string;
  readonly value: string;
  readonly message: string;
}

/** Values that are right, for keys that a message names without a value. */
const RIGHT: Readonly<Record<string, string>> = {
  ...{ maxCapacity: "77 kWh", maxChargePower: "11 kW", policy: "CHARGE BY" },
  ...{ peakPower: "9.8 kWp", azimuth: "S", tilt: "30", cutInThreshold: "50 W", baseLoad: "300 W" },
  ...{ planes: "[{ peakPower: 5 kWp, azimuth: E, tilt: 30 }]", observe: "true", soak: "30m", maxFailures: "10%" },
  ...{ vehicles: "{}", inverters: "{}", latitude: "48.1", solar: "true", requireReady: "false", title: "Home" },
  ...{ labels: "[pilot]", defaults: "{}" },
};

/** The kinds of places, as messages call them. */
const PLACE_OF: Readonly<Record<string, Place>> = { vehicle: "car", inverter: "roof", site: "site" };

/** The parts of a text between separators that stand outside of quotes and brackets. */
function parts(text: string): string[] {
  const tokens =
    text.match(/"(?:[^"\\]|\\.)*"|\((?:[^()]|\([^()]*\))*\)|\[.*\]|\{.*\}|, or |, | or |[^"([{,o ]+|./gs) ?? [];
  const found = [""];
  for (const token of tokens) {
    if (/^(, or |, | or )$/.test(token)) found.push("");
    else found[found.length - 1] += token;
  }
  return found.map((part) => part.trim()).filter(Boolean);
}

/** The alternatives in a list: `E (O for Ost) or W`, `77000 (77 kWh)`. */
function alternatives(list: string): string[] {
  return parts(list).flatMap((part) => {
    const [, bare = "", gloss = ""] = /^("[^"]*"|\[.*\]|\{.*\}|.*?)(?: \((.*)\)| without quotes)?$/s.exec(part) ?? [];
    return /^[\d.]+ k?Wh?$/.test(gloss) ? [bare, gloss] : [bare];
  });
}

/** A text with its placeholders filled. */
function filled(text: string): string {
  return text.replaceAll(", …", "").replaceAll("…", "x");
}

type Form = readonly [words: RegExp, typed: (found: readonly string[], wrong: Wrong) => readonly (string | Typed)[]];

/** An entry with another value. */
const entry = ({ key }: Wrong, value: string) => `${key}: ${filled(value)}`;

/** The value with another word in the place of the wrong one, which the message quotes. */
function corrected(wrong: Wrong, word: string): string {
  const quoted = [...wrong.message.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, one, other]) => one ?? other ?? "");
  const bad = quoted.flatMap((one) => [`"${one}"`, one]).find((one) => one !== "" && wrong.value.includes(one));
  return entry(wrong, bad === undefined ? word : wrong.value.replace(bad, word));
}

/** The ways in which messages tell what to type. */
const FORMS: readonly Form[] = [
  // About a key.
  [
    /is not a key of .*; did you mean (.*)\?$/s,
    ([meant = ""], { value }) => {
      const [name = "", ...rest] = meant.split(": ");
      if (rest.length === 0) return [`${name}: ${value}`];
      const text = rest.join(": ");
      return text.includes("… ")
        ? [`${name}: ${text.replace("…", value)}`]
        : alternatives(text).map((one) => `${name}: ${one}`);
    },
  ],
  [/(?:: remove \S+|remove it|leave the key out)/, () => [""]],
  [/(?:remove it, or|: remove it, or) use (.*)$/, ([keys = ""]) => parts(keys).map((key) => `${key}: ${RIGHT[key]}`)],
  [
    /is a key of an? (\w+), not of .*: move it there/,
    ([kind = ""], { key, value }) => [[PLACE_OF[kind] ?? "fleet", `${key}: ${value}`]],
  ],
  [/: declare (\w+) for the site/, ([key], { value }) => [["site", `${key}: ${value}`]]],
  // About a word.
  [
    /(?<!is not a key of .*); did you mean (.*)\?$/s,
    ([meant = ""], wrong) => alternatives(meant).map((one) => corrected(wrong, one)),
  ],
  [
    /^must be ((?!a |an |from |of |in |degrees|names |vehicles |inverters |below ).*?)(?:, not | for an |, and known|$)/,
    ([choices = ""], wrong) => alternatives(choices).map((one) => corrected(wrong, one)),
  ],
  [
    /^convention is required: (.*)$/,
    ([choices = ""], wrong) =>
      alternatives(choices).map((one) => entry(wrong, wrong.value.replace(" }", `, convention: ${one} }`))),
  ],
  [
    /can have only (.*), not (\w+), which/,
    ([keys = "", wrong = ""], all) =>
      parts(keys.replace(" and ", ", ")).map((key) => entry(all, all.value.replace(wrong, key))),
  ],
  [
    /which is a setting of an? (\w+): declare it there/,
    ([kind = ""], { key, value }) => [[PLACE_OF[kind] ?? "fleet", `${key}: ${value}`]],
  ],
  // About a value.
  [
    /^"([^"]+)" in .* unit.*: write (.*)$/,
    ([unit = "", units = ""], wrong) => alternatives(units).map((one) => entry(wrong, wrong.value.replace(unit, one))),
  ],
  [
    /(?<!is (?:a|not a known) unit.*)[:;] write (.*)$/,
    ([texts = ""], wrong) => alternatives(texts).map((one) => entry(wrong, one)),
  ],
  [/two directions: .* write (\w+: .*)$/, ([text = ""]) => [filled(text)]],
  [
    / give (?!a |it |labels|planes|degrees)(.*), or leave/,
    ([texts = ""], wrong) => alternatives(texts).map((one) => entry(wrong, one)),
  ],
  [/such as ("[^"]*"|\[.*\]|\{.*\}|[^\s,;()]+)(?! of )/, ([text = ""], wrong) => [corrected(wrong, text)]],
  [
    /of the form (\{.*\})/,
    ([text = ""], wrong) => [
      entry(
        wrong,
        wrong.value.replace(/(?<=[[ ])[\w-]+(?=[\] ])|^\[\]$/, () => filled(text)),
      ),
    ],
  ],
  [
    /from (\S+(?: k?W?h?p?)?)(?: \(\w+\))? to (\S+(?: k?W?h?)?)(?: \(\w+\))?[,;]/,
    ([least = "", most = ""], wrong) => [least, most].map((one) => entry(wrong, one)),
  ],
  [/slope .* is (\S+)$/, ([text = ""], wrong) => [entry(wrong, text)]],
  [/\(put it in quotes\)/, (_, wrong) => [entry(wrong, JSON.stringify(wrong.value))]],
  [/set SOLAR_CHARGING_ACCESS_TOKEN in the environment/, () => [""]],
];

/** What a person can type after the message about an entry. */
export function typedFor(place: Place, written: string, message: string): Typed[] {
  const [, key = "", value = ""] = /^([^:]*): ?(.*)$/.exec(written) ?? [];
  const wrong = { place, key, value, message };
  return FORMS.flatMap(([words, typed]) => {
    const [whole, ...found] = words.exec(message) ?? [];
    if (whole === undefined) return [];
    return typed(found, wrong).map((one): Typed => (typeof one === "string" ? [place, one] : one));
  });
}
