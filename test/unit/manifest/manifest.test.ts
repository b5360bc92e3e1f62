import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { parseManifest, readManifest, toManifest } from "../../../provider/manifest/manifest";
import { argumentsOf, type Site } from "../../../provider/manifest/model";
import { ManifestError } from "../../../provider/manifest/report";
import { expectLike, like } from "../../support/facts";
import { thrownBy } from "../../support/failure";
import { inverter, REFUSED_YAML, site, vehicle } from "./refused";

/** The lines with which the parser refuses a manifest. */
const refusals = (text: string, file = "fleet.yaml") => {
  const error = thrownBy(() => parseManifest(text, file));
  expect(error, error.stack).to.be.instanceOf(ManifestError);
  return error.message.split("\n");
};

const FULL = `
fleet: acme
businessId: acme
shards: 4
defaults:
  vehicle: { maxChargePower: 11 kW, onDelete: restore }
  inverter: { tilt: 30 }
sites:
  berlin:
    latitude: 52.5 °
    requireReady: true
    defaults:
      vehicle: { onDelete: retain }
    vehicles:
      van-1: { deviceId: car-1, maxCapacity: 77 kWh, ignoreLints: [default-power] }
      van-2: { deviceId: car-2, maxCapacity: 60000, maxChargePower: 7.4 kW, businessId: other, policy: CHARGE BY }
    inverters:
      roof: { deviceId: roof, peakPower: 9.8 kWp, azimuth: S, tilt: 35 °, cutInThreshold: 50 W, baseLoad: 0.3 kW }
      barn: { deviceId: barn, observe: true }
  paris:
    businessId: north
    onDelete: reset
    ignoreLints: [default-capacity]
    vehicles: { 007: { deviceId: car-3 } }
`;

