import { partsOf } from "../../messages/names";
import { nameOf } from "../../service/device";
import { kindOf, labelOf } from "../../settings/groups";
import type { Properties } from "../../settings/objects";
import { UNKNOWN } from "../../settings/objects";
import { declaredSite } from "../../settings/planSite";
import { type DeviceKind, toPatch, type Values, withWireNames } from "../../settings/setting";
import type { Sending } from "../approval/approved";
import type { DeviceSends, Send } from "../approval/sends";
import { withBaselines } from "../device/baselines";
import type { Call } from "../device/call";
import { releaseValues } from "../device/delete";
import { acceptedOf, valuesBy } from "../device/record";
import { NotReviewedError } from "../run/errors";
import { type NotReviewed, notReviewed } from "../run/messages";
import type { Run } from "../run/run";
import { type DevicesPlan, type Plan, planDevices, planOf } from "./plan";
import { declaredAlone, devicesInState, fromSiteOutputs, type Role, type StoredDevice } from "./state";

/** The parts of a run that decide, beside a plan, which values may be sent. */
type SendingRun = Pick<Run, "store" | "configuration">;

/** A resource before and after an update, in outputs and checked inputs. */
interface ResourceUpdate {
  /** The kind of the device; undefined for a site. */
  readonly kind: DeviceKind | undefined;
  readonly name: string;
  /** Undefined for a new resource. */
  readonly olds: Properties | undefined;
  /** Undefined if the resource is deleted. */
  readonly news: Properties | undefined;
}

/** The values that an update of a resource may send. */
export function sendsOf({ kind, name, olds, news }: ResourceUpdate, run: SendingRun): DeviceSends[] {
  if (!kind && news) return sendsIn(planOf(olds && fromSiteOutputs(olds), declaredSite(news), run), run);
  const declared = kind && news ? [declaredAlone(kind, name, news)] : [];
  return sendsIn(planDevices(olds ? devicesInState(kind, name, olds) : [], declared, run), run);
}

/** The values that a plan may send. */
export function sendsIn({ devices, leaving, ...site }: DevicesPlan & Partial<Plan>, run: SendingRun): DeviceSends[] {
  const declared = devices.flatMap((device): DeviceSends[] => {
    if (device.observe) return [];
    const { businessId, deviceId, state, send, open } = device;
    const changed = { ...send, ...open };
    const values = { ...device.values, ...open };
    const given = Object.entries({ businessId, deviceId, ...values });
    const unknown = given.flatMap(([key, value]) => (value === UNKNOWN ? [key] : []));
    const sends = sendsBecause(kindIn(device, run), values, (key) => (key in changed ? "update" : "repair"));
    const drifted = Object.keys(send).filter((key) => {
      const record = state?.settings[key];
      return record?.status === "drifted" && record.ours === send[key];
    });
    return [{ label: labelOf(device), businessId, deviceId, sends, unknown, drifted }];
  });
  // While a group is unknown, nobody knows which of its devices leave.
  const open = (site.declared?.unknownGroups ?? []).map((group): DeviceSends => {
    return { label: group, businessId: "", deviceId: "", sends: [], unknown: [group] };
  });
  return [...declared, ...releasesOf(leaving, run), ...open];
}

/** The values that the release of devices may send. */
function releasesOf(devices: readonly StoredDevice[], run: SendingRun): DeviceSends[] {
  return devices
    .filter(({ observe }) => !observe)
    .map((before) => {
      const state = withBaselines(run.store, before);
      const { businessId, deviceId, onDelete: released = "retain" } = state;
      const kind = kindIn(state, run);
      const sends = [
        ...sendsBecause(kind, releaseValues(kind, state), () => "release"),
        ...sendsBecause(kind, valuesBy(state.settings, acceptedOf), () => "moved"),
      ];
      return { label: labelOf(state), businessId, deviceId, released, sends, unknown: [] };
    });
}

function kindIn(place: Pick<Role, "group">, { configuration }: SendingRun): DeviceKind {
  return withWireNames(kindOf(place), configuration().inverterFields ?? {});
}

function sendsBecause(kind: DeviceKind, values: Values, why: (setting: string) => Send["why"]): Send[] {
  return Object.entries(values).flatMap(([setting, value]) =>
    Object.keys(toPatch(kind, { [setting]: value })).map((field) => ({ setting, field, value, why: why(setting) })),
  );
}

/**
 * Refuses an operation that may send a value that nobody has approved. Without this, a site would be changed in part
 * before the guard of a device stops it.
 * @param deviceWords the device in words
 * @throws NotReviewedError before the first request
 */
export function refuseUnreviewed(
  run: Run,
  urn: string | undefined,
  sends: () => readonly DeviceSends[],
  deviceWords: (device: DeviceSends) => string,
): void {
  refuseStrange(run, urn, () =>
    sends().flatMap((ref) =>
      ref.sends
        .filter(({ why }) => why === "update" || why === "release")
        .map(({ setting, field, value }) => {
          const isRepair = ref.drifted?.includes(setting) === true;
          return { ref, device: deviceWords(ref), setting, field, value, isRepair, isPlan: true };
        }),
    ),
  );
}

/**
 * The service, with a check before each PATCH that somebody has approved its values.
 * @param kind the kind of its devices, with the configured wire names
 */
export function guarded(run: Run, urn: string | undefined, kind: DeviceKind): Call["service"] {
  const service = run.service();
  const settingOf = (field: string) =>
    Object.entries(kind.settings).find(([, { wireName }]) => wireName === field)?.[0] ?? field;
  return {
    readDevice: (...request) => service.readDevice(...request),
    confirmGone: (device) => service.confirmGone(device),
    updateDevice: async (ref, fields, signal) => {
      refuseStrange(run, urn, () =>
        Object.entries(fields as Values).map(([field, value]) => {
          // The change is reviewed, so only a read can have added the value.
          return { ref, device: nameOf(ref), setting: settingOf(field), field, value, isRepair: true };
        }),
      );
      await service.updateDevice(ref, fields, signal);
    },
  };
}

/** @throws NotReviewedError if nobody has approved one of the values for this stack and service */
function refuseStrange(run: Run, urn: string | undefined, sending: () => readonly (Sending & NotReviewed)[]): void {
  const approved = run.approved();
  if (!approved) return;
  // Any resource of the run is in the same stack.
  const { stack, project } = partsOf(urn ?? run.store.urnOfRun);
  const sender = { service: run.configuration().baseUrl, stack, project };
  const strange = sending().filter((one) => !approved.allows(sender, one));
  if (strange.length > 0) throw new NotReviewedError(notReviewed(strange, approved.digest));
}
