import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { devicesOfList, readRows, rowsOfCsv, rowsOfText } from "../../../cli/adopt/list";
import { textOf } from "../../../measure/files/rows";
import { expectFacts, expectLike, like } from "../../support/facts";
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
    expectLike(rowsOfCsv(wrong, "crm.csv", "deviceId").problems, ["crm.csv: …(miles) …kWh…"]);
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
      problems: [],
      notes: [],
    });
  });

  /** A list with a column of numbers, and what is read of it. */
  const column = (header: string, ...cells: string[]) => {
    const lines = [`deviceId;site;${header}`, ...cells.map((cell, index) => `${index};a;${cell}`)];
    const { rows, problems } = rowsOfCsv(`${lines.join("\n")}\n`, "crm.csv", "deviceId");
    return { problems, values: rows.flatMap(({ settings, ofSite }) => Object.values({ ...settings, ...ofSite })) };
  };

  for (const [what, header, cells] of [
    ["alone", "baseLoad", ["1.250"]],
    ["with its unit", "peakPower", ["9.800 W"]],
    ["with the unit of its column", "peakPower (kWp)", ["9.800"]],
    ["beside decimal commas", "baseLoad", ["400,5", "1.5", "1.250"]],
    ["that would be too small as a decimal number", "maxChargePower", ["11.000"]],
  ] as const) {
    it(`refuses a point that can separate thousands: ${what}`, () => {
      const { problems } = column(header, ...cells);
      const last = cells.at(-1) ?? "";
      expectLike(problems, [
        `crm.csv:${cells.length + 1}: …${header}…${last} …${last.replace(".", "")}, …${last.replace(".", ",")} …`,
      ]);
    });
  }

  it("refuses it once for a file, with the number of the others", () => {
    expectLike(column("baseLoad", "1.250", "2.500", "3.500").problems, ["crm.csv:2: …1.250 …2 …"]);
  });

  for (const [what, header, cells, values] of [
    ["another number of its column has", "baseLoad", ["1.250", "1.5"], [1.25, 1.5]],
    ["a latitude has", "latitude", ["48.137", "52.520"], [48.137, 52.52]],
    ["an angle has", "azimuth", ["202.500"], [202.5]],
    ["the unit of its column says", "maxCapacity (kWh)", ["77.000"], ["77.000 kWh"]],
    ["its first digit is 0", "baseLoad", ["0.250 kW"], ["0.250 kW"]],
    ["the number has only one more digit", "peakPower (kWp)", ["1.5"], ["1.5 kWp"]],
  ] as const) {
    it(`reads a point as decimal if ${what}`, () => {
      expect(column(header, ...cells)).to.deep.equal({ problems: [], values });
    });
  }

  it("reads points as decimal if commas separate the fields", () => {
    const { rows, problems } = rowsOfCsv("deviceId,baseLoad\nroof,1.250\n", "crm.csv", "deviceId");
    expect([problems, rows[0]?.settings]).to.deep.equal([[], { baseLoad: 1.25 }]);
  });

  it("reads a latitude with a point beside decimal commas", () => {
    const { rows, problems } = rowsOfCsv("deviceId;latitude;maxCapacity (kWh)\na;48.137;77,5\n", "crm.csv", "deviceId");
    expect([problems, rows[0]?.ofSite]).to.deep.equal([[], { latitude: 48.137 }]);
  });

  describe("with columns of other names", () => {
    const german = "Kennzeichen;Batterie (kWh);Standort\nB-AB 1;77;Berlin\nM-CD 2;60;München\n";

    it("does not put all devices into one site, unless --site says so", () => {
      expectLike(rowsOfCsv(german, "crm.csv", "Kennzeichen").problems, ["crm.csv …site…Standort…--site"]);
      expect(rowsOfCsv(german, "crm.csv", "Kennzeichen", "home").problems).to.deep.equal([]);
      const [known] = rowsOfCsv("deviceId;Standort;Batterie\na;Bonn;7\nb;Köln;8\n", "crm.csv", "deviceId").problems;
      expect(known).to.contain("(Standort?)");
      const one = "deviceId;owner\na;Ada\nb;Ada\n";
      expect(rowsOfCsv(one, "crm.csv", "deviceId").problems).to.deep.equal([]);
    });

    it("names the columns that are read", () => {
      const [note = ""] = rowsOfCsv(german, "crm.csv", "Kennzeichen", "home").notes;
      for (const name of ["Standort", "site", "maxCapacity", "baseLoad", "latitude"]) expect(note).to.contain(name);
    });

    it("reports all problems of the header and the numbers together", () => {
      const text = "id;kind;KIND;maxCapacity (miles);Business;owner;baseLoad\na;;;1;x;Ada;1.250\nb;;;2;y;Bo;3\n";
      expectLike(rowsOfCsv(text, "crm.csv", "deviceId").problems, [
        "crm.csv …deviceId…",
        "crm.csv: …(miles)…",
        "crm.csv: …businessId…",
        "crm.csv …site…",
        "crm.csv:2: …baseLoad…",
      ]);
    });
  });

  it("begins with Excel's line about the separator, and mixes ends of lines", () => {
    const text = textOf(Buffer.from("\uFEFFsep=;\r\ndeviceId;owner\ncar;Ada, L\r\nroof;Bo\r\n"));
    const { rows } = rowsOfCsv(text, "crm.csv", "deviceId");
    expect(rows).to.deep.equal([
      { deviceId: "car", place: "crm.csv:3" },
      { deviceId: "roof", place: "crm.csv:4" },
    ]);
  });

  it("may have columns without a name, as Excel writes them", () => {
    expect(rowsOfCsv("deviceId;site;;\ncar;a;;\nroof;b;;x\n", "crm.csv", "deviceId").notes).to.deep.equal([]);
  });

  it("has a row", () => {
    expectLike(rowsOfCsv("deviceId,site\n", "crm.csv", "deviceId").problems, ["crm.csv …header: …"]);
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

  it("is not taken for an id, if only its name is given", () => {
    expect(() => readRows(["sites.csv"], {})).to.throw(like("sites.csv …--devices"));
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
    expectLike(rowsOfCsv("id,site\ncar,berlin\n", "crm.csv", "deviceId").problems, [
      "crm.csv … deviceId; … id and site…--column",
    ]);
  });

  it("takes columns in upper and lower case", () => {
    expect(
      rowsOfCsv("Device ID,Site,BUSINESS_ID,Kind\ncar,berlin,other,vehicle\n", "crm.csv", "deviceId"),
    ).to.deep.equal({
      rows: [{ deviceId: "car", site: "berlin", businessId: "other", kind: "vehicle", place: "crm.csv:2" }],
      problems: [],
      notes: [],
    });
    expect(rowsOfCsv("ID,id\nx,car\n", "crm.csv", "id").rows[0]?.deviceId).to.equal("car");
  });

  it("refuses a column that is there twice, and one that may be meant for the business", () => {
    const read = (header: string) => rowsOfCsv(`${header}\na,b,c\n`, "crm.csv", "deviceId").problems;
    expectLike(read("deviceId,site,site"), ["crm.csv … site … site: …"]);
    expectLike(read("deviceId,Site,SITE"), ["crm.csv … Site … SITE: …"]);
    expectLike(read("DeviceId,deviceid,kind"), ["crm.csv … DeviceId … deviceid: …"]);
    expectLike(read("deviceId,Business,site"), ["crm.csv: …businessId…"]);
  });

  it("names the columns that it ignores", () => {
    const csv = "deviceId,sites,owner\ncar,berlin,Ada\n,hamburg,\n,,\n,,Bo\n";
    expectLike(rowsOfCsv(csv, "crm.csv", "deviceId").notes, [
      "…columns …crm.csv: sites (…site?) and owner. …",
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

  it("guesses the setting of an ignored column by its unit, unless another column has it", () => {
    const csv = "deviceId,Kapazität (kWh),Leistung [kWp],Neigung (°),tilt,Besitzer (Name)\ncar,77,9.8,30,30,Ada\n";
    const { notes } = rowsOfCsv(csv, "crm.csv", "deviceId", "home");
    expect(notes).to.have.length(1);
    expectFacts(notes[0], [
      "Kapazität (kWh) (rename it to maxCapacity (kWh)?)",
      "Leistung [kWp] (rename it to peakPower (kWp)?)",
    ]);
    expect(notes[0])
      .to.match(/Neigung \(°\) \(rename it to latitude \(°\)/)
      .and.match(/Besitzer \(Name\)[.,]/);
    expect(notes[0]).to.not.match(/rename it to[^)]*tilt/);
  });

  for (const [header, setting] of Object.entries({
    Kapazität: "maxCapacity",
    Leistung: "maxChargePower or peakPower",
    "Leistung (kW)": "maxChargePower (kW) or peakPower (kW)",
    "PV-Leistung (kWp)": "peakPower (kWp)",
    Breitengrad: "latitude",
    Neigung: "tilt",
    "Neigung (°)": "tilt (°)",
    Ausrichtung: "azimuth",
    Standort: "site",
    Vermogen: "maxChargePower or peakPower",
    Hellingshoek: "tilt",
    Breedtegraad: "latitude",
    Inclinaison: "tilt",
    "Capacité (kWh)": "maxCapacity (kWh)",
  })) {
    it(`guesses the column that an ignored one is meant for by its name: ${header}`, () => {
      const [note] = rowsOfCsv(`deviceId;${header}\ncar;1\n`, "crm.csv", "deviceId", "home").notes;
      expect(note).to.contain(`${header} (rename it to ${setting}?)`);
    });
  }

  it("has one problem for a column of kWh without its unit, and none for its cells", () => {
    const csv = "deviceId;maxCapacity;peakPower;cutInThreshold\na;77,5;;\nb;52;;\nc;;9,8;150\nd;;12;150\n";
    const { rows, problems } = rowsOfCsv(csv, "crm.csv", "deviceId", "home");
    expectLike(problems, ["crm.csv: …maxCapacity…maxCapacity (kWh)", "crm.csv: …peakPower…peakPower (kW)"]);
    expect(devicesOfList(rows, { businessAt: () => "acme" }).problems).to.deep.equal([]);
    for (const other of ["deviceId;maxCapacity\na;77\nb;52000\n", "deviceId;maxCapacity\na;77\n"]) {
      expect(rowsOfCsv(other, "crm.csv", "deviceId", "home").problems, other).to.deep.equal([]);
    }
  });

  it("reads yes and no in other languages", () => {
    const csv = "deviceId;site;solar\na;a;ja\nb;b;Nein\nc;c;oui\nd;d;nee\n";
    const { rows } = rowsOfCsv(csv, "crm.csv", "deviceId");
    expect(rows.map(({ ofSite }) => ofSite?.solar)).to.deep.equal([true, false, true, false]);
  });

  for (const [what, header, cells, place] of [
    [
      "a latitude without a digit",
      "latitude",
      ["52,34", "5,234", "48,1", "4,81"],
      "crm.csv:3, 5: …latitude: 5.234 deg…",
    ],
    ["a latitude south of the others", "latitude", ["-33.9", "-3.39", "-30.1"], "crm.csv:3: …latitude: -3.39 deg…"],
    [
      "watts as kilowatts of the peak",
      "peakPower (kWp)",
      ["9800", "7200"],
      "crm.csv:2, 3: …peakPower (kWp): 9800 kWp…",
    ],
    ["watts as kilowatts of the load", "baseLoad (kW)", ["300", "0.3"], "crm.csv:2: …baseLoad (kW): 300 kW…"],
    ["watts as kilowatts of the threshold", "cutInThreshold (kW)", ["50"], "crm.csv:2: …cutInThreshold (kW): 50 kW…"],
  ] as const) {
    it(`refuses ${what}, once for a file`, () => {
      expectLike(column(header, ...cells).problems, [place]);
    });
  }

  it("accepts unlikely numbers with a unit of their own", () => {
    const { problems, values } = column("latitude;peakPower (kWp)", "52,3;9,8", "52,3;9800 kWp", "5,234°;250");
    expect(problems).to.deep.equal([]);
    expect(values).to.deep.equal(["9.8 kWp", 52.3, "9800 kWp", 52.3, "250 kWp", "5.234°"]);
  });

  it("reports a broken CSV file", () => {
    expect(() => rowsOfCsv('deviceId\n"car\n', "crm.csv", "deviceId")).to.throw(/^crm\.csv:2: /);
    expect(() => rowsOfCsv("deviceId,site\ncar\n", "crm.csv", "deviceId")).to.throw(/^crm\.csv:2: /);
  });
});

describe("adopt: the devices of a list", () => {
  const defaults = { businessAt: () => "acme" };
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

  it("are there once, also if the list repeats them, with both places", () => {
    const { devices, problems, repeated } = devicesOfList([row, { ...row, place: "ids:9" }], defaults);
    expect(devices.map(({ place }) => place)).to.deep.equal(["ids:1"]);
    expect(problems).to.deep.equal([]);
    expectLike(repeated, ["ids:9: …'car' …ids:1"]);
  });

  it("are refused if the list repeats them with other values, of which one would be lost", () => {
    const first = { ...row, kind: "vehicle", settings: { maxCapacity: "77 kWh" } };
    for (const other of [
      { settings: { maxCapacity: "52 kWh" } },
      { settings: { maxCapacity: "77 kWh", maxChargePower: "11 kW" } },
      { settings: {} },
      { onDelete: "restore" },
      { site: "other" },
    ]) {
      const { devices, problems } = devicesOfList([first, { ...first, ...other, place: "ids:9" }], defaults);
      expect(devices).to.have.length(1);
      expectLike(problems, ["ids:9: …'car' …ids:1, …"]);
    }
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
      { ...row, deviceId: "f", site: "y", ofSite: { latitude: 52.34 }, place: "ids:6" },
      { ...row, deviceId: "g", site: "y", ofSite: { latitude: 5.234 }, place: "ids:7" },
    ];
    expectLike(devicesOfList(rows, defaults).problems, [
      'ids:2: …"MÜNCHEN" …muenchen…"München" …ids:1 …',
      "ids:3: solar …ids:1…",
      "ids:4: solar …",
      "ids:4: latitude …",
      'ids:5: …"北京"…',
      "ids:7: latitude …5.234…52.34…ids:6…",
    ]);
  });

  for (const [what, names] of Object.entries({
    "one has an umlaut in two letters": ["München", "Muenchen"],
    "one is the id of the other": ["München", "muenchen"],
    "one has capital letters": ["MÜNCHEN", "München"],
    "ids differ only in case": ["Berlin", "berlin"],
    "signs differ": ["Bad Homburg", "bad/homburg"],
  })) {
    it(`are not put together or apart by guess if ${what}`, () => {
      const rows = names.map((site, index) => ({ deviceId: `car-${index}`, site, place: `ids:${index + 1}` }));
      const { devices, problems } = devicesOfList(rows, defaults);
      expect(devices).to.have.length(1);
      expectLike(problems, [`ids:2: …${JSON.stringify(names[1])} …${JSON.stringify(names[0])} …ids:1 …`]);
    });
  }

  it("are of one site if its name has the same letters in two encodings", () => {
    const rows = ["München".normalize("NFC"), "München".normalize("NFD")].map((site, index) => {
      return { deviceId: `car-${index}`, site, place: `ids:${index}` };
    });
    const { devices, problems } = devicesOfList(rows, defaults);
    expect(problems).to.deep.equal([]);
    expect(devices.map(({ site, ofSite }) => [site, ofSite?.title])).to.deep.equal(
      Array(2).fill(["muenchen", "München".normalize("NFC")]),
    );
  });

  it("are compared with the sites of the manifest, which have an id and a title", () => {
    const sites = [{ id: "muenchen", title: "München" }, { id: "Berlin" }, { id: "a" }, { id: "A" }];
    const found = (site: string) =>
      devicesOfList([{ ...row, site }], { ...defaults, present: { file: "fleet.yaml", sites } });
    for (const site of ["muenchen", "München", "Berlin", "a", "A", "hamburg"]) {
      expect(found(site).problems, site).to.deep.equal([]);
    }
    expectLike(found("MÜNCHEN").problems, ['ids:1: …"MÜNCHEN" …fleet.yaml …']);
    expectLike(found("berlin").problems, ['ids:1: …"berlin" …"Berlin" …fleet.yaml …']);
  });

  it("are refused with wrong values, in one go", () => {
    const rows = [
      { ...row, settings: { maxCapacity: "900 kWh", tilt: 91 } },
      { ...row, deviceId: "b", kind: "vehicle", settings: { tilt: 30 }, place: "ids:2" },
      { ...row, deviceId: "c", onDelete: "delete", place: "ids:3" },
      { ...row, deviceId: "d", kind: "inverter", onDelete: "reset", place: "ids:4" },
      { ...row, deviceId: "e", onDelete: "reset", settings: { maxCapacity: "77 kWh" }, place: "ids:5" },
    ];
    const { devices, problems } = devicesOfList(rows, defaults);
    expect(devices.map(({ deviceId }) => deviceId)).to.deep.equal(["e"]);
    expectLike(problems, [
      "ids:1: maxCapacity: …900 kWh…",
      "ids:1: tilt: …",
      "ids:2: tilt: …inverter…vehicle…",
      "ids:3: onDelete: …",
      "ids:4: onDelete: …",
    ]);
  });

  it("are refused once for equal mistakes, with the first places", () => {
    const rows = Array.from({ length: 600 }, (_, index) => ({
      ...{ deviceId: `car-${index}`, place: `ids:${index + 1}`, settings: { maxCapacity: 77_000_000 } },
    }));
    expectLike(devicesOfList(rows, defaults).problems, [
      "ids:1, ids:2, ids:3, ids:4, ids:5 and 595 more: maxCapacity: …77 kWh…",
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
    const { devices, problems } = devicesOfList(rows, { businessAt: () => undefined });
    expect(devices).to.deep.equal([]);
    expectLike(problems, ["ids:1: …U+0007…", "ids:1, ids:2: …--business…", "ids:2: …inverter?"]);
  });
});
