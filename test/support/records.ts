import type { Managed, Records } from "../../provider/lifecycle/device/record";
import type { Properties } from "../../provider/settings/objects";
import type { Values } from "../../provider/settings/setting";

/** The records of settings that read back as declared. */
export function verified(values: Values, baseline: Values = {}): Readonly<Record<string, Managed>> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]): [string, Managed] => {
      const before = baseline[key];
      return [key, { status: "verified", value, ...(before !== undefined && { baseline: before }) }];
    }),
  );
}

/** The records of a resource's outputs, by setting. */
export function settingsIn(outputs: Properties | undefined): Readonly<Record<string, Properties>> {
  return (outputs?.settings ?? {}) as Readonly<Record<string, Properties>>;
}

/** One property of the records, by setting, without the settings that have none. */
export function eachIn(outputs: { readonly settings?: unknown } | undefined, property: string): Properties {
  const records = Object.entries((outputs?.settings ?? {}) as Records);
  const found = records.map(([key, record]) => [key, (record as unknown as Properties)[property]] as const);
  return Object.fromEntries(found.filter(([, one]) => one !== undefined));
}
