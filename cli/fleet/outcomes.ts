import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import { type Problem, problemText } from "../../provider/ledger/runFile";
import { type Failure, isSiteStep, type SiteStep, siteOf, siteStepOf } from "./siteStep";
import type { DeviceStep } from "./tally";

/** Settings of a device, by key. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * What became of a device. `changed`: something was sent, or is to be sent, or has drifted. `adopted`: it is managed now and
 * had all declared values, so that nothing was sent. `unmanaged`: it, or some of its settings, is no longer managed.
 * `held`: it keeps its policy, as something that it needs failed; or the run was stopped before its turn.
 */
export type Result = "unchanged" | "changed" | "adopted" | "unmanaged" | "held" | "failed";

/** What became of one device. */
export interface Outcome {
  /** `business/device`. */
  readonly device: string;
  readonly site: string;
  /** What its site calls it: `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
  readonly result: Result;
  /** Why it failed. */
  readonly reason?: string;
  /** The managed settings before the run; of a device that is new what it had, as far as that is known. */
  readonly before: Settings;
  /** The managed settings after it. Absent if it is no longer managed. */
  readonly after?: Settings;
  /** If its site no longer declares it: what its `onDelete` says. */
  readonly onDelete?: string;
  /** What somebody else has changed since the last run, if this one read the device before it compared it. */
  readonly drifted?: { readonly before: Settings; readonly after?: Settings };
}

/** What became of one site. */
export interface SiteOutcome {
  readonly site: string;
  readonly readyBefore?: boolean;
  /** Absent if it is no longer declared, or is not decided yet. */
  readonly readyAfter?: boolean;
  /** What a site lacks that is to be solar-aware, in words. */
  readonly missing: readonly string[];
  /** In degrees, if the site declares it. */
  readonly latitude?: number;
}

/** What a run warns of. */
export interface Warning {
  /** Absent if it is about the stack as a whole. */
  readonly site?: string;
  /** Absent if it is about a site as a whole. */
  readonly device?: string;
  readonly reason: string;
}

/** A device that the manifest declares. */
export type DeclaredDevice = Pick<Outcome, "device" | "site" | "label">;

/** By device, as `business/device`. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/** What became of the devices that are still declared. */
export function declaredIn(outcomes: Outcomes): Outcome[] {
  return [...outcomes.values()].filter(({ onDelete }) => onDelete === undefined);
}

/** Gathers from the engine's events what becomes of each site and device. */
export class OutcomeCollector {
  readonly outcomes = new Map<string, Outcome>();
  readonly sites = new Map<string, SiteOutcome>();
  /** Errors that are about no site. */
  readonly errors: string[] = [];
  /** Whether the state could not be written, as on a full disk. */
  isUnsaved = false;
  /** What is worth keeping once the run is over, such as the baselines that leave the state. */
  readonly notes = new Set<string>();
  readonly #warnings: { readonly urn: string; readonly reason: string }[] = [];
  readonly #problems: Problem[] = [];
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
      const reason = lines.join("; ");
      if (devices.length === 0) this.errors.push(reason);
      for (const one of devices) this.#set({ ...one, before: {}, result: "failed", reason });
    }
  }

  /** What was warned of, but what the outcomes of sites and devices say. */
  get warnings(): Warning[] {
    const reported = this.#reported().filter(({ severity }) => severity === "warning");
    const shown = new Set(reported.map(problemText));
    const ofEngine = this.#warnings.filter(({ reason }) => !shown.has(reason));
    return [
      ...reported.filter(({ code }) => code === undefined).map((problem) => this.#warningOf(problem)),
      ...ofEngine.map(({ urn, reason }) =>
        isSiteStep({ type: typeOf(urn) }) ? { site: siteOf(urn), reason } : { reason },
      ),
    ];
  }

  #warningOf({ site, device: label = "", text: reason }: Problem): Warning {
    const device = this.#devices.get(site)?.get(label);
    return { site, ...(device !== undefined && { device }), reason };
  }

  /** What the provider has reported so far. */
  #reported(): readonly Problem[] {
    this.#problems.push(...this.newProblems());
    return this.#problems;
  }

  /** What the provider has reported of devices of a site that failed, the last of each. */
  #failedDevices(site: string, operations: readonly string[]): ReadonlyMap<string, Problem> {
    const own = this.#reported().filter((one) => one.site === site && one.severity === "error");
    const failed = own.filter(({ operation }) => operations.includes(operation));
    return new Map(failed.map((problem) => [problem.device ?? "", problem]));
  }

  #begun(step: StepEventMetadata): void {
    if (!isSiteStep(step)) return;
    const { devices } = siteStepOf(step, false);
    this.#devices.set(siteOf(step.urn), new Map(devices.map(({ label, device }) => [label, device])));
  }

  #step(step: StepEventMetadata, isDone: boolean): void {
    if (!isSiteStep(step)) return;
    const isRefresh = step.op === "refresh";
    // A refresh in which some devices could not be read is done: the site keeps what was known of them.
    const unread = isRefresh ? this.#failedDevices(siteOf(step.urn), ["read"]) : new Map();
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
    const text = (initErrors ?? this.#siteErrors.get(siteOf(step.urn)) ?? []).join("; ");
    const failure = (...operations: string[]): Failure => {
      return { devices: this.#failedDevices(siteOf(step.urn), operations), ...(text && { text }) };
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
    const reason = plain(message);
    // What is ephemeral is progress.
    if (severity === "info" && !ephemeral && reason) this.notes.add(reason);
    if (severity === "warning" && reason) this.#warnings.push({ urn, reason });
    if (severity !== "error" || !reason) return;
    if (reason.includes("failed to save snapshot")) this.isUnsaved = true;
    if (!isSiteStep({ type: typeOf(urn) })) {
      this.errors.push(reason);
      return;
    }
    const site = siteOf(urn);
    this.#siteErrors.set(site, [...(this.#siteErrors.get(site) ?? []), ...reason.split("\n")]);
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

/** What became of a device in two steps: of two sites, or of one site twice. */
export function inTurn(one: Outcome | undefined, other: Outcome): Outcome {
  if (!one) return other;
  const [left, joined] = one.onDelete === undefined ? [other, one] : [one, other];
  if (left.onDelete !== undefined && joined.onDelete === undefined) {
    const isFailed = left.result === "failed" && joined.result !== "failed";
    const before = { ...left.before, ...joined.before };
    return { ...joined, before, ...(isFailed && { result: "failed", ...(left.reason && { reason: left.reason }) }) };
  }
  return rank(one) > rank(other) ? one : other;
}

const RANKS: readonly Result[] = ["unchanged", "adopted", "unmanaged", "changed", "held", "failed"];

function rank({ result }: Outcome): number {
  return RANKS.indexOf(result);
}

/** The type of the resource that an engine's name is about: `urn:pulumi:stack::project::parent$type::name`. */
function typeOf(urn: string): string {
  return urn.split("::").at(2)?.split("$").at(-1) ?? "";
}

/** A message without the engine's colour tags, which look like `<{%reset%}>`. */
function plain(message: string): string {
  return message.replace(/<\{%.*?%\}>/g, "").trim();
}
