import { MessageError } from "../../messages/message";
import type { Declaration } from "../../settings/declaration";
import { labelOf } from "../../settings/groups";
import { planSite, type SitePlan, supposedValues } from "../../settings/planSite";
import { type Gap, gapsBeforePolicy, isFoundByRead, notReady } from "../../settings/readiness";
import { fromDevice, omit, pick, type Value, type Values } from "../../settings/setting";
import { asMember, type SiteDevice } from "../../settings/site";
import { ChargePolicy, vehicle } from "../../settings/vehicle";
import { leaveUnrestored, writeDown } from "../device/baselines";
import { UncertainError } from "../device/call";
import { adopt, withFirstDeclared } from "../device/create";
import { readExisting } from "../device/read";
import { reconcile } from "../device/reconcile";
import { baselinesIn, isManaged, unsent } from "../device/record";
import type { Properties, State } from "../device/state";
import { PartialError } from "../run/errors";
import { devicesWithOriginals, type Failures, forEachDevice, type SiteCall } from "./call";
import { leave } from "./delete";
import { policyOf, reportedBy } from "./diff";
import {
  countedValues,
  detached,
  deviceKey,
  type KeptDevice,
  keptKey,
  keptOf,
  SITE_OPTIONS,
  type SiteState,
  toSiteOutputs,
} from "./state";

/**
 * Brings a site from its kept state to the declared one: inverters in parallel, then vehicles in parallel, each in
 * one PATCH with its policy, then the devices that leave. A failed device stops only devices that need it.
 * @param before undefined for a site that is created
 * @param inputs checked inputs
 * @throws PartialError if a device is not as declared; it has the accepted values
 */
export async function applySite(
  call: SiteCall,
  before: SiteState | undefined,
  inputs: Properties,
): Promise<Record<string, unknown>> {
  const run = new Application(call, before, inputs);
  await run.read();
  await run.reportGaps();
  await run.writeDownBaselines();
  await run.apply("inverters");
  await run.apply("vehicles");
  await run.leave();
  return await run.result();
}

const REQUIRED = "declare what is missing, or leave out requireReady; nothing was sent";

/** One run of `applySite`: the known state of each device, and the failures. */
class Application {
  /** The devices before the update, by identity rather than name. */
  readonly #known: ReadonlyMap<string, KeptDevice>;
  /** By label, the state of the declared devices, as far as they have one. */
  readonly #states = new Map<string, State>();
  /** The labels of devices whose baselines are not in state yet. */
  readonly #unsaved = new Set<string>();
  /** By label, the values of the devices that this run has read. */
  readonly #found = new Map<string, Values>();
  readonly #failures: Failures;
  readonly #left: KeptDevice[] = [];
  #plan: SitePlan;

  constructor(
    private readonly call: SiteCall,
    private readonly before: SiteState | undefined,
    private readonly inputs: Properties,
  ) {
    this.#failures = call.failures;
    // By identity, so that a device that is renamed within its site keeps its baseline.
    this.#known = new Map(before?.devices.map((kept) => [keptKey(kept), kept]));
    this.#plan = this.#planned();
    for (const device of this.#plan.devices) {
      const kept = this.#knownAs(device);
      if (kept) this.#states.set(labelOf(device), kept.state);
    }
  }

  #planned(): SitePlan {
    return planSite(this.inputs, {
      reported: (device) => this.#reported(device),
      policy: (car) => policyOf(this.#known.get(deviceKey(car))),
    });
  }

  /** The reported values of a device, now or at the last read. Empty if it could not be read. */
  #reported(device: SiteDevice): Values | undefined {
    const found = this.#found.get(labelOf(device));
    if (found) return found;
    return reportedBy(this.#knownAs(device), device) ?? (this.#failures.has(labelOf(device)) ? {} : undefined);
  }

