import { grouped } from "../../measure/sky/numbers";
import type { Site } from "../../provider/manifest/model";
import { inGeneral, type Message, textOf } from "../../provider/messages/message";
import { firstNames } from "../../provider/settings/explain";
import { defined } from "../../provider/settings/objects";
import { AT_COMMAND_LINE } from "../environment";
import { compareNames } from "../names";
import { hasLint } from "../review/change";
import { type Alike, distinct, isOfDrift, type Review, type SiteReview } from "../review/review";
import type { ResourceSends } from "../review/sends";
import { countsOf } from "../review/verdict";
import type { WaveCounts } from "../stacks/fleetRecord";
import {
  BESIDE_DEVICE,
  type ExpectedDevice,
  isLeft,
  isOpen,
  mergedOutcomes,
  type Outcome,
  type Warning,
} from "../stacks/outcome";
import type { FleetOperation, StackResult } from "../stacks/stack";
import { asReported, compare } from "../view/compare";
import type { DeviceChange, DeviceView, SiteChange, SiteView } from "../view/model";
import { observedSince } from "../view/readiness";

/** The review of a fleet's run, as `--json` prints it. */
export interface FleetReview extends Review {
  /** The values that the update of a preview may send. */
  readonly sends?: readonly ResourceSends[];
  /** The waves that this run of an `up` has started, in numbers of devices. */
  readonly waves?: readonly WaveCounts[];
}

/** The facts about a run besides its outcomes. */
interface AboutRun extends Pick<FleetReview, "repair" | "next" | "sends" | "waves"> {
  readonly fleet: string;
  readonly operation: FleetOperation;
  readonly calls: NonNullable<Review["calls"]>;
  /** The reason why a rollout stopped. */
  readonly stopped?: string;
  /** The reason why a rollout could not continue. */
  readonly broken?: string;
  readonly interrupted: boolean;
}

/** The devices of a run. */
export interface Devices {
  /** The devices that the run had to process. */
  readonly expected: readonly ExpectedDevice[];
  /** All declared devices, including those of other stacks. */
  readonly declared: readonly ExpectedDevice[];
  /** The sites of the manifest. */
  readonly sites: readonly Pick<Site, "id" | "title">[];
  /** Those that an operation on states should have found. Without these, a part of a fleet would look like all of it. */
  readonly awaited?: readonly string[];
}

/** A site before its first step, and after its last one. */
type Sides = Pick<SiteChange, "before" | "after">;

/** The review of a run. If a device moves between stacks and the new stack was not run, it counts as not done. */
export function reviewOfRun(
  { fleet, stopped, broken, interrupted, repair, ...about }: AboutRun,
  results: readonly StackResult[],
  { expected, declared, sites: ofManifest, awaited = [] }: Devices,
): FleetReview {
  const outcomes = mergedOutcomes(results);
  const elsewhere = new Set(declared.map(({ device }) => device));
  for (const [device, one] of outcomes) {
    if (one.onDelete !== undefined && elsewhere.has(device)) outcomes.set(device, { ...one, onDelete: "moves" });
  }
  const notDone = expected.filter(({ device }) => (outcomes.get(device) ?? { onDelete: "moves" }).onDelete === "moves");
  for (const { device } of notDone) outcomes.delete(device);
  const all = [...outcomes.values()].sort((a, b) => compareNames(a.device, b.device));
  const found = sitesOf(results, all, ofManifest);
  const open = notDone.map((one): Outcome => ({ ...one, result: "held" }));
  const own = grouped([...all, ...open], ({ site }) => site);
  const remarks = remarksOf(results, outcomes, found);
  const sites = distinct([...found.keys(), ...awaited, ...own.keys(), ...remarks.keys()].flatMap((name) => name ?? []))
    .sort(compareNames)
    .map((name): SiteReview => {
      const change = { ...changeOf(name, found.get(name) ?? {}, about), stack: fleet };
      const some = (which: boolean) =>
        (remarks.get(name) ?? []).flatMap(({ isOld, remark }) => (isOld === which ? remark : []));
      return { ...siteReview(change, own.get(name) ?? [], about), warnings: some(false), standing: some(true) };
    });
  const errors = results.flatMap(({ stack, error }) => (error ? [{ stack, error }] : []));
  return {
    subjects: [fleet],
    ...about,
    sites,
    others: {},
    errors: [
      ...[...grouped(errors, ({ error }) => textOf(error, AT_COMMAND_LINE))].map(([text, some]) => {
        const [{ error }] = some as [(typeof errors)[number]];
        return { code: error.code, text: `${firstNames(some.map(({ stack }) => stack))}: ${text}` };
      }),
      ...(stopped === undefined ? [] : [{ code: "stopped" as const, text: stopped }]),
      ...(broken === undefined ? [] : [{ text: broken }]),
    ],
    warnings: (remarks.get(undefined) ?? []).map(({ remark }) => remark),
    ...(sites.some(({ drift }) => drift.length > 0) && defined({ repair })),
    failures: alike(all.filter(({ result }) => result === "failed")),
    left: alike(all.filter(isLeft)),
    // With all its devices: nobody can ask for a baseline again.
    notes: alike(results.flatMap(({ notes = [] }) => notes))
      .map(({ reason, devices, sites: of }) =>
        [(devices[0] ? devices : of).join(", "), reason].filter(Boolean).join(": "),
      )
      .sort(compareNames),
    ...(interrupted && { interrupted }),
  };
}

