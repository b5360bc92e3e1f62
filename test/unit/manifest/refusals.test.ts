import { expect } from "chai";
import { ManifestError } from "../../../provider/manifest/error";
import { parseManifest } from "../../../provider/manifest/manifest";
import { thrownBy } from "../../support/failure";

/** The lines that the parser refuses a manifest with. */
const refusals = (text: string, file = "fleet.yaml") => {
  const error = thrownBy(() => parseManifest(text, file));
  expect(error, error.stack).to.be.instanceOf(ManifestError);
  return error.message.split("\n");
};

const site = (rest: string) => `fleet: acme\nsites:\n  berlin:\n${rest}`;
const vehicle = (fields: string) => site(`    vehicles:\n      car: { deviceId: car, ${fields} }\n`);
const inverter = (fields: string) => site(`    inverters:\n      roof: { deviceId: roof, ${fields} }\n`);

describe("parseManifest: refusals", () => {
  describe("refuses, with its line and column,", () => {
    const cases: Record<string, [text: string, expected: (string | RegExp)[]]> = {
      "an empty file": ["", ["fleet.yaml:1:1: is empty: a manifest has fleet and sites"]],
      "a list": ["- 3", ["fleet.yaml:1:1: has to be an object with fleet and sites, not an array"]],
      "a list of sites": [
        "fleet: a\nsites: [{ id: b }]",
        ["fleet.yaml:2:8: sites: has to be an object with the sites by id, not an array"],
      ],
      "a list of vehicles": [
        site("    vehicles: [{ deviceId: a }]"),
        ["fleet.yaml:4:15: sites.berlin.vehicles: has to be an object of vehicles by name, not an array"],
      ],
      "a site without anything": [
        "fleet: a\nsites:\n  b:",
        [/^fleet\.yaml:3:\d: sites\.b: has to be an object with .*, not null$/],
      ],
      "a site's id that cannot name a resource": [
        "fleet: a\nsites: { a b: {} }",
        [/^fleet\.yaml:2:10: sites\.a b: has to be letters, digits/],
      ],
      "a key that is misspelled, at each level": [
        `flet: a\nfleet: a\ndefaults: { vehicles: {} }\nsites: { b: { latitud: 3 } }`,
        [
          "fleet.yaml:1:1: flet: is not a key of a manifest; did you mean fleet?",
          "fleet.yaml:3:13: defaults.vehicles: is not a key of defaults; did you mean vehicle?",
          "fleet.yaml:4:15: sites.b.latitud: is not a property of SiteSettings; did you mean latitude?",
        ],
      ],
      "a setting that is misspelled": [
        vehicle("maxCapcity: 77 kWh"),
        [
          "fleet.yaml:5:29: sites.berlin.vehicles.car.maxCapcity: is not a property of VehicleSettings; did you mean maxCapacity?",
        ],
      ],
      "the key of another kind of device": [
        vehicle("tilt: 3"),
        [/^fleet\.yaml:5:29: sites\.berlin\.vehicles\.car\.tilt: is not a property of VehicleSettings$/],
      ],
      "a key that JavaScript has a meaning for": [
        vehicle("__proto__: 3"),
        [/^fleet\.yaml:5:29: sites\.berlin\.vehicles\.car\.__proto__: is not a property/],
      ],
      "a device of such a name": [
        site("    vehicles: { __proto__: { deviceId: car } }"),
        ["fleet.yaml:4:17: sites.berlin.vehicles.__proto__: needs another name"],
      ],
      "a name that would be shown as another one": [
        site('    vehicles: { "van\\u202e1": { deviceId: car } }'),
        [
          'fleet.yaml:4:17: sites.berlin.vehicles."van\\u{202e}1": needs another name, which must not contain invisible characters, such as the U+202E in it',
        ],
      ],
      "a value that is out of its range": [
        vehicle("maxCapacity: 400 kWh"),
        [/^fleet\.yaml:5:42: sites\.berlin\.vehicles\.car\.maxCapacity: 400000 Wh is above 300000 Wh/],
      ],
      "a power for an energy": [
        vehicle("maxCapacity: 77 kW"),
        [/^fleet\.yaml:5:42: .*: "kW" in "77 kW" is not a unit of energy; what fits is Wh, kWh, MWh$/],
      ],
      "a number in quotes": [vehicle('maxCapacity: "77"'), [/"77 kWh", or a number without quotes: 77$/]],
      "a key without a value": [vehicle("maxCapacity: "), [/^fleet\.yaml:5:\d+: .*maxCapacity: has no value/]],
      "a device without an id": [
        site("    vehicles: { car: { maxCapacity: 77 kWh } }"),
        ["fleet.yaml:4:22: sites.berlin.vehicles.car.deviceId: is required"],
      ],
      "an id that YAML takes for a number": [
        site("    vehicles: { car: { deviceId: 007 } }"),
        ["fleet.yaml:4:34: sites.berlin.vehicles.car.deviceId: has to be a string, not 7 (put it in quotes)"],
      ],
      "a policy that there is not": [vehicle("policy: charge by"), [/^fleet\.yaml:5:37: .*did you mean CHARGE BY\?$/]],
      "settings of a device that is only observed": [
        vehicle("observe: true, policy: CHARGE BY"),
        [/^fleet\.yaml:5:52: .*policy: cannot be declared of a device with observe: true/],
      ],
      "a latitude of one inverter": [inverter("latitude: 3"), [/^fleet\.yaml:5:41: .*latitude: is the site's/]],
      "the defaults of the service for an inverter": [
        inverter("onDelete: reset"),
        [/^fleet\.yaml:5:41: .*"reset" writes/],
      ],
      "the same for a whole site": [
        site("    onDelete: reset\n    inverters: { roof: { deviceId: roof } }"),
        [/^fleet\.yaml:5:24: sites\.berlin\.inverters\.roof\.onDelete: "reset" writes/],
      ],
      "a cut-in threshold that is not below a default": [
        `fleet: a\ndefaults: { inverter: { peakPower: 4 kWp } }\nsites: { b: { inverters: { r: { deviceId: r, cutInThreshold: 5 kW } } } }`,
        [/^fleet\.yaml:3:62: .*: 5000 W is not below peakPower, which is 4000 W$/],
      ],
      "a latitude beyond the poles": [site("    latitude: 91"), [/^fleet\.yaml:4:15: .* from -90 to 90 degrees/]],
      "a latitude in another unit": [
        site("    latitude: 3 kW"),
        [/^fleet\.yaml:4:15: .*"kW" .* is not a unit of angle/],
      ],
      "a flag that is a text": [
        site('    solar: "yes"'),
        ["fleet.yaml:4:12: sites.berlin.solar: has to be true or false, not a string"],
      ],
      "a lint that is none, once": [
        `fleet: a\nsites: { b: { vehicles: { c: { deviceId: c, ignoreLints: [nope] } } } }`,
        [/^fleet\.yaml:2:\d+: sites\.b\.vehicles\.c\.ignoreLints: "nope" is none of /],
      ],
      "a default that is out of its range, once, however many devices have it": [
        `fleet: a\ndefaults: { inverter: { tilt: 91 } }\nsites: { b: { inverters: { r: { deviceId: r }, s: { deviceId: s } } } }`,
        [/^fleet\.yaml:2:31: defaults\.inverter\.tilt: 91 degrees is above 90/],
      ],
      "an id as a default": [
        `fleet: a\ndefaults: { vehicle: { deviceId: car } }\nsites: {}`,
        ["fleet.yaml:2:34: defaults.vehicle.deviceId: is no default: each device has its own"],
      ],
      "no stacks": ["fleet: a\nshards: 0\nsites: {}", ["fleet.yaml:2:9: shards: has to be 1 or more"]],
      "a key that is there twice": ["fleet: a\nfleet: b\nsites: {}", ["fleet.yaml:2:1: there are two keys fleet"]],
      "a site that is there twice": ["fleet: a\nsites:\n  b: {}\n  b: {}", ["fleet.yaml:4:3: there are two keys b"]],
      "a tab that indents": ["fleet: a\nsites:\n\ta: {}", [/^fleet\.yaml:3:1: Tabs are not allowed/]],
      "a tag": ["fleet: !secret a\nsites: {}", ["fleet.yaml:1:8: Unresolved tag: !secret"]],
      "two documents": [
        "fleet: a\nsites: {}\n---\nfleet: b",
        ["fleet.yaml:3:1: there is a second document: a manifest is one"],
      ],
      "an alias of nothing": ["fleet: *a", ["fleet.yaml:1:8: there is no anchor &a before *a"]],
      "an alias of itself": ["sites: &a [*a]", ["fleet.yaml:1:12: *a stands inside of what it stands for"]],
    };
    for (const [name, [text, expected]] of Object.entries(cases)) {
      it(name, () => {
        const lines = refusals(text);
        expect(lines).to.have.length(expected.length);
        for (const [index, line] of expected.entries()) {
          if (typeof line === "string") expect(lines[index]).to.equal(line);
          else expect(lines[index]).to.match(line);
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

    const deep: Record<string, string> = {
      "lists in lists": `sites: ${"[".repeat(100_000)}`,
      "objects in objects": `sites: ${'{"a":'.repeat(100_000)}`,
      "keys below keys": Array.from({ length: 1000 }, (_, level) => `${" ".repeat(level)}a:`).join("\n"),
    };
    for (const [what, text] of Object.entries(deep)) {
      it(`${what}, too many for the parser`, () => {
        const [line, ...others] = refusals(text);
        expect(others).to.deep.equal([]);
        expect(line).to.match(/^fleet\.yaml:\d+:\d+: is nested more than 50 levels deep$/);
      });
    }
  });

  describe("refuses a device that is declared twice:", () => {
    const sites = (one: string, other: string) => `fleet: a\nsites:\n  x: ${one}\n  y: ${other}\n`;
    const cars = (...fields: string[]) =>
      `{ vehicles: { ${fields.map((one, index) => `car-${index}: { ${one} }`).join(", ")} } }`;
    const first = (path: string) => `the device is declared already, as ${path} in line 3: declare it once`;
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
      it(name, () => expect(refusals(sites(one, other))).to.deep.equal([line]));
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
