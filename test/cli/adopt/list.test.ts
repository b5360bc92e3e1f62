import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { devicesOfList, readRows, rowsOfCsv, rowsOfText } from "../../../cli/adopt/list";
import { textOf } from "../../../measure/files/rows";
import { expectLike, like } from "../../support/facts";
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

  it("has an id in a column of a CSV file, with its site, business and kind if there are such columns", () => {
    const csv =
      '\uFEFFowner,dev,site,kind,businessId\n"Ada, L",car-1,berlin,,\n,roof,berlin,inverter,other\n,,berlin,,\n';
    expect(rowsOfCsv(csv, "crm.csv", "dev").rows).to.deep.equal([
      { deviceId: "car-1", site: "berlin", place: "crm.csv:2" },
      { deviceId: "roof", site: "berlin", businessId: "other", kind: "inverter", place: "crm.csv:3" },
    ]);
  });

  it("has the settings of a device, as numbers or with units", () => {
    const csv = "deviceId,Max Capacity,azimuth\ncar,77 kWh,\nroof,,202.5\n";
    expect(rowsOfCsv(csv, "crm.csv", "deviceId").rows).to.deep.equal([
      { deviceId: "car", settings: { maxCapacity: "77 kWh" }, place: "crm.csv:2" },
      { deviceId: "roof", settings: { azimuth: 202.5 }, place: "crm.csv:3" },
    ]);
  });

  it("has the site's latitude, labels and solar, and what happens on delete", () => {
    const csv =
      'deviceId,site,Latitude,labels,solar,On Delete\ncar,a,52.5,"north, pilot",yes,restore\nroof,a,,,maybe,\n';
    expect(rowsOfCsv(csv, "crm.csv", "deviceId").rows).to.deep.equal([
      {
        ...{ deviceId: "car", site: "a", onDelete: "restore", place: "crm.csv:2" },
        ofSite: { latitude: 52.5, labels: ["north", "pilot"], solar: true },
      },
      { deviceId: "roof", site: "a", ofSite: { solar: "maybe" }, place: "crm.csv:3" },
    ]);
  });

  it("has numbers in the unit of their column, unless a cell has its own", () => {
    const csv = "deviceId,maxCapacity (kWh),Max Charge Power [kW],azimuth (°)\ncar,77,11 kW,\nroof,,,SSW\n";
    expect(rowsOfCsv(csv, "crm.csv", "deviceId").rows.map(({ settings }) => settings)).to.deep.equal([
      { maxCapacity: "77 kWh", maxChargePower: "11 kW" },
      { azimuth: "SSW" },
    ]);
    const wrong = "deviceId,maxCapacity (miles)\ncar,300\n";
    expect(() => rowsOfCsv(wrong, "crm.csv", "deviceId")).to.throw(like("crm.csv: …(miles) …kWh…"));
  });

  it("has decimal commas if they do not separate its fields, which it says once", () => {
    const csv = "deviceId;maxCapacity (kWh);peakPower;latitude\ncar;77,5;;\nroof;;9.800,5 W;52,52\n";
    const { rows, notes } = rowsOfCsv(csv, "crm.csv", "deviceId");
    expect(rows.map(({ settings, ofSite }) => ({ ...settings, ...ofSite }))).to.deep.equal([
      { maxCapacity: "77.5 kWh" },
      { peakPower: "9800.5 W", latitude: 52.52 },
    ]);
    expectLike(notes, ["commas …crm.csv …decimal"]);
    const quoted = rowsOfCsv('deviceId,maxCapacity\ncar,"77,5"\n', "crm.csv", "deviceId");
    expect(quoted).to.deep.equal({
      rows: [{ deviceId: "car", settings: { maxCapacity: "77,5" }, place: "crm.csv:2" }],
      notes: [],
    });
  });

  it("has no number that may be thousands or decimal", () => {
    const read = (...cells: string[]) =>
      rowsOfCsv(`deviceId;tilt\n${cells.map((cell) => `a;${cell}\n`).join("")}`, "crm.csv", "deviceId");
    expect(() => read("30,5", "9.800")).to.throw(like("crm.csv:3: 9.800 …"));
    expect(read("9.800", "30.25").rows.map(({ settings }) => settings?.tilt)).to.deep.equal([9.8, 30.25]);
  });

  it("begins with Excel's line about the separator, and mixes ends of lines", () => {
    const text = textOf(Buffer.from("\uFEFFsep=;\r\ndeviceId;owner\ncar;Ada, L\r\nroof;Bo\r\n"));
    const { rows } = rowsOfCsv(text, "crm.csv", "deviceId");
    expect(rows).to.deep.equal([
      { deviceId: "car", place: "crm.csv:3" },
      { deviceId: "roof", place: "crm.csv:4" },
    ]);
  });

  it("has a row", () => {
    expect(() => rowsOfCsv("deviceId,site\n", "crm.csv", "deviceId")).to.throw(like("crm.csv …header: …"));
  });

  for (const [what, sign] of [
    ["semicolons", ";"],
    ["tabs", "\t"],
  ]) {
    it(`has them in a CSV file in the form of Excel, with ${what}, a byte order mark and lines that end in CR and LF`, () => {
      const lines = ["owner|deviceId|site", '"Ada| L, and others"|car-1|berlin', "||", "Bo|roof|"];
      const csv = `\uFEFF${lines.map((line) => `${line.replaceAll("|", sign as string)}\r\n`).join("")}`;
      expect(rowsOfCsv(textOf(Buffer.from(csv)), "crm.csv", "deviceId").rows).to.deep.equal([
        { deviceId: "car-1", site: "berlin", place: "crm.csv:2" },
        { deviceId: "roof", place: "crm.csv:4" },
      ]);
    });
  }

  it("takes the separator from the header, outside of quotes", () => {
    expect(rowsOfCsv('"name; first","a\tb",deviceId\nx;y,z,car\n', "crm.csv", "deviceId").rows).to.deep.equal([
      { deviceId: "car", place: "crm.csv:2" },
    ]);
  });

  for (const [name, first] of [
    ["ids.txt", "car"],
    ["crm.csv", "deviceId"],
  ] as const) {
    it(`is in any encoding that measure reads: ${name}`, () => {
      const file = folder(name);
      const text = `${first}\nmünchen\n`;
      const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
      const utf16 = Buffer.from(text, "utf16le");
      const marked = Buffer.from(`\uFEFF${text}`, "utf16le");
      for (const bytes of [
        ...[Buffer.from(text), Buffer.from(`\uFEFF${text}`), Buffer.from(text, "latin1")],
        ...[utf16, marked, swapped(utf16), swapped(marked), Buffer.from(text.replaceAll("\n", "\r\n"))],
      ]) {
        writeFileSync(file, bytes);
        expect(readRows([], { devices: file }).rows.at(-1)?.deviceId, bytes.toString("hex")).to.equal("münchen");
      }
      writeFileSync(file, Buffer.from("PK\x03\x04"));
      expect(() => readRows([], { devices: file })).to.throw(like(`${file}: …Excel…`));
    });
  }

  it("needs the column, and names those that there are", () => {
    expect(() => rowsOfCsv("id,site\ncar,berlin\n", "crm.csv", "deviceId")).to.throw(
      like("crm.csv … deviceId; … id and site…--column"),
    );
  });

  it("takes columns in upper and lower case", () => {
    expect(
      rowsOfCsv("Device ID,Site,BUSINESS_ID,Kind\ncar,berlin,other,vehicle\n", "crm.csv", "deviceId"),
    ).to.deep.equal({
      rows: [{ deviceId: "car", site: "berlin", businessId: "other", kind: "vehicle", place: "crm.csv:2" }],
      notes: [],
    });
    expect(rowsOfCsv("ID,id\nx,car\n", "crm.csv", "id").rows[0]?.deviceId).to.equal("car");
  });

  it("refuses a column that is there twice, and one that may be meant for the business", () => {
    const read = (header: string) => () => rowsOfCsv(`${header}\na,b,c\n`, "crm.csv", "deviceId");
    expect(read("deviceId,site,site")).to.throw(/crm\.csv .* site \w+ site\b/);
    expect(read("deviceId,Site,SITE")).to.throw(/ Site \w+ SITE\b/);
    expect(read("DeviceId,deviceid,kind")).to.throw(/ DeviceId \w+ deviceid\b/);
    expect(read("deviceId,Business,site")).to.throw("businessId");
  });

  it("names the columns that it ignores", () => {
    const csv = "deviceId,sites,owner\ncar,berlin,Ada\n,hamburg,\n,,\n,,Bo\n";
    expectLike(rowsOfCsv(csv, "crm.csv", "deviceId").notes, [
      "…columns …crm.csv: sites and owner",
      "…rows …crm.csv …: 2, …line 3",
    ]);
  });

  for (const [what, text] of Object.entries({
    "a header": "deviceId,site\ncar,berlin\n",
    "a header of one column": "# ours\nDeviceId\ncar\n",
    "rows without a header": "car\nbus;berlin\n",
    tabs: "car\tberlin\n",
  })) {
    it(`is no text that looks like CSV, with ${what}, but for --column`, () => {
      expect(() => rowsOfText(text, "standard input")).to.throw(/^standard input:[12]: .* CSV,.* --column$/);
    });
  }

  it("is no JSON", () => {
    for (const text of ['["car"]', '[\n  "car"\n]', '{"devices": []}']) {
      expect(() => rowsOfText(text, "standard input")).to.throw(/^standard input .*JSON: /);
    }
  });

  it("reports a broken CSV file", () => {
    expect(() => rowsOfCsv('deviceId\n"car\n', "crm.csv", "deviceId")).to.throw(/^crm\.csv:2: /);
    expect(() => rowsOfCsv("deviceId,site\ncar\n", "crm.csv", "deviceId")).to.throw(/^crm\.csv:2: /);
  });
});

