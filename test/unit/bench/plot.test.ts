import { expect } from "chai";
import { plotOf, plotOverSizes } from "../../../bench/plot";
import { result } from "./results";

const RESULTS = [100, 500].flatMap((vehicles) =>
  ["ours", "floor", "terraform"].map((contestant) => result({ vehicles, contestant, seconds: vehicles / 50 })),
);

/** The texts in an SVG. */
const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
/** How many marks of a kind it draws. */
const marksOf = (svg: string, role: string) => svg.split(`aria-roledescription="${role}"`).length - 1;

describe("plotOf", () => {
  it("has a bar of each contestant at the size", async () => {
    const svg = await plotOf(RESULTS, 500);
    expect(marksOf(svg, "bar")).to.equal(3);
    expect(textsOf(svg)).to.include.members(["first up", "ours", "floor", "terraform"]);
  });

  it("has no room for an operation that nobody did", async () => {
    expect(textsOf(await plotOf(RESULTS, 500))).not.to.include("refresh");
  });

  it("is an SVG file, the same each time", async () => {
    const svg = await plotOf(RESULTS, 100);
    expect(svg).to.match(/^<svg .*<\/svg>\n$/s);
    expect(await plotOf(RESULTS, 100)).to.equal(svg);
  });
});

describe("plotOverSizes", () => {
  it("has a line of each contestant over the sizes", async () => {
    const svg = await plotOverSizes(RESULTS);
    expect(marksOf(svg, "line mark")).to.equal(3);
    expect(marksOf(svg, "point")).to.equal(6);
    expect(textsOf(svg)).to.include.members(["first up", "100", "500", "ms per vehicle", "terraform"]);
  });
});
