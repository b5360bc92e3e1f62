import { readFileSync } from "node:fs";
import { z } from "zod";
import { MISTAKES, PANEL_SETTINGS } from "../../sky/judge";
import type { MeasuredInverter, MeasuredSites } from "../view/measured";

const panels = { azimuth: z.number(), tilt: z.number(), peakPower: z.number() };
const measurement = z.object({ value: z.number(), uncertainty: z.number() }).optional();

const schema: z.ZodType<MeasuredSites> = z.object({
  sites: z.array(
    z.object({
      name: z.string(),
      inverters: z.array(
        z.object({
          name: z.string(),
          verdict: z.enum(["agrees", "differs", "notEnough", "severalPlanes"]),
          differs: z.array(z.enum(PANEL_SETTINGS)),
          mistake: z.enum(MISTAKES).optional(),
          clearDays: z.number(),
          declared: z.object({ ...panels, planes: z.array(z.object(panels)).optional() }),
          measured: z.object({ azimuth: measurement, tilt: measurement, peakPower: measurement }).optional(),
          planes: z.array(z.object(panels)).optional(),
          folded: z.object({ ...panels, yearLoss: z.number().optional(), shapeLoss: z.number().optional() }).optional(),
          clock: z.object({ minutesLate: z.number() }).optional(),
          day: z
            .object({
              date: z.string(),
              measured: z.array(z.number()),
              roof: z.array(z.number()),
              declared: z.array(z.number()),
            })
            .optional(),
        }),
      ),
    }),
  ),
});

/** Reads the file that `roof --write` has written. @throws Error if it is another file */
export function readMeasured(file: string): MeasuredSites {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${file} cannot be read (${code ?? message})`);
  }
  const read = schema.safeParse(json);
  if (!read.success)
    throw new Error(`${file} is not a result of 'solar-charging roof --write': give the file that it wrote`);
  return read.data;
}

/** The same as `earlier`, with the sites and inverters of `later` in place of those of the same name. */
export function mergedMeasured(earlier: MeasuredSites, later: MeasuredSites): MeasuredSites {
  const merged = new Map(earlier.sites.map(({ name, inverters }) => [name, inverters]));
  for (const { name, inverters } of later.sites) {
    const own = new Map((merged.get(name) ?? []).map((one) => [one.name, one]));
    for (const one of inverters) own.set(one.name, one);
    merged.set(name, [...own.values()]);
  }
  return { sites: [...merged].map(([name, inverters]) => ({ name, inverters })) };
}

/** The measurement of an inverter of a site. */
export function measuredOf(
  measured: MeasuredSites | undefined,
  site: string,
  inverter: string,
): MeasuredInverter | undefined {
  return measured?.sites.find(({ name }) => name === site)?.inverters.find(({ name }) => name === inverter);
}
