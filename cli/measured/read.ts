import { readFileSync } from "node:fs";
import { z } from "zod";
import { HOUSE_NOT_ENOUGH } from "../../sky/baseLoad";
import { CAR_MISTAKES } from "../../sky/declaredCar";
import { HOUSE_MISTAKES } from "../../sky/declaredHouse";
import { MISTAKES, PANEL_SETTINGS } from "../../sky/judge";
import { NOT_ENOUGH } from "../../sky/sessions";
import {
  DEVICE_VERDICTS,
  type MeasuredDevice,
  type MeasuredSites,
  SETTING_VERDICTS,
  SINGLE_SETTINGS,
} from "../view/measured";
import { bothOf } from "./device";

const panels = { azimuth: z.number(), tilt: z.number(), peakPower: z.number() };
const someMeasurement = z.object({ value: z.number(), uncertainty: z.number() });
const measurement = someMeasurement.optional();
const number = z.number().optional();

const setting = z
  .object({
    verdict: z.enum(SETTING_VERDICTS),
    mistake: z.enum([...CAR_MISTAKES, ...HOUSE_MISTAKES]).optional(),
    reason: z.enum([...NOT_ENOUGH, ...HOUSE_NOT_ENOUGH]).optional(),
    ...{ declared: number, others: number, atLeast: number, atMost: number, drawn: number, phases: number },
    ...{ amps: number, winter: number, daytime: number, sessions: number, days: number, mornings: number },
    measured: measurement,
    several: z.tuple([z.number(), z.number()]).optional(),
    from: z.enum(["battery", "charger"]).optional(),
    changedSince: z.string().optional(),
    until: z.string(),
    points: z.array(z.tuple([z.number(), z.number()])).optional(),
    night: z.array(z.number()).optional(),
  })
  .optional();

const device = z.object({
  name: z.string(),
  verdict: z.enum(DEVICE_VERDICTS),
  differs: z.array(z.enum([...PANEL_SETTINGS, ...SINGLE_SETTINGS])),
  settings: z
    .object({ maxCapacity: setting, maxChargePower: setting, baseLoad: setting, cutInThreshold: setting })
    .optional(),
  mistake: z.enum(MISTAKES).optional(),
  clearDays: number,
  declared: z.object({ ...panels, planes: z.array(z.object(panels)).optional() }).optional(),
  measured: z.object({ azimuth: measurement, tilt: measurement, peakPower: measurement }).optional(),
  planes: z.array(z.object(panels)).optional(),
  folded: z.object({ ...panels, yearLoss: number, shapeLoss: number }).optional(),
  clock: z.object({ minutesLate: z.number() }).optional(),
  clockJumps: z.array(z.object({ since: z.string(), minutesLate: z.number() })).optional(),
  day: z
    .object({
      date: z.string(),
      measured: z.array(z.number()),
      roof: z.array(z.number()),
      declared: z.array(z.number()),
    })
    .optional(),
  trend: z
    .object({
      months: z.array(z.object({ month: z.string(), peakPower: someMeasurement, clearDays: z.number() })),
      change: z.object({ since: z.string(), share: someMeasurement, before: z.number(), after: z.number() }).optional(),
    })
    .optional(),
});

const schema = z.object({
  sites: z.array(
    z.object({
      name: z.string(),
      vehicles: z.array(device).optional(),
      inverters: z.array(device).optional(),
    }),
  ),
});

/** Reads the file that `measure --write` has written. @throws Error if it is another file */
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
    throw new Error(`${file} is not a result of 'solar-charging measure --write': give the file that it wrote`);
  return read.data;
}

/** The measurements of both files. For a setting that both have, `later` counts. */
export function mergedMeasured(earlier: MeasuredSites, later: MeasuredSites): MeasuredSites {
  const merged = new Map(earlier.sites.map((site) => [site.name, site]));
  for (const { name, vehicles, inverters } of later.sites) {
    const known = merged.get(name);
    merged.set(name, {
      name,
      vehicles: mergedDevices(known?.vehicles, vehicles),
      inverters: mergedDevices(known?.inverters, inverters),
    });
  }
  return { sites: [...merged.values()] };
}

function mergedDevices(earlier: Devices = [], later: Devices = []): Devices {
  const own = new Map(earlier.map((one) => [one.name, one]));
  for (const one of later) {
    const known = own.get(one.name);
    own.set(one.name, known ? bothOf(known, one) : one);
  }
  return [...own.values()];
}

type Devices = readonly MeasuredDevice[];

/** The measurement of a device of a site. */
export function measuredOf(
  measured: MeasuredSites | undefined,
  site: string,
  group: "vehicles" | "inverters",
  device: string,
): MeasuredDevice | undefined {
  return measured?.sites.find(({ name }) => name === site)?.[group]?.find(({ name }) => name === device);
}
