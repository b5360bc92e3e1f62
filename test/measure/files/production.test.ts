import { expect } from "chai";
import { meterOf } from "../../../measure/files/meter";
import type { Given } from "../../../measure/files/powers";
import { productionOf as productionIn } from "../../../measure/files/production";
import { ZoneClock } from "../../../measure/files/times";
import { productionOf } from "../../support/exports";

const HOUR = 3600;
/** 1 June 2025, 10:15 UTC. */
const QUARTER_PAST_TEN = Date.UTC(2025, 5, 1, 10, 15) / 1000;

/** Two days of power in steps of 15 minutes, each as a row. @param write formats local time (as UTC) and W */
function rowsOf(write: (at: Date, watts: number) => string, steps = 192): string {
  return Array.from({ length: steps }, (_, i) => {
    const at = Date.UTC(2025, 4, 31) + i * 900_000;
    const hour = (i % 96) / 4;
    return write(new Date(at), Math.max(0, Math.round(5000 * Math.sin(((hour - 5) / 14) * Math.PI))));
  }).join("\n");
}

const iso = (at: Date) => at.toISOString().slice(0, 19);
const two = (number: number) => String(number).padStart(2, "0");
const clock = (at: Date) => `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
const dotted = (at: Date) => `${two(at.getUTCDate())}.${two(at.getUTCMonth() + 1)}.${at.getUTCFullYear()} ${clock(at)}`;
const slashed = (at: Date) =>
  `${two(at.getUTCMonth() + 1)}/${two(at.getUTCDate())}/${at.getUTCFullYear()} ${clock(at)}`;

/** The power from 10:15 to 10:30 UTC on the second day, and the way in which the text was read. */
function read(text: string, given: Given = {}, at = QUARTER_PAST_TEN) {
  const { series, took } = productionOf(text, given);
  const index = Array.from(series?.times ?? []).findIndex((time) => Math.abs(time - at - (series?.step ?? 0) * 30) < 1);
  return { watts: Math.round((series?.power[index] ?? Number.NaN) * (series?.scale ?? 0)), took, step: series?.step };
}

const EXPECTED = 4619; // The power at 10:15 that rowsOf writes.

describe("reading of production", () => {
  const berlin = { timeZone: "Etc/UTC" };
  const FORMS: Readonly<Record<string, readonly [string, Given?]>> = {
    "ISO times and W": [`time,power_w\n${rowsOf((at, w) => `${iso(at)}Z,${w}`)}`],
    "ISO times with an offset behind a blank": [
      `Date/Time,Energy Produced (Wh)\n${rowsOf((at, w) => `${iso(new Date(at.getTime() - 5 * HOUR * 1000)).replace("T", " ")} -0500,${w / 4}`)}`,
    ],
    "SolarEdge, month first": [`Time,System Production (W)\n${rowsOf((at, w) => `${slashed(at)},${w}`)}`, berlin],
    "Fronius with a row of units": [
      `Date and time,PV production\n[dd.MM.yyyy HH:mm],[Wh]\n${rowsOf((at, w) => `${dotted(at)},${w / 4}`)}`,
      berlin,
    ],
    "Fronius with a charger, and a column of each device": [
      `Datum und Uhrzeit;Direkt verbraucht;Energie vom Netz bezogen;PV Produktion;Verbrauch;Energie von PV an Wattpilot;Produktion | METER_CAT_OTHER;\n[dd.MM.yyyy HH:mm];[Wh];[Wh];[Wh];[Wh];[Wh];[Wh];\n${rowsOf((at, w) => `${dotted(at)};9.00;7.00;${w / 4};9.00;3.00;1.00;`)}`,
      berlin,
    ],
    "kW with a decimal comma, and a column that is not the production": [
      `sep=;\nZeit;Verbrauch (kW);PV-Leistung (kW)\n${rowsOf((at, w) => `${dotted(at)};9,500;${(w / 1000).toFixed(3).replace(".", ",")}`)}`,
      berlin,
    ],
    "E3DC, quoted": [
      `"Zeitstempel";"Ladezustand [%]";"Solarproduktion [W]";"Netzbezug [W]"\n${rowsOf((at, w) => `${dotted(at)}:00;45;${w};7`)}`,
      berlin,
    ],
    "FusionSolar: a title, kWh of steps, a blank behind the number, DST behind the time": [
      `Anlagenbericht;;;\nStatistische Zeit; Globale Einstrahlung (kWh/m²);PV-Ertrag (kWh); Netzeinspeisung (kWh)\n${rowsOf((at, w) => `${iso(at).replace("T", " ")} DST;;${(w / 4000).toFixed(5).replace(".", ",")} ;0,010`)}`,
      berlin,
    ],
    "Fronius with a column of each inverter": [
      `Datum und Uhrzeit,Energie Pro Wechselrichter | Symo 5\n[dd.MM.yyyy HH:mm],[Wh]\n${rowsOf((at, w) => `${dotted(at)},${w / 4}`)}`,
      berlin,
    ],
    "unix seconds in milliseconds": [`ts,pv\n${rowsOf((at, w) => `${at.getTime()},${w}`)}`],
    "date and time in two columns": [
      `Datum;Uhrzeit;Solar (W)\n${rowsOf((at, w) => `${dotted(at).slice(0, 10)};${clock(at)};${w}`)}`,
      berlin,
    ],
    "12 hours": [
      `Time,Solar (W)\n${rowsOf((at, w) => `${slashed(at).slice(0, 10)} ${at.getUTCHours() % 12 || 12}:${two(at.getUTCMinutes())} ${at.getUTCHours() < 12 ? "AM" : "PM"},${w}`)}`,
      berlin,
    ],
    "no unit, but likely kW": [
      `Time;Power\n${rowsOf((at, w) => `${dotted(at)};${(w / 1000).toFixed(3)}`)}`,
      { ...berlin, declaredPeak: 6000 },
    ],
    "rows from new to old": [
      `time,power_w\n${rowsOf((at, w) => `${iso(at)}Z,${w}`)
        .split("\n")
        .reverse()
        .join("\n")}`,
    ],
    "InfluxDB, annotated": [
      `#group,false,false,true,true\n#datatype,string,long,dateTime:RFC3339,double\n#default,_result,,,\n,result,table,_time,_value,_field,_measurement\n${rowsOf((at, w) => `,,0,${iso(at)}Z,${w},power,inverter`)}`,
      { label: "start" },
    ],
    "InfluxDB, with the bounds of the query, and several fields": [
      ["power", "voltage"]
        .map(
          (field, table) =>
            `,result,table,_start,_stop,_time,_value,_field,_measurement\n${rowsOf((at, w) => `,,${table},2025-05-01T00:00:00Z,2025-06-30T00:00:00Z,${iso(at)}Z,${table ? 230 : w},${field},inverter`)}`,
        )
        .join("\n\n"),
      { label: "start" },
    ],
    "Home Assistant's history/period, with the sensor in the first state only": [
      JSON.stringify([
        rowsOf((at, w) => `${new Date(at.getTime() + 1).toISOString()} ${w}`)
          .split("\n")
          .map((one, i) => ({
            ...(i === 0 && { entity_id: "sensor.pv", attributes: { unit_of_measurement: "W", friendly_name: "PV" } }),
            ...{ state: one.split(" ")[1], last_changed: one.split(" ")[0] },
          })),
      ]),
    ],
    "Prometheus' query_range": [
      JSON.stringify({
        status: "success",
        data: {
          resultType: "matrix",
          result: [
            {
              metric: { __name__: "pv_watts" },
              values: rowsOf((at, w) => `${at.getTime() / 1000} ${w}`)
                .split("\n")
                .map((one) => [Number(one.split(" ")[0]), one.split(" ")[1]]),
            },
            { metric: { __name__: "grid_watts" }, values: [[1748772900, "NaN"]] },
          ],
        },
      }),
      { label: "start" },
    ],
    "Home Assistant's history with changes only": [
      `entity_id,state,last_changed\n${rowsOf((at, w) => `sensor.pv_power,${w},${new Date(at.getTime() + 1).toISOString()}`)}`,
    ],
  };
  for (const [name, [text, given]] of Object.entries(FORMS)) {
    it(`reads ${name}`, () => {
      expect(read(text, given).watts).to.be.closeTo(EXPECTED, 8);
    });
  }

  it("reads a counter as the energy before each reading", () => {
    let total = 1000;
    const text = `time,total_kwh\n${rowsOf((at, w) => {
      total += w / 4000;
      return `${iso(new Date(at.getTime() + 900_000))}Z,${total.toFixed(5)}`;
    })}`;
    const { watts, took } = read(text);
    expect(took.quantity).to.deep.equal({ kind: "counter", unit: "kWh", from: "named" });
    expect(watts).to.be.closeTo(EXPECTED, 8);
  });

  it("reads a counter that begins at 0 each day", () => {
    let total = 0;
    const text = `time,pv_today_wh\n${rowsOf((at, w) => {
      total = at.getUTCHours() + at.getUTCMinutes() === 0 ? 0 : total + w / 4;
      return `${iso(new Date(at.getTime() + 900_000))}Z,${total}`;
    })}`;
    expect(read(text)).to.deep.include({ watts: EXPECTED });
  });

  it("does not mix Home Assistant's means of hours with its changes", () => {
    const hours = Array.from({ length: 240 }, (_, i) => {
      const watts = Math.max(0, Math.round(5000 * Math.sin((((i % 24) - 5) / 14) * Math.PI)));
      return `sensor.pv_power,${watts},${new Date(Date.UTC(2025, 4, 20) + i * HOUR * 1000).toISOString()}`;
    });
    const changes = rowsOf((at, w) => `sensor.pv_power,${w},${new Date(at.getTime() + 61_000).toISOString()}`, 60);
    const text = [
      "entity_id,state,last_changed",
      ...hours,
      changes,
      "sensor.pv_power,unavailable,2025-06-01T10:00:00.000Z",
    ];
    expect(read(text.join("\n")).step).to.equal(60);
  });

  it("prefers the given column, unit and label to its own findings", () => {
    const text = `time,a,b\n${rowsOf((at, w) => `${iso(at)}Z,${w + 1},${w / 1000}`)}`;
    expect(() => productionOf(text, {})).to.throw("--column");
    const { watts, took } = read(text, { column: ["b"], unit: "kW", label: "end" }, QUARTER_PAST_TEN - 900);
    expect(took).to.deep.include({ column: "b", label: "end", quantity: { kind: "power", unit: "kW", from: "given" } });
    expect(watts).to.be.closeTo(EXPECTED, 8);
  });

  it("names line and column of a time that cannot be read", () => {
    const lines = `time,power_w\n${rowsOf((at, w) => `${iso(at)}Z,${w}`)}`.split("\n");
    const text = lines.with(41, "2025-13-45T10:00Z,5").join("\n");
    expect(() => productionOf(text, {})).to.throw("line 42, column 1 (time): not a time");
  });

  it("does not take numbers without a unit for kW because the declared roof has several MW", () => {
    const text = `Time;Power\n${rowsOf((at, w) => `${dotted(at)};${w}`)}`;
    expect(read(text, { timeZone: "UTC", declaredPeak: 6_000_000 }).took.quantity.unit).to.equal("W");
    expect(read(text, { timeZone: "UTC", declaredPeak: 6000 }).took.quantity.unit).to.equal("W");
  });

  it("does not take the load or the import of a house for production", () => {
    for (const name of ["Consumption (kWh)", "Netzbezug [W]", "house_power", "Einspeisung (W)"]) {
      const text = `time,${name}\n${rowsOf((at, w) => `${iso(at)}Z,${w}`)}`;
      expect(() => productionOf(text, {}), name).to.throw(/no column is known as production.*--column.*--meter/);
      const { took } = productionOf(text, { column: [name] });
      expect(took.column).to.equal(name);
      expect(took.notes, name).to.have.length(1);
    }
    const text = `time,Spannung,Leistung\n${rowsOf((at, w) => `${iso(at)}Z,${w},${w}`)}`;
    expect(productionOf(text, { column: ["Spannung"], unit: "W" }).took.notes).to.have.length(1);
    for (const name of [
      "PV1 Voltage (V)",
      "Spannung",
      "Strom [A]",
      "Netzfrequenz (Hz)",
      "Panel (°C)",
      "Temperature (C)",
    ]) {
      const other = text.replace("Spannung", name);
      expect(() => productionOf(other.replaceAll("Leistung", "Netzbezug"), {}), name).to.throw(
        /no column is known|neither a power/,
      );
      expect(() => productionOf(other, { column: [name] }), name).to.throw("neither a power nor an energy");
    }
    expect(productionOf(text, { column: ["Leistung"], unit: "W" }).took.notes).to.deep.equal([]);
  });

  /** A month of SolarEdge's answer about the flows of a house, one behind the other. */
  const flowsOf = (month: number, types = ["FeedIn", "Purchased", "Production", "Consumption"]) => {
    const times = Array.from({ length: 20 * 96 }, (_, i) => new Date(Date.UTC(2025, month, 1) + i * 900_000));
    const powerOf = (type: string, hour: number) => {
      const produced = Math.max(0, Math.round(5000 * Math.sin(((hour - 5) / 14) * Math.PI)));
      return { Production: produced, Consumption: 400, FeedIn: Math.max(0, produced - 400) }[type] ?? 7;
    };
    const meters = types.map((type) => ({
      type,
      values: times.map((at) => ({
        date: iso(at).replace("T", " "),
        value: powerOf(type, (at.getTime() / 3_600_000) % 24),
      })),
    }));
    return JSON.stringify({ powerDetails: { timeUnit: "QUARTER_OF_AN_HOUR", unit: "W", meters } });
  };

  it("joins the JSON of several months, in files or in one file, and finds flows behind thousands of others", () => {
    const [june, july] = [flowsOf(5), flowsOf(6)].map((text) => [Buffer.from(text)]) as [Buffer[], Buffer[]];
    const alone = productionIn([june], berlin);
    for (const both of [[june, july], [[...june, Buffer.from("\n"), ...july]]]) {
      const { took, series } = productionIn(both, berlin);
      expect(took).to.include({ format: "SolarEdge", column: "Production value", rows: 2 * alone.took.rows });
      expect(series?.times.length).to.equal(2 * (alone.series?.times.length as number));
    }
    expect(meterOf([june], berlin).took.roles).to.deep.equal([["load", ["Consumption value"]]]);
    const other = [Buffer.from('[{ "time": "2025-08-01T00:00:00Z", "power": 3 }]')];
    expect(() => productionIn([june, other], berlin)).to.throw("the same columns");
  });

  it("reads brackets in the texts of JSON as they are, in one answer and in those of two months", () => {
    const answer = `[${rowsOf((at, w) => `{ "time": "${iso(at)}Z", "PV [Dach] [W]": ${w} }`)}]`.replace(/\n/g, ",");
    const later = answer.replaceAll("2025-05-", "2025-07-").replaceAll("2025-06-", "2025-08-");
    const given = { column: ["PV [Dach] [W]"] };
    for (const text of [
      answer,
      `${answer}${later}`,
      `${answer}\n\ufeff${later}`,
      answer.slice(1, -1).replace(/},{/g, "}\n{"),
    ])
      expect(read(text, given).watts).to.equal(EXPECTED);
  });

  it("says where JSON is broken", () => {
    expect(() => productionOf('{ "a": 1 ! }', {})).to.throw("broken at position 9");
    expect(() => productionOf('{ "a": 1 }{ "b": ', {})).to.throw("cut off or broken");
    expect(() => productionOf(`[{ "a": "\\"${"}{".repeat(1000)}`, {})).to.throw("cut off or broken");
  });

  it("knows the names of a wide table though its last column has none", () => {
    const text = `Day,Grid,Load,PV production\n,[Wh],[Wh],[Wh]\n${rowsOf((at, w) => `${iso(at)}Z,9,9,${w / 4},Wh`)}`;
    expect(read(text).watts).to.equal(EXPECTED);
  });

  it("takes no names from a narrower row below them, such as a sum", () => {
    const text = (names: string, end: string) =>
      `${names}\nSum;5;6\n${rowsOf((at, w) => `${iso(at)}Z;${w};9;7${end}`)}`;
    for (const [names, end] of [
      ["Time;PV;Load;Grid", ""],
      ["Time;PV;Load;Grid", ";"],
      ["Time;PV;Load;Grid", ";W;"],
    ] as const) {
      const { watts, took } = read(text(names, end));
      expect([watts, took.column]).to.deep.equal([EXPECTED, "PV"]);
    }
    const wide = "1;".repeat(20);
    const { watts, took } = read(
      text(`Time;PV;Load;Grid;${"Load;".repeat(20)}`, `;${wide}`).replace("6", `6;${wide.slice(4)}`),
      { unit: "W" },
    );
    expect([watts, took.column]).to.deep.equal([EXPECTED, "PV"]);
  });

  it("takes Stromerzeugung for production, and lists no volts", () => {
    const senec = `Uhrzeit;Netzbezug [kW];Stromverbrauch [kW];Stromerzeugung [kW];Akku Spannung [V]\n`;
    expect(
      read(senec + rowsOf((at, w) => `${dotted(at)};0,1;0,4;${String(w / 1000).replace(".", ",")};52,1`), berlin).watts,
    ).to.equal(EXPECTED);
    const growatt = `Time,Vpv1(V),Ppv1(W),Ppv2(W),Pac(W)\n${rowsOf((at, w) => `${iso(at)}Z,${w},${w},${w},${w}`)}`;
    expect(() => productionOf(growatt, {})).to.throw(/^(?!.*Vpv1).*'Ppv1\(W\)'/);
  });

  it("asks for a zone, and refuses one that does not exist", () => {
    const text = `Time,System Production (W)\n${rowsOf((at, w) => `${slashed(at)},${w}`)}`;
    expect(() => productionOf(text, {})).to.throw("--time-zone");
    expect(() => productionOf(text, { timeZone: "Europe/Nowhere" })).to.throw("Europe/Nowhere");
  });

  for (const text of ["", "{", "[]", "{}", "no table at all", "a,b\n1,2\n"]) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(() => productionOf(text, {})).to.throw());
  }

  it("distinguishes the two passes of a doubled hour by their order, and by DST", () => {
    const zone = new ZoneClock("Europe/Berlin");
    const local = Date.UTC(2025, 9, 26, 2, 30) / 1000;
    const summer = Date.UTC(2025, 9, 26, 0, 30) / 1000;
    expect(zone.utcOf(local, summer - 900, { isSummer: false })).to.equal(summer);
    expect(zone.utcOf(local, summer + 1800, { isSummer: false })).to.equal(summer + HOUR);
    expect(zone.utcOf(local, summer + 1800, { isSummer: true })).to.equal(summer);
    const missing = Date.UTC(2025, 2, 30, 2, 30) / 1000;
    expect(zone.utcOf(missing, 0, { isSummer: false })).to.equal(Date.UTC(2025, 2, 30, 1, 30) / 1000);
  });
});
