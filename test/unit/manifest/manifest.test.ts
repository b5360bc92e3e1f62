import { expect } from "chai";
import { ManifestError } from "../../../provider/manifest/error";
import { parseManifest, readManifest, toManifest } from "../../../provider/manifest/manifest";
import { thrownBy } from "../../support/failure";

/** The lines that the parser refuses a manifest with. */
const refusals = (text: string, file = "fleet.yaml") => {
  const error = thrownBy(() => parseManifest(text, file));
  expect(error, error.stack).to.be.instanceOf(ManifestError);
  return error.message.split("\n");
};

const site = (rest: string) => `fleet: acme\nsites:\n  - id: berlin\n${rest}`;
const vehicle = (fields: string) => site(`    vehicles:\n      - { deviceId: car, ${fields} }\n`);
const inverter = (fields: string) => site(`    inverters:\n      - { deviceId: roof, ${fields} }\n`);

const FULL = `
fleet: acme
businessId: acme
shards: 4
defaults:
  vehicle: { maxChargePower: 11 kW, onDelete: restore }
  inverter: { tilt: 30 }
sites:
  - id: berlin
    latitude: 52.5
    requireReady: true
    defaults:
      vehicle: { onDelete: retain }
    vehicles:
      - { deviceId: car-1, maxCapacity: 77 kWh, ignoreLints: [default-power] }
      - { deviceId: car-2, name: van, maxCapacity: 60000, maxChargePower: 7.4 kW, businessId: other, policy: CHARGE BY }
    inverters:
      - { deviceId: roof, peakPower: 9.8 kWp, azimuth: S, tilt: 35 °, cutInThreshold: 50 W, baseLoad: 0.3 kW }
  - id: paris
    vehicles: [{ deviceId: car-3 }]
`;

