import { Document, Scalar, type YAMLMap } from "yaml";
import type { DeviceKind } from "../../provider/settings/setting";
import { type Declarable, declarable } from "./declarable";
import type { Reading } from "./journal";
import type { Wanted } from "./wanted";

/** A device of which it is known what kind it is. */
export interface Adopted {
  readonly device: Wanted;
  readonly kind: DeviceKind;
  readonly reading: Reading;
}

/** A manifest in YAML, and what a person is told of it. */
export interface ManifestText {
  readonly text: string;
  /** How many settings have to be supplied by hand. */
  readonly missing: number;
  /** What is reported and cannot be declared: `device 'car': maxCapacity …`. */
  readonly warnings: readonly string[];
}

const HEAD = `
What the service's cache shows of these devices. Numbers are in Wh, W and degrees. A comment at the end of a device names
each setting that is not shown, or that somebody has to look at: nothing of it is declared, or sent.`;

const NOT_SOLAR = `
Nothing changes by the adoption. To have the site made ready for solar-aware charging: supply what is missing below, take
out the vehicles' policy, which the site sets then, and write solar: true.`;

/** Writes the manifest of adopted devices, in the order in which they are given. @param businessId of the fleet */
export function manifestText(fleet: string, businessId: string | undefined, devices: readonly Adopted[]): ManifestText {
  const document = new Document({ fleet, ...(businessId !== undefined && { businessId }) });
  document.commentBefore = commentOf(HEAD);
  const looked = new Map(devices.map((one) => [one, declarable(one.kind, one.reading.reported)]));
  const sites = [...grouped(devices, ({ device }) => device.site)].map(([id, members]) => {
    const isOneOfTwo = repeated(members.map(({ device }) => device.deviceId));
    const nodes = (name: string) =>
      members
        .filter(({ kind }) => kind.name === name)
        .map((one) => memberNode(document, one, looked.get(one) as Declarable, { businessId, isOneOfTwo }));
    return siteNode(document, id, nodes("vehicle"), nodes("inverter"));
  });
  document.set("sites", document.createNode(sites));
  const all = [...looked];
  return {
    // A folded text would be the same text, and harder to find.
    text: document.toString({ lineWidth: 0 }),
    missing: all.reduce((sum, [, { remarks }]) => sum + Object.keys(remarks).length, 0),
    warnings: all.flatMap(([{ device }, { remarks, refused }]) =>
      refused.map((key) => `device '${device.deviceId}': ${remarks[key]}`),
    ),
  };
}

function siteNode(document: Document, id: string, vehicles: YAMLMap[], inverters: YAMLMap[]): YAMLMap {
  const site = document.createNode({ id }) as YAMLMap;
  if (inverters.length > 0) {
    const key = new Scalar("solar");
    key.commentBefore = commentOf(NOT_SOLAR);
    site.add(document.createPair(key, false));
  }
  if (vehicles.length > 0) site.set("vehicles", document.createNode(vehicles));
  if (inverters.length > 0) site.set("inverters", document.createNode(inverters));
  return site;
}

interface Place {
  readonly businessId: string | undefined;
  /** Whether the site has another device of this id, which is of another business. */
  readonly isOneOfTwo: (deviceId: string) => boolean;
}

function memberNode(
  document: Document,
  { device: { deviceId, businessId } }: Adopted,
  { values, remarks }: Declarable,
  place: Place,
): YAMLMap {
  const member = document.createNode({
    deviceId,
    ...(place.isOneOfTwo(deviceId) && { name: `${businessId}-${deviceId}` }),
    ...(businessId !== place.businessId && { businessId }),
    ...values,
  }) as YAMLMap;
  const lines = Object.values(remarks);
  if (lines.length > 0) member.comment = commentOf(lines.join("\n"));
  return member;
}

function commentOf(text: string): string {
  return text.trim().replace(/^/gm, " ");
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

function repeated(texts: readonly string[]): (text: string) => boolean {
  const groups = grouped(texts, (text) => text);
  return (text) => (groups.get(text)?.length ?? 0) > 1;
}
