import { expect } from "chai";
import type { Review } from "../../../../cli/review/review";
import { reviewText } from "../../../../cli/review/terminal";
import type { Styler } from "../../../../cli/style";
import { reviewed, siteIn } from "./previews";

const marked: Styler = (meaning, text) => `<${meaning}>${text}</>`;

describe("a review at a terminal", () => {
  it("has the colours of what happens to sites and devices", () => {
    const text = reviewText(reviewed("mistakes"), marked);
    expect(text).to.match(/^<strong>home<\/> {2}<good>✅ ready<\/> → <bad>❌ not ready<\/> {2}−100 % sun/m);
    expect(text).to.contain("  <strong>roof</>: azimuth").and.to.contain("<warning>shed</>: no longer managed");
  });

  it("has a device without a site at the margin", () => {
    const lines = reviewText(reviewed("mistakes")).split("\n");
    expect(lines).to.include("bike: maxCapacity 20 → 21 kWh").and.to.include("  car: maxChargePower 11 → 150 kW");
  });

  it("shows fifty sites, and counts the rest", () => {
    const home = siteIn(reviewed("new"), "home");
    const sites = Array.from({ length: 60 }, (_, n) => ({ ...home, name: `site-${n}` }));
    const text = reviewText({ ...reviewed("new"), sites });
    expect(text.match(/^site-\d+ {2}✅ ready$/gm)).to.have.length(50);
    expect(text).to.contain("\nand 10 more sites: --json shows all\n");
  });

  it("only counts the sites of an update, which its preview has shown, and leaves out the output of a preview", () => {
    const applied: Review = { ...reviewed("mistakes"), operation: "applied", log: ["a line of the engine"] };
    const text = reviewText(applied);
    expect(text).to.contain("\nApplied changes: 4 sites (--json shows all)\n");
    expect(text).not.to.contain("a line of the engine").and.not.to.contain("The sun");
    expect(text).to.contain("❌ home: is not ready: ");
  });

  it("has the command that repairs drift in a line of its own", () => {
    expect(reviewText(reviewed("drift"))).to.contain("run:\n  $ pulumi up --refresh\n");
  });
});
