import { expect } from "chai";
import type { LintName } from "../../../provider/settings/lints";
import { lintsBesideSite, roofsOf, SITE_LINTS, siteLints } from "../../../provider/settings/siteLints";

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
    ["base loads that are not all declared", [roof("a", 900, 500), roof("b", undefined, 300)], []],
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

describe("siteLints: secrets", () => {
  for (const key of ["baseLoad", "peakPower"]) {
    it(`hide every value if one inverter has a secret ${key}`, () => {
      const devices = [{ ...roof("a", 700, 500), secretKeys: new Set([key]) }, roof("b", 700, 400)];
      const warnings = siteLints(devices, []);
      expect(warnings.map(({ code }) => code)).to.deep.equal(Object.keys(SITE_LINTS));
      for (const { finding } of warnings) {
        expect(finding).to.match(/^\D+$/).and.contain("baseLoad");
      }
    });
  }

  it("of other settings hide nothing", () => {
    const devices = [{ ...roof("a", 400), secretKeys: new Set(["tilt"]) }, roof("b", 400)];
    expect(siteLints(devices, [])[0]?.finding).to.contain("400 W");
  });
});

describe("lintsBesideSite", () => {
  const OF_GAPS = ["ignored-metadata", "forecast-without-metadata", "incomplete-inverter"];
  const cases: readonly [what: string, device: object, inverters: readonly object[], silent: readonly string[]][] = [
    ["a device without a policy: the gaps of the site say it", { maxCapacity: 77_000 }, [], OF_GAPS],
    ["a car with a policy", { policy: "CHARGE BY" }, [], []],
    [
      "an inverter with a base load of 0 beside one with the load of the site",
      { baseLoad: 0 },
      [{ baseLoad: 0 }, { baseLoad: 400 }],
      [...OF_GAPS, "low-base-load"],
    ],
    [
      "an inverter with a base load of 0 beside one whose load is not known yet",
      { baseLoad: 0 },
      [{ baseLoad: 0 }, { baseLoad: "later" }],
      [...OF_GAPS, "low-base-load"],
    ],
    ["an inverter with a base load of 0 beside none with a load", { baseLoad: 0 }, [{ baseLoad: 0 }, {}], OF_GAPS],
    ["an inverter with a low base load", { baseLoad: 20 }, [{ baseLoad: 20 }, { baseLoad: 400 }], OF_GAPS],
  ];
  for (const [what, device, inverters, silent] of cases) {
    it(`silences ${silent.join(", ") || "nothing"} of ${what}`, () => {
      expect(lintsBesideSite({ ...device }, [...inverters] as Record<string, unknown>[])).to.deep.equal(silent);
    });
  }
});

describe("roofsOf", () => {
  it("are the inverters, with the numbers that are known", () => {
    expect(roofsOf([car, roof("a", "later", 5000), roof("b", 0, null)])).to.deep.equal([
      { label: "inverter/a", baseLoad: undefined, peakPower: 5000 },
      { label: "inverter/b", baseLoad: 0, peakPower: undefined },
    ]);
  });
});
