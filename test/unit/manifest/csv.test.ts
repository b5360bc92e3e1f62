import { expect } from "chai";
import { parseManifest } from "../../../provider/manifest/manifest";
import { expectLike, like } from "../../support/facts";
import { thrownBy } from "../../support/failure";

const HEADER = "site,kind,deviceId,latitude,maxCapacity,peakPower,azimuth,ignoreLints,solar";
const ROWS = [
  "berlin,vehicle,007,52.5,77 kWh,,,default-power default-capacity,",
  "berlin,inverter,roof,,,9800,S,,false",
];
const FLEET = [HEADER, ...ROWS].join("\n");

const refusals = (text: string) => thrownBy(() => parseManifest(text, "acme.csv")).message.split("\n");

describe("a manifest in CSV", () => {
  const expected = {
    fleet: "acme",
    sites: [
      {
        id: "berlin",
        latitude: 52.5,
        solar: false,
        vehicles: {
          "007": { deviceId: "007", ignoreLints: ["default-power", "default-capacity"], maxCapacity: 77_000 },
        },
        inverters: { roof: { deviceId: "roof", peakPower: 9800, azimuth: 180 } },
      },
    ],
  };
  const forms: Record<string, string> = {
    commas: FLEET,
    semicolons: FLEET.replaceAll(",", ";"),
    tabs: FLEET.replaceAll(",", "\t"),
    "a byte order mark, CR and LF": `\uFEFF${FLEET.replaceAll("\n", "\r\n")}\r\n`,
    "lines that are empty": `${FLEET.replaceAll("\n", "\n\n")}\n,,,,,,,,\n`,
  };
  for (const [name, text] of Object.entries(forms)) {
    it(`is read with ${name}`, () => {
      expect(parseManifest(text, "folder/acme.csv")).to.deep.equal(expected);
    });
  }

  it("has the number of its stacks in any row of a column", () => {
    const table = "site,kind,deviceId,shards\na,vehicle,x,\nb,vehicle,y,4\nc,vehicle,z,4";
    expect(parseManifest(table, "acme.csv").shards).to.equal(4);
  });

  it("names a device by its id, or as the row says, and observes one", () => {
    const table = "site,kind,name,deviceId,observe\na,vehicle,,x,\na,vehicle,van,y,TRUE\na,inverter,x,z,false";
    const [site] = parseManifest(table, "acme.csv").sites;
    expect(site).to.deep.equal({
      id: "a",
      vehicles: { x: { deviceId: "x" }, van: { deviceId: "y", observe: true } },
      inverters: { x: { deviceId: "z", observe: false } },
    });
  });

  const HEAD = "site,kind,deviceId";
  /** Each text, and its problems, as in `like`. */
  const refused: [what: string, text: string, ...problems: string[]][] = [
    ["an empty file", "", "1:1: …site,kind,deviceId"],
    [
      "columns that are not known, missing, or there twice",
      "site,kind,kind,maxCapcity\nx,vehicle,vehicle,1",
      ...["1:11: … kind…", '1:16: "maxCapcity" … maxCapacity?', "1:1: … deviceId…"],
    ],
    ["a row with another number of fields", `${HEAD}\nx,vehicle`, "2:1: … 2 … 3 …"],
    [
      "a row without a site, or of another kind",
      `${HEAD}\n,vehicle,a\nx,car,b`,
      ...["2:1: … site…", '3:3: … vehicle … inverter, … "car"'],
    ],
    [
      "rows of a site that do not agree",
      `${HEAD},latitude\nx,vehicle,a,1\nx,vehicle,b,2`,
      "3:13: … 'x' … latitude: 1 … 2…",
    ],
    [
      "rows that do not agree in the number of stacks",
      `${HEAD},shards\nx,vehicle,a,4\ny,vehicle,b,8`,
      "3:13: … shards: 4 … 8…",
    ],
    ["a number of stacks that is none", "site,shards,kind,deviceId\nx,,vehicle,a\ny,many,vehicle,b", "3:3: shards: …"],
    [
      "a value, in its field, behind a text with a line break and a comma in it",
      `site,kind,name,deviceId,maxCapacity\n\nx,vehicle,"a,\nb ""c""",d,77 kW`,
      '3:11: sites.x.vehicles."a,\\nb \\"c\\"": …',
      '4:12: sites.x.vehicles."a,\\nb \\"c\\"".maxCapacity: "kW" … "77 kW" …',
    ],
    ["a quote that is never closed", `${HEAD}\nx,vehicle,"a`, "2:1: Quote Not Closed…"],
    [
      "a device that is there twice",
      `${HEAD}\nx,vehicle,a\ny,vehicle,a`,
      "3:1: sites.y.vehicles.a: … sites.x.vehicles.a … 2…",
    ],
    [
      "two devices of one name",
      "site,kind,name,deviceId\nx,vehicle,one,a\nx,inverter,one,b\nx,vehicle,one,c",
      "4:11: site 'x' … vehicle 'one', … 2…",
    ],
    ["an id of a site that cannot name a resource", "kind,site,deviceId\nvehicle,a b,d", "2:9: sites.a b: …"],
  ];
  for (const [what, text, ...problems] of refused) {
    it(`is refused with ${what}`, () => {
      expectLike(
        refusals(text),
        problems.map((problem) => `acme.csv:${problem}`),
      );
    });
  }

  it("is refused where the name of the file cannot name a fleet", () => {
    const { message } = thrownBy(() => parseManifest(FLEET, "my fleet.csv"));
    expect(message).to.match(like("my fleet.csv:1:1: fleet: … digits…"));
  });
});
