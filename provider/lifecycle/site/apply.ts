import { changesOf } from "../../ledger/journal";
import { once } from "../../ledger/once";
import { MessageError } from "../../messages/message";
import { type Group, labelOf } from "../../settings/groups";
import { isEmpty, omit } from "../../settings/objects";
import { supposedValues } from "../../settings/planSite";
import { type Gap, gapsBeforePolicy, isFoundByRead, notReady } from "../../settings/readiness";
import type { Value, Values } from "../../settings/setting";
import { asMember } from "../../settings/site";
import { ChargePolicy } from "../../settings/vehicle";
import { isAllManaged, unrecorded } from "../device/apply";
import { releaseUnrestored, showBaselines } from "../device/baselines";
import { UncertainError } from "../device/call";
import { readValues } from "../device/read";
import { reconcile } from "../device/reconcile";
import { baselinesIn, isKept, isManaged } from "../device/record";
import type { State } from "../device/state";
import { PartialError } from "../run/errors";
import { devicesWithBaselines, forEachDevice, type SiteCall } from "./call";
import { releaseDevices } from "./delete";
import { type Plan, type PlanFacts, type PlannedDevice, planOf } from "./plan";
import {
  countedValues,
  declarationOf,
  detached,
  type SiteState,
  type StoredDevice,
  storedOf,
  toSiteOutputs,
} from "./state";

/**
 * Carries out the plan of a site: inverters in parallel, then vehicles in parallel, each in one PATCH with its policy,
 * then the devices that leave. A failed device stops only devices that need it.
 * @throws PartialError if a device is not as declared; it has the accepted values
 */
export async function applySite(call: SiteCall, planned: Plan): Promise<SiteState> {
  const plan = await withReads(call, planned);
  await reportGaps(call, plan);
  const [first, ...others] = firstUpdates(call, plan.devices);
  if (first && !call.stopping.aborted) await showBaselines(call.of(first.device), [first, ...others]);
  const withInverters = await applyGroup(call, plan, plan.devices, "inverters");
  const updated = await applyGroup(call, plan, withInverters, "vehicles");
  const after = afterUpdate(call, plan, updated, await releaseLeaving(call, plan));
  const reasons = call.failures.reasons();
  if (reasons.length === 0) return after;
  if (after.devices.length === 0 && !plan.before) throw new Error(reasons.join("\n"));
  throw new PartialError(toSiteOutputs(after), reasons);
}

/**
 * The plan after reads of new devices, of those that declare a setting for the first time, and of the observed ones.
 * Repeats it, because reported values decide whether a car gets a policy, which it then declares for the first time.
 */
async function withReads(call: SiteCall, plan: Plan, known: NonNullable<PlanFacts["read"]> = new Map()): Promise<Plan> {
  const unread = plan.devices.filter(
    (device) => !known.has(labelOf(device)) && (device.observe || !device.known || !isAllManaged(device.known, device)),
  );
  if (unread.length === 0) return plan;
  const found = await forEachDevice(call, "read", unread, (device) => readValues(call.of(device), device));
  const read = new Map([...known, ...[...found].map(([device, { value }]) => [labelOf(device), value] as const)]);
  const next = planOf(plan.before, plan.declared, { store: call.store, isUpdate: true, read });
  return await withReads(call, next, read);
}

const REQUIRED = "declare what is missing, or leave out requireReady; nothing was sent";

/**
 * Reports the gaps that only the reads could find.
 * @throws MessageError if the site has `requireReady`; nothing is sent
 */
async function reportGaps(call: SiteCall, { isSolar, gaps, devices, declared }: Plan): Promise<void> {
  // A policy that the program keeps is known from state.
  const kept = new Set(devices.filter(({ before }) => isKept(before?.settings.policy)).map(labelOf));
  const isFound = (gap: Gap) => isFoundByRead(gap) && !(gap.setting === "policy" && kept.has(gap.device));
  if (!isSolar || !gaps.some((gap) => isFound(gap) && !call.failures.has(gap.device))) return;
  const message = notReady(call.name, gaps);
  if (declared.options.requireReady === true) throw new MessageError({ ...message, advice: REQUIRED });
  await call.warn(message);
}

/** The updates that replace baselines. @param kept the cars that keep their policy */
function firstUpdates(call: SiteCall, devices: readonly PlannedDevice[], kept?: ReadonlySet<PlannedDevice>) {
  return devices.flatMap((device) => {
    const { known, state, send } = device;
    if (!state) return [];
    const sent = unrecorded(known, state, kept?.has(device) ? omit<Value>(send, ["policy"]) : send);
    const changes = changesOf(sent, baselinesIn(state.settings), call.of(device).isSecret);
    return isEmpty(sent) ? [] : [{ device, label: labelOf(device), changes }];
  });
}

