import { expect } from "chai";
import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { sunChangeOf } from "../../../../cli/clearDays/change";
import { LIMITS, markdownOf, reviewTitle } from "../../../../cli/review/markdown";
import type { Review, SiteReview } from "../../../../cli/review/review";
import { reviewText } from "../../../../cli/review/terminal";
import { verdictOf } from "../../../../cli/review/verdict";
import type { DeviceChange } from "../../../../cli/view/model";
import { like } from "../../../support/facts";
import { declaredSite } from "../../../support/statuses";
import { reviewed } from "./previews";

const rendered = (markdown: string): string =>
  micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });

/** The elements of a page in order, without code and its content. */
const elements = (html: string): string[] => withoutCode(html).match(/<[^>]*>/g) ?? [];
const withoutCode = (html: string): string =>
  html
    .replace(/<!--.*?-->/gs, "")
    .replace(/<pre>.*?<\/pre>/gs, "")
    .replace(/<code>.*?<\/code>/gs, "");

/** A review in which every text from elsewhere is this text. */
function reviewWith(text: string): Review {
  const label = `vehicle/${text}`;
  const device: DeviceChange = {
    label,
    kind: "failed",
    settings: [{ setting: "policy", from: text, to: text + text }],
    reason: text,
  };
  const roof = { label: `inverter/${text}`, values: { peakPower: 9000, azimuth: 180, tilt: 30 } };
  const gap = { device: label, setting: text, reason: "notDeclared" } as const;
  const before = declaredSite([roof]);
  const site: SiteReview = {
    name: text,
    isSite: true,
    stack: text,
    devices: [device, { ...device, kind: "changed", was: label }, { ...device, kind: "leaves", onDelete: text }],
    unchanged: 0,
    drift: [
      { ...device, kind: "changed", settings: [{ setting: "policy", from: text, to: `${text}0` }] },
      ...[1, 2, 3].map((index): DeviceChange => ({ ...device, label: `${label}${index}`, kind: "changed" })),
    ],
    warnings: [{ text }, { device: label, text }],
    standing: [{ text }],
    errors: [text],
    before,
    after: { ...declaredSite([{ ...roof, values: { ...roof.values, azimuth: 0 } }]), ready: false, gaps: [gap] },
  };
  return {
    subjects: [text, `${text}2`],
    operation: "preview",
    sites: [site, { ...site, devices: [], errors: [], drift: [], before: { ...before, ready: false } }],
    others: {},
    errors: [{ text }],
    warnings: [{ text }],
    repair: text,
    log: [text, text],
  };
}

/** Marks of Markdown, of tables, of HTML and of forges, separated by spaces. */
const MARKS =
  "| \\| ` `` ``` < > <b> </details> <!-- --> @all @ #1 !1 GH-1 a/b#2 ~x %1 $1 &1 &lt; [x](y) ![x](y) * _ ~~ www.x.y " +
  "https://x.y mailto:a@b.c a@b.c :tada: \\ /close deadbeef { } --- === $`x`$ [^1]";
const SPACED = [
  "\n",
  "\r\n",
  "\n\n# ",
  "\u001b[31m",
  "\u202e",
  "\u2028",
  "    ",
  "- ",
  "1. ",
  "[x]: y",
  "\u0000",
  "\ud800",
];

/** Texts that, without escaping, break out of Markdown, a table, HTML or a line, or notify people. */
const hostile = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc
    .array(fc.oneof(fc.constantFrom(...MARKS.split(" "), ...SPACED), fc.constantFrom("a", " ", "car", "1")), {
      maxLength: 8,
    })
    .map((parts) => parts.join("")),
);

