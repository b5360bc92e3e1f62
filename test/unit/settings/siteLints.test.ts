import { expect } from "chai";
import type { LintName } from "../../../provider/settings/lints";
import { SITE_LINTS, siteLints } from "../../../provider/settings/siteLints";

const roof = (name: string, baseLoad?: unknown, peakPower: unknown = 9800) => ({
  label: `inverter/${name}`,
  inputs: { baseLoad, peakPower },
});
const car = { label: "vehicle/car", inputs: { baseLoad: 400, peakPower: 1 } };

/** The names of the lints that find something in these devices. */
function names(...devices: Parameters<typeof siteLints>[0][number][]): string[] {
  return siteLints(devices, []).map(({ code }) => code);
}

describe("siteLints", () => {
  const cases: readonly [what: string, devices: ReturnType<typeof roof>[], found: LintName[]][] = [
    ["one inverter", [roof("a", 400)], []],
    ["inverters with a base load each", [roof("a", 400), roof("b", 300)], []],
    ["the same base load twice", [roof("a", 400), roof("b", 400)], ["repeated-base-load"]],
    ["a base load of zero twice", [roof("a", 0), roof("b", 0)], []],
    ["base loads that nobody declares", [roof("a"), roof("b")], []],
    ["base loads above all peak powers together", [roof("a", 700, 500), roof("b", 300, 400)], ["base-load-above-site"]],
    ["base loads as high as all peak powers", [roof("a", 600, 500), roof("b", 300, 400)], ["base-load-above-site"]],
    ["base loads below them together, though one is above its own", [roof("a", 600, 500), roof("b", 0, 5000)], []],
    ["one inverter, which has a lint of its own for that", [roof("a", 600, 500)], []],
    ["peak powers that are not all known", [roof("a", 700, 500), roof("b", 300, "later")], []],
    ["a car with the same number", [roof("a", 400), car], []],
  ];
  for (const [what, devices, found] of cases) {
    it(`finds ${found.join(", ") || "nothing"} in ${what}`, () => {
      expect(names(...devices)).to.deep.equal(found);
    });
  }

  it("names the inverters of the load that is repeated, and no others", () => {
    const loads = [roof("a", 400), roof("b", 300), roof("c", 400), roof("d", 300)];
    const texts = siteLints(loads, []).filter(({ code }) => code === "repeated-base-load");
    expect(texts).to.have.lengthOf(1);
    expect(texts[0]?.finding).to.contain("inverter/a and inverter/c").and.not.contain("inverter/b");
  });

  it("finds nothing that is switched off", () => {
    const devices = [roof("a", 700, 500), roof("b", 700, 400)];
    const all = Object.keys(SITE_LINTS) as LintName[];
    expect(names(...devices)).to.deep.equal(all);
    for (const name of all) {
      const left = siteLints(devices, [name]);
      expect(left).to.have.lengthOf(all.length - 1);
      expect(left.map(({ code }) => code)).to.not.contain(name);
    }
  });
});
