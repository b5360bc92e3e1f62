import * as pulumi from "@pulumi/pulumi";
import type { ProgramFacts } from "../handlers/program";
import type { DeviceKind } from "../settings/setting";
import { configured, oncePerProgram, programRun } from "./programRun";

const liveReader = oncePerProgram(async () => {
  const { livePreview } = await import("../handlers/livePreview.js");
  return livePreview(await programRun());
});

/** In a live preview, what the service shows of a device that the program declares. All are read at the same time. */
export function liveReading(
  kind: DeviceKind,
  device: { readonly businessId: pulumi.Input<string>; readonly deviceId: pulumi.Input<string> },
): pulumi.Output<ProgramFacts["live"]> | undefined {
  const wanted = configured("livePreview", "SOLAR_CHARGING_LIVE_PREVIEW") === "true";
  if (!wanted || !pulumi.runtime.isDryRun()) return undefined;
  // Begun before the first of many resources waits for its device.
  const reader = liveReader();
  return pulumi.output(device).apply(async (ref) => await (await reader)(kind, ref));
}