/** The change of a site. After a check for drift, it has the readiness that the reported values give it. */
function changeOf(name: string, { before, after }: Sides, run: Pick<Review, "operation">): Omit<SiteChange, "stack"> {
  if (!before && !after) return { name, isSite: true, devices: [] };
  if (before && isOfDrift(run)) {
    const now = after ?? { ...before, devices: [] };
    return { ...compare(before, now), after: asReported(before, now) };
  }
  // The state of a site that an update could not change has drift.
  const isDrifted = after?.solar && after.devices.some(({ drift }) => drift.length > 0);
  return compare(before, isDrifted ? { ...after, observed: observedSince(after) } : after);
}

function siteReview(
  site: SiteChange,
  own: readonly Outcome[],
  run: Pick<Review, "operation">,
): Omit<SiteReview, "warnings" | "standing"> {
  // A device that leaves can have the name of the one in its place, which counts.
  const declared = own.filter(({ onDelete }) => onDelete === undefined);
  const outcomes = new Map([...own, ...declared].map((one) => [one.label, one]));
  const seen = new Set(site.devices.map(({ label }) => label));
  // A comparison shows neither a secret value nor one that is sent again.
  const unseen = own.flatMap((one): DeviceChange[] => {
    const change = { label: one.label, kind: "changed" as const, settings: [] };
    const isSeen = seen.has(one.label);
    if (isOpen(one)) return isSeen && outcomes.get(one.label) === one ? [] : [withResult(change, one)];
    if (isSeen) return [];
    // Before an update, nobody knows what the new resource of a device sends.
    const isMoved = run.operation === "preview" && one.from !== undefined;
    if (isMoved) return site.was === undefined ? [{ ...change, onDelete: "moves" }] : [];
    return one.sent ? [withResult({ ...change, settings: sentIn(one) }, one)] : [];
  });
  const changed = [...site.devices.map((change) => withResult(change, outcomes.get(change.label))), ...unseen];
  const isOfDevice = ({ kind }: DeviceChange) => isOfDrift(run) && kind !== "failed" && kind !== "held";
  return {
    ...site,
    devices: changed.filter((change) => !isOfDevice(change)),
    unchanged: own.length - changed.length,
    drift: [
      ...changed.filter(isOfDevice),
      // The drift of a device that the run read first.
      ...own.flatMap(({ label, drifted }): DeviceChange[] =>
        drifted ? [{ label, kind: "changed", settings: drifted }] : [],
      ),
    ],
    errors: [],
  };
}

/** The settings that were sent, with the values that the device has now. */
function sentIn({ sent = [], after }: Outcome): DeviceChange["settings"] {
  return sent.map((setting) =>
    after?.secret.includes(setting) ? { setting, secret: true } : { setting, to: after?.declared[setting] },
  );
}

