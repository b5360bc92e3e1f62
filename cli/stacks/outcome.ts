import { isDeepStrictEqual } from "node:util";
import type { Done } from "../../provider/ledger/done";
import { baselinesIn } from "../../provider/lifecycle/device/record";
import { stateUnder, valuesOf } from "../../provider/lifecycle/device/state";
import type { MessageCode } from "../../provider/messages/codes";
import { type Audience, type Message, problemOf } from "../../provider/messages/message";
import { partsOf } from "../../provider/messages/names";
import { deviceName } from "../../provider/service/device";
import { defined, isEmpty, type Properties, pick } from "../../provider/settings/objects";
import type { Values } from "../../provider/settings/setting";
import { AT_COMMAND_LINE } from "../environment";
import { changesBetween } from "../view/compare";
import type { DeviceView, SettingChange, SiteView } from "../view/model";
import { siteInPreview } from "../view/preview";
import { siteInOutputs } from "../view/state";

/**
 * The outcome of an operation on a device:
 *
 * - `changed`: an update sent or will send something, the device has drifted, or the device or some of its settings are
 * newly or no longer managed
 * - `held`: the device waits for another one that failed, or the run was stopped before its turn. With a problem, the
 * device stays unchanged because nobody has approved its new values
 */
export type Result = "unchanged" | "changed" | "held" | "failed";

/** A device before and after an operation, and its outcome. */
export interface Outcome {
  /** `business/device`. */
  readonly device: string;
  readonly site: string;
  /** Its name in its site: `vehicle/<name>` or `inverter/<name>`. */
  readonly label: string;
  readonly result: Result;
  /** The reason why it failed, or is held. */
  readonly problem?: Message;
  /** Absent if the device is new. */
  readonly before?: DeviceView;
  /** Absent if the device is no longer managed. A device that failed or is held has no change. */
  readonly after?: DeviceView;
  /** Changes by somebody else since the last update, if this run, or an earlier refresh, has read them. */
  readonly drifted?: readonly SettingChange[];
  /** The settings that were sent, or that an update will send. Absent if there are none. */
  readonly sent?: readonly string[];
  /** The site that another step of the run takes it from; the same one if it was renamed, or moves between stacks. */
  readonly from?: string;
  /**
   * The device's `onDelete`, if its site no longer declares it; `observe` if it was only read; `moves` if a site outside
   * of the run declares it.
   */
  readonly onDelete?: string;
}

/** A site before and after an operation. */
export interface SiteInRun {
  readonly site: string;
  readonly before?: SiteView;
  readonly after?: SiteView;
  readonly devices: readonly Outcome[];
}

/**
 * Returns the outcome of an operation. If this version does not understand the state, all its devices have failed.
 * Without this, the preview of a delete, which asks no provider, would not show the site. `isBrief` leaves out the views
 * of a settled site, which take a third of a command's time. `declared` has the values of the manifest, by device.
 */
export function outcomeIn(
  done: Done,
  { isBrief, declared }: { isBrief?: boolean; declared?: DeclaredValues | undefined } = {},
): SiteInRun {
  const { operation, urn, before = {} } = done;
  const site = partsOf(urn).name;
  const devicesAs = (outcome: Pick<Outcome, "result" | "problem">) =>
    Object.entries(Object(before.devices)).map(([label, ref]): Outcome => {
      const device = deviceName({ ...before, deviceId: label, ...Object(ref) });
      return { site, label, device, ...outcome };
    });
  if (isBrief && operation !== "delete" && isSettled(before)) {
    const view = { name: site, stack: "", isSite: true, solar: true, ready: true, gaps: [], warnings: [], devices: [] };
    return { site, before: view, after: view, devices: devicesAs({ result: "unchanged" }) };
  }
  try {
    return { site, ...found(site, done, declared) };
  } catch (error) {
    const { problem = problemOf(error) } = done;
    return { site, devices: devicesAs({ result: "failed", problem }) };
  }
}

/** Whether a site is ready, and the service reports all that it declares. A secret can hide that it does not. */
function isSettled({ ready, devices }: Properties): boolean {
  return ready === true && !/"status":|"observe":true|\[secret\]/.test(JSON.stringify(devices));
}

