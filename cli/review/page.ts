import { shortName } from "../../provider/settings/groups";
import { ASSUMPTIONS, type SunChange } from "../clearDays/change";
import { type ChartPlace, chartPlaces } from "../clearDays/markdown";
import { shareWords } from "../clearDays/words";
import { counted } from "../counted";
import { firstNames } from "../names";
import type { Alike } from "../stacks/summary";
import type { Meaning, Styler } from "../style";
import { driftedName, type SharedDrift, sharedWords } from "../view/causes";
import { missingIn, readinessOf } from "../view/compare";
import { deviceWords, driftWords, removedWords } from "../view/words";
import { approvalWords } from "./approve";
import { decisionWords, isFailed, type Judgement } from "./conditions";
import {
  alikeFindings,
  BECOME_READY,
  changesInReview,
  driftInReview,
  type Finding,
  findingsOf,
  isChanged,
  type Remark,
  type Review,
  remarkText,
  type SiteReview,
  titled,
} from "./review";
import {
  energyChangeOf,
  hasSun,
  inOrder,
  MOST_SUNS,
  readinessWords,
  sunOfSite,
  verdictLine,
  verdictOf,
} from "./verdict";

/** The way in which a medium, a forge or a terminal, writes texts and items. An item is some lines. */
export interface Dialect {
  readonly styled: Styler;
  /** A name from elsewhere, such as that of a site. */
  code(text: string): string;
  /** A sentence that can contain anything. */
  prose(text: string): string;
  /** A command to paste, at the end of a sentence. */
  command(text: string): string;
  small(text: string): string;
  /** A line that nothing may shorten. */
  line(text: string): string[];
  point(text: string): string[];
  /** A row of a table. @param lines those of its last cell */
  row(cells: readonly string[], lines?: readonly string[]): string[];
  /** A sentence about several devices or sites. @param nouns `devices` */
  shared(words: string, nouns: string, names: readonly string[]): string[];
  sun(name: string, change: SunChange, place?: ChartPlace): string[];
}

/** A part of a page. */
export interface Part {
  readonly title?: string;
  /** `site`, if each item is about one. */
  readonly noun: string;
  /** The titles of the columns if the items are rows of a table. */
  readonly columns?: readonly string[];
  /** Each is shown completely or not at all. Without any, nothing of the part is shown. */
  readonly items: readonly (readonly string[])[];
  /** Paragraphs below the items. */
  readonly tail?: readonly string[];
  /** A forge folds the part. A terminal shows its items, or only their number, or nothing. */
  readonly fold?: "shown" | "counted" | "hidden";
  /** Whether no item may be left out, because nobody can ask for it again. */
  readonly isWhole?: boolean;
}

/** A review for its readers. The dialects print it, and nothing else describes a review. */
interface Page {
  /** The decision, if a condition is met, and the verdict. */
  readonly titles: readonly string[];
  readonly paragraphs: readonly string[];
  readonly parts: readonly Part[];
}

const TITLES: Readonly<Record<Review["operation"], string>> = {
  change: "Preview",
  drift: "Drift check",
  applied: "Update",
};

export function pageOf(review: Review, { decision, approval, notApproved }: Judgement, dialect: Dialect): Page {
  const { code, prose, styled } = dialect;
  const { subjects, operation, next = [], noPreview, sites } = review;
  const decided = decision && decisionWords(decision, code, prose);
  const about = [`${TITLES[operation]} of ${firstNames(subjects.map(code), 5)}`, readinessWords(review)];
  return {
    titles: [
      ...(decision && decided !== undefined ? [styled(isFailed(decision) ? "bad" : "warning", decided)] : []),
      verdictLine(verdictOf(review), code, styled),
    ],
    paragraphs: [
      // A source that is not a preview names no subject.
      ...(noPreview && sites.length === 0 ? [] : [styled("quiet", about.filter(Boolean).join(": "))]),
      ...(approval ? [`🔏 Approved set: ${approvalWords(approval, next, code)}`] : []),
      ...(notApproved === undefined ? [] : [`🔏 No approved set: ${prose(notApproved)}.`]),
    ],
    parts: partsOf(review, dialect),
  };
}

