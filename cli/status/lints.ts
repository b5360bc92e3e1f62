import type { ManifestDevice, Site } from "../../provider/manifest/model";
import { textOf } from "../../provider/messages/message";
import { type LintName, lint } from "../../provider/settings/lints";
import { keysOf, pick, type Values } from "../../provider/settings/setting";
import { GROUP_NAMES, type Group, kindOf, labelOf } from "../../provider/settings/site";
import { lintsBesideSite, siteLints } from "../../provider/settings/siteLints";

/** Warnings of a site and its devices. */
export interface Lints {
  readonly ofSite: readonly string[];
  readonly ofDevices: ReadonlyMap<string, readonly string[]>;
}

/**
 * The lints of a site as its manifest declares it. A stack's state does not have which lints its program switches off.
 */
export function lintsOf(site: Site): Lints {
  const { ignoreLints = [] } = site;
  const inverters = Object.values(site.inverters ?? {});
  const declared = GROUP_NAMES.flatMap((group) =>
    Object.entries(site[group] ?? {}).flatMap(([name, device]) =>
      device.observe ? [] : [{ group, label: labelOf({ group, name }), device }],
    ),
  );
  const ofDevices = declared.map(
    ({ group, label, device }) => [label, lintsOfDevice(group, device, site, inverters)] as const,
  );
  const inputs = declared.map(({ label, device }) => ({ label, inputs: device }));
  return { ofSite: siteLints(inputs, ignoreLints).map((one) => textOf(one)), ofDevices: new Map(ofDevices) };
}

function lintsOfDevice(
  group: Group,
  device: ManifestDevice,
  { latitude, ignoreLints = [] }: Site,
  inverters: readonly ManifestDevice[],
): string[] {
  const kind = kindOf({ group });
  const own = (device.ignoreLints ?? []) as readonly LintName[];
  const ignore = [...ignoreLints, ...own, ...lintsBesideSite(device, inverters)];
  const values = pick(device, keysOf(kind)) as Values;
  return lint(kind, values, { unknownKeys: new Set(), latitude, ignore }).map((one) => textOf(one));
}
