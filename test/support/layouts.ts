import type { Session } from "../../measure/sky/sessions";
import type { SimulatedHouse } from "./houses";

/** Samples of the layouts of systems: made-up numbers under the names that each system gives its columns. */

const iso = (at: number) => new Date(at * 1000).toISOString();
const local = (at: number) => iso(at).slice(0, 16).replace("T", " ");
const day = (at: number) => iso(at).slice(0, 10);
const hour = (at: number) => iso(at).slice(11, 16);
const dotted = (at: number, sign: string) => day(at).split("-").reverse().join(sign);
const american = (at: number) => `${day(at).slice(5, 7)}/${day(at).slice(8)}/${day(at).slice(0, 4)} ${hour(at)}:00`;
const comma = (value: string) => value.replace(".", ",");

const rows = (header: string, { times }: SimulatedHouse, row: (at: number, i: number) => string) =>
  `${header}\n${Array.from(times, row).join("\n")}\n`;
const watts = (flow: Float64Array, i: number, share = 1) => ((flow[i] as number) * share).toFixed(1);
const kilo = (value = 0) => (value / 1000).toFixed(4);
/** kWh of a step. */
const energy = ({ step }: SimulatedHouse, flow: Float64Array, i: number, share = 1) =>
  (((flow[i] as number) * share * step) / 60_000).toFixed(5);
const unix = (at: number) => `${Math.round(at)}`;