/** A dialect with the names of the sites of a review. */
interface Named extends Dialect {
  nameOf(site: SiteReview): string;
  /** Empty for a device without a site. */
  placeOf(site: SiteReview): string;
}

function partsOf(review: Review, dialect: Dialect): Part[] {
  const { code, prose, point, line } = dialect;
  const { operation, subjects, errors, warnings, failures = [], left = [], notes = [], counts = [], log } = review;
  const sites = inOrder(review.sites);
  const changed = sites.filter(isChanged);
  const rest = sites.filter((site) => !isChanged(site));
  const changes = changesInReview(changed);
  const own = sites.filter(
    (site) =>
      hasSun(site) &&
      !changes.becomeReady.has(site) &&
      (changes.devicesOf(site).length + site.drift.length > 0 || isChanged({ ...site, devices: [] })),
  );
  const several = subjects.length > 1;
  const nameOf = (site: SiteReview) => (several ? `${code(titled(site))} of ${code(site.stack)}` : code(titled(site)));
  const named = { ...dialect, nameOf, placeOf: (site: SiteReview) => (site.isSite ? nameOf(site) : "") };
  const ready = [...changes.becomeReady].map(titled);
  const news = (all: readonly SiteReview[]) => all.flatMap((site) => newFindings(site, review));
  const old = [...changed, ...rest].flatMap((site) => findingsOf(site, "⚠️", site.standing));
  // The preview of an update has shown its sites.
  const fold = operation === "applied" ? ({ title: "Applied changes", fold: "counted" } as const) : {};
  return [
    { noun: "error", items: errors.map((text) => point(`❌ ${prose(text)}`)) },
    {
      ...{ noun: "site", ...fold },
      columns: ["site", "ready", "sun of a year", "changes"],
      items: own
        .filter(isChanged)
        .map((site, index) => siteRow({ ...site, devices: changes.devicesOf(site) }, named, index < MOST_SUNS && site)),
    },
    {
      noun: "change",
      items: [
        ...changes.shared.map((one) => sharedItem(one, dialect)),
        ...(ready.length > 0
          ? [dialect.shared(`${counted(ready.length, "site")}: ${BECOME_READY}`, "sites", ready)]
          : []),
      ],
    },
    {
      ...{ noun: "finding", title: "Findings" },
      items: [
        ...failures.map((one) => alikeItem("❌ failed", one, dialect)),
        ...left.map((one) => alikeItem("⚠️ left as it is", one, dialect)),
        ...findingItems(news(changed), named),
      ],
    },
    ...driftParts(review, sites, named),
    { ...sunPart(own, dialect), ...(operation === "applied" && { fold: "hidden" }) },
    {
      ...{ noun: "finding", title: "Sites and warnings that do not change", fold: "shown" as const },
      items: [...findingItems(news(rest), named), ...warnings.map((text) => point(`⚠️ ${prose(text)}`))],
    },
    { noun: "warning", title: "As before", fold: "counted", items: findingItems(old, named) },
    { noun: "note", title: "Notes", isWhole: true, items: notes.map(line) },
    { noun: "line", title: "Full output", fold: "hidden", items: log.map(line) },
    { noun: "line", isWhole: true, items: counts.map((text) => point(prose(text))) },
  ];
}

function siteRow(site: SiteReview, { placeOf, code, prose, styled, row }: Named, whole: SiteReview | false): string[] {
  const { share, of } = (whole && energyChangeOf(whole)) || {};
  const sun = shareWords(share);
  const changes = site.devices.map((device) => {
    const name = styled(MEANINGS[device.kind] ?? "strong", code(shortName(device.label)));
    return `${name}: ${deviceWords(device).map(prose).join(", ")}`;
  });
  return row(
    [placeOf(site), readyWords(site, styled), sun && `${sun} sun${of === "cars" ? " for its cars" : ""}`],
    changes,
  );
}

const MEANINGS: Readonly<Record<string, Meaning>> = { failed: "bad", held: "bad", new: "good", leaves: "warning" };

