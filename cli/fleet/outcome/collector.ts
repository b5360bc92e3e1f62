import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import type { Problem } from "../../../provider/ledger/runFile";
import { nameIn, typeIn } from "../../../provider/lifecycle/urn";
import type { MessageCode } from "../../../provider/messages/codes";
import { textOf } from "../../../provider/messages/message";
import { AT_COMMAND_LINE } from "../../environment";
import { isUnsaved, plain, problemOfEngine } from "../engine/texts";
import type { DeviceStep } from "../progress/tally";
import { type DeclaredDevice, inTurn, type Outcome, type SiteOutcome, type Warning } from "./outcome";
import { type Failure, isSiteStep, type SiteStep, siteStepOf } from "./siteStep";

/** Warnings of the provider that outcomes of sites and devices have, in another form. */
const SAID_BY_OUTCOMES: ReadonlySet<MessageCode> = new Set<MessageCode>(["notReady", "notRead", "notBegun"]);

/** Gathers from the engine's events what becomes of each site and device. */
export class OutcomeCollector {
  readonly outcomes = new Map<string, Outcome>();
  readonly sites = new Map<string, SiteOutcome>();
  /** Errors that are about no site. */
  readonly errors: string[] = [];
  /** Whether the state could not be written, as on a full disk. */
  isUnsaved = false;
  /** Facts to keep after the run, such as the baselines that leave the state. */
  readonly notes = new Set<string>();
  readonly #warnings: { readonly urn: string; readonly text: string }[] = [];
  /** By site, what the provider has reported so far. */
  readonly #problems = new Map<string, Problem[]>();
  readonly #siteErrors = new Map<string, string[]>();
  /** By site and label, the devices. */
  readonly #devices = new Map<string, Map<string, string>>();
  readonly #unread = new Map<string, Outcome>();
  readonly #drifted = new Map<string, NonNullable<Outcome["drifted"]>>();
  #isReading = true;
  #isSiteUnread = false;

  /**
   * @param readsFirst whether the engine reads all devices before it compares them with what is declared
   * @param onDevice called with each device that is read, or is done
   * @param newProblems gives what the provider has reported since the last call
   */
  constructor(
    private readonly readsFirst = false,
    private readonly onDevice: (step: DeviceStep) => void = () => {},
    private readonly newProblems: () => readonly Problem[] = () => [],
  ) {}

  /** Whether the engine ended because it could not read a site: it then has compared none with what is declared. */
  get isUnread(): boolean {
    return this.#isReading && this.#isSiteUnread;
  }

  take(event: EngineEvent): void {
    const { resourcePreEvent, resOutputsEvent, resOpFailedEvent, diagnosticEvent } = event;
    if (resourcePreEvent) this.#begun(resourcePreEvent.metadata);
    if (resOutputsEvent) this.#step(resOutputsEvent.metadata, resOutputsEvent.planning !== true);
    if (resOpFailedEvent) this.#failed(resOpFailedEvent.metadata);
    if (diagnosticEvent) this.#diagnostic(diagnosticEvent);
  }

