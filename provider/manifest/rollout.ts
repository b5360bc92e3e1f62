import { didYouMean, firstNames, listed as inWords, notAList, typeName } from "../settings/explain";
import { notAKey, WAVES_EXAMPLE } from "../settings/keys";
import { isObject } from "../settings/objects";
import type { ManifestProblems } from "./report";
import type { Path } from "./source";

/** The waves of a fleet's rollout. Sites in no wave follow in a last one. */
export interface Rollout {
  readonly waves: readonly DeclaredWave[];
}

/** One wave as the manifest declares it: exactly one of `sites`, `labels` and `share`. */
export interface DeclaredWave {
  /** Ids of sites. */
  readonly sites?: readonly string[];
  /** The sites that have one of these labels. */
  readonly labels?: readonly string[];
  /** Sites with this share of the fleet's devices, from 0 to 1. */
  readonly share?: number;
  /** Time for which the wave is watched after it is applied, in seconds. */
  readonly soak?: number;
  /** Largest share of the wave's devices that may fail, from 0 to 1. */
  readonly maxFailures?: number;
}

/** The properties of a site by which a wave chooses it. */
interface Choosable {
  readonly id: string;
  readonly labels?: readonly string[];
}

const SUBJECTS = ["sites", "labels", "share"] as const;
const WAVE_KEYS: readonly string[] = [...SUBJECTS, "soak", "maxFailures"];

/** Forms of a share and of a time, which the JSON Schema uses too. */
export const PERCENT = /^(?:100|\d{1,2})(?:\.\d+)?%$/;
export const DURATION = /^[1-9]\d{0,3}(?:s|m|h)$/;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** A share such as `10%`, from 0 to 1; undefined if the text is not a share. */
export function percentageIn(text: unknown): number | undefined {
  const share = typeof text === "string" && PERCENT.test(text) ? Number(text.slice(0, -1)) / 100 : undefined;
  return share !== undefined && share <= 1 ? share : undefined;
}

/** A time such as `30m`, in seconds; undefined if the text is not a time. */
function durationIn(text: unknown): number | undefined {
  if (typeof text !== "string" || !DURATION.test(text)) return undefined;
  return Number(text.slice(0, -1)) * (SECONDS[text.slice(-1)] as number);
}

/** The labels of a site. Reports their problems. */
export function labelsOf(given: unknown, path: Path, report: ManifestProblems): readonly string[] | undefined {
  return given === undefined ? undefined : textsOf(given, path, "labels", report);
}

/** The waves of a manifest. Reports all their problems. */
export function rolloutOf(given: unknown, sites: readonly Choosable[], report: ManifestProblems): Rollout | undefined {
  if (given === undefined) return undefined;
  const path = ["rollout"];
  if (!isObject(given)) {
    report.add(path, `must be of the form { waves: ${WAVES_EXAMPLE} }, not ${typeName(given)}`);
    return undefined;
  }
  report.addStrangers(given, path, "a rollout", ["waves"]);
  if (!Array.isArray(given.waves) || given.waves.length === 0) {
    report.add([...path, "waves"], `must be a list such as ${WAVES_EXAMPLE}`);
    return undefined;
  }
  return { waves: given.waves.map((wave, index) => waveOf(wave, [...path, "waves", String(index)], sites, report)) };
}

function waveOf(given: unknown, path: Path, sites: readonly Choosable[], report: ManifestProblems): DeclaredWave {
  if (!isObject(given)) {
    report.add(path, `must be of the form { share: 10% }, with ${inWords(SUBJECTS, "or")}, not ${typeName(given)}`);
    return {};
  }
  const subjects = SUBJECTS.filter((key) => given[key] !== undefined);
  const strangers = Object.keys(given).filter((key) => !WAVE_KEYS.includes(key));
  // A wave has one subject, so a wrong key cannot mean a second one.
  const usable = subjects.length === 0 ? WAVE_KEYS : [...subjects, "soak", "maxFailures"];
  for (const key of strangers) report.add([...path, key], notAKey(key, "a wave", usable, given), "key");
  // A wrong key in place of the subject is one mistake.
  if (subjects.length > 1 || (subjects.length === 0 && strangers.length === 0)) {
    report.add(path, `must have exactly one of ${inWords(SUBJECTS)}`);
  }
  const read = (key: "share" | "maxFailures" | "soak", inForm: (text: unknown) => number | undefined, form: string) => {
    const value = given[key];
    if (value === undefined) return {};
    const number = inForm(value);
    if (number !== undefined) return { [key]: number };
    const is = typeof value === "string" ? JSON.stringify(value) : typeName(value);
    report.add([...path, key], `must be ${form}, not ${is}`);
    return {};
  };
  const listed = (key: "sites" | "labels", known: readonly string[]) => {
    if (given[key] === undefined) return {};
    const texts = textsOf(given[key], [...path, key], key, report);
    const stranger = texts.find((text) => !known.includes(text));
    if (stranger !== undefined) {
      const others = known.length > 0 ? `; there are ${firstNames(known)}` : "";
      const what = key === "sites" ? "not a site of the manifest" : "not a label of any site";
      report.add([...path, key], `${stranger} is ${what}${didYouMean(stranger, known) || others}`);
    }
    return { [key]: texts };
  };
  const percentage = "a percentage with its sign from 0% to 100%, such as 10%";
  return {
    ...listed(
      "sites",
      sites.map(({ id }) => id),
    ),
    ...listed("labels", [...new Set(sites.flatMap(({ labels = [] }) => labels))]),
    ...read("share", percentageIn, percentage),
    ...read("maxFailures", percentageIn, percentage),
    ...read("soak", durationIn, "a whole number with s, m or h, such as 30m"),
  };
}

function textsOf(given: unknown, path: Path, what: string, report: ManifestProblems): readonly string[] {
  const isList = Array.isArray(given) && given.length > 0;
  if (isList && given.every((one) => typeof one === "string" && one !== "")) return given;
  report.add(path, notAList(what, given));
  return [];
}