describe("adopt: the devices of a list", () => {
  const defaults = { businessAt: () => "acme", site: "main" };
  const row = { deviceId: "car", place: "ids:1" };

  it("are of the default site and business if the list does not say", () => {
    const { devices, problems } = devicesOfList(
      [row, { ...row, deviceId: "b", site: "s", businessId: "other" }],
      defaults,
    );
    expect(problems).to.deep.equal([]);
    expect(devices).to.deep.equal([
      { deviceId: "car", businessId: "acme", site: "main", place: "ids:1" },
      { deviceId: "b", businessId: "other", site: "s", place: "ids:1" },
    ]);
  });

  it("are there once, also if the list repeats them", () => {
    const { devices, problems } = devicesOfList([row, { ...row, place: "ids:9" }], defaults);
    expect(devices.map(({ place }) => place)).to.deep.equal(["ids:1"]);
    expect(problems).to.deep.equal([]);
  });

  it("are of a site with an id for its name, and with what any of its rows says", () => {
    const rows = [
      { ...row, site: "Bad Homburg", ofSite: { latitude: "50.2 °" } },
      { ...row, deviceId: "b", site: "Bad Homburg", ofSite: { solar: true, latitude: 50.2 }, onDelete: "reset" },
      { ...row, deviceId: "c", site: "bad", ofSite: { labels: ["x"] } },
    ];
    const { devices, problems } = devicesOfList(rows, defaults);
    expect(problems).to.deep.equal([]);
    const ofSite = { title: "Bad Homburg", latitude: 50.2, solar: true };
    expect(devices).to.deep.equal([
      { deviceId: "car", businessId: "acme", site: "bad-homburg", place: "ids:1", ofSite },
      { deviceId: "b", businessId: "acme", site: "bad-homburg", onDelete: "reset", place: "ids:1", ofSite },
      { deviceId: "c", businessId: "acme", site: "bad", place: "ids:1", ofSite: { labels: ["x"] } },
    ]);
  });

  it("are refused if two names have one id, or two rows say different things about a site", () => {
    const rows = [
      { ...row, site: "München", ofSite: { solar: true } },
      { ...row, deviceId: "b", site: "MÜNCHEN", place: "ids:2" },
      { ...row, deviceId: "c", site: "München", ofSite: { solar: false }, place: "ids:3" },
      { ...row, deviceId: "d", site: "x", ofSite: { solar: "maybe", latitude: 91 }, place: "ids:4" },
      { ...row, deviceId: "e", site: "北京", place: "ids:5" },
    ];
    expectLike(devicesOfList(rows, defaults).problems, [
      'ids:2: …"MÜNCHEN" …muenchen …"München" …ids:1…',
      "ids:3: solar …ids:1…",
      "ids:4: solar …",
      "ids:4: latitude …",
      'ids:5: …"北京"…',
    ]);
  });

  it("are refused in two sites, with both places", () => {
    const { problems } = devicesOfList([row, { ...row, site: "other", place: "ids:9" }], defaults);
    expectLike(problems, ["ids:9: …'car' …ids:1, …"]);
  });

  it("are refused with everything that is wrong, each with its place", () => {
    const rows = [
      { deviceId: "a\u0007b", place: "ids:1" },
      { deviceId: "car", kind: "invertor", place: "ids:2" },
    ];
    const { devices, problems } = devicesOfList(rows, { businessAt: () => undefined, site: "main" });
    expect(devices).to.deep.equal([]);
    expect(problems).to.have.length(4);
    expect(problems[0]).to.match(/^ids:1: .*U\+0007/);
    expect(problems[1]).to.match(/^ids:1: .*--business/);
    expect(problems[3]).to.match(/^ids:2: .*inverter\?/);
  });
});
