import { expect } from "chai";
import type { Review } from "../../../../cli/review/review";
import { reviewText } from "../../../../cli/review/terminal";
import type { Styler } from "../../../../cli/terminal";
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
    const sites = Array.from({ length: 60 }, (_, n) => {
      const devices = home.devices.map((one) => ({ ...one, settings: [{ setting: "title", to: `no ${n}` }] }));
      return { ...home, name: `site-${n}`, devices };
    });
    const text = reviewText({ ...reviewed("new"), sites });
    expect(text.match(/^site-\d+ {2}✅ ready$/gm)).to.have.length(50);
    expect(text).to.contain("\nand 10 more sites: --json shows all\n");
  });

  it("has one line for a value that many new devices have, and one for the sites that have nothing else", () => {
    const home = siteIn(reviewed("new"), "home");
    const sites = Array.from({ length: 60 }, (_, n) => ({ ...home, name: `site-${n}` }));
    const odd = { label: "vehicle/odd", kind: "new" as const, settings: [{ setting: "maxCapacity", to: 12_345 }] };
    const all = [...sites, { ...home, name: "other", devices: [...home.devices, odd] }];
    const lines = reviewText({ ...reviewed("new"), sites: all }).split("\n");
    expect(lines.filter((line) => line.endsWith("✅ ready"))).to.deep.equal(["other  ✅ ready"]);
    expect(lines.filter((line) => line.startsWith("60 sites: ready ("))).to.have.length(1);
    const values = new Set(
      home.devices.flatMap(({ label, settings }) => settings.map((one) => label[0] + one.setting)),
    );
    expect(lines.filter((line) => /^\d+ (cars|inverters): new, /.test(line)).length).to.be.at.least(values.size);
    expect(lines.length).to.be.below(60);
  });

  it("shows what an update changed as its preview does, but for the sun and the output of a preview", () => {
    const preview: Review = { ...reviewed("mistakes"), log: ["a line of the engine"] };
    const text = reviewText({ ...preview, operation: "up" });
    const changesIn = (shown: string) => shown.slice(shown.indexOf("\n\n"), shown.indexOf("\nFindings"));
    expect(changesIn(text))
      .to.equal(changesIn(reviewText(preview)))
      .and.not.equal("");
    expect(text).not.to.contain("a line of the engine").and.not.to.contain("The sun");
    expect(text).to.contain("❌ home: is not ready: ");
  });

  it("has the command that repairs drift in a line of its own", () => {
    expect(reviewText(reviewed("drift"))).to.contain("run:\n  $ pulumi up --refresh\n");
  });
});
