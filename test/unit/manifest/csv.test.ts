import { expect } from "chai";
import { parseManifest } from "../../../provider/manifest/manifest";
import { expectLike, like } from "../../support/facts";
import { thrownBy } from "../../support/failure";
import { REFUSED_CSV } from "./refused";

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

  for (const [what, text, ...problems] of REFUSED_CSV) {
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
