import { grouped } from "../../measure/sky/numbers";
import { firstNames } from "../../provider/settings/explain";
import { shortName } from "../../provider/settings/groups";
import { ASSUMPTIONS, type SunChange } from "../clearDays/change";
import type { Meaning, Styler } from "../terminal";
import type { DeviceChange } from "../view/model";
import { counted } from "../words";
import { approvalWords } from "./approve";
import { deviceWords, driftWords, missingIn, readinessOf, removedWords } from "./change";
import { decisionWords, isFailed, type JudgedReview } from "./conditions";
import {
  type Alike,
  alikeFindings,
  changesInReview,
  driftInReview,
  type Finding,
  findingsOf,
  isChanged,
  isOfDrift,
  type Review,
  type SiteReview,
  titled,
} from "./review";
import { energyChangeOf, inOrder, readinessWords, sunOfSite, sunShare, verdictLine, verdictOf } from "./verdict";

/** The way in which a medium, a forge or a terminal, writes texts and items. An item is some lines. */
export interface Dialect {
  readonly styled: Styler;
  /** A name from elsewhere, such as that of a site. */
  code(text: string): string;
  /** A sentence that can contain anything. */
  prose(text: string): string;
  /** A command to paste, at the end of a sentence. */
  command(text: string): string;
  /** A line that nothing may shorten. */
  line(text: string): string[];
  point(text: string): string[];
  /** A row of a table. @param lines those of its last cell */
  row(cells: readonly string[], lines?: readonly string[]): string[];
  /** A sentence about several devices or sites. @param nouns `devices` */
  shared(words: string, nouns: string, names: readonly string[]): string[];
  sun(name: string, change: SunChange): string[];
}

/** A block of a page: a list, a table, or a part that a forge folds. */
export interface Block {
  readonly title?: string;
  /** `site`, if each item is about one. */
  readonly noun: string;
  /** The titles of the columns if the items are rows of a table. */
  readonly columns?: readonly string[];
  /** Each is shown completely or not at all. Without any, nothing of the block is shown. */
  readonly items: readonly (readonly string[])[];
  /** Paragraphs below the items. */
  readonly tail?: readonly string[];
  /** A forge folds the block. A terminal shows its items, or only their number, or nothing. */
  readonly fold?: "shown" | "counted" | "hidden";
  /** Whether no item may be left out, because nobody can ask for it again. */
  readonly isWhole?: boolean;
}

/** A review for its readers. The dialects print its blocks, and nothing else describes a review. */
interface Page {
  /** The decision, if a condition is met, and the verdict. */
  readonly titles: readonly string[];
  readonly paragraphs: readonly string[];
  readonly blocks: readonly Block[];
}

const TITLES: Readonly<Record<Review["operation"], string>> = {
  preview: "Preview",
  up: "Update",
  refresh: "Drift check",
  drift: "Drift check",
  destroy: "Update",
};

export function pageOf(review: JudgedReview, dialect: Dialect): Page {
  const { code, prose, styled } = dialect;
  const { subjects, operation, next = [], noPreview, sites, decision, approval, notApproved } = review;
  const decided = decision && decisionWords(decision, code, prose);
  const about = [`${TITLES[operation]} of ${firstNames(subjects.map(code))}`, readinessWords(review)];
  return {
    titles: [
      ...(decision && decided !== undefined ? [styled(isFailed(decision) ? "bad" : "warning", decided)] : []),
      verdictLine(verdictOf(review), code, styled),
    ],
    paragraphs: [
      // A source that is not a preview names no subject.
      ...(noPreview && sites.length === 0 ? [] : [about.filter(Boolean).join(": ")]),
      ...(approval ? [`🔏 Approved set: ${approvalWords(approval, next, code)}`] : []),
      ...(notApproved === undefined ? [] : [`🔏 No approved set: ${prose(notApproved)}.`]),
    ],
    blocks: blocksOf(review, dialect),
  };
}

/** The ways in which a dialect writes the items of a review. */
function writerOf({ subjects }: Review, { code, prose, styled, point, row }: Dialect) {
  const several = subjects.length > 1;
  const nameOf = (site: SiteReview) => (several ? `${code(titled(site))} of ${code(site.stack)}` : code(titled(site)));
  const phrases = (all: readonly string[]) => all.map(prose).join(", ");
  return {
    alike: (sign: string, { devices, reason }: Alike) =>
      point(`${sign} ${counted(devices.length, "device")} (${firstNames(devices.map(code))}): ${prose(reason)}`),
    findings: (all: readonly Finding[]) =>
      alikeFindings(all).map(({ sign, sites, number, text }) => {
        const names = firstNames(sites.map(nameOf));
        return point(`${sign} ${number === undefined ? names : `${number} (${names})`}: ${prose(text)}`);
      }),
    drift: (of: SiteReview, change: DeviceChange) => {
      const device = code(shortName(change.label));
      return point(`${of.isSite ? `${nameOf(of)}, ${device}` : device}: ${phrases(driftWords(change))}`);
    },
    site: (site: SiteReview, devices: readonly DeviceChange[], energy: ReturnType<typeof energyChangeOf>) => {
      return row(
        [site.isSite ? nameOf(site) : "", readyWords(site, styled), sunShare(energy)],
        devices.map((device) => {
          const name = styled(MEANINGS[device.kind] ?? "strong", code(shortName(device.label)));
          return `${name}: ${phrases(deviceWords(device))}`;
        }),
      );
    },
  };
}

