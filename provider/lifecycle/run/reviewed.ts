import { type DeviceSends, withoutSecrets } from "../../approval/sends";
import { placeIn } from "../../ledger/origin";
import type { DeviceService } from "../../service/client";
import { type DeviceRef, nameOf } from "../../service/device";
import type { DeviceKind, Values } from "../../settings/setting";
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
    devices: sends().map((one) => withoutSecrets(one, secretsOf(one.label))),
  });
}

/** A value that is about to be sent. */
interface Sending extends NotReviewed {
  readonly ref: DeviceRef;
  /** The field in the PATCH. */
  readonly field: string;
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
  refuseStrange(run, urn, () =>
    sends().flatMap((ref) =>
      ref.sends
        .filter(({ why }) => why !== "repair")
        .map(({ setting, field, value }) => ({ ref, device: deviceWords(ref), setting, field, value })),
    ),
  );
}

/**
 * The service, with a check before each PATCH that somebody has approved its values.
 * @param kind the kind of its devices, with the configured wire names
 */
export function guarded(run: Run, urn: string | undefined, kind: DeviceKind): DeviceService {
  const service = run.service();
  const settingOf = (field: string) =>
    Object.entries(kind.settings).find(([, { wireName }]) => wireName === field)?.[0] ?? field;
  return {
    readDevice: (...request) => service.readDevice(...request),
    confirmGone: (device) => service.confirmGone(device),
    readLatestMetrics: (...request) => service.readLatestMetrics(...request),
    updateDevice: async (ref, fields, signal) => {
      refuseStrange(run, urn, () =>
        Object.entries(fields as Values).map(([field, value]) => {
          return { ref, device: nameOf(ref), setting: settingOf(field), field, value };
        }),
      );
      await service.updateDevice(ref, fields, signal);
    },
  };
}

/** @throws NotReviewedError if nobody has approved one of the values for this stack and service */
function refuseStrange(run: Run, urn: string | undefined, sending: () => readonly Sending[]): void {
  const approved = run.approved();
  if (!approved) return;
  // Any resource of the run is in the same stack.
  const { stack, project } = placeIn(urn ?? run.store.urnOfRun);
  const sender = { service: run.configuration().baseUrl, stack, project };
  const strange = sending().filter(({ ref, field, value }) => !approved.allows(sender, ref, field, value));
  if (strange.length > 0) throw new NotReviewedError(notReviewed(strange, approved.digest));
}
