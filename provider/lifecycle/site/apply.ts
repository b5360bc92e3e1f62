import { MessageError } from "../../messages/message";
import type { Declaration } from "../../settings/declaration";
import { type Group, labelOf } from "../../settings/groups";
import { planSite, type SitePlan, supposedValues } from "../../settings/planSite";
import { type Gap, gapsBeforePolicy, isFoundByRead, notReady } from "../../settings/readiness";
import { omit, type Value, type Values } from "../../settings/setting";
import { asMember, type SiteDeclaration, type SiteDevice } from "../../settings/site";
import { ChargePolicy, vehicle } from "../../settings/vehicle";
import { releaseUnrestored, writeDown } from "../device/baselines";
import { UncertainError } from "../device/call";
import { adopt, withFirstDeclared } from "../device/create";
import { readValues } from "../device/read";
import { reconcile } from "../device/reconcile";
import { baselinesIn, isManaged, unsent } from "../device/record";
import type { State } from "../device/state";
import { PartialError } from "../run/errors";
import { devicesWithBaselines, forEachDevice, type SiteCall } from "./call";
import { releaseDevices } from "./delete";
import { policyOf, reportedBy } from "./diff";
import {
  countedValues,
  detached,
  deviceKey,
  type KeptDevice,
  keptKey,
  keptOf,
  type SiteState,
  toSiteOutputs,
} from "./state";

/** A site before its update. */
interface SiteUpdate {
  readonly call: SiteCall;
  readonly declared: SiteDeclaration;
  /** The devices before the update. By identity, so that a device that is renamed within its site keeps its baseline. */
  readonly kept: ReadonlyMap<string, KeptDevice>;
}

/** A declared device during an update. */
interface DeviceUpdate {
  readonly device: SiteDevice;
  readonly label: string;
  /** Its state before the update. Undefined for a device that is new in its role. */
  readonly kept: KeptDevice | undefined;
  /** Its present state. Undefined if it could not be read, or if its first update failed. */
  readonly state: State | undefined;
  /** Its reported values, now or at the last read. */
  readonly reported: Values | undefined;
  /** Whether state does not have its baselines yet. */
  readonly isFirst: boolean;
  readonly isFailed: boolean;
}

/**
 * Brings a site from its kept state to the declared one: inverters in parallel, then vehicles in parallel, each in
 * one PATCH with its policy, then the devices that leave. A failed device stops only devices that need it.
 * @param before undefined for a site that is created
 * @throws PartialError if a device is not as declared; it has the accepted values
 */
export async function applySite(
  call: SiteCall,
  before: SiteState | undefined,
  declared: SiteDeclaration,
): Promise<SiteState> {
  const site = { call, declared, kept: new Map(before?.devices.map((kept) => [keptKey(kept), kept])) };
  const { plan, found } = await readDevices(site);
  const devices = await Promise.all(plan.devices.map((device) => beforeUpdate(site, device, found)));
  await reportGaps(site, plan);
  await writeDownBaselines(call, devices);
  const withInverters = await applyGroup(call, plan, devices, "inverters");
  const updated = await applyGroup(call, plan, withInverters, "vehicles");
  const after = afterUpdate(site, updated, await releaseLeaving(site, plan));
  const reasons = call.failures.reasons();
  if (reasons.length === 0) return after;
  if (after.devices.length === 0 && !before) throw new Error(reasons.join("\n"));
  throw new PartialError(toSiteOutputs(after), reasons);
}

/** By label, the reported values of the devices that an update has read; undefined if the read failed. */
type ReadValues = ReadonlyMap<string, Values | undefined>;

/** The plan of a site, and the values that were read for it. */
interface SiteReading {
  readonly plan: SitePlan;
  readonly found: ReadValues;
}

/**
 * Reads new devices, those that declare a setting for the first time, and the observed ones. Repeats it, because
 * reported values decide whether a car gets a policy, which it then declares for the first time.
 */