/** Meters of a house. */
export const LAYOUTS_OF_METERS: Readonly<Record<string, (house: SimulatedHouse) => string>> = {
  Octopus: (house) =>
    JSON.stringify({
      ...{ count: 1, next: null },
      results: Array.from(house.times, (at, i) => ({
        consumption: Number(energy(house, house.imported, i)),
        ...{ interval_start: iso(at), interval_end: iso(at + 60 * house.step) },
      })).reverse(),
    }),
  "Octopus's table": (house) =>
    rows("Consumption (kWh), Start, End", house, (at, i) =>
      [energy(house, house.imported, i), iso(at), iso(at + 60 * house.step)].join(", "),
    ),
  Fluvius: (house) =>
    rows(
      "From (date);From (time);Until (date);Until (time);EAN code;Meter;Meter type;Register;Volume;Unit;Validation status",
      house,
      (at, i) => {
        const end = at + 60 * house.step;
        const begin = `${dotted(at, "/")};${hour(at)}:00;${dotted(end, "/")};${hour(end)}:00;="541448820044159229";1SAG1105074345;Digital meter`;
        const tariff = i % 24 < 8 ? "Night" : "Day";
        const row = (name: string, flow: Float64Array) =>
          `${begin};${name} ${tariff};${comma(energy(house, flow, i))};kWh;Read`;
        return `${row("Offtake", house.imported)}\n${row("Injection", house.returned)}`;
      },
    ),
  Engie: (house) =>
    rows('"Datum","EAN","Verbruik","Type","Piek"', house, (at, i) => {
      const row = (flow: Float64Array, type: string) =>
        `"${iso(at)}","871687120054712304","${energy(house, flow, i)}","${type}","${i % 24 > 7}"`;
      return `${row(house.imported, "Elektriciteit")}\n${row(house.returned, "Teruglevering")}`;
    }),
  "DSMR-reader": (house) =>
    rows(
      "Hour Start,Electricity 1 (Dutch Users: Low Tariff),Electricity 2 (Dutch Users: Normal Tariff),Electricity 1 Returned (Dutch Users: Low Tariff),Electricity 2 Returned (Dutch Users: Normal Tariff),Gas",
      house,
      (at, i) => {
        const both = (flow: Float64Array) => (i % 24 < 7 ? [energy(house, flow, i), 0] : [0, energy(house, flow, i)]);
        return [iso(at), ...both(house.imported), ...both(house.returned), "0.12"].join(",");
      },
    ),
  DSMR: (house) =>
    rows("Time,power_consumption (W),power_production (W)", house, (at, i) =>
      [local(at), watts(house.imported, i), watts(house.returned, i)].join(","),
    ),
  Enedis: (house) =>
    `Identifiant PRM;Type de donnees;Date de debut;Date de fin;Grandeur physique;Unite\n09123456789012;Courbe de charge;01/04/2025;20/04/2025;Energie active;W\n\n${rows(
      "Horodate;Valeur",
      house,
      (at, i) => `${iso(at + 60 * house.step)};${watts(house.load, i)}`,
    )}`,
  "i-DE": (house) =>
    rows("CUPS;Fecha;Hora;Consumo_kWh;Metodo_obtencion", house, (at, i) =>
      [
        "ES0021000004561237AB",
        dotted(at, "/"),
        Number(hour(at).slice(0, 2)) + 1,
        comma(energy(house, house.load, i)),
        "R",
      ].join(";"),
    ),
  NEM12: (house) => {
    const count = 1440 / house.step;
    const days = Array.from({ length: house.times.length / count }, (_, at) => at * count);
    const of = (code: string, flow: Float64Array) =>
      `200,6001234567,E1B1,${code},${code},,12345678,KWH,${house.step},\n${days
        .map((first) => {
          const values = Array.from({ length: count }, (_, i) => energy(house, flow, first + i));
          return `300,${day(house.times[first] as number).replaceAll("-", "")},${values.join(",")},A,,,20250601120000,`;
        })
        .join("\n")}`;
    return `100,NEM12,202505180000,MDP1,RETAIL\n${of("E1", house.imported)}\n${of("B1", house.returned)}\n900\n`;
  },
  Victron: (house) =>
    `timestamp,System [0],System [0],System [0]\nAfrica/Abidjan (+00:00),AC Consumption L1,AC Consumption L2,AC Consumption L3\n${rows(
      ",W,W,W",
      house,
      (at, i) => [local(at), ...[0.5, 0.3, 0.2].map((share) => watts(house.load, i, share))].join(","),
    )}`,
  Emporia: (house) =>
    rows("Time Bucket (UTC),House-Mains_A (kWatts),House-Mains_B (kWatts),House-EV (kWatts)", house, (at, i) =>
      [american(at), ...[0.6, 0.4].map((share) => kilo((house.load[i] as number) * share)), "0"].join(","),
    ),
  "Green Button": (house) =>
    rows("TYPE,DATE,START TIME,END TIME,USAGE,UNITS", house, (at, i) =>
      ["Electric usage", day(at), hour(at), hour(at + 60 * house.step - 60), energy(house, house.load, i), "kWh"].join(
        ",",
      ),
    ),
  Grafana: (house) =>
    rows("Time,Load", house, (at, i) => {
      const power = house.load[i] as number;
      return `${local(at)},${power > 1000 ? `${(power / 1000).toFixed(3)} kW` : `${power.toFixed(1)} W`}`;
    }),
  GivEnergy: (house) =>
    JSON.stringify({
      data: Array.from(house.times, (at, i) => ({
        time: iso(at),
        power: {
          solar: { power: Number(watts(house.produced, i)), arrays: [{ array: 1, power: 0 }] },
          grid: { voltage: 252.7, power: Number(watts(house.returned, i)) - Number(watts(house.imported, i)) },
          battery: { percent: 75, power: 0 },
          consumption: { power: Number(watts(house.load, i)) },
        },
      })),
    }),
  "Powerwall, signed": (house) =>
    rows("timestamp,solar_power (W),grid_power (W),battery_power (W)", house, (at, i) => {
      // The battery takes a third of what is left, and gives it back by night.
      const [bought, back] = [house.imported[i] as number, house.returned[i] as number];
      const battery = back > 0 ? -back / 3 : bought / 2;
      return [iso(at), watts(house.produced, i), (bought - back - battery).toFixed(1), battery.toFixed(1)].join(",");
    }),
  "InfluxDB's JSON": (house) =>
    JSON.stringify({
      results: [
        {
          statement_id: 0,
          series: [
            {
              name: "W",
              columns: ["time", "load"],
              values: Array.from(house.times, (at, i) => [iso(at), house.load[i]]),
            },
          ],
        },
      ],
    }),
  "Shelly EM": (house) =>
    rows("Date/time UTC,Active energy Wh,Returned energy Wh,Min V,Max V", house, (at, i) =>
      [
        local(at),
        ...[house.imported, house.returned].map((flow) => (1000 * Number(energy(house, flow, i))).toFixed(2)),
        "229.1,233.0",
      ].join(","),
    ),
  "Shelly Pro EM": (house) =>
    rows(
      "timestamp,total_act_energy,fund_act_energy,total_act_ret_energy,fund_act_ret_energy,max_act_power,min_act_power,avg_voltage",
      house,
      (at, i) =>
        [
          unix(at),
          ...[house.imported, house.returned].flatMap((flow) =>
            [1, 0.9].map((share) => (1000 * Number(energy(house, flow, i, share))).toFixed(3)),
          ),
          ...[1.6, 0.7].map((share) => watts(house.imported, i, share)),
          "231.0",
        ].join(","),
    ),
  "Home Assistant's means": (house) =>
    rows("statistic_id\tunit\tstart\tmin\tmax\tmean", house, (at, i) =>
      ["sensor.house_power", "W", local(at), ...[0.8, 1.4, 1].map((share) => watts(house.load, i, share))].join("\t"),
    ),
  "Shelly 3EM": (house) =>
    rows(
      "Date/time UTC,Active energy Wh (A),Returned energy Wh (A),Active energy Wh (B),Returned energy Wh (B)",
      house,
      (at, i) =>
        [
          local(at),
          ...[0.7, 0.3].flatMap((share) =>
            [house.imported, house.returned].map((flow) => (1000 * Number(energy(house, flow, i, share))).toFixed(2)),
          ),
        ].join(","),
    ),
};

