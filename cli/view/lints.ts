import type { Site } from "../../provider/manifest/model";
import type { Message } from "../../provider/messages/message";
import { GROUP_NAMES, type Group, kindOf, labelOf } from "../../provider/settings/groups";
import { ignoredBy, lint } from "../../provider/settings/lints";
import type { Properties } from "../../provider/settings/objects";
import { declaredValues, planesOf } from "../../provider/settings/planes";
import { lintsBesideSite, siteLints } from "../../provider/settings/siteLints";

/** The declarations of a site: from a manifest, or after a check. A text in place of a latitude stands for a secret. */
export type DeclaredSite = Pick<Site, (typeof GROUP_NAMES)[number] | "ignoreLints"> & { readonly latitude?: unknown };

/**
 * The lints of a site as messages: those of all inverters together, and those of each device, by its label.
 * @param hidden the secret settings of each device, by its label. Their values are missing, but lints must not report
 * them as missing
 */
export function lintMessagesOf(
  site: DeclaredSite,
  hidden: ReadonlyMap<string, readonly string[] | undefined>,
): {
  readonly ofSite: readonly Message[];
  readonly ofDevices: ReadonlyMap<string, readonly Message[]>;
} {
  const { latitude, ignoreLints = [] } = site;
  const inverters = Object.values(site.inverters ?? {});
  const declared = GROUP_NAMES.flatMap((group) =>
    Object.entries(site[group] ?? {}).flatMap(([name, device]) =>
      device.observe ? [] : [{ group, label: labelOf({ group, name }), device }],
    ),
  );
  const ofDevices = declared.map(({ group, label, device }) => {
    const ignored = [...ignoreLints, ...ignoredBy(device), ...lintsBesideSite(device, inverters)];
    return [label, lintsOfDevice(group, { ...device, latitude, ignoreLints: ignored }, hidden.get(label))] as const;
  });
  const inputs = declared.map(({ group, label, device }) => ({
    label,
    inputs: declaredValues(kindOf({ group }), device, latitude),
  }));
  return { ofSite: siteLints(inputs, ignoreLints), ofDevices: new Map(ofDevices) };
}

/** The lints of one device. @param hidden its secret settings */
export function lintsOfDevice(group: Group, device: Properties, hidden: readonly string[] = []): Message[] {
  const kind = kindOf({ group });
  const { latitude } = device;
  return lint(kind, declaredValues(kind, device, latitude), {
    unknownKeys: new Set(hidden),
    ...(typeof latitude === "number" && { latitude }),
    planes: planesOf(device),
    // Without a latitude, its advice is to declare one.
    ignore: [...ignoredBy(device), ...(typeof latitude === "string" ? ["azimuth-off-equator" as const] : [])],
  });
}
