import { type Gap, gapsOf, type ReadinessMember } from "../settings/readiness";
import { pick, type Value, type Values } from "../settings/setting";
import { asMember, kindOf, labelOf } from "../settings/site";
import type { Role, SiteState } from "./siteModel";
import { acceptedValues, type State } from "./state";

/**
 * The values of a device that count: those that were accepted as they are declared. Somebody else's change since is
 * drift, and no gap. Of an observed device, the reported ones.
 */
export function countedValues({ observe }: Pick<Role, "observe">, state: State, declared: Values): Values {
  if (observe) return state.reported;
  const accepted = { ...acceptedValues(state), ...pick(state.written, Object.keys(state.verification)) };
  const asDeclared = { ...declared, ...pick(state.written, Object.keys(declared)) };
  return pick(
    accepted,
    Object.keys(accepted).filter((key) => accepted[key] === asDeclared[key]),
  );
}

/** What keeps a site from being ready by the devices that something is kept of. Drift is no gap. */
export function gapsOfDevices({ solar, devices }: SiteState, others: readonly ReadinessMember[] = []): Gap[] {
  const counted = new Map(devices.map(({ role, state }) => [labelOf(role), countedValues(role, state, state.values)]));
  const members = devices.map(({ role, state }) => asMember(role, state.values));
  return gapsOf([...members, ...others], solar, ({ label }) => counted.get(label));
}

/** What keeps a site from being ready, by what was declared and accepted. */
export function gapsInState(site: SiteState): Gap[] {
  const { devices, openGaps } = site;
  const kept = new Set(devices.map(({ role }) => labelOf(role)));
  // A device of which nothing is kept counts as one of the site: else the site would have none.
  const failed = [...new Set(openGaps.map(({ device }) => device))].filter((label) => !kept.has(label));
  const gaps = gapsOfDevices(site, failed.map(asFailedMember));
  const isOpen = (gap: Gap) => openGaps.some(({ device, setting }) => device === gap.device && setting === gap.setting);
  const ofSite = new Set(devices.filter(({ role }) => role.policyFromSite).map(({ role }) => labelOf(role)));
  return withoutConsequences([...gaps.filter((gap) => !isOpen(gap)), ...openGaps], ofSite);
}

function asFailedMember(label: string): ReadinessMember {
  const group = label.startsWith("inverter/") ? "inverters" : "vehicles";
  return { kind: kindOf({ group }), label, observe: false, isLeftOut: true, declared: {} };
}

/** A policy that waits for something else that is missing is no gap of its own. @param ofSite cars whose policy is the site's */
function withoutConsequences(gaps: readonly Gap[], ofSite: ReadonlySet<string>): Gap[] {
  const causes = gaps.filter(
    ({ device, setting, reason }) => setting !== "policy" || (reason !== "notAccepted" && !ofSite.has(device)),
  );
  return causes.length > 0 ? causes : [...gaps];
}

/** What was accepted and is not seen, such as `vehicle/car: maxCapacity accepted, not reported`. */
export function unverifiedIn({ devices }: SiteState): string[] {
  return devices.flatMap(({ role, state }) =>
    Object.entries(state.verification).flatMap(([key, is]) =>
      is === "verified" ? [] : [`${labelOf(role)}: ${key} ${unverified(is, state.reported[key])}`],
    ),
  );
}

function unverified(is: "pending" | "adjusted" | "notReported", reported: Value | undefined): string {
  if (is === "notReported") return "accepted, not reported";
  return is === "adjusted" ? `accepted, and kept as ${reported}` : `accepted, ${reported} is still shown`;
}