/** Production of panels. */
export const LAYOUTS_OF_PRODUCTION: Readonly<Record<string, (house: SimulatedHouse) => string>> = {
  SMA: (house) =>
    `sep=;\nVersion CSV3|Tool WebUI|Linebreaks CR/LF|Delimiter semicolon\n\n;STP6.0-3AV-40 001;STP6.0-3AV-40 001\n;SUNNY TRIPOWER 6.0;SUNNY TRIPOWER 6.0\n;3005124937;3005124937\n;GridMs.TotW (Avg);GridMs.W.phsA (Avg)\n;Analog;Analog\n${rows(
      "DD.MM.YYYY hh:mm:ss;[W];[W]",
      house,
      (at, i) => {
        const end = at + 60 * house.step;
        const [all, one] = [1, 1 / 3].map((share) =>
          (house.produced[i] as number) > 0 ? watts(house.produced, i, share) : "NaN",
        );
        return `${dotted(end, ".")} ${hour(end)}:00;${all};${one}`;
      },
    )}`,
  InfluxDB: (house) =>
    rows(
      ",result,table,_start,_stop,_time,_value,_field",
      house,
      (at, i) =>
        `,,0,2025-04-01T00:00:00Z,2025-05-01T00:00:00Z,${iso(at + 60 * house.step)},${watts(house.produced, i)},pv_w`,
    ),
  Prometheus: (house) =>
    JSON.stringify({
      data: {
        resultType: "matrix",
        result: [
          {
            metric: { __name__: "pv_watts", job: "inverter" },
            values: Array.from(house.times, (at, i) => [at, watts(house.produced, i)]),
          },
        ],
      },
    }),
  "SolarEdge's portal": (house) =>
    rows("Time,System Production (W)", house, (at, i) => `${american(at)},${watts(house.produced, i)}`),
  "SolarEdge's API": (house) =>
    JSON.stringify({
      energy: {
        ...{ timeUnit: "HOUR", unit: "Wh", measuredBy: "INVERTER" },
        values: Array.from(house.times, (at, i) => ({
          date: `${local(at + 7200)}:00 CEST+0200`,
          value: (house.produced[i] as number) > 0 ? (house.produced[i] as number) * (house.step / 60) : null,
        })),
      },
    }),
  Enphase: (house) =>
    rows(
      "Date/Time,Energy Produced (Wh)",
      house,
      (at, i) => `${american(at).slice(0, 16)},${(1000 * Number(energy(house, house.produced, i))).toFixed(2)}`,
    ),
  PVOutput: (house) => {
    let total = 0;
    return rows("Date,Time,Energy Generated (Wh),Power Generated (W)", house, (at, i) => {
      const before = hour(at) === "00:00" ? 0 : total;
      total = before + 1000 * Number(energy(house, house.produced, i));
      return [day(at).replaceAll("-", ""), hour(at), before.toFixed(0), watts(house.produced, i)].join(",");
    });
  },
  "two strings": (house) =>
    rows("time;PV1 Power (W);PV2 Power (W)", house, (at, i) =>
      [unix(at), watts(house.produced, i, 0.4), watts(house.produced, i, 0.6)].join(";"),
    ),
};

