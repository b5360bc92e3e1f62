import { z } from "zod";
import { typeName } from "../settings/explain";
import { idSchema } from "../settings/schema";
import { isReserved } from "../settings/site";
import { textsSchema } from "./rollout";

/** The form of the name of a fleet or a site, which is also the name of a Pulumi project or resource. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Longest name: the limit of Pulumi's backends for a project (our choice for a site). */
export const LONGEST_NAME = 100;

/** Maximum number of stacks of a fleet (our choice). */
export const MOST_SHARDS = 10_000;

const notStacks = {
  error: ({ input }: { readonly input?: unknown }) =>
    `must be a whole number of stacks from 1 to ${MOST_SHARDS}, not ${typeName(input)}`,
};

const nameSchema = (what: string) =>
  z
    .string({
      error: ({ input }) =>
        input === undefined ? `is required: a name for ${what}` : `must be a text, not ${typeName(input)}`,
    })
    .regex(NAME, {
      error: ({ input }) => {
        const id = idOf(String(input));
        return `may have only letters, digits, ".", "_" and "-", and must start with a letter or digit, because it names ${what}${id && `: write ${id}`}`;
      },
    })
    .max(LONGEST_NAME, `must not be longer than ${LONGEST_NAME} characters`);

/** The id of a site. */
const siteIdSchema = nameSchema("a resource").refine(
  (id) => !isReserved(id),
  "choose another id: every JavaScript object has a property of this name",
);

/** Letters that an id spells in another way. */
const SPELLED = new Map(
  Object.entries({ ä: "ae", æ: "ae", å: "aa", đ: "d", ł: "l", ö: "oe", ø: "oe", œ: "oe", ß: "ss", ü: "ue" }),
);

/** The id of a site with this name: `bad-homburg`, `muenchen`. Undefined if no letter or digit of it can be in an id. */
export function siteIdOf(name: string): string | undefined {
  const id = idOf(name);
  return siteIdSchema.safeParse(id).success ? id : undefined;
}

/** A name in the letters of an id. Empty if it has none of them. */
function idOf(name: string): string {
  const letters = [...name.toLowerCase().normalize("NFC")].map((letter) => SPELLED.get(letter) ?? letter).join("");
  return letters
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** The problem of the id of a site, with an id for it if it is the name of a place. */
export function siteIdProblem(id: unknown): string | undefined {
  const { error } = siteIdSchema.safeParse(id);
  if (!error) return undefined;
  const isName = typeof id === "string" && siteIdOf(id) !== undefined;
  return `${error.issues[0]?.message}${isName ? `, with title: ${JSON.stringify(id)}` : ""}`;
}

const anything = z.unknown().optional();

/** The schema of a manifest. Its sites and what applies to them have checks of their own. */
export const fleetSchema = z
  .object({
    // The address of the file's schema, for editors.
    $schema: z.string({ error: ({ input }) => `must be a text, not ${typeName(input)}` }).optional(),
    fleet: nameSchema("a Pulumi project"),
    businessId: idSchema.optional(),
    shards: z.int(notStacks).min(1, notStacks).max(MOST_SHARDS, notStacks).optional(),
    ...{ defaults: anything, rollout: anything, sites: anything },
  })
  .describe("a manifest");

/**
 * The schemas of the keys of a site that are no arguments of a `SiteSettings`, each by itself: without the labels, a wrong
 * title would make the waves that use them wrong too.
 */
export const titleSchema = z.object({ title: idSchema.optional() });
export const labelsSchema = z.object({ labels: textsSchema("labels").optional() });

/** The schemas of defaults: of a site, for its devices; of the fleet, for its sites too. */
export const siteDefaultsSchema = z.object({ vehicle: anything, inverter: anything }).describe("defaults");
export const fleetDefaultsSchema = siteDefaultsSchema
  .extend({ solar: anything, latitude: anything })
  .describe("defaults");
