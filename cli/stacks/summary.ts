import type { Site } from "../../provider/manifest/model";
import type { MessageCode } from "../../provider/messages/codes";
import { type Audience, inGeneral, type Message, textOf } from "../../provider/messages/message";
import { defined } from "../../provider/settings/objects";
import type { Values } from "../../provider/settings/setting";
import { AT_COMMAND_LINE } from "../audience";
import { grouped } from "../grouped";
import { compareNames } from "../names";
import { changesBetween } from "../view/compare";
import type { DeviceView, SettingChange, SiteView } from "../view/model";
import { type Outcome, valuesIn } from "../view/outcome";
import type { WaveCounts } from "./fleetRecord";
import { type DeclaredDevice, isLeft, mergedOutcomes, type SiteOutcome, type Warning } from "./outcome";
import type { ResourceSends } from "./sends";
import type { FleetOperation, StackResult } from "./stack";

/** The audience of lines that begin with the name of the device. */
export const BESIDE_DEVICE: Audience = { ...AT_COMMAND_LINE, isBesideDevice: true };

/** Requests that the run made, by kind. */
export interface Calls {
  readonly get: number;
  readonly patch: number;
  /** Latest reads, which can wake a car. None of the commands makes one. */
  readonly latest: number;
}

/** The devices and sites with the same finding. */
export interface Alike {
  readonly code: MessageCode;
  readonly reason: string;
  readonly devices: readonly string[];
  readonly sites: readonly string[];
}

/** A device as a summary shows it. Values of secret settings are left out. */
export interface DeviceSummary extends Omit<Outcome, "result" | "problem" | "before" | "after"> {
  /** `notDone`: its stack could not be run, or was not started. */
  readonly result: Outcome["result"] | "notDone";
  /** The managed settings before the run; for a new device its baselines, as far as they are known. */
  readonly before: Values;
  /** The managed settings after it, or those that drifted to. Absent if it is no longer managed. */
  readonly after?: Values;
  readonly settings: readonly SettingChange[];
  /** The reason why it failed, as a code. */
  readonly code?: MessageCode;
  readonly reason?: string;
}

/** The facts about a run besides its outcomes. */
interface AboutRun {
  readonly fleet: string;
  readonly operation: FleetOperation;
  /** Host of the service, with a port that is not the default. Absent if none is set. */
  readonly service?: string;
  readonly calls: Calls;
  /** The command that repairs drift. */
  readonly repair?: string;
  /** The command that applies what a preview shows. */
  readonly next?: string;
  /** The values that the update of a preview may send. */
  readonly sends?: readonly ResourceSends[];
  /** The waves that this run of an `up` has started, in numbers of devices. */
  readonly waves?: readonly WaveCounts[];
  /** The reason why a rollout stopped. */
  readonly stopped?: string;
  /** The reason why a rollout could not continue. */
  readonly broken?: string;
  readonly interrupted: boolean;
}

/** The result of a run of the fleet, as `--json` prints it. */
export interface Summary extends AboutRun {
  /** Number of devices by result. */
  readonly changed: number;
  readonly adopted: number;
  readonly unmanaged: number;
  readonly unchanged: number;
  readonly failed: number;
  /** `held` and `notDone` together. */
  readonly notDone: number;
  readonly failures: readonly Alike[];
  /** The devices, among those of `notDone`, that stay as they are because nobody has approved their change. */
  readonly notApproved: readonly Alike[];
  /** The warnings, except those of sites that are not ready. Without devices and sites if it is about whole stacks. */
  readonly warnings: readonly Alike[];
  /** Facts to keep after the run, such as the baselines that leave the state. */
  readonly notes: readonly string[];
  readonly stackErrors: readonly { readonly stack: string; readonly code: MessageCode; readonly error: string }[];
  /** Each site before and after the run: whether it is ready, its gaps, and whether it leaves. */
  readonly sites: readonly SiteOutcome[];
  /** All devices, by site. */
  readonly devices: readonly DeviceSummary[];
}

/** The devices of a run. */
export interface Devices {
  /** The devices that the run had to process. */
  readonly expected: readonly DeclaredDevice[];
  /** All declared devices, including those of other stacks. */
  readonly declared: readonly DeclaredDevice[];
  /** The sites of the manifest. */
  readonly sites: readonly Pick<Site, "id" | "title">[];
  /** Those that an operation on states should have found. Without these, a part of a fleet would look like all of it. */
  readonly awaited?: readonly string[];
}

/** The summary of a run. If a device moves between stacks and the new stack was not run, it counts as not done. */
export function summaryOf(
  about: AboutRun,
  results: readonly StackResult[],
  { expected, declared, sites, awaited = [] }: Devices,
): Summary {
  const outcomes = mergedOutcomes(results);
  const elsewhere = new Set(declared.map(({ device }) => device));
  for (const [device, one] of outcomes) {
    if (one.onDelete !== undefined && elsewhere.has(device)) outcomes.set(device, { ...one, onDelete: "moves" });
  }
  const notDone = expected.filter(({ device }) => (outcomes.get(device) ?? { onDelete: "moves" }).onDelete === "moves");
  for (const { device } of notDone) outcomes.delete(device);
  const all = [...outcomes.values()];
  const found = new Set(results.flatMap((result) => result.sites.map(({ site }) => site)));
  const devices = [
    ...all.map(deviceSummary),
    ...notDone.map((one) => ({ ...one, result: "notDone" as const, before: {}, settings: [] })),
  ].sort((a, b) => compareNames(a.site, b.site) || compareNames(a.device, b.device));
  const count = (...which: DeviceSummary["result"][]) => devices.filter(({ result }) => which.includes(result)).length;
  return {
    ...about,
    changed: count("changed"),
    adopted: count("adopted"),
    unmanaged: count("unmanaged"),
    unchanged: count("unchanged"),
    failed: count("failed"),
    notDone: count("held", "notDone"),
    failures: alike(all.filter(({ result }) => result === "failed")),
    notApproved: alike(all.filter(isLeft)),
    warnings: alike(results.flatMap(({ warnings }) => warnings)),
    // With all its devices: nobody can ask for a baseline again.
    notes: sorted(
      alike(results.flatMap(({ notes = [] }) => notes)).map(({ reason, devices, sites }) => {
        return [(devices.length > 0 ? devices : sites).join(", "), reason].filter(Boolean).join(": ");
      }),
    ),
    stackErrors: results.flatMap(({ stack, error }) =>
      error === undefined ? [] : [{ stack, code: error.code, error: textOf(error, AT_COMMAND_LINE) }],
    ),
    sites: [...sitesOf(results, all, sites), ...awaited.flatMap((site) => (found.has(site) ? [] : { site }))],
    devices,
  };
}

