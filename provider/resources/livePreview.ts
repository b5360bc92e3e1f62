import * as pulumi from "@pulumi/pulumi";
import type { LiveDevice } from "../lifecycle/program";
import type { DeviceKind } from "../settings/setting";
import { configured, oncePerProgram, programRun } from "./programRun";

const liveReader = oncePerProgram(async () => {
  const { livePreview } = await import("../lifecycle/livePreview.js");
  return livePreview(await programRun());
});

/** Whether this may be a live preview. Most are not: what reads is loaded only for one that may be. */
export function isLive(): boolean {
  return pulumi.runtime.isDryRun() && configured("livePreview") !== undefined;
}

/** In a live preview, what the service shows of a device that the program declares. All are read at the same time. */
export async function liveReading(
  kind: DeviceKind,
  declared: Readonly<Record<string, unknown>>,
): Promise<LiveDevice | undefined> {
  const { businessId, deviceId } = declared as { businessId: string; deviceId: string };
  return await (await liveReader())(kind, { businessId, deviceId });
}