function blocksOf(review: Review, dialect: Dialect): Block[] {
  const { prose, point, line, shared } = dialect;
  const { operation, errors, warnings, failures = [], left = [], notes = [], log = [] } = review;
  const write = writerOf(review, dialect);
  const sites = inOrder(review.sites);
  const changed = sites.filter(isChanged);
  const rest = sites.filter((site) => !isChanged(site));
  const { lines, own } = changesInReview(changed);
  const shown = new Set(own.map(({ site }) => site));
  const news = (all: readonly SiteReview[]) => write.findings(all.flatMap((site) => newFindings(site, review)));
  const drift = driftInReview(sites);
  const advice =
    "To keep the new values, declare them (fleet drift --accept does it in a manifest). To restore the applied values, run";
  return [
    { noun: "error", items: errors.map(({ text }) => point(`❌ ${prose(text)}`)) },
    {
      noun: "site",
      columns: ["site", "ready", "sun of a year", "changes"],
      items: own.map(({ site, devices }) => write.site(site, devices, energyChangeOf(site))),
    },
    {
      noun: "change",
      items: lines.map(({ words, nouns, names }) => shared(words, nouns, names)),
    },
    {
      ...{ noun: "finding", title: "Findings" },
      items: [
        ...failures.map((one) => write.alike("❌ failed:", one)),
        ...left.map((one) => write.alike("⚠️ left as it is:", one)),
        ...news(changed),
      ],
    },
    {
      ...{ noun: "device", ...(!isOfDrift(review) && { title: "Drift" }) },
      items: [
        ...drift.shared.map(({ words, names }) => shared(words, "devices", names)),
        ...drift.others.map(({ change, of }) => write.drift(of, change)),
      ],
      tail: review.repair === undefined ? [] : [`${advice}${dialect.command(review.repair)}`],
    },
    ...sunBlocks(
      sites.filter((site) => !["up", "destroy"].includes(operation) && (shown.has(site) || site.drift.length > 0)),
      dialect,
    ),
    {
      ...{ noun: "finding", title: "Sites and warnings that do not change", fold: "shown" },
      items: [...news(rest), ...warnings.map(({ text }) => point(`⚠️ ${prose(text)}`))],
    },
    {
      ...{ noun: "warning", title: "As before", fold: "counted" },
      items: write.findings([...changed, ...rest].flatMap((site) => findingsOf(site, "⚠️", site.standing))),
    },
    { noun: "note", title: "Notes", isWhole: true, items: notes.map(line) },
    { noun: "line", title: "Full output", fold: "hidden", items: log.map(line) },
    { noun: "line", isWhole: true, items: runWords(review).map((text) => point(prose(text))) },
  ];
}

/** The requests of a run, and whether it was stopped before its end. */
function runWords({ calls = [], interrupted }: Review): string[] {
  return [
    ...calls.map(
      ({ service, get, patch, latest }) =>
        `calls${service === undefined ? "" : ` to ${service}`}: ${get} GET, ${patch} PATCH, ${latest} latest reads`,
    ),
    ...(interrupted ? ["interrupted: the state has all that was done. Run the same command again to continue"] : []),
  ];
}

const MEANINGS: Readonly<Record<string, Meaning>> = { failed: "bad", held: "bad", new: "good", leaves: "warning" };

/** `✅ ready → ❌ not ready`: a sign for the hurried, and a word for screen readers. */
function readyWords(site: SiteReview, styled: Styler): string {
  if (site.errors.length > 0) return styled("bad", "❌ refused");
  const removed = removedWords(site);
  if (removed !== undefined) return removed;
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

/**
 * Maximum number of sites whose sun is shown in full (our choice), because forges draw each picture in a frame, and GitLab
 * draws at most 50. The others are one line for each share.
 */
const MOST_DRAWN = 10;

function sunBlocks(sites: readonly SiteReview[], { sun, styled, code, point }: Dialect): Block[] {
  const all = sites.flatMap((site) => {
    const change = sunOfSite(site);
    return change ? [{ name: titled(site), change, energy: energyChangeOf(site) }] : [];
  });
  // Without this, the largest loss of a fleet could stand below hundreds of sites whose sun stays the same.
  const changes = all.sort((a, b) => (a.energy?.share ?? 0) - (b.energy?.share ?? 0));
  const drawn = changes.slice(0, MOST_DRAWN);
  const others = grouped(changes.slice(MOST_DRAWN), ({ energy }) =>
    energy ? sunShare(energy) || "the same sun" : "not known before",
  );
  return [
    {
      ...{ noun: "site", title: "The sun", tail: [styled("quiet", ASSUMPTIONS)] },
      items: drawn.map(({ name, change }) => sun(name, change)),
    },
    {
      ...{ noun: "share", title: `The sun of ${counted(changes.length - MOST_DRAWN, "more site")}`, fold: "shown" },
      items: [...others].map(([words, some]) => point(`${words}: ${firstNames(some.map(({ name }) => code(name)))}`)),
    },
  ];
}
