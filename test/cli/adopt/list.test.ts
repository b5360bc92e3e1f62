import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { readRows, rowsOfCsv, rowsOfText } from "../../../cli/adopt/list";
import { wantedOf } from "../../../cli/adopt/wanted";
import { temporaryFolder } from "../../support/folder";

describe("adopt: the list of devices", () => {
  const folder = temporaryFolder();

  it("has an id on each line of a text, without comments, blanks and byte order mark", () => {
    const rows = rowsOfText("\uFEFFcar-1\r\n# all\n\n  car#2  # Ada's\n", "ids.txt");
    expect(rows).to.deep.equal([
      { deviceId: "car-1", place: "ids.txt:1" },
      { deviceId: "car#2", place: "ids.txt:4" },
    ]);
  });

  it("has an id in a column of a CSV file, with its site, business and kind where there are such columns", () => {
    const csv =
      '\uFEFFowner,dev,site,kind,businessId\n"Ada, L",car-1,berlin,,\n,roof,berlin,inverter,other\n,,berlin,,\n';
    expect(rowsOfCsv(csv, "crm.csv", "dev")).to.deep.equal([
      { deviceId: "car-1", site: "berlin", place: "crm.csv:2" },
      { deviceId: "roof", site: "berlin", businessId: "other", kind: "inverter", place: "crm.csv:3" },
    ]);
  });

  for (const [what, sign] of [
    ["semicolons", ";"],
    ["tabs", "\t"],
  ]) {
    it(`has them in a CSV file as Excel saves it, with ${what}, a byte order mark and lines that end in CR and LF`, () => {
      const lines = ["owner|deviceId|site", '"Ada| L, and others"|car-1|berlin', "||", "Bo|roof|"];
      const csv = `\uFEFF${lines.map((line) => `${line.replaceAll("|", sign as string)}\r\n`).join("")}`;
      expect(rowsOfCsv(csv, "crm.csv", "deviceId")).to.deep.equal([
        { deviceId: "car-1", site: "berlin", place: "crm.csv:2" },
        { deviceId: "roof", place: "crm.csv:4" },
      ]);
    });
  }

  it("takes what is between the fields from the header outside of quotes", () => {
    expect(rowsOfCsv('"name; first","a\tb",deviceId\nx;y,z,car\n', "crm.csv", "deviceId")).to.deep.equal([
      { deviceId: "car", place: "crm.csv:2" },
    ]);
  });

  for (const name of ["ids.txt", "crm.csv"]) {
    it(`refuses ${name} in another encoding than UTF-8, rather than adopt another device`, () => {
      const file = folder(name);
      writeFileSync(file, Buffer.from("deviceId\nm\xfcnchen\n", "latin1"));
      expect(() => readRows([], { devices: file })).to.throw(`${file} is not in UTF-8: save it in that encoding`);
      writeFileSync(file, "deviceId\nmünchen\n");
      expect(readRows([], { devices: file }).at(-1)?.deviceId).to.equal("münchen");
    });
  }

  it("needs the column, and names those that there are", () => {
    expect(() => rowsOfCsv("id,site\ncar,berlin\n", "crm.csv", "deviceId")).to.throw(
      "crm.csv has no column deviceId; its header is id, site. Name the column of the ids with --column",
    );
  });

  it("says where a CSV file is broken", () => {
    expect(() => rowsOfCsv('deviceId\n"car\n', "crm.csv", "deviceId")).to.throw(
      /crm\.csv is not a CSV file: .*line 2/s,
    );
    expect(() => rowsOfCsv("deviceId,site\ncar\n", "crm.csv", "deviceId")).to.throw(/line 2/);
  });
});

describe("adopt: the devices that are wanted", () => {
  const defaults = { businessId: "acme", site: "main" };
  const row = { deviceId: "car", place: "ids:1" };

  it("are of the default site and business where the list does not say", () => {
    const { wanted, problems } = wantedOf([row, { ...row, deviceId: "b", site: "s", businessId: "other" }], defaults);
    expect(problems).to.deep.equal([]);
    expect(wanted).to.deep.equal([
      { deviceId: "car", businessId: "acme", site: "main", place: "ids:1" },
      { deviceId: "b", businessId: "other", site: "s", place: "ids:1" },
    ]);
  });

  it("are there once, also where the list repeats them", () => {
    const { wanted, problems } = wantedOf([row, { ...row, place: "ids:9" }], defaults);
    expect(wanted.map(({ place }) => place)).to.deep.equal(["ids:1"]);
    expect(problems).to.deep.equal([]);
  });

  it("are refused in two sites, with both places", () => {
    const { problems } = wantedOf([row, { ...row, site: "other", place: "ids:9" }], defaults);
    expect(problems).to.deep.equal(["ids:9: device 'car' is in ids:1 too, with another site or kind: list it once"]);
  });

  it("are told everything that is wrong with them, each with its place", () => {
    const rows = [
      { deviceId: "a\u0007b", place: "ids:1" },
      { deviceId: "car", kind: "invertor", place: "ids:2" },
    ];
    const { wanted, problems } = wantedOf(rows, { businessId: undefined, site: "main" });
    expect(wanted).to.deep.equal([]);
    expect(problems).to.have.length(4);
    expect(problems[0]).to.equal("ids:1: the id of the device must not contain control characters");
    expect(problems[1]).to.match(/^ids:1: the business is required: give --business/);
    expect(problems[3]).to.match(/^ids:2: the kind "invertor" is none of .*did you mean inverter\?/);
  });
});
