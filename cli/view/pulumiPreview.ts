import { z } from "zod";
import { isObject } from "../../provider/settings/objects";

const stateSchema = z.looseObject({
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
  parent: z.string().optional(),
  provider: z.string().optional(),
});

const schema = z.looseObject({
  steps: z
    .array(
      z.looseObject({
        op: z.string(),
        urn: z.string(),
        oldState: stateSchema.nullish(),
        newState: stateSchema.nullish(),
      }),
    )
    .default([]),
  diagnostics: z
    .array(z.looseObject({ urn: z.string().default(""), message: z.string(), severity: z.string() }))
    .default([]),
  config: z.record(z.string(), z.unknown()).default({}),
  changeSummary: z.record(z.string(), z.number()).default({}),
});

/** The parts of the output of `pulumi preview --json` that the commands use. */
export type Preview = z.infer<typeof schema>;
export type PreviewState = z.infer<typeof stateSchema>;

/** The output of `pulumi preview --json`; undefined if it is something else, or has no result at all. */
export function previewIn(json: unknown): Preview | undefined {
  if (!isObject(json)) return undefined;
  const { data } = schema.safeParse(json);
  const isEmpty = !data || data.steps.length + data.diagnostics.length + Object.keys(data.changeSummary).length === 0;
  return isEmpty ? undefined : data;
}
