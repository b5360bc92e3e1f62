import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import { nameIn, typeIn } from "../../provider/lifecycle/run/urn";
import type { MessageCode } from "../../provider/messages/codes";
import { messageIn, type SiteMessage, textOf } from "../../provider/messages/message";
import { AT_COMMAND_LINE } from "../audience";
import { type DeclaredDevice, inTurn, type Outcome, type SiteOutcome, type Warning } from "./outcome";
import type { Reports } from "./runFile";
import { type Failure, isSiteStep, type SiteStep, siteStepOf } from "./siteStep";
import type { DeviceStep } from "./stack";
import { isUnsaved, plain, problemOfEngine } from "./texts";

/** Messages of the provider that the outcomes of sites and devices repeat in another form. */
const SAID_BY_OUTCOMES: ReadonlySet<MessageCode> = new Set<MessageCode>(["notReady", "notRead", "notBegun"]);

const NO_REPORTS: Reports = { problems: [], sent: [] };

/** A message of the engine. */
interface Diagnostic {
  readonly severity: "warning" | "info";
  /** Absent if it concerns no site. */
  readonly site: string | undefined;
  readonly text: string;
}

/** Collects the outcome of each site and device from the engine's events. */
export class OutcomeCollector {
  readonly outcomes = new Map<string, Outcome>();
  readonly sites = new Map<string, SiteOutcome>();
  /** Errors that concern no site. */
  readonly errors: string[] = [];
  /** Whether the state could not be written, as on a full disk. */
  isUnsaved = false;
  readonly #diagnostics: Diagnostic[] = [];
  /** By site, the reports of the provider so far. */
  readonly #problems = new Map<string, SiteMessage[]>();
  /** The devices to which something was sent. */
  readonly #sent = new Set<string>();
  readonly #siteErrors = new Map<string, string[]>();
  /** The first event of each site's step. */
  readonly #begun = new Map<string, StepEventMetadata>();
  readonly #unread = new Map<string, Outcome>();
  readonly #drifted = new Map<string, NonNullable<Outcome["drifted"]>>();
  #isReading = true;
  #isSiteUnread = false;

  /**
   * @param readsFirst whether the engine reads all devices before it compares them with their declarations
   * @param onDevice called with each device that was read or is finished
   * @param only the sites of the run; default: all. The engine shows other sites unchanged
   * @param newReports returns the provider's reports since the last call
   * @param isRefresh whether the engine only reads: it reports a drifted site as an update
   */
  constructor(
    private readonly readsFirst = false,
    private readonly onDevice: (step: DeviceStep) => void = () => {},
    private readonly newReports: () => Reports = () => NO_REPORTS,
    private readonly only?: readonly string[],
    private readonly isRefresh = false,
  ) {}

  /** Whether the engine ended because it could not read a site. It has then compared no site with its declaration. */
  get isUnread(): boolean {
    return this.#isReading && this.#isSiteUnread;
  }