describe("parseManifest", () => {
  it("gives the fleet, with quantities in the units of the settings, and the nearest defaults", () => {
    expect(parseManifest(FULL, "fleet.yaml")).to.deep.equal({
      fleet: "acme",
      shards: 4,
      sites: [
        {
          id: "berlin",
          latitude: 52.5,
          isSolar: true,
          requireReady: true,
          vehicles: [
            {
              name: "car-1",
              deviceId: "car-1",
              businessId: "acme",
              onDelete: "retain",
              ignoreLints: ["default-power"],
              values: { maxCapacity: 77_000, maxChargePower: 11_000 },
            },
            {
              name: "van",
              deviceId: "car-2",
              businessId: "other",
              onDelete: "retain",
              values: { maxCapacity: 60_000, maxChargePower: 7400, policy: "CHARGE BY" },
            },
          ],
          inverters: [
            {
              name: "roof",
              deviceId: "roof",
              businessId: "acme",
              values: { peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 50, baseLoad: 300 },
            },
          ],
        },
        {
          id: "paris",
          isSolar: false,
          requireReady: false,
          vehicles: [
            {
              name: "car-3",
              deviceId: "car-3",
              businessId: "acme",
              onDelete: "restore",
              values: { maxChargePower: 11_000 },
            },
          ],
          inverters: [],
        },
      ],
    });
  });

  describe("takes the same from", () => {
    const expected = parseManifest(FULL, "fleet.yaml");
    const tree = () => toManifest(require("yaml").parse(FULL));
    const forms: Record<string, () => unknown> = {
      "a text with a byte order mark": () => parseManifest(`\uFEFF${FULL}`, "fleet.yaml"),
      "lines that end in CR and LF": () => parseManifest(FULL.replaceAll("\n", "\r\n"), "fleet.yaml"),
      JSON: () => parseManifest(JSON.stringify(require("yaml").parse(FULL)), "fleet.json"),
      "an object": tree,
    };
    for (const [name, form] of Object.entries(forms)) {
      it(name, () => expect(form()).to.deep.equal(expected));
    }
  });

  it("gives a fleet that does not say it 16 stacks", () => {
    expect(parseManifest("fleet: a\nsites: []", "a.yaml").shards).to.equal(undefined);
  });

  it("takes anchors, aliases and merge keys", () => {
    const text = site(
      "    vehicles:\n      - &van { deviceId: a, maxCapacity: 60 kWh }\n      - { <<: *van, deviceId: b, maxChargePower: 11 kW }\n",
    );
    const [, second] = parseManifest(text, "fleet.yaml").sites[0]?.vehicles ?? [];
    expect(second).to.deep.include({ deviceId: "b", values: { maxCapacity: 60_000, maxChargePower: 11_000 } });
  });

  it("takes the azimuth N for north, also where the file asks for YAML 1.1", () => {
    const text = `%YAML 1.1\n---\n${inverter("azimuth: N")}`;
    expect(parseManifest(text, "fleet.yaml").sites[0]?.inverters[0]?.values).to.deep.equal({ azimuth: 0 });
  });

  describe("refuses, with its line and column,", () => {
    const cases: Record<string, [text: string, expected: (string | RegExp)[]]> = {
      "an empty file": ["", ["fleet.yaml:1:1: is empty: a manifest has fleet and sites"]],
      "sites that are no list": ["fleet: a\nsites: 3", ["fleet.yaml:2:8: sites: has to be a list of sites, not 3"]],
      "a site without an id": ["fleet: a\nsites:\n  - latitude: 3", ["fleet.yaml:3:5: id of site 1: is required"]],
      "a site's id that cannot name a resource": [
        "fleet: a\nsites: [{ id: a b }]",
        [/^fleet\.yaml:2:15: id of site 'a b': has to be letters, digits/],
      ],
      "a key that is misspelled": [
        vehicle("maxCapcity: 77 kWh"),
        [
          "fleet.yaml:5:26: maxCapcity of vehicle 'car' of site 'berlin': is not a key that is known here; did you mean maxCapacity?",
        ],
      ],
      "the key of another kind of device": [
        vehicle("tilt: 3"),
        [/^fleet\.yaml:5:26: tilt of vehicle 'car' .* is not a key/],
      ],
      "a key that JavaScript has a meaning for": [
        vehicle("__proto__: 3"),
        [/^fleet\.yaml:5:26: __proto__ of .* is not a key/],
      ],
      "a value that is out of its range": [
        vehicle("maxCapacity: 400 kWh"),
        [/^fleet\.yaml:5:39: maxCapacity of vehicle 'car' of site 'berlin': 400000 Wh is above 300000 Wh/],
      ],
      "a power for an energy": [
        vehicle("maxCapacity: 77 kW"),
        [/^fleet\.yaml:5:39: .*: "kW" in "77 kW" is not a unit of energy; what fits is Wh, kWh, MWh$/],
      ],
      "a number in quotes": [vehicle('maxCapacity: "77"'), [/"77 kWh", or a number without quotes: 77$/]],
      "a key without a value": [vehicle("maxCapacity: "), [/^fleet\.yaml:5:\d+: maxCapacity .*: has no value/]],
      "an id that YAML takes for a number": [
        site("    vehicles: [{ deviceId: 007 }]"),
        [
          /^fleet\.yaml:4:28: deviceId of vehicle 1 .*: has to be a text, in quotes where it looks like a number, not 7$/,
        ],
      ],
      "a name that the engine would take for a pattern": [
        vehicle('name: "a-*"'),
        [
          `fleet.yaml:5:32: name of vehicle 'car' of site 'berlin': must not have "*" in it, as it becomes the name of a resource, and --target takes that for a pattern: give a name without it`,
        ],
      ],
      "an id without a name that would be one": [
        site('    vehicles: [{ deviceId: "a-*" }]'),
        [/^fleet\.yaml:4:28: deviceId of vehicle 'a-\*' of site 'berlin': must not have "\*" in it, .*: give a name/],
      ],
      "a policy that there is not": [vehicle("policy: charge by"), [/^fleet\.yaml:5:34: .*did you mean CHARGE BY\?$/]],
      "the defaults of the service for an inverter": [
        inverter("onDelete: reset"),
        [/^fleet\.yaml:5:37: .*"reset" writes/],
      ],
      "a cut-in threshold that is not below a default": [
        `fleet: a\ndefaults: { inverter: { peakPower: 4 kWp } }\nsites: [{ id: b, inverters: [{ deviceId: r, cutInThreshold: 5 kW }] }]`,
        [/^fleet\.yaml:3:61: .*: 5000 W is not below peakPower, which is 4000 W$/],
      ],
      "a latitude beyond the poles": [site("    latitude: 91"), [/^fleet\.yaml:4:15: .* from -90 to 90 degrees/]],
      "a lint that is none, once": [
        `fleet: a\nsites: [{ id: b, vehicles: [{ deviceId: c, ignoreLints: [nope] }] }]`,
        [/^fleet\.yaml:2:\d+: vehicle 'c' of site 'b': "nope" is none of /],
      ],
      "a default that is out of its range, once, however many devices have it": [
        `fleet: a\ndefaults: { inverter: { tilt: 91 } }\nsites: [{ id: b, inverters: [{ deviceId: r }, { deviceId: s }] }]`,
        [/^fleet\.yaml:2:31: tilt of the defaults: 91 degrees is above 90/],
      ],
      "no stacks": ["fleet: a\nshards: 0\nsites: []", ["fleet.yaml:2:9: shards: has to be 1 or more"]],
      "a key that is there twice": ["fleet: a\nfleet: b\nsites: []", ["fleet.yaml:2:1: Map keys must be unique"]],
      "a tab that indents": ["fleet: a\nsites:\n\t- id: a", [/^fleet\.yaml:3:1: Tabs are not allowed/]],
      "a tag": ["fleet: !secret a\nsites: []", ["fleet.yaml:1:8: Unresolved tag: !secret"]],
      "two documents": [
        "fleet: a\nsites: []\n---\nfleet: b",
        ["fleet.yaml:3:1: there is a second document: a manifest is one"],
      ],
      "an alias of nothing": ["fleet: *a", ["fleet.yaml:1:8: there is no anchor &a before *a"]],
      "an alias of itself": ["sites: &a [*a]", ["fleet.yaml:1:12: *a stands inside of what it stands for"]],
    };
    for (const [name, [text, expected]] of Object.entries(cases)) {
      it(name, () => {
        const lines = refusals(text);
        expect(lines).to.have.length(expected.length);
        for (const [index, wanted] of expected.entries()) {
          if (typeof wanted === "string") expect(lines[index]).to.equal(wanted);
          else expect(lines[index]).to.match(wanted);
        }
      });
    }

    it("a bomb of aliases", () => {
      const levels = Array.from(
        { length: 9 },
        (_, level) => `l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`)}]`,
      );
      expect(refusals(`l0: &l0 [a]\n${levels.join("\n")}`)).to.match(/aliases make this more than 5000000 values$/);
    });
  });

  it("takes an id that has an asterisk from a device with a name", () => {
    const text = site('    vehicles: [{ deviceId: "a-*", name: a }]');
    expect(parseManifest(text, "fleet.yaml").sites[0]?.vehicles[0]).to.deep.include({ name: "a", deviceId: "a-*" });
  });

  it("refuses everything that is wrong at once, in the order of the file", () => {
    const places = refusals(`${vehicle("maxCapacity: 1, policy: x")}  - 5\n`).map((line) => line.split(" ")[0]);
    expect(places).to.deep.equal(["fleet.yaml:5:39:", "fleet.yaml:5:50:", "fleet.yaml:6:5:"]);
  });

  it("shows a hundred problems, and has them all", () => {
    const sites = Array.from({ length: 150 }, () => "  - 5").join("\n");
    const error = thrownBy(() => parseManifest(`fleet: a\nsites:\n${sites}`, "a.yaml")) as ManifestError;
    expect(error.problems).to.have.length(150);
    expect(error.problems[7]).to.deep.include({ line: 10, column: 5, path: "sites[7]" });
    expect(error.message.split("\n").slice(-2)).to.deep.equal([
      "a.yaml:102:5: site 100: has to be a site: keys and values, not 5",
      "a.yaml: and 50 more problems",
    ]);
  });

  for (const key of ["accessToken", "oauthClientSecret", "SOLAR_CHARGING_ACCESS_TOKEN", "password"]) {
    it(`sends ${key} to the environment, and does not show it`, () => {
      const [line, ...others] = refusals(`fleet: a\n${key}: s3cret\nsites: []`);
      expect(others).to.deep.equal([]);
      expect(line).to.match(/^fleet\.yaml:2:1: .* in the environment, as SOLAR_CHARGING_ACCESS_TOKEN$/);
      expect(line).to.not.contain("s3cret");
    });
  }

  describe("refuses twins:", () => {
    const sites = (one: string, other: string) => `fleet: a\nsites:\n  - ${one}\n  - ${other}\n`;
    const car = (site: string, fields: string) => `{ id: ${site}, vehicles: [{ ${fields} }] }`;
    const cases: Record<string, [one: string, other: string, reason: RegExp]> = {
      "two sites of one id": [
        "id: x",
        "id: x",
        /^fleet\.yaml:4:9: id of site 'x': there is a site of this id already, in line 3$/,
      ],
      "a device at two sites": [
        car("x", "deviceId: d"),
        car("y", "deviceId: d, name: e"),
        /^fleet\.yaml:4:25: vehicle 'd' of site 'y': the device is declared already, in line 3$/,
      ],
      "a device as a vehicle and as an inverter": [
        car("x", "deviceId: d"),
        "{ id: y, inverters: [{ deviceId: d }] }",
        /^fleet\.yaml:4:26: inverter 'd' of site 'y': the device is declared already, in line 3$/,
      ],
      "two resources of one name": [
        car("x-y", "deviceId: z"),
        car("x", "deviceId: y-z"),
        /its resource would be called x-y-z as that of a device in line 3: give one of them another name$/,
      ],
      "a resource with the name of another one's policy": [
        "{ id: x, solar: true, vehicles: [{ deviceId: d }] }",
        car("x-d", "deviceId: policy"),
        /its resource would be called x-d-policy as that of a device in line 3/,
      ],
    };
    for (const [name, [one, other, reason]] of Object.entries(cases)) {
      it(name, () => {
        const lines = refusals(sites(one, other));
        expect(lines).to.have.length(1);
        expect(lines[0]).to.match(reason);
      });
    }

    it("and not the same id in two businesses", () => {
      const fleet = parseManifest(
        sites(car("x", "deviceId: d, businessId: n"), car("y", "deviceId: d, businessId: s")),
        "f",
      );
      expect(fleet.sites).to.have.length(2);
    });
  });

  it("tells of an object where the problem is in it", () => {
    const error = thrownBy(() => toManifest({ fleet: "a", sites: [{ id: "b", vehicles: [{ deviceId: 1 }] }] }));
    expect(error.message).to.match(/^manifest: sites\[0\]\.vehicles\[0\]\.deviceId: has to be a text/);
  });
});

describe("readManifest", () => {
  it("says of a file that is not there, or a folder, which it is", () => {
    expect(() => readManifest("/nowhere/fleet.yaml")).to.throw(
      ManifestError,
      "/nowhere/fleet.yaml: there is no such file",
    );
    expect(() => readManifest("/")).to.throw(ManifestError, "/: cannot be read (EISDIR)");
  });
});
