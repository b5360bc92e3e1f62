import { Document, Scalar, type YAMLMap } from "yaml";
import { nameOf } from "../../provider/service/device";
import { inverter } from "../../provider/settings/inverter";
import type { DeviceKind } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import { grouped } from "../grouped";
import { type Declarable, declarable } from "./declarable";
import { type DefaultsAt, NO_DEFAULTS } from "./defaults";
import type { Reading } from "./journal";
import type { Names } from "./names";
import type { Failed } from "./readings";
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
  /** The devices that are in it, of those that were to be. */
  readonly written: readonly Adopted[];
  /** Those that are not, because defaults do not fit them. */
  readonly misfits: readonly Failed[];
  /** How many settings have to be supplied by hand. */
  readonly missing: number;
  /** What somebody has to look at: `device 'car': maxCapacity …`. */
  readonly warnings: readonly string[];
}

/** What holds where devices are written. */
export interface Place {
  /** The business of devices that do not give theirs. */
  readonly businessId: string | undefined;
  readonly names: Names;
  /** Whether the site is made ready for solar-aware charging. */
  readonly isSolar?: boolean;
}

const NOT_SOLAR = `
Nothing changes by the adoption. To have the site made ready for solar-aware charging: supply what is missing below, take
out the vehicles' policy, which the site sets then, and write solar: true.`;

const OUTSIDE = "policy leaves the vehicle out of the site's readiness; take it out to have the site set it";

/** What can be declared of each device. */
export type Looked = ReadonlyMap<Adopted, Declarable>;

export function look(devices: readonly Adopted[], defaultsAt: DefaultsAt = NO_DEFAULTS): Looked {
  return new Map(
    devices.map((one) => {
      const { kind, device, reading } = one;
      return [one, declarable(kind, reading.reported, defaultsAt(kind, device.site))];
    }),
  );
}

/** What a person is told of devices. */
export function toldOf(looked: Looked): Omit<ManifestText, "text"> {
  const written = [...looked].filter(([, { misfit }]) => misfit === undefined);
  return {
    written: written.map(([one]) => one),
    misfits: [...looked].flatMap(([{ device }, { misfit }]) => {
      if (misfit === undefined) return [];
      const reason = `the defaults do not fit what ${nameOf(device)} reports: ${misfit}`;
      return [{ device, reason: `${reason}. Correct them, or add it by hand with a value of its own` }];
    }),
    missing: written.reduce(
      (sum, [, { remarks, defaulted }]) => sum + Object.keys(remarks).length - defaulted.length,
      0,
    ),
    warnings: [
      ...written.flatMap(([{ device }, { remarks, refused }]) =>
        refused.map((key) => `device '${device.deviceId}': ${remarks[key]}`),
      ),
      ...defaulted(written.map(([, { defaulted }]) => defaulted)),
    ],
  };
}

/** That the next update changes devices, and which settings it sends. */
function defaulted(keys: readonly (readonly string[])[]): string[] {
  const devices = keys.filter(({ length }) => length > 0).length;
  if (devices === 0) return [];
  const counts = [...grouped(keys.flat(), (key) => key)].map(([key, { length }]) => `${key} (${length})`);
  return [
    `defaults of the manifest declare what ${devices} of these devices do not report: ${counts.join(", ")}. The next up ` +
      "sends it: look at a preview, and give a device its own value where the default is not right for it",
  ];
}

/** The devices of a site that are of one kind, each as an item of the list of them. */
export function memberNodes(kind: DeviceKind, devices: readonly Adopted[], looked: Looked, place: Place): YAMLMap[] {
  const ids = grouped(devices, ({ device }) => device.deviceId);
  return devices
    .filter((one) => one.kind === kind)
    .map((one) => {
      const { deviceId, businessId } = one.device;
      const name = place.names.nameFor(one.device, (ids.get(deviceId)?.length ?? 0) > 1);
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