/** `✅ ready → ❌ not ready`: a sign for the hurried, and a word for screen readers. */
function readyWords(site: SiteReview, styled: Styler): string {
  const removed = removedWords(site);
  if (site.errors.length > 0 || removed !== undefined) return removed ?? styled("bad", "❌ refused");
  const { before, after } = readinessOf(site);
  // A site that is not solar-aware is never ready, so its readiness is not shown.
  if (after === undefined && before !== true) return "";
  const word = (ready: boolean | undefined) =>
    ready === undefined ? "-" : ready ? styled("good", "✅ ready") : styled("bad", "❌ not ready");
  return before === undefined || before === after ? word(after) : `${word(before)} → ${word(after)}`;
}

/** Problems, gaps, new warnings, and values that are the measured ones. */
function newFindings(site: SiteReview, { interrupted }: Review): Finding[] {
  // The next run does the rest of an interrupted one.
  const isOpen = interrupted === true && site.devices.some(({ kind }) => kind === "held");
  const missing = isOpen ? [] : missingIn(site);
  const bad = [...site.errors, ...(missing.length > 0 ? [`is not ready: ${missing.join("; ")}`] : [])];
  return [
    ...findingsOf(
      site,
      "❌",
      bad.map((text) => ({ text })),
    ),
    ...findingsOf(site, "⚠️", site.warnings),
    ...findingsOf(site, "✅", site.notes ?? []),
  ];
}

/** Equal findings of several sites or devices are one item. */
function findingItems(all: readonly Finding[], { nameOf, prose, point }: Named): string[][] {
  return alikeFindings(all).map(({ sign, remarks, number, sites }) => {
    const names = firstNames(sites.map(nameOf), 5);
    const [first, second] = remarks as [Remark, Remark?];
    return point(
      `${sign} ${second ? `${number} (${names}): ${prose(first.text)}` : `${names}: ${prose(remarkText(first))}`}`,
    );
  });
}

function alikeItem(words: string, { reason, devices }: Alike, { code, prose, point }: Dialect): string[] {
  const names = firstNames(devices.map(code), 5);
  return point(`${words}: ${counted(devices.length, "device")} (${names}): ${prose(reason)}`);
}

/** A line with its devices. */
function sharedItem(one: SharedDrift, { prose, shared }: Dialect): string[] {
  return shared(prose(sharedWords(one)), "devices", one.devices.map(driftedName));
}

/** Drift: first that of several devices, an item for each cause; then that of single devices. */
function driftParts({ repair, operation }: Review, sites: readonly SiteReview[], named: Named): Part[] {
  const { code, prose, row, command } = named;
  const { shared, others } = driftInReview(sites);
  const title = operation === "drift" ? {} : { title: "Drift" };
  const advice = "To keep the new values, declare them. To restore the applied values, run";
  const tail = repair === undefined ? [] : [`${advice}${command(repair)}`];
  const rows = others.map(({ change, of }) =>
    row([named.placeOf(of), code(shortName(change.label)), driftWords(change).map(prose).join(", ")]),
  );
  return [
    { noun: "cause", ...title, items: shared.map((one) => sharedItem(one, named)), tail: rows.length > 0 ? [] : tail },
    {
      ...{ noun: "device", columns: ["site", "device", "applied → reported"], items: rows, tail },
      ...(shared.length > 0 ? {} : title),
    },
  ];
}

function sunPart(sites: readonly SiteReview[], { sun, small }: Dialect): Part {
  const changes = sites.slice(0, MOST_SUNS).flatMap((site) => {
    const change = sunOfSite(site);
    return change ? [{ name: site.name, change }] : [];
  });
  const places = chartPlaces(changes.map(({ change }) => change));
  const rest = sites.length - MOST_SUNS;
  const others = rest > 0 ? [`This review does not estimate the sun of ${counted(rest, "more site")}.`] : [];
  return {
    ...{ noun: "site", title: "The sun", tail: [...others, small(ASSUMPTIONS)] },
    items: changes.map(({ name, change }, index) => sun(name, change, places[index])),
  };
}
