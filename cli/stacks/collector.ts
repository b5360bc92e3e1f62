import { isDeepStrictEqual } from "node:util";
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import type { Done } from "../../provider/ledger/done";
import type { MessageCode } from "../../provider/messages/codes";
import type { Message } from "../../provider/messages/message";
import { partsOf } from "../../provider/messages/names";
import { type DeviceRef, nameOf } from "../../provider/service/device";
import { defined } from "../../provider/settings/objects";
import { changesBetween } from "../view/compare";
import type { Preview } from "../view/pulumiPreview";
import {
  asBefore,
  type DeclaredValues,
  type ExpectedDevice,
  inTurn,
  isOpen,
  type Outcome,
  outcomeIn,
  type SiteInRun,
  type Warning,
} from "./outcome";
import type { Reports } from "./runFile";
import { type FleetOperation, isOfManifest, SITE_TYPE, type StackRunOptions } from "./stack";
import { isOfDeath, isUnsaved, plain, problemOfEngine } from "./texts";

/** Messages of the provider that the outcomes of sites and devices repeat in another form. */
const IN_OUTCOMES: ReadonlySet<MessageCode> = new Set<MessageCode>(["notReady", "notRead", "notBegun", "changes"]);

/** A warning or a note, of the provider or of the engine. */
interface Notice {
  readonly severity: "warning" | "info";
  /** Absent if it concerns no site. */
  readonly site: string | undefined;
  readonly problem: Message;
}

/** The run whose outcomes are collected. The engine shows sites besides `only` unchanged. */
interface CollectedRun extends Pick<StackRunOptions, "refresh" | "only" | "onDevice" | "json"> {
  readonly operation: FleetOperation;
  /** For a run that only reads. */
  readonly declared?: DeclaredValues | undefined;
  /** Returns the provider's reports since the last call. */
  readonly newReports: () => Reports;
}

/**
 * Collects the outcome of each site and device. The provider's reports give it; the engine's events tell whether its
 * step is done or has failed.
 */
export class OutcomeCollector {
  readonly outcomes = new Map<string, Outcome>();
  readonly sites = new Map<string, SiteInRun>();
  /** Errors that concern no site. */
  readonly errors: string[] = [];
  /** Whether the state could not be written, as on a full disk. */
  isUnsaved = false;
  /** Whether a provider died. State then lacks what it has sent, and only the journal has the baselines. */
  isCutShort = false;
  /** The steps of a preview in JSON, which show what an update may send. */
  readonly steps: Preview["steps"] = [];
  readonly #messages: Notice[] = [];
  /** By site, the last report of a read, and of any other operation. */
  readonly #lastRead = new Map<string, Done>();
  readonly #lastDone = new Map<string, Done>();
  readonly #siteErrors = new Map<string, string[]>();
  readonly #unread = new Map<string, Outcome>();
  readonly #drifted = new Map<string, NonNullable<Outcome["drifted"]>>();
  #isReading = true;
  #isSiteUnread = false;

  constructor(private readonly run: CollectedRun) {}

