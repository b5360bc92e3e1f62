import type { Session } from "../../measure/sky/sessions";

/** A simulated car at its charger. */
export interface SimulatedCar {
  /** Usable energy, in Wh. */
  readonly capacity: number;
  /** Highest power at the meter, in W. */
  readonly power: number;
  readonly sessions: readonly Session[];
}

/** The circumstances of sessions. */
export interface Circumstances {
  readonly count?: number;
  readonly car?: string;
  /** Share of the sessions that charge surplus, with less than the highest power. */
  readonly surplus?: number;
  /** Share of the sessions with a state of charge that is older than the last drive. */
  readonly old?: number;
  /** Share of the sessions at a fast charger. */
  readonly fast?: number;
}

const DAY = 86_400;

/** A car and its sessions, always the same for a seed. The energy is at the charger and, as `added`, in the battery. */
export function simulatedCar(seed: number, circumstances: Circumstances = {}): SimulatedCar {
  const { count = 60, car = "", surplus = 0.3, old = 0.05, fast = 0 } = circumstances;
  const random = randomOf(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  const capacity = Math.round(between(30_000, 95_000));
  const [phases, amps] = [
    [1, 32],
    [3, 16],
    [3, 32],
    [1, 16],
  ][Math.floor(between(0, 4))] as [number, number];
  const power = phases * amps * between(224, 236);
  const [efficiency, ownPower] = [between(0.92, 0.96), between(150, 270)];
  const sessions = Array.from({ length: count }, (_, day): Session => {
    const start = Math.floor(Date.UTC(2025, 1, 1) / 1000 + day * DAY + between(0, DAY / 2));
    const from = between(10, 60);
    const to = Math.min(100, from + between(6, 70));
    const added = (capacity * (to - from)) / 100;
    const solar = random() < surplus ? 90 : 10;
    const isFast = random() < fast;
    const watts = isFast ? between(40_000, 90_000) : solar > 50 ? between(1400, power) : power * between(0.98, 1);
    const hours = added / (isFast ? watts : efficiency * (watts - ownPower));
    // The first value lacks the energy that was used after the charge was last read.
    const before = random() < old ? from + between(2, 10) : from;
    return {
      start,
      end: Math.floor(start + hours * 3600),
      hours,
      drawn: watts * hours * between(0.995, 1.005),
      added: added * between(0.99, 1.01),
      from: Math.round(before),
      to: Math.round(to),
      solar,
      car,
    };
  });
  return { capacity, power, sessions };
}

/** Numbers from 0 to 1, always the same for a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const local = (seconds: number) => iso(seconds).slice(0, 19).replace("T", " ");
const german = (seconds: number) => local(seconds).replace(/^(\d+)-(\d+)-(\d+)/, "$3.$2.$1");
const kilo = (watts = 0) => (watts / 1000).toFixed(3);
const comma = (text: string | number) => String(text).replace(".", ",");
const clock = (hours = 0) => {
  const seconds = Math.round(hours * 3600);
  const part = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${part(Math.floor(seconds / 60) % 60)}:${part(seconds % 60)}`;
};

const goDuration = (hours = 0) => clock(hours).replace(":", "h").replace(":", "m").replace(/$/, "s");
/** As the myŠkoda app writes it in English. */
const slashed = (seconds: number) => local(seconds).replace(/^(\d+)-(\d+)-(\d+) (\d+:\d+).*/, "$3/$2/$1, $4");

function lines(header: string, sessions: readonly Session[], rowOf: (one: Session, index: number) => string): string {
  return `${[header, ...sessions.map(rowOf)].join("\n")}\n`;
}

const EVCC_GERMAN =
  "Startzeit;Endzeit;Ladepunkt;Kennung;Fahrzeug;Kilometerstand (km);Anfangszählerstand (kWh);Endzählerstand (kWh);Energie (kWh);Ladedauer;Ladestand Start (%);Ladestand Ende (%);Sonne (%);Kosten;Preis/kWh;CO₂/kWh";

/** Exports of sessions in the forms of systems. */
export const EXPORTS = {
  evcc: (sessions: readonly Session[]) =>
    lines(
      "\ufeffCreated,Finished,Charging point,Identifier,Vehicle,Mileage (km),Meter start (kWh),Meter stop (kWh),Energy (kWh),Duration,SoC start (%),SoC end (%),Solar (%),Cost,Price/kWh,CO₂/kWh",
      sessions,
      (one) =>
        `${local(one.start)},${local(one.end)},Garage,,${one.car},,1200,1231.384,${kilo(one.drawn)},${goDuration(one.hours)},${one.from},${one.to},${one.solar},1.2,0.3,300`,
    ),
  "evcc in German": (sessions: readonly Session[]) =>
    lines(
      EVCC_GERMAN.replaceAll(";", ","),
      sessions,
      (one) =>
        `${local(one.start)},${local(one.end)},Garage,,${one.car},,,,${kilo(one.drawn)},${goDuration(one.hours)},${one.from},${one.to},${one.solar},1.2,0.3,300`,
    ),
  "evcc in German, until July 2026": (sessions: readonly Session[]) =>
    lines(
      EVCC_GERMAN,
      sessions,
      (one) =>
        `${local(one.start)};${local(one.end)};Garage;;${one.car};;;;${comma(kilo(one.drawn))};${goDuration(one.hours)};${one.from};${one.to};${one.solar};1,2;0,3;300`,
    ),
  "older evcc": (sessions: readonly Session[]) =>
    lines(
      "Created,Finished,Charging point,Vehicle,Charged Energy (kWh),Charge Duration,Soc Start (%),Soc Stop (%)",
      sessions,
      (one) =>
        `${local(one.start)},${local(one.end)},Garage,${one.car},${kilo(one.drawn)},${goDuration(one.hours)},${one.from},${one.to}`,
    ),
  "evcc's API": (sessions: readonly Session[]) =>
    JSON.stringify(
      sessions.map((one, id) => ({
        ...{ id, created: iso(one.start), finished: iso(one.end), loadpoint: "Garage", identifier: "" },
        ...{ vehicle: one.car, odometer: null, chargedEnergy: (one.drawn ?? 0) / 1000 },
        ...{ chargeDuration: Math.round((one.hours ?? 0) * 3600) * 1e9, socStart: one.from, socEnd: one.to },
        solarPercentage: one.solar,
      })),
    ),
  TeslaMate: (sessions: readonly Session[]) =>
    lines(
      "id,car_id,start_date,end_date,charge_energy_added,charge_energy_used,start_battery_level,end_battery_level,duration_min,outside_temp_avg",
      sessions,
      (one, index) =>
        `${index},1,${local(one.start)}.482,${local(one.end)}.724,${kilo(one.added)},${kilo(one.drawn)},${one.from},${one.to},${Math.round(60 * (one.hours ?? 0))},9.5`,
    ),
  Easee: (sessions: readonly Session[]) =>
    JSON.stringify(
      sessions.map((one, id) => ({
        ...{ carConnected: iso(one.start - 120), carDisconnected: iso(one.end + 9000) },
        ...{ kiloWattHours: (one.drawn ?? 0) / 1000, vatPercentage: null, currency: null },
        actualDurationSeconds: Math.round(3600 * (one.hours ?? 0)),
        firstEnergyTransferPeriodStarted: iso(one.start),
        ...{ lastEnergyTransferPeriodEnd: iso(one.end), id },
      })),
    ),
  Zaptec: (sessions: readonly Session[]) =>
    JSON.stringify({
      Pages: 1,
      Data: sessions.map((one, index) => ({
        ...{ Id: `67ddc10b-${index}`, DeviceId: "ZAP1", DeviceName: "Garage" },
        StartDateTime: iso(one.start).slice(0, 23),
        EndDateTime: iso(one.end + 20_000).slice(0, 23),
        CommitEndDateTime: iso(one.end + 20_000).slice(0, 23),
        ...{ Energy: (one.drawn ?? 0) / 1000, CommitMetadata: 5, ExternalId: "1410145234" },
        EnergyDetails: [
          { Energy: 0, Timestamp: iso(one.start) },
          { Energy: (one.drawn ?? 0) / 1000, Timestamp: iso(one.end) },
        ],
        ChargerFirmwareVersion: { Major: 3, Minor: 2 },
      })),
    }),
  Wallbox: (sessions: readonly Session[]) =>
    JSON.stringify({
      data: sessions.map((one, index) => ({
        ...{ type: "charger_charging_session", id: `01GA${index}` },
        attributes: {
          ...{ id: `01GA${index}`, start_time: one.start, end_time: one.end + 7000 },
          ...{ charging_time: Math.round(3600 * (one.hours ?? 0)), user_id: 233_327, user_name: "A" },
          ...{ charger_id: 12_345, charger_name: "PulsarPlus", energy: Math.round(one.drawn ?? 0), mid_energy: 0 },
          ...{ energy_price: 0.2, currency_code: "EUR", session_type: "free" },
        },
      })),
      links: { self: "/v4/groups/1/charger-charging-sessions", next: null },
      meta: { count: sessions.length },
    }),
  "SMA EV Charger": (sessions: readonly Session[]) =>
    lines(
      "record date,charger name,authentication,start,end,consumption",
      sessions,
      (one) =>
        `${iso(one.end).slice(0, 10)},Garage,No Authentication,${iso(one.start)},${iso(one.end + 20_000)},${((one.drawn ?? 0) / 1000).toFixed(2)}`,
    ),
  Škoda: (sessions: readonly Session[]) =>
    JSON.stringify({
      applicable_filter_options: [{ filter_type: "VEHICLE", id: "TMB1", label: "TMB1" }],
      month_sections: [
        {
          title: "June 2026",
          entries: sessions.map((one, index) => ({
            details: {
              ...{ charging_power_type: "AC", session_id: `a354${index}`, is_active_session: false },
              formatted_total_energy: `~ ${Math.round((one.drawn ?? 0) / 1000)} kWh`,
              formatted_charging_start_time: slashed(one.start),
              formatted_charging_end_time: slashed(one.end + 9000),
              // Some sessions lack these.
              charging_start_time: index % 5 === 0 ? null : iso(one.start).replace(".000Z", "+00:00"),
              charging_end_time: index % 5 === 0 ? null : iso(one.end + 9000).replace(".000Z", "+00:00"),
              formatted_active_charging_time: `${clock(Math.round(60 * (one.hours ?? 0)) / 60)
                .replace(/^0:|:\d\d$/g, "")
                .replace(":", "h ")}min`,
              ...{ formatted_start_soc: `${one.from}%`, formatted_end_soc: `${one.to}%` },
            },
            ...{ id: `ruq${index}`, primary_value: "~ 17 kWh" },
          })),
        },
      ],
      csv_file: "IlNlc3Npb24gSUQi",
    }),
  "go-e": (sessions: readonly Session[]) =>
    lines(
      "session_number;session_identifier;start;end;seconds_total;seconds_charged;max_power;max_current;energy;eto_diff;eto_start;eto_end",
      sessions,
      (one, index) =>
        `${index};1_${index};${german(one.start)};${german(one.end)};${clock(one.hours)};${clock(one.hours)};${kilo(((one.drawn ?? 0) / (one.hours ?? 1)) * 1.004)};16;1.0;${kilo(one.drawn)};900.0;950.0`,
    ),
  "Home Assistant": (sessions: readonly Session[]) => {
    const rows: [sensor: string, state: string | number, at: number][] = [];
    let total = 1000;
    for (const { start, end, from = 0, to = 0, drawn = 0, hours = 1 } of sessions) {
      rows.push(["sensor.car_battery_level", from, start - 900]);
      // Home Assistant writes a value only when it changes; an export begins with the value that it then has.
      if (rows.length === 1) rows.push(["sensor.wallbox_energy_total", total.toFixed(3), start]);
      rows.push(["sensor.wallbox_power", "unavailable", start - 60]);
      const steps = Math.max(2, Math.ceil((end - start) / 600));
      for (let step = 1; step <= steps; step++) {
        const at = Math.round(start + ((end - start) * step) / steps);
        rows.push(["sensor.wallbox_energy_total", (total + (drawn / 1000) * (step / steps)).toFixed(3), at]);
        rows.push(["sensor.wallbox_power", Math.round(drawn / hours), at - 30]);
      }
      total += drawn / 1000;
      rows.push(["sensor.car_battery_level", to, end + 300], ["sensor.wallbox_power", 0, end + 30]);
    }
    rows.sort(([a, , first], [b, , second]) => a.localeCompare(b) || first - second);
    return `entity_id,state,last_changed\n${rows.map(([sensor, state, at]) => `${sensor},${state},${iso(at)}`).join("\n")}\n`;
  },
} as const;
