import type { Session } from "../../sky/sessions";

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
    // What drove the charge down after it was last read is missing from the first value.
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

function lines(header: string, sessions: readonly Session[], rowOf: (one: Session, index: number) => string): string {
  return `${[header, ...sessions.map(rowOf)].join("\n")}\n`;
}

/** Exports of sessions in the forms of systems. */
export const EXPORTS = {
  evcc: (sessions: readonly Session[]) =>
    lines(
      "Created,Finished,Charging point,Identifier,Vehicle,Mileage (km),Meter start (kWh),Meter stop (kWh),Energy (kWh),Duration,SoC start (%),SoC end (%),Solar (%),Cost,Price/kWh,CO₂/kWh",
      sessions,
      (one) =>
        `${local(one.start)},${local(one.end)},Garage,,${one.car},,,,${kilo(one.drawn)},${clock(one.hours)},${one.from},${one.to},${one.solar},1.2,0.3,300`,
    ),
  "evcc in German": (sessions: readonly Session[]) =>
    lines(
      "Startzeit;Endzeit;Ladepunkt;Kennung;Fahrzeug;Kilometerstand (km);Anfangszählerstand (kWh);Endzählerstand (kWh);Energie (kWh);Ladedauer;Ladestand Start (%);Ladestand Ende (%);Sonne (%);Kosten;Preis/kWh;CO₂/kWh",
      sessions,
      (one) =>
        `${local(one.start)};${local(one.end)};Garage;;${one.car};;;;${comma(kilo(one.drawn))};${clock(one.hours)};${comma(`${one.from}.0`)};${comma(`${one.to}.0`)};${one.solar};1,2;0,3;300`,
    ),
  "older evcc": (sessions: readonly Session[]) =>
    lines(
      "Created,Finished,Charging point,Vehicle,Charged Energy (kWh),Charge Duration,Soc Start (%),Soc Stop (%)",
      sessions,
      (one) =>
        `${local(one.start)},${local(one.end)},Garage,${one.car},${kilo(one.drawn)},${durationOf(one.hours)},${one.from},${one.to}`,
    ),
  TeslaMate: (sessions: readonly Session[]) =>
    lines(
      "id,car_id,start_date,end_date,charge_energy_added,charge_energy_used,start_battery_level,end_battery_level,duration_min,outside_temp_avg",
      sessions,
      (one, index) =>
        `${index},1,${local(one.start)}.482,${local(one.end)}.724,${kilo(one.added)},${kilo(one.drawn)},${one.from},${one.to},${Math.round(60 * (one.hours ?? 0))},9.5`,
    ),
  Easee: (sessions: readonly Session[]) =>
    lines(
      "chargerId,carConnected,carDisconnected,kiloWattHours,actualDurationSeconds,firstEnergyTransferPeriodStarted,lastEnergyTransferPeriodEnd,id",
      sessions,
      (one, index) =>
        `EH1,${iso(one.start - 120)},${iso(one.end + 9000)},${kilo(one.drawn)},${Math.round(3600 * (one.hours ?? 0))},${iso(one.start)},${iso(one.end)},${index}`,
    ),
  Zaptec: (sessions: readonly Session[]) =>
    lines(
      "Id,DeviceId,StartDateTime,EndDateTime,Energy,CommitMetadata,CommitEndDateTime,UserFullName,ChargerId,DeviceName",
      sessions,
      (one, index) =>
        `${index},ZAP1,${iso(one.start).slice(0, 23)},${iso(one.end + 20_000).slice(0, 23)},${kilo(one.drawn)},5,${iso(one.end + 20_000).slice(0, 23)},,c1,Garage`,
    ),
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
      rows.push(
        ["sensor.car_battery_level", from, start - 900],
        ["sensor.wallbox_energy_total", total.toFixed(3), start],
      );
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

const durationOf = (hours = 0) => {
  const [h, m, s] = clock(hours).split(":");
  return `${Number(h)}h${Number(m)}m${Number(s)}s`;
};