async function readDevices(site: SiteUpdate, found: ReadValues = new Map()): Promise<SiteReading> {
  const plan = planSite(site.declared, {
    reported: (device) => reportedNow(site, device, found),
    policy: (car) => policyOf(site.kept.get(deviceKey(car))),
  });
  const unread = plan.devices
    .map((device) => ({ label: labelOf(device), device }))
    .filter(({ label, device }) => !found.has(label) && needsRead(device, keptAs(site, device)));
  if (unread.length === 0) return { plan, found };
  const read = await forEachDevice(site.call, "read", unread, ({ device }) => readValues(site.call.of(device), device));
  return await readDevices(
    site,
    new Map([...found, ...[...read].map(([{ label }, { value }]) => [label, value] as const)]),
  );
}

/**
 * Whether an update has to read a device: an observed one, a new one, or one that declares a setting for the first time.
 */
function needsRead({ observe, values }: SiteDevice, kept: KeptDevice | undefined): boolean {
  return observe || !kept || Object.keys(values).some((key) => !isManaged(kept.state.settings[key]));
}

/** The reported values of a device, now or at the last read. Empty if it could not be read. */
function reportedNow(site: SiteUpdate, device: SiteDevice, found: ReadValues): Values | undefined {
  const label = labelOf(device);
  return found.get(label) ?? reportedBy(keptAs(site, device), device) ?? (found.has(label) ? {} : undefined);
}

/**
 * The kept state of a declared device. A device that was only observed has no baseline: it is adopted when it is
 * managed.
 */
function keptAs(site: SiteUpdate, device: SiteDevice): KeptDevice | undefined {
  const kept = site.kept.get(deviceKey(device));
  return kept && kept.role.observe === device.observe ? kept : undefined;
}

/** A declared device before anything is sent. */
async function beforeUpdate(site: SiteUpdate, device: SiteDevice, read: ReadValues): Promise<DeviceUpdate> {
  const [label, call, kept] = [labelOf(device), site.call.of(device), keptAs(site, device)];
  const found = read.get(label);
  const known = { device, label, kept, reported: reportedNow(site, device, read) };
  if (!found) return { ...known, state: kept?.state, isFirst: false, isFailed: read.has(label) };
  const state =
    kept && !device.observe
      ? await withFirstDeclared(call, kept.state, device, found)
      : adopt(call, declarationOf(device), found);
  return { ...known, state, isFirst: true, isFailed: false };
}

const REQUIRED = "declare what is missing, or leave out requireReady; nothing was sent";

/**
 * Reports the gaps that only the reads could find.
 * @throws MessageError if the site has `requireReady`; nothing is sent
 */
async function reportGaps({ call, declared }: SiteUpdate, { isSolar, gaps }: SitePlan): Promise<void> {
  if (!isSolar || !gaps.some((gap) => isFoundByRead(gap) && !call.failures.has(gap.device))) return;
  const message = notReady(call.name, gaps);
  if (declared.options.requireReady === true) throw new MessageError({ ...message, advice: REQUIRED });
  await call.warn(message);
}

/**
 * Records the baselines of settings before their first PATCH. The engine saves a site only when all of it is done.
 * Without this, a process that is killed at the third of five devices would lose the baselines of the first two.
 */
async function writeDownBaselines(call: SiteCall, devices: readonly DeviceUpdate[]): Promise<void> {
  const entries = devices.flatMap(({ device, label, state, isFirst }) => {
    if (device.observe || !isFirst || !state) return [];
    const sent = unsent(state.settings, device.values);
    const { isSecret } = call.of(device);
    return Object.keys(sent).length > 0
      ? [{ device, label, baseline: baselinesIn(state.settings), sent, isSecret }]
      : [];
  });
  const [first] = entries;
  if (first && !call.stopping.aborted) await writeDown(call.of(first.device), entries);
}

