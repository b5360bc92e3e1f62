import * as pulumi from "@pulumi/pulumi";
import type { ProgramFacts } from "../lifecycle/program";
import type { DeviceKind } from "../settings/setting";
import { configured, oncePerProgram, programRun } from "./programRun";

const liveReader = oncePerProgram(async () => {
  const { livePreview } = await import("../lifecycle/livePreview.js");
  return livePreview(await programRun());
});

/** In a live preview, what the service shows of a device that the program declares. All are read at the same time. */
export function liveReading(
  kind: DeviceKind,
  declared: Promise<pulumi.Unwrap<pulumi.Inputs>>,
): Promise<ProgramFacts["live"]> | undefined {
  // Most previews are not live: what reads is loaded only for one that may be.
  if (!pulumi.runtime.isDryRun() || configured("livePreview") === undefined) return undefined;
  const reader = liveReader();
  return declared.then(async ({ businessId, deviceId }) => await (await reader)(kind, { businessId, deviceId }));
}