/** The change of a device, with the result of the run. */
function withResult(change: DeviceChange, outcome: Outcome | undefined): DeviceChange {
  const { result, problem, onDelete, sent } = outcome ?? {};
  if (onDelete === "moves") return { ...change, settings: [], onDelete };
  const reason = problem && textOf(problem, BESIDE_DEVICE);
  const kind = result === "failed" ? result : result === "held" ? (problem ? "left" : result) : change.kind;
  return { ...change, kind, ...defined({ sent, reason }) };
}

/**
 * The warnings of a run by site, each beside its device; those of whole stacks under `undefined`. The earlier manifest is
 * not known, so a lint that it switched off counts as an old one.
 */
function remarksOf(
  results: readonly StackResult[],
  outcomes: ReadonlyMap<string, Outcome>,
  sites: ReadonlyMap<string, Sides>,
) {
  const known = new Map([...sites].map(([site, { before }]) => [site, hasLint(before)]));
  const all = results
    .flatMap(({ warnings }) => warnings)
    .map(({ problem, ...of }) => {
      const { site, label: device } = outcomes.get(of.device ?? "") ?? { ...of, label: undefined };
      const isOld = site !== undefined && known.get(site)?.(problem.code, device) === true;
      return {
        site,
        isOld,
        remark: {
          ...defined({ device }),
          code: problem.code,
          text: generalText({ ...of, problem }, problem.extract ? [problem.extract] : []),
        },
      };
    });
  return grouped(distinct(all), ({ site }) => site);
}

/**
 * Each site as it was before its first step, and as it is after the last one, with the devices that are its own now.
 * @param declared the sites of the manifest
 */
function sitesOf(
  results: readonly StackResult[],
  devices: readonly Outcome[],
  declared: Devices["sites"],
): Map<string, Sides> {
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
  const sites = [...grouped(all, ({ site }) => renamed.get(site) ?? site)].map(([site, steps]): [string, Sides] => {
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
    const first = (steps.find(({ after }) => !after) ?? steps[0])?.before;
    const last = steps.findLast(({ after }) => after)?.after;
    // A new site has earlier devices if they moved to it, or had baselines.
    const { ready: _, ...unready } = { ...last, gaps: [], warnings: [] };
    const before = viewOf("before", first ?? (last && (unready as SiteView)));
    const after = viewOf("after", last);
    const isKnown = first !== undefined || (before?.devices.length ?? 0) > 0;
    return [site, defined({ before: isKnown ? before : undefined, after })];
  });
  return new Map(sites);
}

const UNKNOWN: Message = { code: "engine", finding: "the engine gave no reason" };

/** A problem in words. Those of a device stand beside it. @param extracts the different words of the service */
function generalText({ device, problem = UNKNOWN }: Partial<Warning>, extracts: readonly string[] = []): string {
  return device === undefined ? textOf(problem, AT_COMMAND_LINE) : textOf(inGeneral(problem, extracts), BESIDE_DEVICE);
}

/** Groups the same problem of several devices. Most devices first. */
function alike(all: readonly Partial<Warning>[]): Alike[] {
  return [...grouped(all, (one) => generalText(one)).values()]
    .map((some) => {
      const [first] = some as [Partial<Warning>];
      const extracts = some.flatMap(({ problem }) => problem?.extract ?? []);
      return {
        code: (first.problem ?? UNKNOWN).code,
        reason: generalText(first, extracts),
        devices: distinct(some.flatMap(({ device = [] }) => device)).sort(compareNames),
        sites: distinct(some.flatMap(({ site = [] }) => site)).sort(compareNames),
      };
    })
    .sort((a, b) => b.devices.length - a.devices.length);
}

/** The exit code for the next action. The help explains the codes. */
export function exitCodeOfRun(review: Review): number {
  const { operation, interrupted, errors } = review;
  if (interrupted) return 130;
  if (errors.some(({ code }) => code !== "stopped")) return 1;
  if (errors.length > 0) return 3;
  const { failed, held, left, unapplied, changed, renamed, added, leaving, drifted } = countsOf(review);
  if (failed + held > 0) return 1;
  if (left > 0) return 2;
  // Without the sites that are not applied, a pipeline would take a fleet that was never updated for one without drift.
  const changes = unapplied + (operation === "drift" ? drifted : changed + renamed + added + leaving);
  return changes > 0 && ["preview", "drift"].includes(operation) ? 2 : 0;
}
