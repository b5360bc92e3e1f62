import { Document, Scalar, type YAMLMap } from "yaml";
import { inverter } from "../../provider/settings/inverter";
import type { DeviceKind } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import { grouped } from "../grouped";
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
  /** What somebody has to look at: `device 'car': maxCapacity …`. */
  readonly warnings: readonly string[];
}

/** What holds where devices are written. */
export interface Place {
  /** The business of devices that do not give theirs. */
  readonly businessId: string | undefined;
  /** Names that devices of the site have already. */
  readonly names?: ReadonlySet<string>;
  /** Whether the site is made ready for solar-aware charging. */
  readonly isSolar?: boolean;
}

const NOT_SOLAR = `
Nothing changes by the adoption. To have the site made ready for solar-aware charging: supply what is missing below, take
out the vehicles' policy, which the site sets then, and write solar: true.`;

const OUTSIDE = "policy leaves the vehicle out of the site's readiness; take it out to have the site set it";

/** What can be declared of each device. */
export type Looked = ReadonlyMap<Adopted, Declarable>;

export function look(devices: readonly Adopted[]): Looked {
  return new Map(devices.map((one) => [one, declarable(one.kind, one.reading.reported)]));
}

/** What a person is told of devices. */
export function toldOf(looked: Looked): Pick<ManifestText, "missing" | "warnings"> {
  const all = [...looked];
  return {
    missing: all.reduce((sum, [, { remarks }]) => sum + Object.keys(remarks).length, 0),
    warnings: all.flatMap(([{ device }, { remarks, refused }]) =>
      refused.map((key) => `device '${device.deviceId}': ${remarks[key]}`),
    ),
  };
}

/** The devices of a site that are of one kind, each as an item of the list of them. */
export function memberNodes(kind: DeviceKind, devices: readonly Adopted[], looked: Looked, place: Place): YAMLMap[] {
  const ids = grouped(devices, ({ device }) => device.deviceId);
  return devices
    .filter((one) => one.kind === kind)
    .map((one) => {
      const { deviceId, businessId } = one.device;
      const isOneOfTwo = place.names?.has(deviceId) || (ids.get(deviceId)?.length ?? 0) > 1;
      // A manifest takes no asterisk in a name.
      const name = (isOneOfTwo ? `${businessId}-${deviceId}` : deviceId).replaceAll("*", "_");
      const { values, remarks } = looked.get(one) as Declarable;
      const member = new Document().createNode({
        deviceId,
        ...(name !== deviceId && { name }),
        ...(businessId !== place.businessId && { businessId }),
        ...values,
      }) as YAMLMap;
      const lines = Object.values(remarks);
      if (place.isSolar && values.policy !== undefined) lines.push(OUTSIDE);
      if (lines.length > 0) member.comment = commentOf(lines.join("\n"));
      return member;
    });
}

/** A new site. */
export function siteNode(id: string, devices: readonly Adopted[], looked: Looked, place: Place): YAMLMap {
  const site = new Document().createNode({ id }) as YAMLMap;
  const inverters = memberNodes(inverter, devices, looked, place);
  if (inverters.length > 0) addNotSolar(site);
  const vehicles = memberNodes(vehicle, devices, looked, place);
  if (vehicles.length > 0) site.set("vehicles", vehicles);
  if (inverters.length > 0) site.set("inverters", inverters);
  return site;
}

/** `solar: false`, with what has to be done for another answer. */
export function addNotSolar(site: YAMLMap): void {
  const key = new Scalar("solar");
  key.commentBefore = commentOf(NOT_SOLAR);
  site.add(new Document().createPair(key, false));
}

export function commentOf(text: string): string {
  return text.trim().replace(/^/gm, " ");
}

/** YAML as it is written here. A folded text would be the same text, and harder to find. */
export function yamlOf(document: Document): string {
  return document.toString({ lineWidth: 0 });
}