  #isCounted(step: StepEventMetadata): boolean {
    return isSiteStep(step) && (this.only?.includes(nameIn(step.urn)) ?? true);
  }

  take(event: EngineEvent): void {
    const { resourcePreEvent, resOutputsEvent, resOpFailedEvent, diagnosticEvent } = event;
    if (resourcePreEvent) this.#begin(resourcePreEvent.metadata);
    if (resOutputsEvent) this.#step(resOutputsEvent.metadata, resOutputsEvent.planning !== true);
    if (resOpFailedEvent) this.#failed(resOpFailedEvent.metadata);
    if (diagnosticEvent) this.#diagnostic(diagnosticEvent);
  }

  /**
   * Finishes the outcomes after the run. A device that was neither read nor set is not known to be as declared. A
   * site that was refused before its first step has failed as a whole.
   */
  end(declared: readonly DeclaredDevice[]): void {
    for (const [device, outcome] of this.#unread) {
      const { result } = this.outcomes.get(device) ?? {};
      if (result !== "changed" && result !== "adopted") this.#set(outcome);
    }
    for (const [site, lines] of this.#siteErrors) {
      if (this.sites.has(site)) continue;
      const devices = declared.filter((device) => device.site === site);
      const text = lines.join("; ");
      if (devices.length === 0) this.errors.push(text);
      const problem = problemOfEngine(text);
      for (const one of devices) this.#set({ ...one, before: {}, result: "failed", problem });
    }
  }

  /** The warnings, except those in the outcomes of sites and devices. */
  get warnings(): Warning[] {
    const { reported, ofEngine } = this.#messages("warning");
    return [
      ...reported.filter(({ code }) => !SAID_BY_OUTCOMES.has(code)).map((problem) => this.#warningOf(problem)),
      ...ofEngine.map(({ site, text }) => ({ ...(site !== undefined && { site }), problem: problemOfEngine(text) })),
    ];
  }

  /** Facts to keep after the run, such as the baselines that leave the state, each with its site. */
  get notes(): string[] {
    const { ofEngine } = this.#messages("info");
    return [...new Set(ofEngine.map(({ site, text }) => (site === undefined ? text : `${site}: ${text}`)))];
  }

  /** The provider's reported messages, and the engine's own. The engine repeats the provider's messages as text. */
  #messages(severity: Diagnostic["severity"]): { reported: SiteMessage[]; ofEngine: Diagnostic[] } {
    this.#takeReports();
    const reported = [...this.#problems.values()].flat().filter((one) => one.severity === severity);
    const repeated = new Set(reported.map((message) => textOf(message, AT_COMMAND_LINE)));
    const own = this.#diagnostics.filter((one) => one.severity === severity && !repeated.has(one.text));
    return { reported, ofEngine: own };
  }

  /** A reported warning, with the device as `business/device`. */
  #warningOf(found: SiteMessage): Warning {
    const { site } = found;
    const device = found.device === undefined ? undefined : this.#deviceOf(site, found.device);
    return { site, ...(device !== undefined && { device }), problem: messageIn(found) };
  }

  /** The device with a label in its site, as `business/device`. */
  #deviceOf(site: string, label: string): string | undefined {
    const step = this.#begun.get(site);
    return step && siteStepOf(step, false).devices.find((one) => one.label === label)?.device;
  }

  /** Adds the reports of the provider since the last call. */
  #takeReports(): void {
    const { problems, sent } = this.newReports();
    for (const device of sent) this.#sent.add(device);
    for (const problem of problems) {
      const own = this.#problems.get(problem.site);
      if (own) own.push(problem);
      else this.#problems.set(problem.site, [problem]);
    }
  }

  /** The provider's last report on each failed device of a site. */
  #failedDevices(site: string, operations: readonly string[]): ReadonlyMap<string, SiteMessage> {
    this.#takeReports();
    const own = this.#problems.get(site) ?? [];
    const failed = own.filter(({ severity, operation }) => severity === "error" && operations.includes(operation));
    return new Map(failed.map((problem) => [problem.device ?? "", problem]));
  }

  #begin(step: StepEventMetadata): void {
    // Without this, a provider or a stack could take the place of a site with the same name.
    if (this.#isCounted(step)) this.#begun.set(nameIn(step.urn), step);
  }

  #step(given: StepEventMetadata, isDone: boolean): void {
    if (!this.#isCounted(given)) return;
    const step = this.isRefresh && given.op === "update" ? { ...given, op: "refresh" as const } : given;
    const isRefresh = step.op === "refresh";
    this.#takeReports();
    // If a refresh cannot read some devices, it still succeeds, and the site keeps their last known values.
    const unread = isRefresh ? this.#failedDevices(nameIn(step.urn), ["read"]) : new Map();
    const failure = unread.size > 0 ? { devices: unread } : undefined;
    const done = siteStepOf(step, isDone || isRefresh, failure, this.#sent);
    if (this.readsFirst && isRefresh) {
      for (const one of done.devices) {
        if (one.result === "changed") {
          this.#drifted.set(one.device, { before: one.before, ...(one.after && { after: one.after }) });
        }
        if (one.result === "failed") this.#unread.set(one.device, one);
        else this.onDevice({ device: one.device, stage: "read", isFailed: false });
      }
    } else {
      this.#isReading = false;
      this.#keep(done);
    }
  }

  #failed(step: StepEventMetadata): void {
    if (!this.#isCounted(step)) return;
    const { initErrors } = (step.new ?? {}) as { readonly initErrors?: readonly string[] };
    const text = (initErrors ?? this.#siteErrors.get(nameIn(step.urn)) ?? []).join("; ");
    const failure = (...operations: string[]): Failure => {
      return { devices: this.#failedDevices(nameIn(step.urn), operations), ...(text && { text }) };
    };
    if (this.readsFirst && step.op === "refresh") {
      this.#isSiteUnread = true;
      // After a failed read, the event shows only the devices before it.
      const { devices } = siteStepOf({ ...step, op: "delete" } as StepEventMetadata, false, failure("read"));
      for (const { onDelete: _, ...one } of devices) {
        this.#unread.set(one.device, { ...one, after: one.before, result: "failed" });
      }
      return;
    }
    this.#isReading = false;
    const operations = ["create", "update", "delete", ...(step.op === "refresh" ? ["read"] : [])];
    this.#keep(siteStepOf(step, true, failure(...operations), this.#sent));
  }

  #keep({ site, devices }: SiteStep): void {
    this.sites.set(site.site, site);
    for (const outcome of devices) this.#set(outcome);
  }

  #diagnostic({ severity, message, urn = "", ephemeral }: NonNullable<EngineEvent["diagnosticEvent"]>): void {
    const text = plain(message);
    const site = isSiteStep({ type: typeIn(urn) }) ? nameIn(urn) : undefined;
    // Ephemeral messages are progress.
    const isNote = severity === "info" && !ephemeral;
    if (text && (isNote || severity === "warning")) this.#diagnostics.push({ severity, site, text });
    if (severity !== "error" || !text) return;
    if (isUnsaved(text)) this.isUnsaved = true;
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
    this.onDevice({ device, stage: "done", isFailed: merged.result === "failed" });
  }
}