describe("parseManifest", () => {
  it("gives a site the fleet's solar and latitude unless it has its own, and refuses a wrong one once", () => {
    const sites = "{ a: {}, b: { solar: true, latitude: 48 } }";
    const fleet = (defaults: string) => `fleet: acme\ndefaults: ${defaults}\nsites: ${sites}\n`;
    const parsed = parseManifest(fleet("{ solar: false, latitude: 52.5 ° }"), "fleet.yaml");
    expect(parsed.sites).to.deep.equal([
      { id: "a", solar: false, latitude: 52.5 },
      { id: "b", solar: true, latitude: 48 },
    ]);
    expectLike(refusals(fleet("{ solar: later, latitude: 91 }")), [
      "fleet.yaml:2:20: defaults.solar: …",
      "fleet.yaml:2:37: defaults.latitude: …",
    ]);
    expectLike(refusals(`fleet: acme\nsites: { a: { defaults: { solar: true } } }`), ["…sites.a.defaults.solar: …"]);
  });

  it("refuses a merge that is not finished at its first mark alone", () => {
    const [head, tail] = [FULL.slice(0, 60), FULL.slice(60)];
    const text = `fleet: acme\n<<<<<<< HEAD\n${head}\n=======\n${tail}\n>>>>>>> other\n`;
    expectLike(refusals(text), ["fleet.yaml:2:1: …>>>>>>>"]);
  });

  it("keeps the title of a site out of the arguments of its resource", () => {
    const [site] = parseManifest(`fleet: acme\nsites: { bad-homburg: { title: Bad Homburg, labels: [a] } }`, "f").sites;
    expect(site).to.deep.equal({ id: "bad-homburg", title: "Bad Homburg", labels: ["a"] });
    expect(argumentsOf(site as Site)).to.deep.equal({});
  });

  for (const [name, id] of Object.entries({
    "Bad Homburg": "bad-homburg",
    München: "muenchen",
    "Mu\u0308nchen": "muenchen",
    "Orléans / Nord": "orleans-nord",
    "Łódź 2": "lodz-2",
    "Straße 7 ": "strasse-7",
  })) {
    it(`proposes a name for a fleet called ${name}`, () => {
      expectLike(refusals(`fleet: ${JSON.stringify(name)}\nsites: { a: {} }`), [`…: write ${id}`]);
    });

    it(`proposes an id for a site called ${name}`, () => {
      expectLike(refusals(`fleet: acme\nsites: { ${JSON.stringify(name)}: {} }`), [`…: write ${id}, with title: …`]);
    });
  }

  it("proposes no id for a name that has no letter of an id", () => {
    const [refusal] = refusals("fleet: acme\nsites: { 北京: {} }");
    expect(refusal).to.not.contain("title");
  });

  it("gives the arguments of each site, with quantities in the units of the settings, and the nearest defaults", () => {
    expect(parseManifest(FULL, "fleet.yaml")).to.deep.equal({
      fleet: "acme",
      shards: 4,
      sites: [
        {
          id: "berlin",
          businessId: "acme",
          latitude: 52.5,
          requireReady: true,
          vehicles: {
            "van-1": {
              deviceId: "car-1",
              onDelete: "retain",
              ignoreLints: ["default-power"],
              maxCapacity: 77_000,
              maxChargePower: 11_000,
            },
            "van-2": {
              deviceId: "car-2",
              businessId: "other",
              onDelete: "retain",
              maxCapacity: 60_000,
              maxChargePower: 7400,
              policy: "CHARGE BY",
            },
          },
          inverters: {
            roof: { deviceId: "roof", peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 50, baseLoad: 300 },
            barn: { deviceId: "barn", observe: true },
          },
        },
        {
          id: "paris",
          businessId: "north",
          onDelete: "reset",
          ignoreLints: ["default-capacity"],
          vehicles: { "007": { deviceId: "car-3", maxChargePower: 11_000 } },
        },
      ],
    });
  });

  describe("takes the same from", () => {
    const expected = parseManifest(FULL, "fleet.yaml");
    const json = () => parse(FULL, { stringKeys: true });
    const forms: Record<string, () => unknown> = {
      "a text with a byte order mark": () => parseManifest(`\uFEFF${FULL}`, "fleet.yaml"),
      "lines that end in CR and LF": () => parseManifest(FULL.replaceAll("\n", "\r\n"), "fleet.yaml"),
      JSON: () => parseManifest(JSON.stringify(json()), "fleet.json"),
      "an object": () => toManifest(json()),
    };
    for (const [name, form] of Object.entries(forms)) {
      it(name, () => expect(form()).to.deep.equal(expected));
    }
  });

  it("gives a fleet no number of stacks if it does not say one", () => {
    expect(parseManifest("fleet: a\nsites: {}", "a.yaml").shards).to.equal(undefined);
  });

  it("takes anchors, aliases and merge keys", () => {
    const text = site(
      "    vehicles:\n      a: &van { deviceId: a, maxCapacity: 60 kWh }\n      b: { <<: *van, deviceId: b, maxChargePower: 11 kW }\n",
    );
    expect(parseManifest(text, "fleet.yaml").sites[0]?.vehicles).to.deep.equal({
      a: { deviceId: "a", maxCapacity: 60_000 },
      b: { deviceId: "b", maxCapacity: 60_000, maxChargePower: 11_000 },
    });
  });

  it("takes the azimuth N for north, also if the file asks for YAML 1.1", () => {
    const text = `%YAML 1.1\n---\n${inverter("azimuth: N")}`;
    expect(parseManifest(text, "fleet.yaml").sites[0]?.inverters?.roof).to.deep.include({ azimuth: 0 });
  });

  it("counts an undefined key of a program's object as left out", () => {
    const van = { deviceId: "van", maxCapacity: undefined };
    const tree = { fleet: "a", shards: undefined, sites: { b: { inverters: undefined, vehicles: { van } } } };
    expect(toManifest(tree)).to.deep.equal({
      fleet: "a",
      sites: [{ id: "b", vehicles: { van: { deviceId: "van" } } }],
    });
  });

  for (const file of ["fleet.yaml", "fleet.json"]) {
    it(`refuses a text of more than 5 MB as ${file}, before it is parsed`, () => {
      expectLike(refusals(" ".repeat(5_000_001), file), [`${file}: … 5.0 MB…`]);
    });
  }

  it("refuses CSV, and names the command that makes a manifest of it", () => {
    for (const file of ["fleet.csv", "FLEET.CSV"]) {
      expectLike(refusals("site,kind,deviceId\n", file), [`${file}: … 'solar-charging adopt --devices <file>' …`]);
    }
  });

  it("refuses everything that is wrong at once, in the order of the file", () => {
    const places = refusals(`${vehicle("maxCapacity: 1, policy: x")}  paris: 5\n`).map((line) => line.split(" ")[0]);
    expect(places).to.deep.equal(["fleet.yaml:5:42:", "fleet.yaml:5:53:", "fleet.yaml:6:10:"]);
  });

  it("shows a hundred problems, and has them all", () => {
    const sites = Array.from({ length: 150 }, (_, index) => `  s${index}: 5`).join("\n");
    const error = thrownBy(() => parseManifest(`fleet: a\nsites:\n${sites}`, "a.yaml")) as ManifestError;
    expect(error.problems).to.have.length(150);
    expect(error.problems[7]).to.deep.include({ line: 10, column: 7, path: "sites.s7" });
    expectLike(error.message.split("\n").slice(-2), ["a.yaml:102:8: sites.s99: … 5", "a.yaml: 50 …"]);
  });

  for (const key of ["accessToken", "oauthClientSecret", "SOLAR_CHARGING_ACCESS_TOKEN", "password"]) {
    it(`sends ${key} to the environment, and does not show it`, () => {
      const places = [
        `fleet: a\n${key}: s3cret\nsites: {}`,
        `fleet: a\nsites: { b: { ${key}: s3cret } }`,
        vehicle(`${key}: s3cret`),
      ];
      for (const text of places) {
        const [line, ...others] = refusals(text);
        expect(others).to.deep.equal([]);
        expect(line).to.match(/^fleet\.yaml:\d:\d+: .* SOLAR_CHARGING_ACCESS_TOKEN /);
        expect(line).to.not.contain("s3cret");
      }
    });
  }

  it("accepts such a word as the name of a site or of a device", () => {
    const { sites } = parseManifest(
      "fleet: a\nsites: { token-street: { vehicles: { secret: { deviceId: d } } } }",
      "f",
    );
    expect(sites[0]?.vehicles).to.have.keys("secret");
  });

  it("names the place in an object that has a problem", () => {
    const sites = { b: { vehicles: { one: { deviceId: 1 } } } };
    const { message } = thrownBy(() => toManifest({ fleet: "a", sites }));
    expect(message).to.match(like("manifest: sites.b.vehicles.one.deviceId: … text…"));
  });
});