function found(site: string, done: Done, ofManifest: DeclaredValues = new Map()): Omit<SiteInRun, "site"> {
  const viewOf = (outputs: Properties | undefined) => outputs && siteInOutputs(site, outputs);
  const { operation, planned } = done;
  const state = viewOf(done.before);
  // A diff without a plan found no change, so the program declares the values that drifted, and did so before.
  const isSettled = operation === "diff" && !planned && !hasFailed(done);
  const before =
    state && withFound(state, (device, key, value) => isSettled || ofManifest.get(device)?.[key] === value);
  const kept = operation === "diff" || done.after === done.before ? before : viewOf(done.after);
  // After an update without failures, the state is as planned.
  const isPlan = operation === "diff" || hasFailed(done);
  const declared =
    planned && isPlan && siteInPreview({ kind: "site", name: site, stack: "" }, { inputs: planned }, done.before);
  const wanted = declared || (operation === "delete" ? undefined : kept);
  const after = operation === "diff" ? wanted : kept;
  const [old, now] = [byDevice(before), byDevice(after)];
  const devices = (wanted?.devices ?? []).map((one) => {
    const { device } = one;
    const found = deviceInRun(done, { wanted: one, before: old.get(device), after: now.get(device) });
    old.delete(device);
    return found;
  });
  const leaving = [...old.values()].map((one) => leavingDevice(one, now.get(one.device)));
  return {
    ...defined({ before, after }),
    devices: [...devices, ...leaving].map((one) => withProblem(done, { site, ...one })),
  };
}

type Found = Omit<Outcome, "site">;

/** A device that the operation keeps. @param wanted the device as it should be */
function deviceInRun(
  done: Done,
  { wanted, before, after }: { wanted: DeviceView; before: DeviceView | undefined; after: DeviceView | undefined },
): Found {
  const { operation, planned } = done;
  const { device, label, observe, declared } = wanted;
  const sent = done.sent[device] ?? [];
  const was = before && asFound(before, wanted);
  const isDrifted = before?.drift.some((key) => declared[key] !== was?.declared[key]);
  const found = {
    ...{ device, label },
    // Without a plan, the program declares the other value.
    ...(was && isDrifted && planned && { drifted: changesBetween(before.declared, was.declared) }),
    ...(sent.length > 0 && { sent }),
  };
  const sides = (was: DeviceView | undefined, is = after) => ({ ...found, ...defined({ before: was, after: is }) });
  if (observe) return { ...sides(before), result: before?.observe === false ? "changed" : "unchanged" };
  if (operation === "read") {
    return { ...sides(before, asFound(wanted)), result: wanted.drift.length > 0 ? "changed" : "unchanged" };
  }
  const isPart = operation !== "diff" && hasFailed(done);
  const open = isPart ? Object.keys(declared).filter((key) => isNotAccepted(key, declared, after)) : [];
  if (open.length > 0) {
    return { ...sides(was), result: open.every((key) => key === "policy") ? "held" : "failed" };
  }
  if (!was) {
    // What was sent changed the baselines, which the service had before.
    const baselines = sent.length === 0 ? {} : baselinesIn(after?.settings ?? {});
    // As if it had been observed before: without this, an update would count a new device as changed.
    const had = { declared: baselines, reported: baselines, observe: true, warnings: [] };
    return { ...sides(after && !isEmpty(baselines) ? { ...after, ...had } : undefined), result: "changed" };
  }
  const isSame = sent.length === 0 && isDeepStrictEqual(managedIn(was), managedIn(wanted));
  return { ...sides(was), result: isSame ? "unchanged" : "changed" };
}

function managedIn({ declared, secret }: DeviceView) {
  return [declared, new Set(secret)];
}

function hasFailed({ problem, problems }: Done): boolean {
  return problem !== undefined || !isEmpty(problems);
}

/** Whether the service has not accepted a declared value. */
function isNotAccepted(key: string, declared: Values, after: DeviceView | undefined): boolean {
  return !after || after.declared[key] !== declared[key] || [...after.toApply, ...after.drift].includes(key);
}

/** A device that is no longer declared, or no longer exists. @param after set if it is still managed */
function leavingDevice(before: DeviceView, after: DeviceView | undefined): Found {
  const { device, label, observe, onDelete = "retain" } = before;
  const found = { device, label, before: asFound(before), onDelete: observe ? "observe" : onDelete };
  return after ? { ...found, after, result: "held" } : { ...found, result: "changed" };
}

/** The device with the reported values in place of the declared ones that drifted, under the `onDrift` of the program. */
function asFound(view: DeviceView, { onDrift }: Pick<DeviceView, "onDrift"> = view): DeviceView {
  const { settings } = stateUnder({ settings: {}, ...view }, defined({ onDrift }));
  return { ...view, declared: { ...view.declared, ...pick(valuesOf({ settings }), Object.keys(view.declared)) } };
}

/** The site with the drift that its program declares by now. Without this, accepted drift would stay for ever. */
function withFound(site: SiteView, isAccepted: (device: string, key: string, value: unknown) => boolean): SiteView {
  const devices = site.devices.map((one) => {
    const found = asFound(one).declared;
    const accepted = one.drift.filter((key) => isAccepted(one.device, key, found[key]));
    const drift = one.drift.filter((key) => !accepted.includes(key));
    return { ...one, declared: { ...one.declared, ...pick(found, accepted) }, drift };
  });
  return { ...site, devices };
}