  /**
   * After the run: a device that could not be read, and was not set either, is not known to be as declared; and a site that
   * was refused before its first step has failed as a whole.
   */
  end(declared: readonly DeclaredDevice[]): void {
    for (const [device, outcome] of this.#unread) {
      if (this.outcomes.get(device)?.result !== "changed") this.#set(outcome);
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
    this.#takeProblems();
    const reported = [...this.#problems.values()].flat().filter(({ severity }) => severity === "warning");
    // The engine has them too, as the user of a stack is shown them.
    const shown = new Set(reported.map((problem) => textOf(problem, AT_COMMAND_LINE)));
    const ofEngine = this.#warnings.filter(({ text }) => !shown.has(text));
    return [
      ...reported.filter(({ code }) => !SAID_BY_OUTCOMES.has(code)).map((problem) => this.#warningOf(problem)),
      ...ofEngine.map(({ urn, text }) => {
        const problem = problemOfEngine(text);
        return isSiteStep({ type: typeIn(urn) }) ? { site: nameIn(urn), problem } : { problem };
      }),
    ];
  }

  #warningOf({ severity: _, operation: __, site, ...problem }: Problem): Warning {
    const device = this.#devices.get(site)?.get(problem.device ?? "");
    return { site, ...(device !== undefined && { device }), problem };
  }

  /** Takes in what the provider has reported since the last time. */
  #takeProblems(): void {
    for (const problem of this.newProblems()) {
      const own = this.#problems.get(problem.site);
      if (own) own.push(problem);
      else this.#problems.set(problem.site, [problem]);
    }
  }

  /** The provider's last report of each device of a site that failed. */
  #failedDevices(site: string, operations: readonly string[]): ReadonlyMap<string, Problem> {
    this.#takeProblems();
    const own = this.#problems.get(site) ?? [];
    const failed = own.filter(({ severity, operation }) => severity === "error" && operations.includes(operation));
    return new Map(failed.map((problem) => [problem.device ?? "", problem]));
  }

  #begun(step: StepEventMetadata): void {
    if (!isSiteStep(step)) return;
    const { devices } = siteStepOf(step, false);
    this.#devices.set(nameIn(step.urn), new Map(devices.map(({ label, device }) => [label, device])));
  }

  #step(step: StepEventMetadata, isDone: boolean): void {
    if (!isSiteStep(step)) return;
    const isRefresh = step.op === "refresh";
    // A refresh in which some devices could not be read is done: the site keeps what was known of them.
    const unread = isRefresh ? this.#failedDevices(nameIn(step.urn), ["read"]) : new Map();
    const done = siteStepOf(step, isDone || isRefresh, unread.size > 0 ? { devices: unread } : undefined);
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
    if (!isSiteStep(step)) return;
    const { initErrors } = (step.new ?? {}) as { readonly initErrors?: readonly string[] };
    const text = (initErrors ?? this.#siteErrors.get(nameIn(step.urn)) ?? []).join("; ");
    const failure = (...operations: string[]): Failure => {
      return { devices: this.#failedDevices(nameIn(step.urn), operations), ...(text && { text }) };
    };
    if (this.readsFirst && step.op === "refresh") {
      this.#isSiteUnread = true;
      // The event of a read that failed has no devices but those of before.
      const { devices } = siteStepOf({ ...step, op: "delete" } as StepEventMetadata, false, failure("read"));
      for (const { onDelete: _, ...one } of devices) {
        this.#unread.set(one.device, { ...one, after: one.before, result: "failed" });
      }
      return;
    }
    this.#isReading = false;
    this.#keep(
      siteStepOf(step, true, failure("create", "update", "delete", ...(step.op === "refresh" ? ["read"] : []))),
    );
  }

  #keep({ site, devices }: SiteStep): void {
    this.sites.set(site.site, site);
    for (const outcome of devices) this.#set(outcome);
  }

  #diagnostic({ severity, message, urn = "", ephemeral }: NonNullable<EngineEvent["diagnosticEvent"]>): void {
    const text = plain(message);
    // What is ephemeral is progress.
    if (severity === "info" && !ephemeral && text) this.notes.add(text);
    if (severity === "warning" && text) this.#warnings.push({ urn, text });
    if (severity !== "error" || !text) return;
    if (isUnsaved(text)) this.isUnsaved = true;
    if (!isSiteStep({ type: typeIn(urn) })) {
      this.errors.push(text);
      return;
    }
    const site = nameIn(urn);
    this.#siteErrors.set(site, [...(this.#siteErrors.get(site) ?? []), ...text.split("\n")]);
  }

  /** A device can leave one site and join another: what the one that declares it has done counts. */
  #set(outcome: Outcome): void {
    const { device } = outcome;
    const drifted = this.#drifted.get(device);
    const merged = inTurn(this.outcomes.get(device), { ...outcome, ...(drifted && { drifted }) });
    this.outcomes.set(device, merged);
    this.onDevice({ device, stage: "done", isFailed: merged.result === "failed" });
  }
}