/** Updates one group of a site. Returns all its devices. A device whose necessary read failed is not updated. */
async function applyGroup(
  call: SiteCall,
  plan: SitePlan,
  devices: readonly DeviceUpdate[],
  group: Group,
): Promise<DeviceUpdate[]> {
  const own = devices.filter(({ device, isFailed }) => device.group === group && !device.observe && !isFailed);
  const keepsPolicy = policyKeeper(plan, devices);
  const results = await forEachDevice(call, "applied", own, async ({ device, kept, state }) => {
    // If the policy was never ours, it is not declared yet. If it is ours, it stays unchanged.
    const isOurs = isManaged(kept?.state.settings.policy);
    const isKept = keepsPolicy(device);
    const declared = declarationOf(device);
    const values = isKept && !isOurs ? omit<Value>(declared.values, ["policy"]) : declared.values;
    const held = isKept && isOurs ? ["policy"] : [];
    return await reconcile(call.of(device), state as State, { ...declared, values }, held);
  });
  return devices.map((one) => {
    const result = results.get(one);
    if (!result) return one;
    const { isBegun, value, error } = result;
    if (error === undefined) return { ...one, state: value };
    if (!isBegun) return { ...one, isFailed: true };
    return { ...one, state: error instanceof UncertainError ? error.state : one.kept?.state, isFailed: true };
  });
}

/** Decides whether a car keeps its policy, because something that it needs is missing or not accepted. */
function policyKeeper({ isSolar }: SitePlan, devices: readonly DeviceUpdate[]): (device: SiteDevice) => boolean {
  const memberOf = (device: SiteDevice) => asMember(device, device.values);
  const byLabel = new Map(devices.map((one) => [one.label, one]));
  const members = devices.map(({ device }) => memberOf(device));
  const gapsOfCar = gapsBeforePolicy({ members, isSolar }, ({ kind, label }) => {
    const one = byLabel.get(label) as DeviceUpdate;
    if (kind.name === vehicle.name) return supposedValues(one.device, one.reported);
    // The last known values of a failed inverter do not count, because its update may have had to repair drift.
    return one.isFailed ? {} : countedOf(one);
  });
  return (device) => {
    if (device.values.policy !== ChargePolicy.ChargeByForecast) return false;
    // A declared policy waits only for values that the program also declares.
    const blocks = ({ reason }: Gap) => device.policyFromSite || reason === "notAccepted";
    return gapsOfCar(memberOf(device)).some((gaps) => gaps.some(blocks));
  };
}

function countedOf({ device, state }: DeviceUpdate): Values {
  return state ? countedValues({ ...device, ...state }, device.values) : {};
}

/**
 * Releases the devices that the site no longer declares: vehicles first, because their policy needs the inverters.
 * @returns the devices that could not be released
 */
async function releaseLeaving({ call, kept }: SiteUpdate, plan: SitePlan): Promise<KeptDevice[]> {
  const declared = new Map(plan.devices.map((device) => [deviceKey(device), device]));
  for (const [key, { role, state }] of kept) {
    const device = declared.get(key);
    if (device?.observe && !role.observe) await releaseUnrestored(call.of(device), state);
  }
  const leaving = [...kept].flatMap(([key, one]) => (declared.has(key) ? [] : [one]));
  const of = (group: Group) => leaving.filter(({ role }) => role.group === group);
  const { failed: cars } = await releaseDevices(call, of("vehicles"));
  // The inverters keep their values while the policy of a car may still use them.
  return [...cars, ...(cars.length > 0 ? of("inverters") : (await releaseDevices(call, of("inverters"))).failed)];
}

/** The site after an update. @param left devices that could not be released */
function afterUpdate(
  { call, declared }: SiteUpdate,
  updated: readonly DeviceUpdate[],
  left: readonly KeptDevice[],
): SiteState {
  const managed = updated.flatMap(({ device, state }) => (state ? [keptOf(device, state)] : []));
  // Done a second time: while this site adopted a device, the engine may have updated the site that released it.
  const devices = devicesWithBaselines(call, managed);
  for (const kept of left) devices.push(renamed(kept, devices));
  return { options: declared.options, devices, openGaps: updated.flatMap(openGapsOf) };
}

/** The declared settings of a device that the service has not accepted. */
function openGapsOf(updated: DeviceUpdate): Gap[] {
  const { device, label } = updated;
  if (device.observe) return [];
  const accepted = countedOf(updated);
  return Object.keys(omit(device.values, ["policy"]))
    .filter((setting) => accepted[setting] === undefined)
    .map((setting) => ({ device: label, setting, reason: "notAccepted" }));
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
