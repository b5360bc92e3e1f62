import type { EngineEvent } from "@pulumi/pulumi/automation";
import { kindOfType, withoutFront } from "../../provider/engine/tokens";
import { PLAN_FILE, type PlanLine } from "../../provider/lifecycle/approval/planFile";
import type { Properties } from "../../provider/lifecycle/device/state";
import { nameIn, typeIn } from "../../provider/lifecycle/run/urn";
import { notePlanned, releasesOf } from "../../provider/lifecycle/site/approval";
import { devicesInState } from "../../provider/lifecycle/site/state";
import { NAMESPACE } from "../../provider/messages/names";
import { type EngineRun, startRun } from "../../provider/run";
import { inverter } from "../../provider/settings/inverter";
import { vehicle } from "../../provider/settings/vehicle";
import { startCommandRun } from "../environment";

const KINDS = { vehicle, inverter, site: undefined } as const;

/** The run of a preview that has ended. @param add receives its notes of the values that the change may send */
export function startPreviewRun(
  configuration: Readonly<Record<string, unknown>>,
  add: (line: Omit<PlanLine, "run">) => void,
): EngineRun {
  const lookup = (key: string) => {
    const value = configuration[`${NAMESPACE}:${key}`];
    return typeof value === "string" ? value : undefined;
  };
  const silent = async () => {};
  const run = startRun(lookup, process.env, { warn: silent, info: silent, progress: silent });
  return { ...run, planFile: { add } };
}

/**
 * Notes the values that the delete of a resource may send. In a preview, the engine asks no provider about it.
 * @param outputs of the resource
 */
export function noteRelease(run: EngineRun, urn: string, outputs: Properties): void {
  const kind = kindOfType(typeIn(urn));
  if (!kind || Object.keys(outputs).length === 0) return;
  const { inverterFields } = run.configuration();
  const devices = devicesInState(KINDS[kind], nameIn(urn), outputs);
  notePlanned(
    run,
    urn,
    () => releasesOf(devices, { store: run.store, inverterFields }),
    () => new Set(),
  );
}

/**
 * Notes the deletes among the events of a preview, if a review needs the values that the change may send.
 * @param env the environment of the preview's providers
 */
export function releaseNotes(env: Readonly<Record<string, string>>): (event: EngineEvent) => void {
  if (!process.env[PLAN_FILE]) return () => {};
  const run = startCommandRun(env);
  return ({ resOutputsEvent }) => {
    const { op, urn, old } = resOutputsEvent?.metadata ?? {};
    if (op === "delete" && urn !== undefined) noteRelease(run, urn, withoutFront(old?.outputs ?? {}));
  };
}