  /**
   * The kept state of a declared device. A device that was only observed has no baseline: it is adopted when it is
   * managed.
   */
  #knownAs(device: SiteDevice): KeptDevice | undefined {
    const kept = this.#known.get(deviceKey(device));
    return kept && kept.role.observe === device.observe ? kept : undefined;
  }

  /** Reads new devices, those that declare a setting for the first time, and the observed ones. */
  async read(): Promise<void> {
    // Repeated, because reported values decide whether a car gets a policy, which it then declares for the first
    // time.
    for (let unread = this.#unread(); unread.length > 0; unread = this.#unread()) {
      await forEachDevice(this.call, "read", unread, async (device) => {
        const call = this.call.of(device.group);
        this.#found.set(labelOf(device), fromDevice(call.kind, await readExisting(call, device)));
      });
      this.#plan = this.#planned();
    }
    for (const device of this.#plan.devices) {
      const [call, label] = [this.call.of(device.group), labelOf(device)];
      const found = this.#found.get(label);
      if (!found) continue;
      const kept = device.observe ? undefined : this.#knownAs(device);
      const state = kept
        ? await withFirstDeclared(call, kept.state, device, found)
        : adopt(call, declarationOf(device), found);
      this.#states.set(label, state);
      this.#unsaved.add(label);
    }
  }

  /**
   * Reports the gaps that only the reads could find.
   * @throws MessageError if the site has `requireReady`; nothing is sent
   */
  async reportGaps(): Promise<void> {
    const { isSolar, gaps } = this.#plan;
    if (!isSolar || !gaps.some((gap) => isFoundByRead(gap) && !this.#failures.has(gap.device))) return;
    const message = notReady(this.call.name, gaps);
    if (this.inputs.requireReady === true) throw new MessageError({ ...message, advice: REQUIRED });
    await this.call.warn(message);
  }

  #unread(): SiteDevice[] {
    return this.#plan.devices.filter((device) => {
      const label = labelOf(device);
      if (this.#found.has(label) || this.#failures.has(label)) return false;
      const kept = this.#knownAs(device);
      // A kept device may declare a setting for the first time.
      return device.observe || !kept || Object.keys(device.values).some((key) => !isManaged(kept.state.settings[key]));
    });
  }

  /**
   * Records the baselines of settings before their first PATCH. The engine saves a site only when all of it is done.
   * Without this, a process that is killed at the third of five devices would lose the baselines of the first two.
   */
  async writeDownBaselines(): Promise<void> {
    const entries = this.#managed().flatMap((device) => {
      const label = labelOf(device);
      if (!this.#unsaved.has(label)) return [];
      const { settings } = this.#states.get(label) as State;
      const sent = unsent(settings, device.values);
      return Object.keys(sent).length > 0 ? [{ device, label, baseline: baselinesIn(settings), sent }] : [];
    });
    if (entries.length > 0 && !this.call.stopping.aborted) await writeDown(this.call.of("vehicles"), entries);
  }

  async apply(group: SiteDevice["group"]): Promise<void> {
    // A device whose necessary read failed counts as failed already.
    const failed = this.#plan.devices.filter((device) => this.#failures.has(labelOf(device)));
    const devices = this.#managed().filter((device) => device.group === group && !failed.includes(device));
    const holdsPolicy = this.#policyHolder();
    await forEachDevice(this.call, "applied", devices, async (device) => {
      const label = labelOf(device);
      const before = this.#states.get(label) as State;
      const kept = this.#knownAs(device);
      const isHeld = holdsPolicy(device);
      // If the policy was never ours, it is not declared yet. If it is ours, it stays unchanged.
      const isOurs = isManaged(kept?.state.settings.policy);
      const declared = declarationOf(device);
      const values = isHeld && !isOurs ? omit<Value>(declared.values, ["policy"]) : declared.values;
      try {
        const held = isHeld && isOurs ? ["policy"] : [];
        this.#states.set(label, await reconcile(this.call.of(group), before, { ...declared, values }, held));
      } catch (error) {
        if (error instanceof UncertainError) this.#states.set(label, error.state);
        else if (kept) this.#states.set(label, kept.state);
        else this.#states.delete(label);
        throw error;
      }
    });
  }

  #managed(): SiteDevice[] {
    return this.#plan.devices.filter(({ observe }) => !observe);
  }

  /** Decides whether a car keeps its policy, because something that it needs is missing or not accepted. */
  #policyHolder(): (device: SiteDevice) => boolean {
    const { devices, isSolar } = this.#plan;
    const memberOf = (device: SiteDevice) => asMember(device, device.values);
    const byLabel = new Map(devices.map((device) => [labelOf(device), device]));
    const gapsOfCar = gapsBeforePolicy(devices.map(memberOf), isSolar, ({ kind, label }) => {
      const device = byLabel.get(label) as SiteDevice;
      if (kind.name === vehicle.name) return supposedValues(device, this.#reported(device));
      // The last known values of a failed inverter do not count, because its update may have had to repair drift.
      return this.#failures.has(label) ? {} : this.#counted(device);
    });
    return (device) => {
      if (device.values.policy !== ChargePolicy.ChargeByForecast) return false;
      // A declared policy waits only for values that the program also declares.
      const blocks = ({ reason }: Gap) => device.policyFromSite || reason === "notAccepted";
      return gapsOfCar(memberOf(device)).some((gaps) => gaps.some(blocks));
    };
  }

  #counted(device: SiteDevice): Values {
    const state = this.#states.get(labelOf(device));
    return state ? countedValues(device.observe, state.settings, device.values) : {};
  }

  /**
   * Withdraws the devices that the site no longer declares: vehicles first, because their policy needs the inverters.
   */
  async leave(): Promise<void> {
    const declared = new Map(this.#plan.devices.map((device) => [deviceKey(device), device]));
    const leaving: KeptDevice[] = [];
    for (const [key, kept] of this.#known) {
      const device = declared.get(key);
      if (!device) leaving.push(kept);
      else if (device.observe && !kept.role.observe) {
        await leaveUnrestored(this.call.of(device.group), kept.state);
      }
    }
    const of = (group: SiteDevice["group"]) => leaving.filter(({ role }) => role.group === group);
    const { failed: cars } = await leave(this.call, of("vehicles"));
    this.#left.push(...cars);
    // The inverters keep their values while the policy of a car may still use them.
    this.#left.push(...(cars.length > 0 ? of("inverters") : (await leave(this.call, of("inverters"))).failed));
  }

  async result(): Promise<Record<string, unknown>> {
    const managed = this.#plan.devices.flatMap((device) => {
      const state = this.#states.get(labelOf(device));
      return state ? [keptOf(device, state)] : [];
    });
    // Done a second time: while this site adopted a device, the engine may have updated the site that gave it up.
    const devices = devicesWithOriginals(this.call, managed);
    for (const kept of this.#left) devices.push(renamed(kept, devices));
    const options = pick<unknown>(this.inputs, SITE_OPTIONS);
    const outputs = toSiteOutputs({ options, devices, openGaps: this.#openGaps() });
    const reasons = this.#failures.reasons();
    if (reasons.length === 0) return outputs;
    if (devices.length === 0 && this.before === undefined) throw new Error(reasons.join("\n"));
    throw new PartialError(outputs, reasons);
  }

  #openGaps(): Gap[] {
    return this.#managed().flatMap((device) => {
      const accepted = this.#counted(device);
      return Object.keys(omit(device.values, ["policy"]))
        .filter((setting) => accepted[setting] === undefined)
        .map((setting) => ({ device: labelOf(device), setting, reason: "notAccepted" as const }));
    });
  }
}

/** The declaration of a device of a site, in the form for operations of a device. The site keeps its options. */
export function declarationOf({ businessId, deviceId, values }: SiteDevice): Declaration {
  return { businessId, deviceId, values };
}

/** A device that could not leave, under a unique name. */
function renamed(kept: KeptDevice, others: readonly KeptDevice[]): KeptDevice {
  const { group, name } = kept.role;
  const isTaken = others.some(({ role }) => role.group === group && role.name === name);
  return isTaken
    ? renamed({ ...kept, role: { ...kept.role, name: `${name} (former)` } }, others)
    : detached(kept, name);
}
