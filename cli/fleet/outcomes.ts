import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import { inverter } from "../../provider/settings/inverter";
import { keysOf, pick } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import { fullNameOf } from "../fullName";
import type { DeviceStep } from "./tally";

/** A setting that is not, or no more, what was declared. */
export interface Change {
  readonly key: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What became of one device. */
export interface Outcome {
  readonly device: string;
  readonly result: "unchanged" | "changed" | "failed";
  /** Why it failed. */
  readonly reason?: string;
  readonly changes: readonly Change[];
  /** What its onDelete says, where it is let go of and no other resource declares it. */
  readonly letGo?: string;
  /** Whether another stack declares it now. */
  readonly isMoved?: true;
}

/** What a run warns of. */
export interface Warning {
  /** Absent where it is about the stack as a whole. */
  readonly device?: string;
  readonly reason: string;
}

/** By device, as `business/device`. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/** What became of the devices that are not let go of. */
export function declaredIn(outcomes: Outcomes): Outcome[] {
  return [...outcomes.values()].filter(({ letGo }) => letGo === undefined);
}

const DEVICE_TYPE = /^pulumi-nodejs:dynamic\/solar-charging:/;

/** Gathers from the engine's events what becomes of each device. A device can have several resources. */
export class OutcomeCollector {
  readonly outcomes = new Map<string, Outcome>();
  /** Errors that are about no device. */
  readonly errors: string[] = [];
  /** What sites are not ready, as the program says it. */
  readonly notReady = new Set<string>();
  /** Whether the state could not be written, as on a full disk. */
  isUnsaved = false;
  readonly #warnings: { readonly urn: string; readonly reason: string }[] = [];
  readonly #settings = new Map<string, Settings>();
  readonly #devices = new Map<string, string>();
  readonly #reasons = new Map<string, string>();
  readonly #unread = new Map<string, string | undefined>();
  #isReading = true;

  /**
   * @param readsFirst whether the engine reads all devices before it compares them with what is declared
   * @param onDevice called with each device that is read, or is through
   */
  constructor(
    private readonly readsFirst = false,
    private readonly onDevice: (step: DeviceStep) => void = () => {},
  ) {}

  /** Whether the engine ended because it could not read a device: it then has compared none with what is declared. */
  get isUnread(): boolean {
    return this.#isReading && this.#unread.size > 0;
  }

  /** After the run: a device that could not be read, and was not set either, is not known to be as declared. */
  end(): void {
    for (const [device, reason] of this.#unread) {
      if (this.outcomes.get(device)?.result !== "changed") this.#set(device, "failed", reason);
    }
  }

  take(event: EngineEvent): void {
    const { resourcePreEvent, resOutputsEvent, resOpFailedEvent, diagnosticEvent } = event;
    if (resourcePreEvent) this.#step(resourcePreEvent.metadata, resourcePreEvent.planning === true);
    if (resOutputsEvent) this.#step(resOutputsEvent.metadata, true);
    if (resOpFailedEvent) this.#failed(resOpFailedEvent.metadata);
    if (diagnosticEvent) this.#diagnostic(diagnosticEvent);
  }

  /** What was warned of, but for sites that are not ready. */
  get warnings(): Warning[] {
    return this.#warnings.map(({ urn, reason }) => {
      const device = this.#devices.get(urn);
      return device === undefined ? { reason } : { device, reason };
    });
  }

  /** Counts a step; one that is not done yet shows only which device its resource is about. */
  #step(step: StepEventMetadata, isDone: boolean): void {
    const device = this.#deviceOf(step);
    if (device === undefined) return;
    const isRead = this.readsFirst && step.op === "refresh";
    if (isRead && isDone) this.onDevice({ device, stage: "read", isFailed: false });
    if (isRead) return;
    this.#isReading = false;
    const [before, after] = [settingsOf(step.old?.inputs), settingsOf(step.new?.inputs)];
    const isChange =
      !["same", "read"].includes(step.op) && (step.op !== "refresh" || changesOf({ before, after }).length > 0);
    if (!isDone && isChange) return;
    const settings = this.#settings.get(device) ?? { before: {}, after: {} };
    this.#settings.set(device, settings);
    Object.assign(settings.before, before);
    Object.assign(settings.after, after);
    if (step.op === "delete") settings.letGo = String(step.old?.inputs?.onDelete ?? "retain");
    this.#set(device, isChange ? "changed" : "unchanged");
  }

  #failed(step: StepEventMetadata): void {
    const device = this.#deviceOf(step);
    if (device === undefined) return;
    if (this.readsFirst && step.op === "refresh") this.#unread.set(device, this.#reasons.get(step.urn));
    else this.#set(device, "failed", this.#reasons.get(step.urn));
  }

  #diagnostic({ severity, message, urn = "" }: NonNullable<EngineEvent["diagnosticEvent"]>): void {
    const text = plain(message);
    const notReady = /^site '.*' is not ready for solar-aware charging: .*/m.exec(text);
    if (notReady) this.notReady.add(notReady[0]);
    // The device of a resource is known only with its first step, which comes after the checks.
    if (severity === "warning" && text && !notReady) this.#warnings.push({ urn, reason: text });
    if (severity !== "error" || !text) return;
    if (text.includes("failed to save snapshot")) this.isUnsaved = true;
    const device = this.#devices.get(urn);
    this.#reasons.set(urn, text);
    // The stack's own "update failed" comes after the errors that it is about.
    if (device !== undefined && !(this.readsFirst && this.#isReading)) this.#set(device, "failed", text);
    else if (device !== undefined) return;
    else if (!notReady) this.errors.push(text);
  }

  #deviceOf(step: StepEventMetadata): string | undefined {
    if (!DEVICE_TYPE.test(step.type)) return undefined;
    const { businessId, deviceId } = (step.new ?? step.old)?.inputs ?? {};
    if (typeof deviceId !== "string") return this.#devices.get(step.urn);
    const device = fullNameOf({ businessId, deviceId });
    this.#devices.set(step.urn, device);
    return device;
  }

  #set(device: string, result: Outcome["result"], reason?: string): void {
    const rank = ["unchanged", "changed", "failed"];
    const before = this.outcomes.get(device);
    const worst = before && rank.indexOf(before.result) > rank.indexOf(result) ? before.result : result;
    const why = reason ?? before?.reason;
    const settings = this.#settings.get(device) ?? { before: {}, after: {} };
    const isGone = settings.letGo !== undefined && Object.keys(settings.after).length === 0;
    this.outcomes.set(device, {
      device,
      result: worst,
      changes: changesOf(settings),
      ...(isGone && { letGo: settings.letGo }),
      ...(why !== undefined && { reason: why }),
    });
    this.onDevice({ device, stage: "done", isFailed: worst === "failed" });
  }
}

/** What the resources of a device declare before and after a run: one can take over what another lets go of. */
interface Settings {
  readonly before: Record<string, unknown>;
  readonly after: Record<string, unknown>;
  letGo?: string;
}

function changesOf({ before, after }: Settings): Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((key) => ({ key, from: before[key], to: after[key] }));
}

const KEYS = [...keysOf(vehicle), ...keysOf(inverter)];

function settingsOf(inputs: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return pick(inputs, KEYS);
}

/** A message without the engine's colour tags, which look like `<{%reset%}>`. */
function plain(message: string): string {
  return message.replace(/<\{%.*?%\}>/g, "").trim();
}