/** Problems of devices after the user has stopped the run. They do not count as failures. */
const STOPPED: ReadonlySet<MessageCode> = new Set<MessageCode>(["notBegun", "runStopped"]);

/** The device with its problem, or with that of its site. */
function withProblem({ problem: whole, problems }: Done, found: Outcome): Outcome {
  const left = [whole, ...Object.values(problems)].find((one) => one?.code === "notReviewed");
  const own = problems[found.device] ?? whole;
  const isStopped = own !== undefined && STOPPED.has(own.code);
  if (!own && !isOpen(found)) return found;
  // A refused site names the devices whose values nobody has approved. The others need nothing.
  const named = Object.values(own?.values ?? {}).map(({ device }) => device);
  const isNothing = own?.code === "notReviewed" && found.result === "unchanged" && !named.includes(found.label);
  if (isNothing && named.length > 0) return found;
  // Without this, drift at one site would stop the rollout of a reviewed change at all others.
  const isHeld = isStopped || own?.code === "notReviewed" || (!own && found.result === "held");
  return isHeld ? asBefore(found, "held", left) : asBefore(found, "failed", own);
}

/** The outcome of a device that stays as it was. */
export function asBefore(found: Outcome, result: "failed" | "held", problem: Message | undefined): Outcome {
  return defined({ ...found, after: found.before, problem, result });
}

/** Whether a device is not as it should be. */
export function isOpen({ result }: Outcome): boolean {
  return result === "failed" || result === "held";
}

function byDevice(site: SiteView | undefined): Map<string, DeviceView> {
  return new Map(site?.devices.map((one) => [one.device, one]));
}

/** A warning of a run, or a note. */
export interface Warning {
  /** Absent if it concerns the whole stack. */
  readonly site?: string;
  /** Absent if it concerns the whole site. */
  readonly device?: string;
  readonly problem: Message;
}

/** The audience of lines that begin with the name of the device. */
export const BESIDE_DEVICE: Audience = { ...AT_COMMAND_LINE, isBesideDevice: true };

/** A device that the manifest declares. */
export type ExpectedDevice = Pick<Outcome, "device" | "site" | "label">;

/** The values that a manifest declares, by device, as `business/device`. */
export type DeclaredValues = ReadonlyMap<string, Values>;

/** By device, as `business/device`. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/** The outcomes of the devices that are still declared. */
export function declaredIn(outcomes: Outcomes): Outcome[] {
  return [...outcomes.values()].filter(({ onDelete }) => onDelete === undefined);
}

/**
 * The outcome of each device, by `business/device`. If a stack ran twice, as with a canary, its last run counts. A
 * device in two stacks has moved from one to the other.
 */
export function mergedOutcomes(
  results: readonly { readonly stack: string; readonly outcomes: Outcomes }[],
): Map<string, Outcome> {
  const outcomes = new Map<string, Map<string, Outcome>>();
  for (const { stack, outcomes: some } of results) {
    for (const [device, outcome] of some) {
      const ofStacks = outcomes.get(device) ?? new Map<string, Outcome>();
      const before = ofStacks.get(stack);
      const keepsChange = outcome.result === "unchanged" && before !== undefined && before.result !== "failed";
      outcomes.set(device, ofStacks.set(stack, keepsChange ? before : outcome));
    }
  }
  return new Map(
    [...outcomes].map(([device, ofStacks]) => [device, [...ofStacks.values()].reduce((one, two) => inTurn(one, two))]),
  );
}

/** Merges the outcomes of a device in two steps: of two sites, or of one site twice. */
export function inTurn(one: Outcome | undefined, other: Outcome): Outcome {
  if (!one) return other;
  const [left, joined] = one.onDelete === undefined ? [other, one] : [one, other];
  if (left.onDelete !== undefined && joined.onDelete === undefined) {
    const { before = joined.before, problem } = left;
    // The views of a settled site may be left out.
    const { after = joined.result === "unchanged" ? before : undefined } = joined;
    const own = { ...joined, ...defined({ before, after }), from: left.site };
    return { ...own, ...(left.result === "failed" && { result: "failed", ...defined({ problem }) }) };
  }
  return rank(one) > rank(other) ? one : other;
}

/** Whether a device stays as it is because nobody has approved a change of its site. */
export function isLeft({ result, problem }: Outcome): boolean {
  return result === "held" && problem?.code === "notReviewed";
}

const RANKS: readonly Result[] = ["unchanged", "changed", "held", "failed"];

function rank({ result }: Outcome): number {
  return RANKS.indexOf(result);
}
