import type { Sender } from "../../approval/approved";
import { type DeviceSends, sealedSends } from "../../approval/sends";
import { placeIn } from "../../ledger/origin";
import type { DeviceService } from "../../service/client";
import { type DeviceRef, nameOf } from "../../service/device";
import type { DeviceKind, Value } from "../../settings/setting";
import type { Context } from "./context";
import { NotReviewedError } from "./errors";
import { type NotReviewed, notReviewed } from "./messages";
import type { Run } from "./run";

/** The secret settings of a device, by its label. */
export type SecretsOf = (label: string) => ReadonlySet<string>;

/** Notes the values that an update of a resource may send, if a review needs them. */
export function notePlanned(
  run: Run,
  { urn }: Pick<Context, "urn">,
  sends: () => readonly DeviceSends[],
  secretsOf: SecretsOf,
): void {
  if (!run.planFile) return;
  const { baseUrl } = run.configuration();
  run.planFile.add({
    ...(urn !== undefined && { urn }),
    ...(baseUrl !== undefined && { service: baseUrl }),
    devices: sends().map((one) => ({ ...sealedSends(one, secretsOf(one.label)), unknown: [...one.unknown] })),
  });
}

/**
 * Refuses an operation that may send a value that nobody has approved. Without this, a site would be changed in part
 * before the guard of a device stops it.
 * @param deviceWords the device in words
 * @throws NotReviewedError before the first request
 */
export function refuseUnreviewed(
  run: Run,
  { urn }: Pick<Context, "urn">,
  sends: () => readonly DeviceSends[],
  deviceWords: (device: DeviceSends) => string,
): void {
  const approved = run.approved();
  if (!approved) return;
  const sender = senderOf(run, urn);
  const strange = sends().flatMap((device) =>
    device.sends
      .filter(({ why, field, value }) => why !== "repair" && !approved.allows(sender, device, field, value))
      .map(({ setting, value }): NotReviewed => ({ device: deviceWords(device), setting, value })),
  );
  if (strange.length > 0) throw new NotReviewedError(notReviewed(strange, approved.digest));
}

/**
 * The service, with a check before each PATCH that somebody has approved its values.
 * @param kind the kind of its devices, with the configured wire names
 */
export function guarded(run: Run, urn: string | undefined, kind: DeviceKind): DeviceService {
  const service = run.service();
  return {
    readDevice: (...request) => service.readDevice(...request),
    confirmGone: (device) => service.confirmGone(device),
    readLatestMetrics: (...request) => service.readLatestMetrics(...request),
    updateDevice: async (device, fields, signal) => {
      refuseFields(run, urn, kind, { device, fields: fields as Readonly<Record<string, Value>> });
      await service.updateDevice(device, fields, signal);
    },
  };
}

/** The body of a PATCH, and its device. */
interface Patch {
  readonly device: DeviceRef;
  readonly fields: Readonly<Record<string, Value>>;
}

/** @throws NotReviewedError if nobody has approved one of the fields */
function refuseFields(run: Run, urn: string | undefined, kind: DeviceKind, { device, fields }: Patch): void {
  const approved = run.approved();
  if (!approved) return;
  const sender = senderOf(run, urn);
  const settingOf = (field: string) =>
    Object.entries(kind.settings).find(([, { wireName }]) => wireName === field)?.[0] ?? field;
  const strange = Object.entries(fields)
    .filter(([field, value]) => !approved.allows(sender, device, field, value))
    .map(([field, value]): NotReviewed => ({ device: nameOf(device), setting: settingOf(field), value }));
  if (strange.length > 0) throw new NotReviewedError(notReviewed(strange, approved.digest));
}

/** The stack and the service of a request. Any resource of the run is in the same stack. */
function senderOf({ store, configuration }: Run, urn: string | undefined): Sender {
  const { stack, project } = placeIn(urn ?? store.urnOfRun);
  return { service: configuration().baseUrl, stack, project };
}