function deviceSummary({ problem, before: was, after: is, ...outcome }: Outcome): DeviceSummary {
  const why = problem && { code: problem.code, reason: textOf(problem, BESIDE_DEVICE) };
  const before = valuesIn(outcome.result === "adopted" ? (was ?? is) : was);
  const settings = outcome.onDelete === "moves" ? [] : changesBetween(before, valuesIn(is));
  return { ...outcome, before, ...why, ...(is && { after: valuesIn(is) }), settings };
}

/**
 * Each site as it was before its first step, and as it is after the last one, with the devices that are its own now.
 * @param declared the sites of the manifest
 */
function sitesOf(
  results: readonly StackResult[],
  devices: readonly Outcome[],
  declared: Devices["sites"],
): SiteOutcome[] {
  const known = new Map(declared.map(({ id, title }) => [id, title]));
  const own = grouped(devices, ({ site }) => site);
  const all = results.flatMap((result) => result.sites);
  // A site whose devices all left one that is gone is that one under another id.
  const renamed = new Map(
    [...own].map(([site, some]) => {
      const [{ from = site } = {}] = some;
      const isSame = !known.has(from) && !own.has(from) && some.every((one) => one.from === from && one.after);
      return [isSame ? from : site, site];
    }),
  );
  const sites = [...grouped(all, ({ site }) => renamed.get(site) ?? site)].map(([site, steps]): SiteOutcome => {
    const title = known.get(site);
    const change = known.has(site) ? undefined : ("leaving" as const);
    const viewOf = (side: "before" | "after", view: SiteView | undefined) => {
      const devices = (own.get(site) ?? []).flatMap(({ from = site, [side]: one }): DeviceView[] => {
        const isMoved = side === "before" && (renamed.get(from) ?? from) !== site;
        return one ? [isMoved ? { ...one, label: `${one.label} of ${from}` } : one] : [];
      });
      return view && { ...view, ...defined({ title, change }), devices };
    };
    // A site that moves is removed from the stack that it leaves, whichever runs first.
    const inOrder = [...steps.filter(({ after }) => !after), ...steps.filter(({ after }) => after)];
    const [first, last] = [inOrder[0]?.before, inOrder.at(-1)?.after];
    // A new site has earlier devices if they moved to it, or had baselines.
    const { ready: _, ...unready } = { ...last, gaps: [], warnings: [] };
    const before = viewOf("before", first ?? (last && (unready as SiteView)));
    const after = viewOf("after", last);
    const isKnown = first !== undefined || (before?.devices.length ?? 0) > 0;
    return { site, ...defined({ before: isKnown ? before : undefined, after }) };
  });
  return sites.sort((a, b) => compareNames(a.site, b.site));
}

const UNKNOWN: Message = { code: "engine", finding: "the engine gave no reason" };

/** Groups the same problem of several devices. Most devices first. */
function alike(all: readonly Partial<Warning>[]): Alike[] {
  const general = ({ device, problem = UNKNOWN }: Partial<Warning>, extracts?: readonly string[]) =>
    device === undefined ? textOf(problem, AT_COMMAND_LINE) : textOf(inGeneral(problem, extracts), BESIDE_DEVICE);
  return [...grouped(all, (one) => general(one)).values()]
    .map((some) => {
      const [first] = some as [Partial<Warning>];
      return {
        code: (first.problem ?? UNKNOWN).code,
        // With the service's words.
        reason: general(
          first,
          some.flatMap(({ problem }) => problem?.extract ?? []),
        ),
        devices: sorted(some.flatMap(({ device = [] }) => device)),
        sites: sorted(some.flatMap(({ site = [] }) => site)),
      };
    })
    .sort((a, b) => b.devices.length - a.devices.length);
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort(compareNames);
}

/** The exit code for the next action. The help explains the codes. */
export function exitCodeOfRun(summary: Summary): number {
  const { operation, interrupted, failed, notDone, stackErrors, stopped, broken, notApproved } = summary;
  if (interrupted) return 130;
  if (stackErrors.length > 0 || broken !== undefined) return 1;
  if (stopped !== undefined) return 3;
  const left = notApproved.reduce((sum, { devices }) => sum + devices.length, 0);
  if (failed > 0 || notDone > left) return 1;
  if (left > 0) return 2;
  // Without the sites that are not applied, a pipeline would take a fleet that was never updated for one without drift.
  const unapplied = summary.sites.filter(({ before, after = before }) => !after).length;
  const changes = summary.changed + summary.adopted + summary.unmanaged + unapplied;
  return changes > 0 && ["preview", "drift"].includes(operation) ? 2 : 0;
}
