import { type Gap, gapsBeforePolicy, type ReadinessMember } from "../settings/readiness";
import { fromDevice, omit } from "../settings/setting";
import { asMember, labelOf, type SiteDevice } from "../settings/site";
import { ChargePolicy, vehicle } from "../settings/vehicle";
import { reportUnmanaged } from "./baselines";
import { adopt, unsent } from "./create";
import { PartialError, UncertainError } from "./errors";
import { readExisting } from "./read";
import { reconcile } from "./reconcile";
import { type Failures, forEachDevice, type SiteCall } from "./siteCall";
import { leave } from "./siteDelete";
import type { KeptDevice, SiteDeclaration, SiteState } from "./siteModel";
import { countedValues } from "./siteReadiness";
import { deviceKey, toSiteOutputs } from "./siteState";
import type { State } from "./state";

/**
 * Brings a site from what is kept of it to what is declared: inverters side by side, then vehicles side by side, each in
 * one PATCH with its policy, then the devices that leave. A device that fails fails no other that does not need it.
 * @param before undefined for a site that is created
 * @throws PartialError if something is not as declared; what the service accepted is in it
 */
export async function applySite(
  call: SiteCall,
  before: SiteState | undefined,
  declaration: SiteDeclaration,
): Promise<Record<string, unknown>> {
  const run = new Application(call, before, declaration);
  await run.read();
  await run.writeDownBaselines();
  await run.apply("inverters");
  await run.apply("vehicles");
  await run.leave();
  return await run.result();
}

/** One run of `applySite`: what is known of each device, and what failed. */
class Application {
  readonly #known = new Map<string, KeptDevice>();
  /** By label, the state of the declared devices, as far as they have one. */
  readonly #states = new Map<string, State>();
  readonly #failures: Failures;
  readonly #members: ReadonlyMap<string, ReadinessMember>;
  readonly #devices: ReadonlyMap<string, SiteDevice>;
  readonly #left: KeptDevice[] = [];

  constructor(
    private readonly call: SiteCall,
    private readonly before: SiteState | undefined,
    private readonly wanted: SiteDeclaration,
  ) {
    this.#failures = call.failures;
    // By device, so that a device that is renamed within its site keeps its baseline.
    for (const kept of before?.devices ?? []) this.#known.set(deviceKey(kept.role.group, kept.state), kept);
    this.#devices = new Map(wanted.devices.map((device) => [labelOf(device), device]));
    this.#members = new Map(wanted.devices.map((device) => [labelOf(device), asMember(device, device.values)]));
    for (const device of wanted.devices) {
      const kept = this.#knownAs(device);
      if (kept) this.#states.set(labelOf(device), kept.state);
    }
  }

