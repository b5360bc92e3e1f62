import type { Message } from "../messages/message";
import { type Counted, type Gap, gapsBeforePolicy, type ReadinessMember, readinessOf } from "../settings/readiness";
import type { Problem } from "../settings/schema";
import { isObject } from "../settings/setting";
import { asMember, GROUP_NAMES, type Group, type SiteDevice } from "../settings/site";
import { ChargePolicy } from "../settings/vehicle";
import type { Owner } from "./claims";
import { type ProgramFacts, UNKNOWN } from "./program";
import type { Run } from "./run";
import type { SecretInputs } from "./secretInputs";
import type { Properties } from "./state";

/** A device of a site in the middle of its check. */
export interface CheckedDevice {
  readonly device: Pick<SiteDevice, "group" | "name" | "observe" | "policyFromSite">;
  readonly label: string;
  /** Where it stands in the site's arguments: `vehicles.car`. */
  readonly path: string;
  readonly owner: Owner;
  /** What is kept of its inputs. */
  readonly inputs: Properties;
  readonly problems: readonly Problem[];
  readonly lints: readonly Message[];
  readonly secrets: SecretInputs;
}

export function membersOf(devices: readonly CheckedDevice[]): ReadinessMember[] {
  return devices.map(({ device, inputs }) => asMember(device, inputs));
}

/** What is supposed of each device before the update: that what is declared will be accepted. */
export function supposed({ liveDevices = {} }: ProgramFacts): Counted {
  return ({ label, observe, declared }) => {
    if (!observe) return { policy: ChargePolicy.ChargeByForecast, ...declared };
    const live = liveDevices[label];
    return live && "values" in live ? live.values : undefined;
  };
}

/** What a live preview found that keeps the site from being ready: two ids that were swapped, for example. */
export function liveGaps(devices: readonly CheckedDevice[], { liveDevices = {} }: ProgramFacts): Gap[] {
  return devices.flatMap(({ label }): Gap[] => {
    const live = liveDevices[label];
    return live && "problem" in live ? [{ device: label, setting: "deviceId", reason: "otherDevice" }] : [];
  });
}

/**
 * Gives cars the policy CHARGE BY FORECAST if nothing that they need is missing. A car of a site that is no longer
 * ready keeps the policy that it has: taking it back is up to a delete.
 */
export function withPolicies(
  devices: readonly CheckedDevice[],
  isSolar: boolean,
  before: ReturnType<typeof oldDevices>,
  live: readonly Gap[],
  program: ProgramFacts,
): CheckedDevice[] {
  const members = membersOf(devices);
  const gapsOfCar = gapsBeforePolicy(members, isSolar, supposed(program));
  const isBlockedSite = live.some(({ device }) => device.startsWith("inverter/"));
  const blocked = new Set(live.map(({ device }) => device));
  return devices.map((checked, index) => {
    const member = members[index] as ReadinessMember;
    const { group, observe } = checked.device;
    if (!isSolar || group !== "vehicles" || observe || member.isLeftOut) return checked;
    const isBlocked = isBlockedSite || blocked.has(member.label);
    const { policyFromSite, policy: kept } = before(checked);
    const isWhole = !isBlocked && gapsOfCar(member).length === 0;
    const policy = isWhole ? ChargePolicy.ChargeByForecast : policyFromSite === true ? kept : undefined;
    if (policy === undefined) return checked;
    const device = { ...checked.device, policyFromSite: true };
    return { ...checked, device, inputs: { ...checked.inputs, policy, policyFromSite: true } };
  });
}

/** Finds the inputs in state of a device, whatever it was called: one that gets another name keeps its policy. */
export function oldDevices(olds: Properties): (checked: Pick<CheckedDevice, "device" | "inputs">) => Properties {
  const devices = new Map(
    GROUP_NAMES.flatMap((group) =>
      Object.values(isObject(olds[group]) ? olds[group] : {})
        .filter(isObject)
        .map((before) => [keyOf(group, before), before] as const),
    ),
  );
  return ({ device, inputs }) => devices.get(keyOf(device.group, inputs)) ?? {};
}

function keyOf(group: Group, { businessId, deviceId }: Properties): string {
  return JSON.stringify([group, businessId, deviceId]);
}

/** Claims the policies that the site declares. Without it, another resource could declare one of the same car. */
export function claimPolicies(run: Run, devices: readonly CheckedDevice[]): Problem[] {
  return devices
    .filter(({ device }) => device.policyFromSite)
    .flatMap(({ path, owner, inputs }) => {
      const { businessId, deviceId, policy } = inputs as { businessId: string; deviceId: string; policy: string };
      if ([businessId, deviceId].includes(UNKNOWN)) return [];
      const { policy: other } = run.claims.add({ businessId, deviceId }, { policy }, owner);
      if (other === undefined) return [];
      const reason = `its policy is declared by ${other} too: declare it in one place, or give the site solar: false`;
      return [{ property: path, reason }];
    });
}

export function requiredProblems(requireReady: unknown, isSolar: boolean, gaps: readonly Gap[]): Problem[] {
  if (requireReady !== true || gaps.length === 0) return [];
  const words = readinessOf(gaps).missing.join("; ");
  const advice = isSolar ? "declare what is missing, or leave out requireReady" : "leave out requireReady";
  return [{ property: "requireReady", reason: `the site is not ready for solar-aware charging: ${words}; ${advice}` }];
}