/** Updates one group of a site. Returns all its devices. A device whose necessary read failed is not updated. */
async function applyGroup(
  call: SiteCall,
  plan: Plan,
  devices: readonly PlannedDevice[],
  group: Group,
): Promise<PlannedDevice[]> {
  const own = devices.filter(
    (device) => device.group === group && !device.observe && !call.failures.has(labelOf(device)),
  );
  const kept = new Set(own.filter(policyKeeper(call, plan, devices)));
  // The engine saves a site only when all of it is done. Without this, a process that is killed at the third of five
  // devices would lose the baselines of the first two. A kept policy is not written: a driver may choose the same.
  const record = once(() => call.store.journal.plan(firstUpdates(call, own, kept), call.urn));
  const results = await forEachDevice(call, "applied", own, async (device) => {
    // If the policy was never ours, it is not declared yet. If it is ours, it stays unchanged.
    const isOurs = isManaged(device.known?.settings.policy);
    const isKept = kept.has(device);
    record();
    const declared = declarationOf(device);
    const values = isKept && !isOurs ? omit<Value>(declared.values, ["policy"]) : declared.values;
    const held = isKept && isOurs ? ["policy"] : [];
    return await reconcile(call.of(device), device.state as State, { ...declared, values }, held);
  });
  return devices.map((one) => {
    const result = results.get(one);
    if (!result) return one;
    const { isBegun, value, error } = result;
    if (error === undefined) return { ...one, state: value };
    if (!isBegun) return one;
    return { ...one, state: error instanceof UncertainError ? error.state : one.known };
  });
}

/** Decides whether a car keeps its policy, because something that it needs is missing or not accepted. */
function policyKeeper(
  { failures }: SiteCall,
  { isSolar }: Plan,
  devices: readonly PlannedDevice[],
): (device: PlannedDevice) => boolean {
  const memberOf = (device: PlannedDevice) => asMember(device, device.values);
  const gapsOfCar = gapsBeforePolicy({ members: devices.map(memberOf), isSolar }, ({ device, label }) => {
    if (device.group === "vehicles") return supposedValues(device, device.reported);
    // The last known values of a failed inverter do not count, because its update may have had to repair drift.
    return failures.has(label) ? {} : countedOf(device);
  });
  return (device) => {
    if (device.values.policy !== ChargePolicy.ChargeByForecast) return false;
    // A declared policy waits only for values that the program also declares.
    const blocks = ({ reason }: Gap) => device.policyFromSite || reason === "notAccepted";
    return gapsOfCar(memberOf(device)).some((gaps) => gaps.some(blocks));
  };
}

function countedOf({ observe, values, state }: PlannedDevice): Values {
  return state ? countedValues({ ...state, observe }, values) : {};
}

/**
 * Releases the devices that the site no longer declares: vehicles first, because their policy needs the inverters. None
 * is released while a device that joins in its group fails. Without this, a typo in an id would restore a working device.
 * @returns the devices that could not be released
 */
async function releaseLeaving(call: SiteCall, { devices, leaving }: Plan): Promise<StoredDevice[]> {
  for (const device of devices) {
    const { before, observe } = device;
    if (before && observe && !before.observe) await releaseUnrestored(call.of(device), before);
  }
  const failing = devices.filter((device) => !device.before && call.failures.has(labelOf(device)));
  const held = new Set(failing.map(({ group }) => group));
  const release = async (group: Group) => {
    const own = leaving.filter((device) => device.group === group && !device.observe);
    return held.has(group) ? own : (await releaseDevices(call, own)).failed;
  };
  const cars = await release("vehicles");
  // The inverters keep their values while the policy of a car may still use them.
  if (cars.length > 0) held.add("inverters");
  return [...cars, ...(await release("inverters"))];
}

/** The site after an update. @param left devices that could not be released */
function afterUpdate(
  call: SiteCall,
  { declared }: Plan,
  updated: readonly PlannedDevice[],
  left: readonly StoredDevice[],
): SiteState {
  const managed = updated.flatMap((device) => (device.state ? [storedOf(device, device.state)] : []));
  // Done a second time: while this site adopted a device, the engine may have updated the site that released it.
  const devices = devicesWithBaselines(call, managed);
  for (const stored of left) devices.push(detached(renamed(stored, devices), declared.options));
  return { options: declared.options, devices, openGaps: updated.flatMap(openGapsOf) };
}

/** The declared settings of a device that the service has not accepted. */
function openGapsOf(device: PlannedDevice): Gap[] {
  if (device.observe) return [];
  const accepted = countedOf(device);
  return Object.keys(omit(device.values, ["policy"]))
    .filter((setting) => accepted[setting] === undefined)
    .map((setting) => ({ device: labelOf(device), setting, reason: "notAccepted" }));
}

/** A device that could not leave, under a unique name. */
function renamed(stored: StoredDevice, others: readonly StoredDevice[]): StoredDevice {
  const isTaken = others.some((other) => labelOf(other) === labelOf(stored));
  return isTaken ? renamed({ ...stored, name: `${stored.name} (former)` }, others) : stored;
}
