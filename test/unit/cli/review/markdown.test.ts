import { expect } from "chai";
import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { LIMITS, markdownOf } from "../../../../cli/review/markdown";
import type { DeviceChange, Review, SiteChange } from "../../../../cli/review/review";
import { reviewText } from "../../../../cli/review/text";
import { titleOf } from "../../../../cli/review/title";
import { reviewed } from "./previews";

const rendered = (markdown: string): string =>
  micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });

/** The elements of a page in their order, without those within code and without code itself. */
const elements = (html: string): string[] => withoutCode(html).match(/<[^>]*>/g) ?? [];
const withoutCode = (html: string): string =>
  html
    .replace(/<!--.*?-->/gs, "")
    .replace(/<pre>.*?<\/pre>/gs, "")
    .replace(/<code>.*?<\/code>/gs, "");

/** A review of which all that comes from elsewhere is this text. */
function reviewWith(text: string): Review {
  const label = `vehicle/${text}`;
  const device: DeviceChange = {
    label,
    kind: "failed",
    settings: [{ setting: "policy", from: text, to: text + text }],
    reason: text,
  };
  const roof = { label: `inverter/${text}`, values: { peakPower: 9000, azimuth: 180, tilt: 30 } };
  const site: SiteChange = {
    name: text,
    isSite: true,
    subject: text,
    readyBefore: true,
    readyAfter: false,
    missing: [text],
    devices: [device, { ...device, kind: "changed", was: label }, { ...device, kind: "leaves", onDelete: text }],
    unchanged: 0,
    drift: [{ ...device, kind: "changed" }],
    warnings: [text],
    errors: [text],
    sun: {
      before: { latitude: 48, devices: [roof] },
      after: { latitude: 48, devices: [{ ...roof, values: { ...roof.values, azimuth: 0 } }] },
    },
  };
  return {
    subjects: [text, `${text}2`],
    operation: "change",
    sites: [site, { ...site, devices: [], errors: [], readyBefore: false }],
    others: {},
    errors: [text],
    warnings: [text],
    repair: text,
    log: [text, text],
  };
}

/** Texts that break out of Markdown, of a table, of HTML or of a line, or call somebody, if nobody looks. */
const hostile = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ...[
            "|",
            "\\|",
            "`",
            "``",
            "```",
            "\n",
            "\r\n",
            "\n\n# ",
            "<",
            ">",
            "<b>",
            "</details>",
            "<!--",
            "-->",
            "@all",
          ],
          ...[
            "@",
            "#1",
            "!1",
            "GH-1",
            "a/b#2",
            "~x",
            "%1",
            "$1",
            "&1",
            "&lt;",
            "[x](y)",
            "![x](y)",
            "*",
            "_",
            "~~",
            "www.x.y",
          ],
          ...[
            "https://x.y",
            "mailto:a@b.c",
            "a@b.c",
            ":tada:",
            "\u001b[31m",
            "\u202e",
            "\u2028",
            "\\",
            "    ",
            "- ",
            "1. ",
            "/close",
          ],
          ...["deadbeef", "{", "}", "---", "===", "$`x`$", "[^1]", "[x]: y", "\u0000", "\ud800"],
        ),
        fc.constantFrom("a", " ", "car", "1"),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join("")),
);