  /** What is kept of a declared device. One that was only observed has no baseline: it is adopted when it is managed. */
  #knownAs(device: SiteDevice): KeptDevice | undefined {
    const kept = this.#known.get(deviceKey(device.group, device));
    return kept && kept.role.observe === device.observe ? kept : undefined;
  }

  /** Reads the devices that are new to the site, and those that are only observed. */
  async read(): Promise<void> {
    const unread = this.wanted.devices.filter((device) => device.observe || !this.#knownAs(device));
    await forEachDevice(this.call, "read", unread, async (device) => {
      const call = this.call.of(device.group);
      const found = await readExisting(call, device);
      const adopted = adopt(call, device, found);
      this.#states.set(
        labelOf(device),
        device.observe ? { ...adopted, reported: fromDevice(call.kind, found) } : adopted,
      );
    });
  }

  /**
   * Writes down what new devices were before their first PATCH. The engine saves a site when all of it is done: without
   * this, a process that is killed at the third of five devices would lose the baselines of the first two.
   */
  async writeDownBaselines(): Promise<void> {
    const entries = this.#managed().flatMap((device) => {
      const state = this.#states.get(labelOf(device));
      if (!state || this.#knownAs(device)) return [];
      const sent = unsent(state, device.values);
      return Object.keys(sent).length > 0 ? [{ device, label: labelOf(device), baseline: state.baseline, sent }] : [];
    });
    if (entries.length > 0 && !this.call.stopping.aborted) await this.call.journal.record(entries, this.call.urn);
  }

  async apply(group: SiteDevice["group"]): Promise<void> {
    const devices = this.#managed().filter((device) => device.group === group && this.#isReady(device));
    const holdsPolicy = this.#policyHolder();
    await forEachDevice(this.call, "applied", devices, async (device) => {
      const label = labelOf(device);
      const before = this.#states.get(label) as State;
      const held = holdsPolicy(device) ? ["policy"] : [];
      try {
        this.#states.set(label, await reconcile(this.call.of(group), before, device, held));
      } catch (error) {
        if (error instanceof UncertainError) this.#states.set(label, error.state);
        else if (!this.#knownAs(device)) this.#states.delete(label);
        throw error;
      }
    });
  }

  #managed(): SiteDevice[] {
    return this.wanted.devices.filter(({ observe }) => !observe);
  }

  /** Whether the device could be read, if it had to be. */
  #isReady(device: SiteDevice): boolean {
    return this.#states.has(labelOf(device));
  }

  /** Tells whether a car keeps the policy that it has, as something that it needs is missing or not accepted. */
  #policyHolder(): (device: SiteDevice) => boolean {
    const members = [...this.#members.values()];
    const gapsOfCar = gapsBeforePolicy(members, this.wanted.solar, ({ kind, label, declared }) => {
      if (kind.name === vehicle.name) return declared;
      // What an inverter had before it failed may not be what it has: somebody else's change is repaired by an update.
      return this.#failures.has(label) ? {} : this.#counted(label);
    });
    return (device) => {
      const member = this.#members.get(labelOf(device));
      if (!member || device.values.policy !== ChargePolicy.ChargeByForecast) return false;
      // A policy that the program declares itself waits for no value that the program does not declare.
      return gapsOfCar(member).some(({ reason }) => device.policyFromSite || reason === "notAccepted");
    };
  }

  #counted(label: string): Readonly<Record<string, unknown>> {
    const device = this.#devices.get(label) as SiteDevice;
    const state = this.#states.get(label);
    return state ? countedValues(device, state, device.values) : {};
  }

  /** Gives back the devices that the site no longer declares: vehicles first, as their policy needs the inverters. */
  async leave(): Promise<void> {
    const declared = new Map(this.wanted.devices.map((device) => [deviceKey(device.group, device), device]));
    const leaving: KeptDevice[] = [];
    for (const [key, kept] of this.#known) {
      const device = declared.get(key);
      if (!device) leaving.push(kept);
      else if (device.observe && !kept.role.observe) {
        await reportUnmanaged(this.call.of(device.group), kept.state, kept.state.baseline);
      }
    }
    const of = (group: SiteDevice["group"]) => leaving.filter(({ role }) => role.group === group);
    const cars = await leave(this.call, of("vehicles"));
    this.#left.push(...cars, ...(cars.length > 0 ? of("inverters") : await leave(this.call, of("inverters"))));
  }

  async result(): Promise<Record<string, unknown>> {
    const devices: KeptDevice[] = this.wanted.devices.flatMap((device) => {
      const state = this.#states.get(labelOf(device));
      const { group, name, observe, policyFromSite } = device;
      return state ? [{ role: { group, name, observe, policyFromSite }, state }] : [];
    });
    for (const kept of this.#left) devices.push(renamed(kept, devices));
    const { site, solar, latitude } = this.wanted;
    const place = latitude === undefined ? {} : { latitude };
    const outputs = toSiteOutputs({
      ...{ site, solar, ...place },
      devices,
      openGaps: this.#openGaps(),
    });
    const reasons = this.#failures.reasons();
    if (reasons.length === 0) return outputs;
    if (devices.length === 0 && this.before === undefined) throw new Error(reasons.join("\n"));
    throw new PartialError(outputs, reasons);
  }

  #openGaps(): Gap[] {
    return this.#managed().flatMap((device) => {
      const label = labelOf(device);
      const accepted = this.#counted(label);
      return Object.keys(omit(device.values, ["policy"]))
        .filter((setting) => accepted[setting] === undefined)
        .map((setting) => ({ device: label, setting, reason: "notAccepted" as const }));
    });
  }
}

/** A device that could not leave, under a name that no other device of the site has. */
function renamed(kept: KeptDevice, others: readonly KeptDevice[]): KeptDevice {
  const { group, name } = kept.role;
  const isTaken = others.some(({ role }) => role.group === group && role.name === name);
  return isTaken ? renamed({ ...kept, role: { ...kept.role, name: `${name} (former)` } }, others) : kept;
}
