/** A manifest in YAML with one site. */
export const site = (rest: string) => `fleet: acme\nsites:\n  berlin:\n${rest}`;
export const vehicle = (fields: string) => site(`    vehicles:\n      car: { deviceId: car, ${fields} }\n`);
export const inverter = (fields: string) => site(`    inverters:\n      roof: { deviceId: roof, ${fields} }\n`);

const CAR = "sites.berlin.vehicles.car";

const tilted = "fleet: a\ndefaults: { inverter: { tilt: 91 } }\nsites: ";
const small = "fleet: a\ndefaults: { inverter: { peakPower: 4 kWp } }\nsites: ";
const waves = (wave: string) => `fleet: a\nrollout: { waves: [${wave}] }\nsites: { b: {} }`;
/** Texts in YAML that are refused, and their problems, as in `like`. */
export const REFUSED_YAML: readonly (readonly [what: string, text: string, ...problems: string[]])[] = [
  ["an empty file", "", "1:1: …"],
  ["a list", "- 3", "1:1: … fleet … list"],
  ["a list of sites", "fleet: a\nsites: [{ id: b }]", "2:8: sites: … list"],
  ["a list of vehicles", site("    vehicles: [{ deviceId: a }]"), "4:15: sites.berlin.vehicles: … deviceId… list"],
  ["a site without anything", "fleet: a\nsites:\n  b:", "3:5: sites.b: … vehicles … inverters…"],
  ["a site's id that cannot name a resource", "fleet: a\nsites: { a b: {} }", "2:10: sites.a b: … digits…"],
  [
    "a key that is misspelled, at each level",
    "flet: a\nfleet: a\ndefaults: { vehicles: {} }\nsites: { b: { latitud: 3 } }",
    "1:1: flet: … fleet…",
    "3:13: defaults.vehicles: … vehicle?",
    "4:15: sites.b.latitud: … site… latitude?",
  ],
  ["a setting that is misspelled", vehicle("maxCapcity: 77 kWh"), `5:29: ${CAR}.maxCapcity: … vehicle… maxCapacity?`],
  [
    "a key that JavaScript has a meaning for",
    vehicle("__proto__: 3"),
    `5:29: ${CAR}.__proto__: … vehicle… maxCapacity…`,
  ],
  [
    "a device of such a name",
    site("    vehicles: { __proto__: { deviceId: car } }"),
    "4:17: sites.berlin.vehicles.__proto__: … JavaScript …",
  ],
  [
    "a name that would be shown as another one",
    site('    vehicles: { "van\\u202e1": { deviceId: car } }'),
    '4:17: sites.berlin.vehicles."van\\u{202e}1": …',
  ],
  [
    "a value that is out of its range",
    vehicle("maxCapacity: 400 kWh"),
    `5:42: ${CAR}.maxCapacity: … 300 kWh, … 400 kWh…`,
  ],
  ["a key without a value", vehicle("maxCapacity: "), `5:43: ${CAR}.maxCapacity: …`],
  ["a device without an id", site("    vehicles: { car: { maxCapacity: 77 kWh } }"), `4:22: ${CAR}.deviceId: …`],
  ["a plane that is a text", inverter("planes: [E]"), "5:40: sites.berlin.inverters.roof.planes.0: …"],
  [
    "an id that YAML takes for a number",
    site("    vehicles: { car: { deviceId: 007 } }"),
    `4:34: ${CAR}.deviceId: … quotes…`,
  ],
  [
    "the defaults of the service for the inverters of a site",
    site("    onDelete: reset\n    inverters: { roof: { deviceId: roof } }"),
    "5:24: sites.berlin.inverters.roof.onDelete: …",
  ],
  [
    "a cut-in threshold that is not below a default",
    `${small}{ b: { inverters: { r: { deviceId: r, cutInThreshold: 5 kW } } } }`,
    "3:62: sites.b.inverters.r.cutInThreshold: … peakPower (4 kW), … 5 kW…",
  ],
  [
    "a lint that is none, once",
    "fleet: a\nsites: { b: { vehicles: { c: { deviceId: c, ignoreLints: [nope] } } } }",
    '2:58: sites.b.vehicles.c.ignoreLints: … "nope"…',
  ],
  [
    "a default that is out of its range, once, however many devices have it",
    `${tilted}{ b: { inverters: { r: { deviceId: r }, s: { deviceId: s } } } }`,
    "2:31: defaults.inverter.tilt: … 90°, … 91°…",
  ],
  [
    "an id as a default",
    "fleet: a\ndefaults: { vehicle: { deviceId: car } }\nsites: {}",
    "2:34: defaults.vehicle.deviceId: …",
  ],
  [
    "a title, once, however a wave uses the labels beside it",
    "fleet: a\nrollout: { waves: [{ labels: [x] }] }\nsites: { b: { title: 7, labels: [x] } }",
    "3:22: sites.b.title: …",
  ],
  ["a wave without anything", waves("null"), "2:20: rollout.waves.0: … remove it"],
  ...["soak: 1x", "soak: 30", "maxFailures: 1"].map(
    (written) =>
      [
        `a wave of nothing, with a wrong value: ${written}`,
        waves(`{ ${written} }`),
        "2:20: rollout.waves.0: … sites, labels and share",
        `2:${24 + written.indexOf(":")}: rollout.waves.0.${written.split(":")[0]}: …`,
      ] as const,
  ),
  ...(
    [
      ["share: 5, sites: [b]", "share"],
      ["share: 5%, sites: [b], soak: 5", "soak"],
      ["share: 5%, labels: null", "labels"],
      ["share: 5%, sites: [7]", "sites"],
    ] as const
  ).map(
    ([written, wrong]) =>
      [
        `a wave of two things, with a wrong value: ${written}`,
        waves(`{ ${written} }`),
        "2:20: rollout.waves.0: … sites, labels and share",
        `2:${24 + written.indexOf(wrong) + wrong.length}: rollout.waves.0.${wrong}: …`,
      ] as const,
  ),
  [
    "a wave of two things, with a key like one of them",
    waves("{ share: 10%, sites: [b], shares: 5 }"),
    "2:20: rollout.waves.0: … sites, labels and share",
    "2:46: rollout.waves.0.shares: … share … shares",
  ],
  [
    "a wave with a wrong key in place of a right one, once",
    waves("{ shares: 10% }"),
    "2:22: rollout.waves.0.shares: … share?",
  ],
  ["no stacks", "fleet: a\nshards: 0\nsites: {}", "2:9: shards: … 1 … 10000… 0"],
  ["a key that is there twice", "fleet: a\nfleet: b\nsites: {}", "2:1: … 'fleet' …"],
  ["a site that is there twice", "fleet: a\nsites:\n  b: {}\n  b: {}", "4:3: … 'b' …"],
  ["a tab that indents", "fleet: a\nsites:\n\ta: {}", "3:1: … spaces"],
  ["a tag", "fleet: !secret a\nsites: {}", "1:8: … !secret …"],
  ["a quote that is not closed", 'fleet: "a\nsites: {}', '2:10: … " …'],
  ["a bracket that is not closed", "fleet: a\nsites: { b: {}", "2:15: … } …"],
  ["a comma that is missing", "fleet: a\nsites: {\n  b: {}\n  c: {} }", "4:3: … , …"],
  ["a sign at the wrong place", "fleet: a\nsites:\n  b: {} }", "3:9: …"],
  ["a second mistake in a line, which follows from the first", "fleet: a\n sites: {}", "1:8: … two keys …"],
  ["a merge of a text", "fleet: a\nsites: { <<: b }", "2:10: << …"],
  ["a merge of a list of numbers", "fleet: &a 7\nsites: { <<: [*a] }", "2:10: << …"],
  ["two documents", "fleet: a\nsites: {}\n---\nfleet: b", "3:1: …second…"],
  ["an alias of nothing", "fleet: *a", "1:8: *a … &a …"],
  ["an alias of itself", "sites: &a [*a]", "1:12: *a … *a …"],
];
