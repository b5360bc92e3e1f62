import { isDeepStrictEqual } from "node:util";
import { createTwoFilesPatch } from "diff";
import { CST, isAlias, isMap, isScalar, type Pair, Scalar, type YAMLMap } from "yaml";
import { parseManifest, readManifestText } from "../../provider/manifest/manifest";
import { type Manifest, type Member, membersOf } from "../../provider/manifest/model";
import { type Group, kindOf, labelOf, placeOf } from "../../provider/settings/groups";
import { FOLDED } from "../../provider/settings/planes";
import type { Value } from "../../provider/settings/setting";
import { quantityText } from "../../provider/settings/units";
import { isInRange } from "../../provider/settings/valueOf";
import { type EditableText, editable } from "../edit/edit";
import { replaceFile } from "../files";
import type { Review } from "../review/review";
import type { SettingChange } from "../view/model";
import type { FleetOptions } from "./options";

/** A setting that somebody else has changed: `from` is the applied value, `to` the reported one. */
export interface Drift extends SettingChange {
  readonly site: string;
  /** `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
}

/** The reasons why a value is not written. */
const REASONS = {
  notDeclared: "the manifest does not declare it at this place",
  notApplied:
    'the manifest declares another value that is not applied yet: run "fleet up" first, or remove that change',
  notReported: "the service no longer reports it",
  outOfRange: "the reported value cannot be declared, because it is out of range",
  planes: "the manifest declares planes, from which it is computed: change them by hand",
  shared: "it is written in lines that other devices use too, with &, * or <<: change it by hand",
};

/**
 * Writes the drift that a run has found into its manifest.
 * @returns the difference as a patch, empty without one, and a line for each value that is not written
 * @throws Error if the manifest cannot be read or written
 */
export function acceptInto(
  { manifest, site, setting }: Pick<FleetOptions, "manifest" | "site" | "setting">,
  { sites }: Pick<Review, "sites">,
): { readonly patch: string; readonly left: readonly string[] } {
  const isWanted = (drift: Drift) => (site?.includes(drift.site) ?? true) && (setting?.includes(drift.setting) ?? true);
  const drifts = sites
    .flatMap(({ name, drift }) =>
      drift.flatMap(({ label, kind, settings }) =>
        kind === "changed" ? settings.map((change) => ({ site: name, label, ...change })) : [],
      ),
    )
    .filter((one) => !one.secret && isWanted(one));
  const text = readManifestText(manifest);
  const { text: after, left } = acceptDrift(manifest, text, drifts);
  const lines = left.map(
    ({ drift: { site, label, setting }, code }) => `${site} ${label}: ${setting}: ${REASONS[code]}`,
  );
  if (after === text) return { patch: "", left: lines };
  replaceFile(manifest, after);
  return { patch: createTwoFilesPatch(manifest, manifest, text, after, "", "", { context: 2 }).trimEnd(), left: lines };
}

type LeftReason = keyof typeof REASONS;

/**
 * Writes reported values into a manifest. All other characters stay, so that comments, order and layout do. A value
 * that comes from defaults is written to the device itself.
 * @param file its name, for messages
 * @returns also the drifts that are written and those that are left
 * @throws Error if the manifest would then declare anything else, or would be invalid
 */
export function acceptDrift(file: string, text: string, drifts: readonly Drift[]) {
  const manifest = parseManifest(text, file);
  const members = new Map(
    manifest.sites.flatMap((site) => membersOf(site).map((one) => [idOf(site.id, labelOf(one)), one])),
  );
  const edited = editable(text);
  const accepted: Drift[] = [];
  const left: { readonly drift: Drift; readonly code: LeftReason }[] = [];
  for (const drift of drifts) {
    const code = problemOf(members.get(idOf(drift.site, drift.label)), drift);
    if (code) left.push({ drift, code });
    else if (declare(edited, drift)) accepted.push(drift);
    else left.push({ drift, code: "shared" });
  }
  const changed = edited.toString();
  if (!isDeepStrictEqual(parseManifest(changed, file), withDrift(manifest, accepted))) {
    throw new Error(`${file} is not changed, because its layout is not understood: write the values by hand`);
  }
  return { text: changed, accepted, left };
}

function idOf(site: string, label: string): string {
  return JSON.stringify([site, label]);
}

/** The reason why a value cannot be declared; undefined if it can. */
function problemOf(member: Member | undefined, { setting: key, from, to }: Drift): LeftReason | undefined {
  if (!member) return "notDeclared";
  if (to === undefined) return "notReported";
  const isComputed = (FOLDED as readonly string[]).includes(key) && member.planes !== undefined;
  if (isComputed) return "planes";
  const declared = member.values[key];
  // A policy that is not declared is the site's.
  if (declared === undefined && key !== "policy") return "notDeclared";
  if (declared !== undefined && declared !== from) return "notApplied";
  return isInRange(key, to as Value) ? undefined : "outOfRange";
}

/** Declares a reported value. Returns false, and changes nothing, if other devices share the place. */
function declare(text: EditableText, { site, label, setting: key, to }: Drift): boolean {
  const { group, name } = placeOf(label) as { group: Group; name: string };
  const device = ["sites", site, group, name].reduce<unknown>(
    (node, part) => ownPair(node, part)?.value,
    text.contents,
  );
  if (!isOwnMap(device)) return false;
  const pair = ownPair(device, key);
  if (!pair) return add(text, device, key, to as Value);
  const { value } = pair as Pair<unknown, { srcToken: CST.Token }>;
  if (isAlias(value)) CST.setScalarValue(value.srcToken, String(to));
  else if (!isScalar(value) || value.anchor) return false;
  else setInForm(value, key, group, to as Value);
  return true;
}

/** The pair of a key in a map that no other place of the manifest uses. */
function ownPair(node: unknown, key: string): Pair | undefined {
  return isOwnMap(node) ? node.items.find((pair) => isScalar(pair.key) && pair.key.value === key) : undefined;
}

function isOwnMap(node: unknown): node is YAMLMap {
  return isMap(node) && !node.anchor;
}

/** Adds a key to a device. Returns whether its layout allows it. */
function add(text: EditableText, device: YAMLMap, key: string, value: Value): boolean {
  if (text.append(device, `${key}: ${value}\n`)) return true;
  const last = device.items.at(-1);
  if (!isScalar(last?.key) || !isScalar(last.value)) return false;
  const isJson = last.key.type === Scalar.QUOTE_DOUBLE;
  const source = isJson ? `, ${JSON.stringify(key)}: ${JSON.stringify(value)}` : `, ${key}: ${value}`;
  const token = last.value.srcToken as CST.FlowScalar;
  token.end = [{ type: "space", offset: -1, indent: -1, source }, ...(token.end ?? [])];
  return true;
}

/** Sets a value in the form of the one that it replaces: with a unit, in quotes. */
function setInForm({ value: old, srcToken }: Scalar, key: string, group: Group, value: Value): void {
  const setting = kindOf({ group }).settings[key];
  const hasUnit = typeof old === "string" && /\d/.test(old) && setting?.type === "number" && typeof value === "number";
  const form = hasUnit ? quantityText(setting.unit, value) : value;
  const type = typeof form === "number" ? { type: "PLAIN" as const } : {};
  CST.setScalarValue(srcToken as CST.Token, String(form), { afterKey: true, ...type });
}

/** A manifest in which the devices declare the reported values. */
function withDrift(manifest: Manifest, drifts: readonly Drift[]): Manifest {
  const after = structuredClone(manifest);
  const sites = new Map(after.sites.map((site) => [site.id, site]));
  for (const { site, label, setting: key, to } of drifts) {
    const { group, name } = placeOf(label) as { group: Group; name: string };
    Object.assign(sites.get(site)?.[group]?.[name] ?? {}, { [key]: to });
  }
  return after;
}
