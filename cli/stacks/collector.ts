import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import { nameIn, typeIn } from "../../provider/lifecycle/run/urn";
import type { MessageCode } from "../../provider/messages/codes";
import { type Message, messageIn, type RunMessage, textOf } from "../../provider/messages/message";
import { placeOf } from "../../provider/settings/groups";
import { AT_COMMAND_LINE } from "../audience";
import { type DeclaredDevice, inTurn, type Outcome, type SiteOutcome, type Warning } from "./outcome";
import type { Reports } from "./runFile";
import { type Failure, isSiteStep, type SiteStep, siteStepOf } from "./siteStep";
import type { DeviceStep } from "./stack";
import { isUnsaved, plain, problemOfEngine } from "./texts";

/** Messages of the provider that the outcomes of sites and devices repeat in another form. */
const IN_OUTCOMES: ReadonlySet<MessageCode> = new Set<MessageCode>(["notReady", "notRead", "notBegun", "changes"]);

const NO_REPORTS: Reports = { messages: [], sent: [] };

/** A warning or a note, of the provider or of the engine. */
interface Notice {
  readonly severity: "warning" | "info";
  /** Absent if it concerns no site. */
  readonly site: string | undefined;
  readonly problem: Message;
}

/** Collects the outcome of each site and device from the engine's events. */
export class OutcomeCollector {
  readonly outcomes = new Map<string, Outcome>();
  readonly sites = new Map<string, SiteOutcome>();
  /** Errors that concern no site. */
  readonly errors: string[] = [];
  /** Whether the state could not be written, as on a full disk. */
  isUnsaved = false;
  readonly #ofEngine: Notice[] = [];
  readonly #ofProvider: Notice[] = [];
  /** By site, the failures that the provider has reported so far. */
  readonly #failures = new Map<string, (RunMessage & { readonly severity: "error" })[]>();
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
      const { problem = problemOfEngine(text) } = this.#failureOf(site, ["check", "diff"]);
      for (const one of devices) this.#set({ ...one, before: {}, result: "failed", problem });
    }
  }

  /** The warnings, except those in the outcomes of sites and devices. */
  get warnings(): Warning[] {
    return this.#notices("warning").map(({ site, problem }) => {
      const device =
        site === undefined || problem.device === undefined ? undefined : this.#deviceOf(site, problem.device);
      return { ...(site !== undefined && { site }), ...(device !== undefined && { device }), problem };
    });
  }

  /** Facts to keep after the run, such as the baselines that leave the state, each with its site. */
  get notes(): string[] {
    const notes = this.#notices("info").map(({ site, problem }) => {
      const text = textOf(problem, AT_COMMAND_LINE);
      return site === undefined ? text : `${site}: ${text}`;
    });
    return [...new Set(notes)];
  }

  #notices(severity: Notice["severity"]): Notice[] {
    this.#takeReports();
    return [...this.#ofProvider, ...this.#ofEngine].filter((one) => one.severity === severity);
  }

  /** The device with a label in its site, as `business/device`. */
  #deviceOf(site: string, label: string): string | undefined {
    const step = this.#begun.get(site);
    return step && siteStepOf(step, false).devices.find((one) => one.label === label)?.device;
  }

  /** Adds the reports of the provider since the last call. */
  #takeReports(): void {
    const { messages, sent } = this.newReports();
    for (const device of sent) this.#sent.add(device);
    for (const message of messages) {
      const site = siteOf(message.urn);
      if (message.severity !== "error") {
        const problem = messageIn(message);
        if (!IN_OUTCOMES.has(message.code)) this.#ofProvider.push({ severity: message.severity, site, problem });
      } else if (site !== undefined) {
        this.#failures.set(site, [...(this.#failures.get(site) ?? []), message]);
      }
    }
  }

  /** The provider's last reports on a site and its devices. @param text the engine's, if the provider has none */
  #failureOf(site: string, operations: readonly string[], text?: string): Failure {
    this.#takeReports();
    const failed = (this.#failures.get(site) ?? []).filter(({ operation }) => operations.includes(operation));
    const isOfDevice = ({ device = "" }: Message) => placeOf(device) !== undefined;
    const whole = failed.findLast((one) => !isOfDevice(one));
    const problem = whole ? messageIn(whole) : text ? problemOfEngine(text) : undefined;
    return {
      devices: new Map(failed.filter(isOfDevice).map((one) => [one.device ?? "", messageIn(one)])),
      ...(problem && { problem }),
    };
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
    const unread = isRefresh ? this.#failureOf(nameIn(step.urn), ["read"]) : undefined;
    const failure = unread && unread.devices.size > 0 ? unread : undefined;
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
    const failure = (...operations: string[]) => this.#failureOf(nameIn(step.urn), operations, text);
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
    const site = siteOf(urn);
    // Ephemeral messages are progress.
    const isNote = severity === "info" && !ephemeral;
    if (text && (isNote || severity === "warning")) {
      this.#ofEngine.push({ severity, site, problem: problemOfEngine(text) });
    }
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

/** The site that a resource is; undefined if it is none. */
function siteOf(urn = ""): string | undefined {
  return isSiteStep({ type: typeIn(urn) }) ? nameIn(urn) : undefined;
}
