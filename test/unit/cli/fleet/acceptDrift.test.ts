import { expect } from "chai";
import fc from "fast-check";
import { acceptDrift, type Drift } from "../../../../cli/fleet/acceptDrift";
import { parseManifest } from "../../../../provider/manifest/manifest";

const MANIFEST = `# Acme's fleet
fleet: acme
businessId: acme
defaults:
  vehicle: &car { maxChargePower: 11 kW } # all of ours
sites:
  berlin:
    latitude: 52.5
    vehicles:
      van: # bought in 2023
        deviceId: van-1
        maxCapacity: "77 kWh" # data sheet
        # The end of the van.

      truck: { deviceId: truck-1, maxCapacity: 200000, maxChargePower: '22 kW' }
    inverters:
      roof:
        deviceId: roof-1
        peakPower: 9.8 kW
        azimuth: S
        tilt: 35
        cutInThreshold: 150
        baseLoad: 400
  bonn:
    vehicles:
      a: &shared { deviceId: a, maxCapacity: 60000 }
    inverters:
      roof:
        deviceId: roof-2
        planes: [{ peakPower: 5000, azimuth: E, tilt: 30 }]
`;

const drift = (label: string, setting: string, from: unknown, to: unknown, site = "berlin"): Drift => ({
  site,
  label,
  setting,
  from,
  to,
});

const accept = (...drifts: Drift[]) => acceptDrift("fleet.yaml", MANIFEST, drifts);