describe("review in Markdown", () => {
  it("begins with a line that distinguishes it from others, and the verdict", () => {
    const [marker, verdict] = markdownOf(reviewed("mistakes"), "github").split("\n");
    expect(marker).to.equal("<!-- solar-charging review of test/dev -->");
    expect(verdict).to.match(/^### ❌ 1 site stops being ready · 4 devices change · /);
  });

  it("shows the sun of a change", () => {
    expect(markdownOf(reviewed("mistakes"), "github")).to.match(
      /^- `roof`: azimuth SSW → NNE \(202\.5° → 22\.5°\): 56 → 14 kWh .*March, −60 % .* 12:50 .* 09:30 .*$/m,
    );
  });

  it("has a picture of the sun that holds nothing from elsewhere, and ten at most", () => {
    const pictures = (review: Review) =>
      markdownOf(review, "gitlab").match(/^```mermaid\n(?:(?!```)[^\n]+\n)*```$/gm) ?? [];
    const expected = pictures(reviewWith("plain"));
    expect(expected).to.have.lengthOf(1); // The other site does not change.
    fc.assert(
      fc.property(hostile, (text) => {
        expect(pictures(reviewWith(text))).to.deep.equal(expected);
      }),
      { numRuns: 40 },
    );
    const [site] = reviewWith("plain").sites as [SiteReview];
    const many = { ...reviewWith("plain"), sites: Array.from({ length: 20 }, () => site) };
    expect(pictures(many)).to.have.lengthOf(10);
  });

  const turned = (azimuth: number): Review => {
    const review = reviewWith("plain");
    const [site] = review.sites as [SiteReview];
    const roof = { label: "inverter/roof", values: { peakPower: 9000, azimuth, tilt: 30 } };
    const before = declaredSite([{ ...roof, values: { ...roof.values, azimuth: 180 } }]);
    return { ...review, sites: [{ ...site, before, after: declaredSite([roof]) }] };
  };

  it("has the largest loss of sun first", () => {
    const turns = { least: 190, most: 0, some: 270 };
    const sites = Object.entries(turns).flatMap(([name, azimuth]) => {
      return turned(azimuth).sites.map((site) => ({ ...site, name }));
    });
    const [, sun = ""] = markdownOf({ ...reviewWith("plain"), sites }, "github").split("#### The sun");
    const order = Object.keys(turns).sort((a, b) => sun.indexOf(a) - sun.indexOf(b));
    expect(order).to.deep.equal(["most", "some", "least"]);
  });

  it("has the sun of ten sites in full, and of the others a line for each share, also at a terminal", () => {
    const named = (name: string, azimuth: number) => turned(azimuth).sites.map((site) => ({ ...site, name }));
    const many = Array.from({ length: 90 }, (_, index) => named(`site-${index}`, index < 40 ? 181 : 270));
    const review = { ...reviewWith("plain"), sites: [...many.flat(), ...named("worst", 0)] };
    for (const text of [markdownOf(review, "gitlab"), reviewText(review)]) {
      const [first = "", others = ""] = text.split("The sun of 81 more sites");
      expect(first.split("The sun\n")[1]?.match(/kWh for the cars on a clear day/g)).to.have.length(10);
      expect(first.split("The sun\n")[1]).to.match(/worst/);
      const lines = others.split("\n").filter((line) => line.includes(" sun: "));
      expect(lines).to.have.length(2);
      expect(lines[0]).to.match(/−\d+ % sun.*: .* and 36 more/);
      expect(lines[1]).to.match(/: .*site-0.* and 35 more/);
    }
  });

  it("has the largest loss of sun first, also if its site is the last one of a large fleet", () => {
    const many = Array.from({ length: 150 }, (_, n) => turned(185).sites.map((site) => ({ ...site, name: `s-${n}` })));
    const sites = [...many.flat(), ...turned(0).sites.map((site) => ({ ...site, name: "worst" }))];
    expect(verdictOf({ ...reviewWith("plain"), sites }).energy[0]?.site).to.equal("worst");
    const [, sun = ""] = reviewText({ ...reviewWith("plain"), sites }).split("The sun\n");
    expect(sun.trimStart()).to.match(/^worst/);
  });

  it("has no verdict about a change of less than 1 % of the energy", () => {
    const energyAt = (azimuth: number) => verdictOf(turned(azimuth)).energy.map(({ site }) => site);
    expect(energyAt(182)).to.deep.equal([]);
    expect(energyAt(270)).to.have.length(1);
  });

  it("estimates only the year of a site whose days are not shown", () => {
    const [{ before, after }] = turned(0).sites as [SiteReview];
    const change = sunChangeOf(before, after);
    const isLazy = (key: string) => Object.getOwnPropertyDescriptor(change, key)?.get !== undefined;
    expect(["before", "after", "roofs"].every(isLazy)).to.equal(true);
    expect(change?.year?.roofs).to.be.lessThan(-0.5);
  });

  it("has no chart of a site if its energy changes by less than 5 %", () => {
    expect(markdownOf(turned(190), "github"))
      .to.contain("#### The sun")
      .and.not.to.contain("mermaid");
    expect(markdownOf(turned(270), "github")).to.contain("mermaid");
  });

  it("is a page of the same elements, whatever devices, values and messages hold", () => {
    const expected = elements(rendered(markdownOf(reviewWith("plain"), "github")));
    expect(expected).to.include.members(["<table>", "<details>", "<h3>", "<br>"]);
    fc.assert(
      fc.property(hostile, (text) => {
        expect(elements(rendered(markdownOf(reviewWith(text), "github")))).to.deep.equal(expected);
      }),
      { numRuns: 40 },
    );
  });

  it("calls nobody and links nothing, whatever they hold", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = withoutCode(rendered(markdownOf(reviewWith(text), "github")))
          .replace(/<[^>]*>/g, "\n")
          .replaceAll("&quot;", '"');
        expect(shown).not.to.match(/[@#!~%$&]\w|:\/\/|\bwww\.|:\w+:|\bgh-\d|\b[0-9a-f]{7,}\b/i);
      }),
      { numRuns: 40 },
    );
  });

  it("has neither control characters nor ones that turn the direction, on a terminal and in a title neither", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const review = reviewWith(text);
        for (const shown of [markdownOf(review, "github"), reviewText(review), reviewTitle(review)]) {
          expect(shown.replaceAll("\n", "")).not.to.match(/[\p{Cc}\p{Cf}]/u);
        }
        expect(reviewTitle(review)).not.to.match(/\n|@/);
        expect(reviewTitle(review).length).to.be.at.most(255);
      }),
      { numRuns: 40 },
    );
  });

  it("is never longer than the forge takes, and keeps verdict, the most serious site, drift and the end of the log", () => {
    const [site] = reviewWith("plain").sites as [SiteReview];
    const harmless: SiteReview = { ...site, errors: [], warnings: [], after: declaredSite([]) };
    const names = Array.from({ length: 3000 }, (_, n) => `site-${n}`);
    const review: Review = {
      ...reviewWith("plain"),
      sites: [...names.map((name) => ({ ...harmless, name })), { ...site, name: "serious" }],
      log: Array.from({ length: 5000 }, (_, n) => `line ${n} of ☀ text`),
    };
    const markdown = markdownOf(review, "github");
    expect(Buffer.byteLength(markdown)).to.be.within(LIMITS.github / 2, LIMITS.github);
    expect(markdown)
      .to.contain("| `serious` of `plain` |")
      .and.to.match(/and [\d,]+ more sites: `solar-charging review --json <preview>`/);
    expect(markdown).to.contain("#### Drift");
    expect(markdown).to.contain("    line 4999 of ☀ text\n").and.not.to.contain("line 0 of");
    const tags = elements(rendered(markdown)).filter((tag) => /^<\/?details>$/.test(tag));
    expect(tags.filter((tag) => tag === "</details>")).to.have.lengthOf(tags.length / 2).and.not.to.be.empty;
    expect(Buffer.byteLength(markdownOf(review, "gitlab"))).to.be.within(LIMITS.github, LIMITS.gitlab);
  });

  it("leaves out other parts before a note, because nobody can ask for a baseline again", () => {
    const review = reviewWith("plain");
    const notes = Array.from({ length: 400 }, (_, n) => `car-${n}: maxCapacity was ${60 + n} kWh ${"x".repeat(100)}`);
    const log = Array.from({ length: 5000 }, (_, n) => `line ${n}`);
    const shown = (some: readonly string[]) => markdownOf({ ...review, log, notes: some }, "github");
    for (const note of notes) expect(shown(notes)).to.contain(`    ${note}\n`);
    expect(Buffer.byteLength(shown([...notes, ...notes]))).to.be.at.most(LIMITS.github);
    expect(reviewText({ ...review, notes }).split("\n")).to.include.members(notes.map((note) => `  ${note}`));
  });

  it("is never longer than the forge takes, whatever it is about", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 4000 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 40 }), (texts) => {
        const review = mergedOf(texts.map(reviewWith));
        expect(Buffer.byteLength(markdownOf(review, "github"))).to.be.at.most(LIMITS.github);
      }),
      { numRuns: 20 },
    );
  });
});

describe("a review of a change that many devices share", () => {
  const change = { setting: "policy", from: "CHARGE BY", to: "CHARGE BY FORECAST" };
  const siteOf = (index: number, ...settings: DeviceChange["settings"]): SiteReview => ({
    ...{ name: `site-${index}`, isSite: true, stack: "acme", unchanged: 0, drift: [], errors: [], standing: [] },
    warnings: [
      { text: "the roof may face north" },
      {
        device: `vehicle/car-${index}`,
        text: `${settings.length === 0 ? "80 kWh" : "200 kWh"} may be wrong`,
      },
    ],
    before: declaredSite([{ label: `vehicle/car-${index}`, values: {} }]),
    after: declaredSite([{ label: `vehicle/car-${index}`, values: {} }]),
    devices: [{ label: `vehicle/car-${index}`, kind: "changed", settings: [change, ...settings] }],
  });
  const sites = Array.from({ length: 359 }, (_, index) => siteOf(index));
  const own = { setting: "maxCapacity", from: 60_000, to: 77_000 };
  const review: Review = {
    ...{ subjects: ["acme"], operation: "preview", others: {}, errors: [], warnings: [], log: [] },
    sites: [...sites, siteOf(400, own)],
  };
  const LINE = "360 cars: policy CHARGE BY → CHARGE BY FORECAST";

  it("has one line for it and one for equal warnings, and rows for the other changes, in a small comment", () => {
    const markdown = markdownOf(review, "github");
    expect(markdown).to.contain(`**${LINE}**`);
    expect(markdown.split("\n").filter((line) => line.startsWith("- ⚠️"))).to.deep.equal([
      "- ⚠️ 360 sites (`site-0`, `site-1`, `site-2`, `site-3`, `site-4` and 355 more): the roof may face north",
      "- ⚠️ 359 cars (`site-0`, `site-1`, `site-2`, `site-3`, `site-4` and 354 more): 80 kWh may be wrong",
      "- ⚠️ `site-400`: vehicle/car-400: 200 kWh may be wrong",
    ]);
    const rows = markdown.split("\n").filter((line) => /^\| `site-/.test(line));
    expect(rows).to.have.length(1);
    expect(rows[0]).to.contain("site-400").and.contain("77 kWh").and.not.contain("FORECAST");
    expect(Buffer.byteLength(markdown)).to.be.below(20_000);
  });

  it("has that line although the names of all its devices do not fit", () => {
    const many = Array.from({ length: 5000 }, (_, index) => siteOf(index));
    const markdown = markdownOf({ ...review, sites: many }, "github");
    expect(markdown).to.contain("**5,000 cars: policy CHARGE BY → CHARGE BY FORECAST**").and.contain(" and 4500 more");
  });

  it("has one line for it at a terminal", () => {
    const text = reviewText(review);
    expect(text).to.contain(LINE);
    expect(text.split("\n").filter((line) => line.startsWith("site-"))).to.have.length(1);
    expect(text.split("\n").filter((line) => line.startsWith("  ⚠️"))).to.deep.equal([
      "  ⚠️ 360 sites (site-0, site-1, site-2, site-3, site-4 and 355 more): the roof may face north",
      "  ⚠️ 359 cars (site-0, site-1, site-2, site-3, site-4 and 354 more): 80 kWh may be wrong",
      "  ⚠️ site-400: vehicle/car-400: 200 kWh may be wrong",
    ]);
  });
});

