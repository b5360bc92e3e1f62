import { z } from "zod";
import { bothOf } from "../../measure/results/device";
import type { MeasuredDevice, MeasuredSites } from "../../measure/results/model";
import { parsedJson, readGiven } from "../files";

/** The form of the file, which `npm run schema` makes of its types. Other versions may have other keys. */
function form(): z.ZodType {
  const { $schema, definitions } = require("../../../schema/output.schema.json");
  const isOpen = (key: string, value: unknown) => (key === "additionalProperties" ? undefined : value);
  const ofFile = { $schema, definitions, $ref: "#/definitions/MeasuredSites" };
  return z.fromJSONSchema(JSON.parse(JSON.stringify(ofFile, isOpen)));
}

/** Reads the file that `measure --write` has written. @throws Error if it is another file */
export function readMeasured(file: string): MeasuredSites {
  const json = parsedJson(readGiven(file).toString("utf8"));
  if (!form().safeParse(json).success)
    throw new Error(`${file} is not a result of 'solar-charging measure --write': give the file that it wrote`);
  return json as MeasuredSites;
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

export function measuredOf(
  measured: MeasuredSites | undefined,
  site: string,
  group: "vehicles" | "inverters",
  device: string,
): MeasuredDevice | undefined {
  return measured?.sites.find(({ name }) => name === site)?.[group]?.find(({ name }) => name === device);
}