  /** Whether the engine reads all devices before it compares them with their declarations. */
  get #readsFirst(): boolean {
    return this.run.refresh === true && isOfManifest(this.run.operation);
  }

  /** Whether the engine ended because it could not read a site. It has then compared no site with its declaration. */
  get isUnread(): boolean {
    return this.#isReading && this.#isSiteUnread;
  }

  take(event: EngineEvent): void {
    const { resOutputsEvent, resOpFailedEvent, diagnosticEvent } = event;
    if (resOutputsEvent || resOpFailedEvent) this.#takeReports();
    if (resOutputsEvent) this.#step(resOutputsEvent.metadata);
    if (resOpFailedEvent) this.#failed(resOpFailedEvent.metadata);
    if (diagnosticEvent) this.#diagnostic(diagnosticEvent);
  }

  /**
   * Finishes the outcomes after the run. A device that was neither read nor set is not known to be as declared. A
   * site that was refused before its first step has failed as a whole.
   */
  end(declared: readonly ExpectedDevice[]): void {
    for (const [device, outcome] of this.#unread) {
      if (this.outcomes.get(device)?.result !== "changed") this.#set(outcome);
    }
    this.#takeReports();
    for (const [site, lines] of this.#siteErrors) {
      if (this.sites.has(site)) continue;
      const refused = this.#lastDone.get(site);
      const read = refused ? undefined : this.#lastRead.get(site);
      const unread = read && outcomeIn(read).devices;
      // A preview has no event for a site that cannot be read, only the engine's words.
      if (unread?.some(isOpen)) {
        for (const one of unread) this.#set(one);
        continue;
      }
      const devices = declared.filter((device) => device.site === site);
      const text = lines.join("; ");
      if (devices.length === 0) this.errors.push(text);
      const problem = refused?.problem ?? problemOfEngine(text);
      for (const one of devices) this.#set({ ...one, result: "failed", problem });
    }
  }

  /** The warnings, except those in the outcomes of sites and devices. */
  get warnings(): Warning[] {
    return this.#notices("warning");
  }

  /** Facts to keep after the run, such as the baselines that leave the state. */
  get notes(): Warning[] {
    return this.#notices("info");
  }

  #notices(severity: Notice["severity"]): Warning[] {
    const notices = this.#messages.filter((one) => one.severity === severity);
    return notices.map(({ site, problem }) => defined({ site, device: this.#deviceOf(site, problem.device), problem }));
  }

  /** The device that a message of its site names, as `business/device`. */
  #deviceOf(site = "", named: string | undefined): string | undefined {
    return this.sites
      .get(site)
      ?.devices.find(
        ({ label, device }) => label === named || nameOf({ businessId: "", ...deviceNamed(device) }) === named,
      )?.device;
  }

  /** Adds the reports of the provider since the last call. */
  #takeReports(): void {
    const { messages, done } = this.run.newReports();
    for (const one of done) {
      const site = siteOf(one.urn);
      if (site !== undefined) (one.operation === "read" ? this.#lastRead : this.#lastDone).set(site, one);
    }
    for (const message of messages) {
      if (IN_OUTCOMES.has(message.code)) continue;
      const { severity, urn, ...problem } = message;
      this.#messages.push({ severity, site: siteOf(urn), problem });
    }
  }

  #isCounted({ urn, type }: StepEventMetadata): boolean {
    // Without the type, a provider or a stack could take the place of a site with the same name.
    return type === SITE_TYPE && (this.run.only?.includes(partsOf(urn).name) ?? true);
  }

  #isReadStep({ op }: StepEventMetadata): boolean {
    // An engine that only reads reports a drifted site as an update, and one whose drift is in state as the same.
    return op === "refresh" || ["refresh", "drift"].includes(this.run.operation);
  }

  /** The report about a step. There is none about a site that a read leaves unchanged, or that a preview will delete. */
  #reportOf(step: StepEventMetadata): SiteInRun & Partial<Pick<Done, "operation">> {
    const report = (this.#isReadStep(step) ? this.#lastRead : this.#lastDone).get(partsOf(step.urn).name);
    return report ? { ...outcomeIn(report), operation: report.operation } : this.#inState(step);
  }

  /** A site that only the engine knows: removed in a preview, or unchanged. */
  #inState(step: StepEventMetadata): SiteInRun {
    const { op, urn, old } = step;
    // The engine writes null for a site that is not in state.
    const before = old?.outputs;
    const isRead = this.#isReadStep(step);
    const read = isRead && { operation: "read" as const, after: before };
    const done: Done = { urn, operation: op === "delete" ? op : "diff", before, sent: {}, problems: {}, ...read };
    const isHidden = !this.run.json || (isRead && this.#readsFirst);
    // Whether a warning is new depends on the views.
    const isBrief = isHidden && !this.#messages.some(({ site }) => site === siteOf(urn));
    return outcomeIn(done, { isBrief, declared: this.run.declared });
  }

  #step(step: StepEventMetadata): void {
    if (!this.#isCounted(step)) return;
    const { op, urn, old: oldState, new: newState } = step;
    if (this.run.operation === "preview" && this.run.json)
      this.steps.push({ op, urn, oldState, newState } as Preview["steps"][number]);
    const found = op === "same" ? this.#inState(step) : this.#reportOf(step);
    if (!this.#readsFirst || !this.#isReadStep(step)) {
      this.#isReading = false;
      this.#keep(found);
      return;
    }
    for (const one of found.devices) {
      const { before, after } = one;
      // Without this, each run would show drift again that state knows and the program has accepted.
      if (one.result === "changed" && !isDeepStrictEqual(before?.settings, after?.settings)) {
        this.#drifted.set(one.device, changesBetween(before?.declared ?? {}, after?.declared ?? {}));
      }
      if (one.result === "failed") this.#unread.set(one.device, one);
      else this.run.onDevice?.({ device: one.device, stage: "read", isFailed: false });
    }
  }

  #failed(step: StepEventMetadata): void {
    if (!this.#isCounted(step)) return;
    const { initErrors } = (step.new ?? {}) as { readonly initErrors?: readonly string[] };
    const text = (initErrors ?? this.#siteErrors.get(partsOf(step.urn).name) ?? []).join("; ");
    const found = this.#reportOf(step);
    const { devices, operation } = found;
    // A provider that died before its report leaves no device of a new site: end() counts the declared ones.
    if (devices.length === 0) return;
    // Without a report of the step itself, the engine ended it, or the provider did not end.
    const isOfEngine = operation === undefined || operation === "diff";
    const failed = devices.map((one): Outcome => {
      if (!isOfEngine && (one.result !== "failed" || one.problem)) return one;
      return asBefore(one, "failed", text ? problemOfEngine(text) : one.problem);
    });
    if (this.#readsFirst && step.op === "refresh") {
      this.#isSiteUnread = true;
      for (const one of failed) this.#unread.set(one.device, one);
      return;
    }
    this.#isReading = false;
    this.#keep({ ...found, devices: failed });
  }

  #keep(found: SiteInRun): void {
    this.sites.set(found.site, found);
    for (const outcome of found.devices) this.#set(outcome);
  }

  #diagnostic({ severity, message, urn = "", ephemeral }: NonNullable<EngineEvent["diagnosticEvent"]>): void {
    const text = plain(message);
    const site = siteOf(urn);
    // Ephemeral messages are progress.
    const isNote = severity === "info" && !ephemeral;
    if (text && (isNote || severity === "warning")) {
      this.#messages.push({ severity, site, problem: problemOfEngine(text) });
    }
    if (severity !== "error" || !text) return;
    if (isUnsaved(text)) this.isUnsaved = true;
    if (isOfDeath(text)) this.isCutShort = true;
    if (site === undefined) {
      this.errors.push(text);
      return;
    }
    this.#siteErrors.set(site, [...(this.#siteErrors.get(site) ?? []), ...text.split("\n")]);
  }

  /** Sets the outcome of a device. If it moves between sites, the site that declares it counts. */
  #set(outcome: Outcome): void {
    const { device } = outcome;
    const drifted = this.#drifted.get(device);
    const merged = inTurn(this.outcomes.get(device), { ...outcome, ...(drifted && { drifted }) });
    this.outcomes.set(device, merged);
    this.run.onDevice?.({ device, stage: "done", isFailed: merged.result === "failed" });
  }
}

/** The name of a site from its URN; undefined for other resources. */
function siteOf(urn = ""): string | undefined {
  const { type, name } = partsOf(urn);
  return type === SITE_TYPE ? name : undefined;
}

/** The device with a name that `deviceName` returned. */
export function deviceNamed(name: string): Partial<DeviceRef> & Pick<DeviceRef, "deviceId"> {
  const [business = "", ...rest] = name.split("/");
  return rest.length === 0
    ? { deviceId: name }
    : { businessId: decodeURIComponent(business), deviceId: rest.join("/") };
}