describe("a review of drift that several devices share", () => {
  const change = (index: number): DeviceChange => ({
    ...{ label: `vehicle/van-${index}`, kind: "changed" },
    settings: [{ setting: "policy", from: "CHARGE BY FORECAST", to: "CHARGE BY" }],
  });
  const drifted = reviewed("drift");
  const sites = drifted.sites.map((one) => ({ ...one, drift: [...one.drift, change(1), change(2), change(3)] }));
  const [home] = sites.filter(({ isSite }) => isSite);
  const review = { ...drifted, sites: [home as SiteReview] };
  const words = "3 cars: policy CHARGE BY FORECAST → CHARGE BY";

  it("has one line for it in Markdown, with the devices behind it, before the drift of single devices", () => {
    const markdown = markdownOf(review, "github");
    expect(markdown).to.contain(`\n**${words}**\n`).and.to.contain("`home van-1`, `home van-2`, `home van-3`");
    expect(markdown.indexOf(words)).to.be.below(markdown.indexOf("- `home`, `roof`: azimuth"));
    expect(markdown).not.to.contain("`home`, `van-1`");
    expect(markdown.match(/To restore the applied values/g)).to.have.length(1);
  });

  it("has one line for it at a terminal, and the rest below it", () => {
    const text = reviewText(review);
    expect(text).to.contain(`\n${words} (home van-1, home van-2, home van-3)\n`);
    expect(text).to.contain("home, roof: azimuth").and.not.to.contain("home, van-1");
  });

  it("leads the title of an issue with it", () => {
    expect(reviewTitle(review)).to.match(like(`Drift: ${words} … 2 …`));
  });
});

describe("title of an issue", () => {
  it("names site, device and setting of the first drift, and how many more there are", () => {
    expect(reviewTitle(reviewed("drift"))).to.match(
      like("Drift: home, roof: azimuth SSW → NNE (202.5° → 22.5°) … 1 …"),
    );
  });

  it("reports the error if the check itself failed", () => {
    expect(reviewTitle(reviewed("refused"))).to.contain("1 refused");
  });
});

function mergedOf(reviews: readonly Review[]): Review {
  const [first] = reviews as [Review];
  return {
    ...first,
    subjects: reviews.flatMap(({ subjects }) => subjects),
    sites: reviews.flatMap(({ sites }) => sites),
    errors: reviews.flatMap(({ errors }) => errors),
    log: reviews.flatMap(({ log = [] }) => log),
  };
}