const clock = (hours: number) => {
  const all = Math.round(hours * 3600);
  return `${Math.floor(all / 3600)}:${String(Math.floor(all / 60) % 60).padStart(2, "0")}:${String(all % 60).padStart(2, "0")}`;
};
const each = (header: string, sessions: readonly Session[], row: (one: Session, i: number) => string) =>
  `${header}\n${sessions.map(row).join("\n")}\n`;

/** Sessions of a car. */
export const LAYOUTS_OF_SESSIONS: Readonly<Record<string, (sessions: readonly Session[]) => string>> = {
  openWB: (sessions) =>
    each(
      "Ladepunkt-ID;Fahrzeug;Lademodus;Zeitstempel Beginn;Zeitstempel Ende;Dauer;Leistung;Energie",
      sessions,
      (one) =>
        [
          1,
          '"car"',
          "PV",
          unix(one.start),
          unix(one.end),
          clock(one.hours ?? 0),
          comma(kilo((one.drawn ?? 0) / (one.hours ?? 1))),
          comma(kilo(one.drawn)),
        ].join(";"),
    ),
  BMW: (sessions) =>
    JSON.stringify(
      sessions.map((one) => ({
        ...{ startTime: one.start, endTime: one.end, energyConsumedFromPowerGridKwh: Number(kilo(one.drawn)) },
        ...{ energyIncreaseHvbKwh: Number(kilo(one.added)), displayedStartSoc: one.from, displayedSoc: one.to },
        totalChargingDurationSec: Math.round(3600 * (one.hours ?? 0)),
      })),
    ),
  ChargePoint: (sessions) =>
    each(
      "Station Name,Start Date,End Date,Total Duration (hh:mm:ss),Charging Time (hh:mm:ss),Energy (kWh),Start SOC,End SOC",
      sessions,
      (one) =>
        [
          "HOME",
          american(one.start),
          american(one.end + 60),
          clock((one.end - one.start) / 3600),
          clock(one.hours ?? 0),
          kilo(one.drawn),
          one.from,
          one.to,
        ].join(","),
    ),
  OCPP: (sessions) => {
    let counter = 1000;
    return each("transaction_pk,start_timestamp,start_value,stop_timestamp,stop_value", sessions, (one, i) => {
      const before = counter;
      counter += Math.round(one.drawn ?? 0);
      return [i, `${local(one.start)}:00.0`, before, `${local(one.end + 60)}:00.0`, counter].join(",");
    });
  },
  OCPI: (sessions) =>
    JSON.stringify({
      data: sessions.map((one) => ({
        ...{ start_date_time: iso(one.start), end_date_time: iso(one.end), total_energy: Number(kilo(one.drawn)) },
        currency: "EUR",
      })),
    }),
  Tessie: (sessions) =>
    each(
      "Started At,Ended At,Location,Starting Battery (%),Ending Battery (%),Energy Added (kWh),Energy Used (kWh)",
      sessions,
      (one) =>
        [
          ...[local(one.start), local(one.end + 60), "Home", one.from, one.to],
          ...[one.added, one.drawn].map((energy) => kilo(energy)),
        ].join(","),
    ),
  "ACN-Data": (sessions) =>
    JSON.stringify({
      _items: sessions.map((one) => ({
        ...{ connectionTime: new Date(one.start * 1000).toUTCString(), kWhDelivered: Number(kilo(one.drawn)) },
        doneChargingTime: new Date(one.end * 1000).toUTCString(),
      })),
    }),
};
