import { z } from "zod";
import { didYouMean, firstNames, listed, notAList, typeName } from "../settings/explain";
import { WAVES_EXAMPLE } from "../settings/keys";
import type { Properties } from "../settings/objects";
import type { ManifestProblems } from "./report";

/** The waves of a fleet's rollout. Sites in no wave follow in a last one. */
export interface Rollout {
  readonly waves: readonly DeclaredWave[];
}

/** One wave as the manifest declares it: exactly one of `sites`, `labels` and `share`. */
export type DeclaredWave = Partial<z.output<ReturnType<typeof waveSchema>>>;

/** The properties of a site by which a wave chooses it. */
interface Choosable {
  readonly id: string;
  readonly labels?: readonly string[];
}

const SUBJECTS = ["sites", "labels", "share"] as const;

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

/** The schema of a value that a text gives. @param form the text, in words */
function formed(inForm: (text: unknown) => number | undefined, form: string) {
  return z
    .custom((given) => inForm(given) !== undefined, {
      // The check of the whole wave runs too.
      abort: false,
      error: ({ input }) =>
        `must be ${form}, not ${typeof input === "string" ? JSON.stringify(input) : typeName(input)}`,
    })
    .transform((text) => inForm(text) as number)
    .optional();
}

/** The schema of a list of texts. */
export function textsSchema(what: string) {
  return z.custom<readonly string[]>(
    (given) => Array.isArray(given) && given.length > 0 && given.every((one) => typeof one === "string" && one !== ""),
    { abort: false, error: ({ input }) => notAList(what, input) },
  );
}

/** The schema of a list of texts that are known. @param what one of them, in words */
function knownTexts(name: string, known: readonly string[], what: string) {
  return textsSchema(name)
    .superRefine((texts, context) => {
      if (context.issues.length > 0) return;
      const stranger = texts.find((text) => !known.includes(text));
      if (stranger === undefined) return;
      const others = known.length > 0 ? `; there are ${firstNames(known)}` : "";
      context.addIssue(`${stranger} is not ${what}${didYouMean(stranger, known) || others}`);
    })
    .optional();
}

const PERCENTAGE = "a percentage with its sign from 0% to 100%, such as 10%";

function waveSchema(sites: readonly Choosable[]) {
  const ids = sites.map(({ id }) => id);
  const labels = [...new Set(sites.flatMap(({ labels = [] }) => labels))];
  return z
    .object({
      // Ids of sites.
      sites: knownTexts("sites", ids, "a site of the manifest"),
      // The sites that have one of these labels.
      labels: knownTexts("labels", labels, "a label of any site"),
      // Sites with this share of the fleet's devices, from 0 to 1.
      share: formed(percentageIn, PERCENTAGE),
      // Time for which the wave is watched after it is applied, in seconds.
      soak: formed(durationIn, "a whole number with s, m or h, such as 30m"),
      // Largest share of the wave's devices that may fail, from 0 to 1.
      maxFailures: formed(percentageIn, PERCENTAGE),
    })
    .refine((wave) => subjectsOf(wave).length === 1, {
      error: `must have exactly one of ${listed(SUBJECTS)}`,
      // Also if another value is wrong.
      when: () => true,
    })
    .describe("a wave");
}

function subjectsOf(wave: Properties): string[] {
  return SUBJECTS.filter((key) => wave[key] !== undefined);
}

const WAVES = `must be a list such as ${WAVES_EXAMPLE}`;
const rolloutSchema = z.object({ waves: z.array(z.unknown(), WAVES).min(1, WAVES) }).describe("a rollout");

/** The waves of a manifest. Reports all their problems. */
export function rolloutOf(given: unknown, sites: readonly Choosable[], report: ManifestProblems): Rollout | undefined {
  if (given === undefined) return undefined;
  const path = ["rollout"];
  const fields = report.fields(given, path, `waves, such as { waves: ${WAVES_EXAMPLE} }`);
  const { waves = [] } = report.read(rolloutSchema, fields, path);
  const schema = waveSchema(sites);
  return {
    waves: waves.map((wave, index) => {
      const at = [...path, "waves", String(index)];
      const own = report.fields(wave, at, `${listed(SUBJECTS, "or")}, such as { share: 10% }`) ?? {};
      // A wave has one subject, so a wrong key cannot mean a second one.
      const subjects = subjectsOf(own);
      return report.read(schema, own, at, subjects.length > 0 ? [...subjects, "soak", "maxFailures"] : undefined);
    }),
  };
}
