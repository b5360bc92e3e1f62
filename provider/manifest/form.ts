import { z } from "zod";
import { didYouMean, typeName } from "../settings/explain";
import { idSchema } from "../settings/schema";
import { isReserved } from "../settings/site";

/** The form of the name of a fleet or a site, which is also the name of a Pulumi project or resource. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Longest name: the limit of Pulumi's backends for a project (our choice for a site). */
export const LONGEST_NAME = 100;

/** Most stacks of a fleet (our choice). */
export const MOST_SHARDS = 10_000;

/** Keys for secrets, in any spelling. */
const SECRET = /token|secret|password|passphrase|authorization|credential|api_?key/i;

const nameSchema = (what: string) =>
  z
    .string({
      error: ({ input }) => (input === undefined ? "is required" : `has to be a string, not ${typeName(input)}`),
    })
    .regex(
      NAME,
      `has to be letters, digits, ".", "_" and "-", and to begin with a letter or digit, as it becomes the name of ${what}`,
    )
    .max(LONGEST_NAME, `must not be longer than ${LONGEST_NAME} characters`);

/** The id of a site. */
export const siteIdSchema = nameSchema("a resource").refine(
  (id) => !isReserved(id),
  "needs another name: JavaScript reserves this one",
);

/** The keys of a manifest besides its sites and defaults. */
export const fleetFields = {
  // The address of the file's schema, for editors.
  $schema: z.string({ error: ({ input }) => `has to be a string, not ${typeName(input)}` }).optional(),
  fleet: nameSchema("a Pulumi project"),
  businessId: idSchema.optional(),
  shards: z
    .int({ error: ({ input }) => `has to be a whole number of stacks, not ${typeName(input)}` })
    .min(1, "has to be 1 or more")
    .max(MOST_SHARDS, `must not be more than ${MOST_SHARDS} (our choice)`)
    .optional(),
} as const;

/** All keys of a manifest. */
export const FLEET_KEYS: readonly string[] = [...Object.keys(fleetFields), "defaults", "rollout", "sites"];

/** The problem of an unknown key. @param whole the object with the key: `a manifest` */
export function notAKey(key: string, whole: string, known: readonly string[]): string {
  return `is not a key of ${whole}${didYouMean(key, known)}`;
}

/** The problem of a key that looks like one for a secret; otherwise undefined. */
export function secretProblem(key: string): string | undefined {
  if (!SECRET.test(key)) return undefined;
  return "does not belong into a manifest, which holds no secrets: give the token in the environment, as SOLAR_CHARGING_ACCESS_TOKEN";
}
