import { z } from "zod";

const stateSchema = z.looseObject({
  type: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
});

/** What `pulumi preview --json` prints, as far as it matters here. */
export const previewSchema = z.looseObject({
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
  changeSummary: z.record(z.string(), z.number()).default({}),
});
export type Preview = z.infer<typeof previewSchema>;
export type PreviewStep = Preview["steps"][number];
export type State = z.infer<typeof stateSchema>;