/** The lines that differ, as `- old` and `+ new`. */
function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line.trim()}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line.trim()}`),
  ];
}

describe("accepting drift into a manifest", () => {
  for (const [what, one, lines] of [
    [
      "keeps the quotes, the unit and the comment of a value",
      drift("vehicle/van", "maxCapacity", 77_000, 70_500),
      ['- maxCapacity: "77 kWh" # data sheet', '+ maxCapacity: "70.5 kWh" # data sheet'],
    ],
    ["keeps a number a number", drift("inverter/roof", "tilt", 35, 30), ["- tilt: 35", "+ tilt: 30"]],
    [
      "writes a direction as degrees",
      drift("inverter/roof", "azimuth", 180, 202.5),
      ["- azimuth: S", "+ azimuth: 202.5"],
    ],
    [
      "writes a value that comes from defaults to the device itself",
      drift("vehicle/van", "maxChargePower", 11_000, 7400),
      ["+ maxChargePower: 7400"],
    ],
    [
      "replaces a value in braces",
      drift("vehicle/truck", "maxChargePower", 22_000, 11_000),
      [
        "- truck: { deviceId: truck-1, maxCapacity: 200000, maxChargePower: '22 kW' }",
        "+ truck: { deviceId: truck-1, maxCapacity: 200000, maxChargePower: '11 kW' }",
      ],
    ],
    [
      "declares the policy of a car to which the site gave it",
      drift("vehicle/truck", "policy", "CHARGE BY FORECAST", "CHARGE BY"),
      [
        "- truck: { deviceId: truck-1, maxCapacity: 200000, maxChargePower: '22 kW' }",
        "+ truck: { deviceId: truck-1, maxCapacity: 200000, maxChargePower: '22 kW', policy: CHARGE BY }",
      ],
    ],
  ] as const) {
    it(what, () => {
      const { text, accepted, left } = accept(one);
      expect(changedLines(MANIFEST, text)).to.deep.equal(lines);
      expect([accepted, left]).to.deep.equal([[one], []]);
    });
  }

  for (const [code, one] of [
    ["notDeclared", drift("vehicle/bus", "maxCapacity", 1000, 2000)],
    ["notDeclared", drift("vehicle/van", "maxCapacity", 77_000, 70_000, "mainz")],
    ["notApplied", drift("vehicle/van", "maxCapacity", 60_000, 70_000)],
    ["notReported", drift("vehicle/van", "maxCapacity", 77_000, undefined)],
    ["outOfRange", drift("vehicle/van", "maxCapacity", 77_000, 700_000_000)],
    ["planes", drift("inverter/roof", "tilt", 30, 35, "bonn")],
    ["notDeclared", drift("inverter/roof", "baseLoad", 400, 500, "bonn")],
    ["shared", drift("vehicle/a", "maxCapacity", 60_000, 70_000, "bonn")],
  ] as const) {
    it(`names and leaves a value, and accepts the others: ${code} (${one.site}, ${one.label})`, () => {
      const other = drift("inverter/roof", "tilt", 35, 30);
      const { text, accepted, left } = accept(one, other);
      expect(left).to.deep.equal([{ drift: one, code }]);
      expect(accepted).to.deep.equal([other]);
      expect(changedLines(MANIFEST, text)).to.deep.equal(["- tilt: 35", "+ tilt: 30"]);
    });
  }

  it("writes JSON as JSON", () => {
    const json = JSON.stringify(
      { fleet: "acme", sites: { berlin: { vehicles: { van: { deviceId: "v", maxCapacity: "77 kWh" } } } } },
      undefined,
      2,
    );
    const drifts = [
      drift("vehicle/van", "maxCapacity", 77_000, 70_000),
      drift("vehicle/van", "policy", "CHARGE BY FORECAST", "CHARGE BY"),
    ];
    const { text } = acceptDrift("fleet.json", json, drifts);
    const { van } = JSON.parse(text).sites.berlin.vehicles;
    expect(van).to.deep.equal({ deviceId: "v", maxCapacity: "70 kWh", policy: "CHARGE BY" });
  });

  for (const [what, key, kind, from, to] of [
    ["text", "policy: CHARGE BY FORECAST", "vehicles", "CHARGE BY FORECAST", "CHARGE BY"],
    ["quantity", "maxCapacity: 77 kWh", "vehicles", 77_000, 70_500],
    ["number in place of a text", "azimuth: S", "inverters", 180, 202.5],
  ] as const) {
    for (const header of ["|-", ">-"]) {
      it(`replaces a value in lines of its own (${header}): a ${what}`, () => {
        const [setting, given] = key.split(": ") as [string, string];
        const before = `fleet: a\nsites:\n  b:\n    ${kind}:\n      x:\n        ${setting}: ${header} # kept\n          ${given}\n        deviceId: x\n`;
        const one = drift(`${kind.slice(0, -1)}/x`, setting, from, to, "b");
        const { text, left } = acceptDrift("fleet.yaml", before, [one]);
        expect(left).to.deep.equal([]);
        expect(parseManifest(text, "fleet.yaml").sites[0]?.[kind]).to.deep.equal({
          x: { deviceId: "x", [setting]: to },
        });
        expect(text).to.contain("# kept\n").and.to.contain("\n        deviceId: x\n");
      });
    }
  }

  it("changes nothing that did not drift, whatever is accepted at once", () => {
    const drifts = [
      drift("vehicle/van", "maxCapacity", 77_000, 70_001),
      drift("vehicle/van", "maxChargePower", 11_000, 3700),
      drift("vehicle/van", "policy", "CHARGE BY FORECAST", "CHARGE BY"),
      drift("vehicle/truck", "maxCapacity", 200_000, 190_000),
      drift("inverter/roof", "peakPower", 9800, 10_123),
      drift("inverter/roof", "baseLoad", 400, 0),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(drifts), fc.constantFrom("\n", "\r\n"), (some, newline) => {
        const before = MANIFEST.replaceAll("\n", newline);
        const { text, accepted, left } = acceptDrift("fleet.yaml", before, some);
        expect([accepted.length, left]).to.deep.equal([some.length, []]);
        const values = parseManifest(text, "fleet.yaml").sites[0];
        for (const { label, setting, to } of some) {
          const [kind, name = ""] = label.split("/");
          expect(values?.[kind === "vehicle" ? "vehicles" : "inverters"]?.[name]?.[setting]).to.equal(to);
        }
      }),
      { numRuns: 60 },
    );
  });
});