describe("readManifest", () => {
  it("reports whether a file is missing or a folder", () => {
    expect(() => readManifest("/nowhere/fleet.yaml")).to.throw(ManifestError, "/nowhere/fleet.yaml: ");
    expect(() => readManifest("/")).to.throw(ManifestError, like("/: …(EISDIR)…file …folder"));
  });

  it("names a file of a spreadsheet that is called CSV, and the way out", () => {
    const folder = mkdtempSync(join(tmpdir(), "solar-charging-manifest-"));
    for (const first of [Buffer.from("PK\u0003\u0004"), Buffer.from("d0cf11e0a1b11ae1", "hex")]) {
      const file = join(folder, "fleet.csv");
      writeFileSync(file, first);
      expect(() => readManifest(file)).to.throw(ManifestError, like(`${file}: …spreadsheet…CSV…`));
    }
    rmSync(folder, { recursive: true });
  });
});

describe("parseManifest: refusals", () => {
  describe("refuses, with its line and column,", () => {
    for (const [what, text, ...problems] of REFUSED_YAML) {
      it(what, () => {
        expectLike(
          refusals(text),
          problems.map((problem) => `fleet.yaml:${problem}`),
        );
      });
    }

    it("a bomb of aliases", () => {
      const levels = Array.from(
        { length: 9 },
        (_, level) => `l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`)}]`,
      );
      expectLike(refusals(`l0: &l0 [a]\n${levels.join("\n")}`), ["fleet.yaml:… 5000000 …"]);
    });

    const deep: Record<string, string> = {
      "lists in lists": `sites: ${"[".repeat(100_000)}`,
      "objects in objects": `sites: ${'{"a":'.repeat(100_000)}`,
      "keys below keys": Array.from({ length: 1000 }, (_, level) => `${" ".repeat(level)}a:`).join("\n"),
    };
    for (const [what, text] of Object.entries(deep)) {
      it(`${what}, too many for the parser`, () => {
        const [line, ...others] = refusals(text);
        expect(others).to.deep.equal([]);
        expect(line).to.match(/^fleet\.yaml:\d+:\d+: .* 50 /);
      });
    }
  });

  describe("refuses a device that is declared twice:", () => {
    const sites = (one: string, other: string) => `fleet: a\nsites:\n  x: ${one}\n  y: ${other}\n`;
    const cars = (...fields: string[]) =>
      `{ vehicles: { ${fields.map((one, index) => `car-${index}: { ${one} }`).join(", ")} } }`;
    const first = (path: string) => `… ${path} … 3…`;
    const cases: Record<string, [one: string, other: string, line: string]> = {
      "at two sites": [
        cars("deviceId: d"),
        cars("deviceId: d, maxCapacity: 77 kWh"),
        `fleet.yaml:4:20: sites.y.vehicles.car-0: ${first("sites.x.vehicles.car-0")}`,
      ],
      "at one": [
        cars("deviceId: d", "deviceId: d"),
        "{}",
        `fleet.yaml:3:44: sites.x.vehicles.car-1: ${first("sites.x.vehicles.car-0")}`,
      ],
      "as a vehicle and as an inverter": [
        cars("deviceId: d"),
        "{ inverters: { roof: { deviceId: d } } }",
        `fleet.yaml:4:21: sites.y.inverters.roof: ${first("sites.x.vehicles.car-0")}`,
      ],
    };
    for (const [name, [one, other, line]] of Object.entries(cases)) {
      it(name, () => expectLike(refusals(sites(one, other)), [line]));
    }

    const passing: Record<string, [one: string, other: string]> = {
      "the same id in two businesses": [cars("deviceId: d, businessId: n"), cars("deviceId: d, businessId: s")],
      "one that the other site only observes": [cars("deviceId: d"), cars("deviceId: d, observe: true")],
      "one that both only observe": [cars("deviceId: d, observe: true"), cars("deviceId: d, observe: true")],
    };
    for (const [name, [one, other]] of Object.entries(passing)) {
      it(`not ${name}`, () => expect(parseManifest(sites(one, other), "f").sites).to.have.length(2));
    }
  });
});