describe("review in Markdown", () => {
  it("begins with a line that tells it from others, and the verdict", () => {
    const [marker, verdict] = markdownOf(reviewed("mistakes"), "github").split("\n");
    expect(marker).to.equal("<!-- solar-charging review of test/dev -->");
    expect(verdict).to.match(/^### ❌ 1 site stops being ready · 4 devices change · /);
  });

  it("shows the sun of a change", () => {
    expect(markdownOf(reviewed("mistakes"), "github")).to.contain(
      "- `roof`: azimuth 202.5° → 22.5°: 56 → 14 kWh on a clear day in March; its peak moves from 12:50 to 09:30 solar time\n",
    );
  });

  it("has a picture of the sun that holds nothing from elsewhere, on the first ten sites", () => {
    const pictures = (review: Review) =>
      markdownOf(review, "gitlab").match(/^```mermaid\n(?:(?!```)[^\n]+\n)*```$/gm) ?? [];
    const expected = pictures(reviewWith("plain"));
    expect(expected).to.have.lengthOf(1); // One of its sites does not change.
    fc.assert(
      fc.property(hostile, (text) => {
        expect(pictures(reviewWith(text))).to.deep.equal(expected);
      }),
      { numRuns: 100 },
    );
    const [site] = reviewWith("plain").sites as [SiteChange];
    expect(pictures({ ...reviewWith("plain"), sites: Array.from({ length: 20 }, () => site) })).to.have.lengthOf(10);
  });

  it("is a page of the same elements, whatever devices, values and messages hold", () => {
    const expected = elements(rendered(markdownOf(reviewWith("plain"), "github")));
    expect(expected).to.include.members(["<table>", "<details>", "<h3>", "<br>"]);
    fc.assert(
      fc.property(hostile, (text) => {
        expect(elements(rendered(markdownOf(reviewWith(text), "github")))).to.deep.equal(expected);
      }),
      { numRuns: 100 },
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
      { numRuns: 100 },
    );
  });

  it("takes no longer for a long word", () => {
    const start = performance.now();
    markdownOf(reviewWith(`${"a".repeat(400)}!`), "github");
    expect(performance.now() - start).to.be.below(1000);
  });

  it("has neither control characters nor ones that turn the direction, on a terminal and in a title neither", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const review = reviewWith(text);
        for (const shown of [markdownOf(review, "github"), reviewText(review, (_, text) => text), titleOf(review)]) {
          expect(shown.replaceAll("\n", "")).not.to.match(/[\p{Cc}\p{Cf}]/u);
        }
        expect(titleOf(review)).not.to.match(/\n|@/);
        expect(titleOf(review).length).to.be.at.most(255);
      }),
      { numRuns: 100 },
    );
  });

  it("is never longer than the forge takes, and keeps verdict, the most serious site, drift and the end of the log", () => {
    const [site] = reviewWith("plain").sites as [SiteChange];
    const harmless: SiteChange = { ...site, errors: [], missing: [], warnings: [], readyAfter: true };
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
      .and.to.match(/and \d+ more sites: `solar-charging review --json`/);
    expect(markdown).to.contain("#### Drift");
    expect(markdown).to.contain("    line 4999 of ☀ text\n").and.not.to.contain("line 0 of");
    expect(elements(rendered(markdown)).filter((tag) => tag === "</details>")).to.have.lengthOf(2);
    expect(Buffer.byteLength(markdownOf(review, "gitlab"))).to.be.within(LIMITS.github, LIMITS.gitlab);
  }).timeout(20_000);

  it("is never longer than the forge takes, whatever it is about", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 4000 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 40 }), (texts) => {
        const review = mergedOf(texts.map(reviewWith));
        expect(Buffer.byteLength(markdownOf(review, "github"))).to.be.at.most(LIMITS.github);
      }),
      { numRuns: 20 },
    );
  }).timeout(20_000);
});

describe("title of an issue", () => {
  it("names site, device and setting of the first drift, and how many more there are", () => {
    expect(titleOf(reviewed("drift"))).to.equal("Drift: home, roof: azimuth 202.5° → 22.5° and 1 more");
  });

  it("says what is wrong if the check itself failed", () => {
    expect(titleOf(reviewed("refused"))).to.contain("1 refused");
  });
});

function mergedOf(reviews: readonly Review[]): Review {
  const [first] = reviews as [Review];
  return {
    ...first,
    subjects: reviews.flatMap(({ subjects }) => subjects),
    sites: reviews.flatMap(({ sites }) => sites),
    errors: reviews.flatMap(({ errors }) => errors),
    log: reviews.flatMap(({ log }) => log),
  };
}
