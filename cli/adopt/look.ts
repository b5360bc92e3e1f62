import { isSolar, type Site } from "../../provider/manifest/model";
import { nameOf } from "../../provider/service/device";
import type { DeviceKind } from "../../provider/settings/setting";
import { grouped } from "../grouped";
import { type Declarable, declarable } from "./declarable";
import { type DefaultsAt, NO_DEFAULTS } from "./defaults";
import type { Listed } from "./devices";
import type { Failed, Reading } from "./readings";

/** A device whose kind is known. */
export interface Adopted {
  readonly device: Listed;
  readonly kind: DeviceKind;
  readonly reading: Reading;
}

/** The declarations of each device. */
export type Looked = ReadonlyMap<Adopted, Declarable>;

/** The outcome of devices, and their messages. */
export interface Outcome {
  readonly written: readonly Adopted[];
  /** Those that are left out, because defaults do not fit them. */
  readonly misfits: readonly Failed[];
  /** How many settings have to be supplied by hand. */
  readonly missing: number;
  /** What somebody has to look at: `device 'car': maxCapacity …`. */
  readonly warnings: readonly string[];
}

const LEFT_OUT = "policy leaves the vehicle out of the site's readiness; remove it to have the site set it";

export function look(devices: readonly Adopted[], defaultsAt: DefaultsAt = NO_DEFAULTS): Looked {
  return new Map(
    devices.map((one) => [one, declarable(one.kind, one.reading.reported, defaultsAt(one.kind, one.device.site))]),
  );
}

export function outcomeOf(looked: Looked): Outcome {
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
      ...defaultWarnings(written.map(([, { defaulted }]) => defaulted)),
    ],
  };
}

/** Warns that the next update changes devices, and which settings it sends. */
function defaultWarnings(keys: readonly (readonly string[])[]): string[] {
  const devices = keys.filter(({ length }) => length > 0).length;
  if (devices === 0) return [];
  const counts = [...grouped(keys.flat(), (key) => key)].map(([key, { length }]) => `${key} (${length})`);
  return [
    `defaults of the manifest declare what ${devices} of these devices do not report: ${counts.join(", ")}. The next up ` +
      "sends it: look at a preview, and give a device its own value if the default is not right for it",
  ];
}

/** A comment about a device. @param site its site, if the manifest has it */
export function remarksOn(one: Adopted, looked: Looked, site: Site | undefined): string[] {
  const { values = {}, remarks = {} } = looked.get(one) ?? {};
  const isLeftOut = site !== undefined && isSolar(site) && values.policy !== undefined;
  return [...Object.values(remarks), ...(isLeftOut ? [LEFT_OUT] : [])];
}
