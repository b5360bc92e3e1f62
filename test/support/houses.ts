import type { House } from "../../measure/sky/baseLoad";
import { type Stretches, stepsAt } from "../../measure/sky/series";
import { randomOf } from "./charging";

/** The circumstances of a simulated house. */
export interface Household {
  /** Days, and the first one. */
  readonly days?: number;
  readonly from?: number;
  /** Minutes of a step. */
  readonly step?: number;
  /** A car that charges by night, every other night. */
  readonly hasCar?: boolean;
  readonly hasSolar?: boolean;
  /** A battery supplies the house by night. */
  readonly hasBattery?: boolean;
  /** A heat pump from November to March. */
  readonly hasHeating?: boolean;
  /** A boiler for half an hour each night. */
  readonly hasBoiler?: boolean;
  /** A new load from this day on, in W. */
  readonly change?: { readonly day: number; readonly watts: number };
}

/** A simulated house and its flows, in W. */
export interface SimulatedHouse {
  /** The load that is always on, in W, since the change if there is one. */
  readonly base: number;
  readonly step: number;
  /** The start of each step, unix seconds; the clock of the house is UTC. */
  readonly times: Float64Array;
  readonly load: Float64Array;
  readonly imported: Float64Array;
  readonly returned: Float64Array;
  readonly produced: Float64Array;
}

const DAY = 86_400;

/** Minutes in which a house is simulated: kettles and fridges are shorter than a step. */
const FINE = 5;

/** A house, always the same for a seed. */
export function simulatedHouse(seed: number, household: Household = {}): SimulatedHouse {
  const { days = 75, from = Date.UTC(2025, 3, 1) / 1000, step = 15, change } = household;
  const { hasCar, hasSolar, hasBattery, hasHeating, hasBoiler } = household;
  const random = randomOf(7919 * seed + 13);
  const between = (low: number, high: number) => low + (high - low) * random();
  const standby = between(60, 280);
  const fridges = Array.from({ length: 1 + Math.floor(between(0, 3)) }, () => ({
    watts: between(60, 130),
    on: between(10, 20),
    off: between(20, 45),
    phase: between(0, 60),
  }));
  const ofFridges = fridges.reduce((sum, { watts, on, off }) => sum + (watts * on) / (on + off), 0);
  const activity = between(0.6, 1.6);
  const peak = between(4000, 11_000);
  const count = (days * 1440) / FINE;
  const [load, produced] = [new Float64Array(count), new Float64Array(count)];
  const use = (at: number, minutes: number, watts: number) => {
    for (let i = Math.floor(at / FINE); i < Math.min(count, (at + minutes) / FINE); i++)
      if (i >= 0) load[i] = (load[i] as number) + watts;
  };
  for (let day = 0; day < days; day++) {
    const begin = day * 1440;
    const month = new Date((from + day * DAY) * 1000).getUTCMonth();
    const more = change && day >= change.day ? change.watts : 0;
    const drift = 1 + 0.02 * Math.sin(day / 40);
    for (let minute = 0; minute < 1440; minute += FINE) {
      const at = begin + minute;
      const cold = fridges.reduce(
        (sum, { watts, on, off, phase }) => sum + ((at + phase) % (on + off) < on ? watts : 0),
        0,
      );
      const winter =
        hasHeating && (month >= 10 || month <= 2) ? 700 + 500 * Math.cos((minute / 1440) * 2 * Math.PI) : 0;
      load[at / FINE] = (load[at / FINE] as number) + standby * drift + more + cold + winter;
    }
    const uses = Math.round(activity * between(8, 18));
    for (let i = 0; i < uses; i++) {
      const hour = random() < 0.7 ? between(16.5, 23) : between(6.5, 16.5);
      use(begin + 60 * hour, between(5, 90), between(80, 2200) * random());
    }
    use(begin + 60 * between(17, 19), between(240, 330), between(60, 250));
    if (hasBoiler) use(begin + 60 * between(1, 2), 35, 2000);
    if (hasCar && day % 2 === 0) use(begin + 60 * 23, between(120, 300), 7300);
    const cloud = random() < 0.4 ? between(0.1, 0.5) : between(0.6, 1);
    if (hasSolar)
      for (let minute = 330; minute < 1200; minute += FINE)
        produced[(begin + minute) / FINE] =
          peak * cloud * between(0.85, 1) * Math.sin(((minute - 330) / 870) * Math.PI) ** 1.5;
  }
  const coarse = (values: Float64Array) =>
    Float64Array.from({ length: (days * 1440) / step }, (_, i) => {
      const own = values.subarray((i * step) / FINE, ((i + 1) * step) / FINE);
      return own.reduce((sum, one) => sum + one, 0) / own.length;
    });
  const [imported, returned] = [new Float64Array(count), new Float64Array(count)];
  let charge = 0;
  for (let i = 0; i < count; i++) {
    let net = (load[i] as number) - (produced[i] as number);
    if (hasBattery) {
      const change = Math.min(Math.max(-net * (FINE / 60), -charge), 12_000 - charge);
      charge += change;
      net += change / (FINE / 60);
    }
    imported[i] = Math.max(0, net);
    returned[i] = Math.max(0, -net);
  }
  return {
    base: standby + ofFridges + (change?.watts ?? 0),
    step,
    times: Float64Array.from({ length: (days * 1440) / step }, (_, i) => from + i * step * 60),
    load: coarse(load),
    imported: coarse(imported),
    returned: coarse(returned),
    produced: coarse(produced),
  };
}

/** The house as an estimator sees it: its load, or only its import, with or without what it returned. */
export function houseOf(simulated: SimulatedHouse, seen: "load" | "import and return" | "import"): House {
  const { times, step, load, imported, returned } = simulated;
  const middles = times.map((at) => at + step * 30);
  const common = { times: middles, local: middles, step };
  if (seen === "load") return { ...common, power: load, isImport: false };
  return { ...common, power: imported, isImport: true, ...(seen === "import and return" && { returned }) };
}

/** An inverter's mornings, and its true threshold, in W. */
export interface SimulatedInverter {
  readonly cutIn: number;
  readonly mornings: Stretches;
}

/** The output of an inverter that starts at a threshold, always the same for a seed. @param step minutes */
export function simulatedInverter(seed: number, step: number, days = 60): SimulatedInverter {
  const random = randomOf(104_729 * seed + 7);
  const between = (low: number, high: number) => low + (high - low) * random();
  const cutIn = between(25, 150);
  const peak = between(4000, 12_000);
  const from = Date.UTC(2025, 3, 1) / 1000;
  const perStep = step * 6; // Simulated every 10 seconds: a threshold is crossed within a step.
  const power = new Float64Array((days * 1440) / step);
  for (let day = 0; day < days; day++) {
    const sunrise = 300 + between(-5, 5) - 0.5 * day;
    const cloud = between(0.3, 1);
    const length = 1440 - 2 * sunrise;
    let isOn = false;
    for (let i = 0; i < 1440 * 6; i++) {
      const share = (i / 6 - sunrise) / length;
      // Light grows faster than in proportion, soon after sunrise.
      const watts = share <= 0 || share >= 1 ? 0 : peak * cloud * Math.sin(share * Math.PI) ** 1.6;
      if (!isOn && watts >= cutIn) isOn = true;
      if (watts < 0.5 * cutIn) isOn = false;
      const at = Math.floor((day * 1440 * 6 + i) / perStep);
      if (isOn) power[at] = (power[at] as number) + watts / perStep;
    }
  }
  const times = Float64Array.from(power, (_, i) => from + i * step * 60);
  return { cutIn, mornings: stepsAt(times, step * 60, power) };
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const local = (seconds: number) => iso(seconds).slice(0, 16).replace("T", " ");
const slashed = (seconds: number) => local(seconds).replace(/^(\d+)-(\d+)-(\d+)/, "$2/$3/$1");

function lines(
  header: string,
  { times }: Pick<SimulatedHouse, "times">,
  rowOf: (at: number, i: number) => string,
): string {
  return `${[header, ...Array.from(times, rowOf)].join("\n")}\n`;
}

/** Exports of a house in the forms of systems. */
export const METERS = {
  "a table of loads": (house: SimulatedHouse) =>
    lines("Time,Consumption (W)", house, (at, i) => `${local(at)},${(house.load[i] as number).toFixed(1)}`),
  "an import": (house: SimulatedHouse) =>
    lines("time,Import (kW)", house, (at, i) => `${local(at)},${kilo(house.imported[i])}`),
  "Home Assistant's energy dashboard": ({ times, step, imported, returned, produced }: SimulatedHouse) => {
    const row = (sensor: string, type: string, watts: Float64Array) =>
      `sensor.${sensor},${type},kWh,${Array.from(watts, (one) => ((one * step) / 60_000).toFixed(4)).join(",")}`;
    return [
      `entity_id,type,unit,${Array.from(times, iso).join(",")}`,
      // Two meters of one kind are added.
      row(
        "grid_day",
        "grid_consumption",
        imported.map((one, i) => (i % 2 === 0 ? one : 0)),
      ),
      row(
        "grid_night",
        "grid_consumption",
        imported.map((one, i) => (i % 2 === 0 ? 0 : one)),
      ),
      row("grid_out", "grid_return", returned),
      row("roof", "solar_production", produced),
      "",
    ].join("\n");
  },
  "Home Assistant's history": ({ times, load }: SimulatedHouse) =>
    `entity_id,state,last_changed\n${Array.from(times, (at, i) => `sensor.house_power,${(load[i] as number).toFixed(0)},${iso(at)}`).join("\n")}\n`,
  Shelly: (house: SimulatedHouse) =>
    lines(
      "timestamp,a_total_act_energy,a_total_act_ret_energy,b_total_act_energy,b_total_act_ret_energy,c_total_act_energy,c_total_act_ret_energy",
      house,
      (at, i) => {
        const wattHours = (watts = 0, share = 1) => ((watts * share * house.step) / 60).toFixed(4);
        return [0.5, 0.3, 0.2]
          .flatMap((share) => [wattHours(house.imported[i], share), wattHours(house.returned[i], share)])
          .reduce((row, cell) => `${row},${cell}`, String(at));
      },
    ),
  Tibber: (house: SimulatedHouse) =>
    lines(
      "from,to,consumption,consumptionUnit",
      house,
      (at, i) =>
        `${iso(at)},${iso(at + house.step * 60)},${(((house.imported[i] as number) * house.step) / 60_000).toFixed(4)},kWh`,
    ),
  "Tibber's API": ({ times, step, imported }: SimulatedHouse) => {
    const nodes = Array.from(times, (at, i) => ({
      ...{ from: iso(at), to: iso(at + step * 60), consumption: ((imported[i] as number) * step) / 60_000 },
      ...{ cost: 0.1, unitPrice: 0.3, consumptionUnit: "kWh" },
    }));
    return JSON.stringify({ data: { viewer: { homes: [{ consumption: { nodes } }] } } });
  },
  Fronius: (house: SimulatedHouse) => {
    const wattHours = (watts = 0) => ((watts * house.step) / 60).toFixed(2);
    const names =
      "Direkt verbraucht;Energie aus Batterie bezogen;Energie ins Netz eingespeist;Energie vom Netz bezogen;PV Produktion;Verbrauch;Energie von PV an Wattpilot;State of Charge;Energie vom Netz bezogen | PowerMeter;Verbrauch | METER_CAT_OTHER;";
    return lines(
      `Datum und Uhrzeit;${names}\n[dd.MM.yyyy HH:mm];${"[Wh];".repeat(7)}[%];[Wh];[Wh];`,
      house,
      (at, i) => {
        const [made = 0, load = 0] = [house.produced[i], house.load[i]];
        const [back, bought] = [house.returned[i], house.imported[i]].map(wattHours);
        return `${german(at)};${wattHours(Math.min(made, load))};0.00;${back};${bought};${wattHours(made)};${wattHours(load)};12.00;19.00;${bought};3.00;`;
      },
    );
  },
  FusionSolar: (house: SimulatedHouse) => {
    const kilowattHours = (watts = 0) => `${((watts * house.step) / 60_000).toFixed(3).replace(".", ",")} `;
    return `Anlagenbericht_H12;;;;;;;\n${lines(
      "Statistische Zeit; Globale Einstrahlung (kWh/m²);PV-Ertrag (kWh); Wechselrichterertrag (kWh); Netzeinspeisung (kWh); Netzbezug (kWh);Ladung (kWh); Entladung (kWh)",
      house,
      (at, i) =>
        `${local(at)}:00;;${[house.produced[i], house.produced[i], house.returned[i], house.imported[i], 0, 0].map(kilowattHours).join(";")}`,
    )}`;
  },
  "HomeWizard's counter": (house: SimulatedHouse) => {
    let total = 1000;
    return lines("time,Import T1 kWh", house, (at, i) => {
      total += ((house.load[i] as number) * house.step) / 60_000;
      // Some cells are empty.
      return `${local(at + house.step * 60)},${i % 50 === 7 ? "" : total.toFixed(3)}`;
    });
  },
  "E3DC, in German": (house: SimulatedHouse) =>
    `"Zeitstempel";"Ladezustand [%]";"Solarproduktion [W]";"Hausverbrauch [W]";"Netzbezug [W]"\n${Array.from(
      house.times,
      (at, i) =>
        `${german(at)}:00;45;${(house.produced[i] as number).toFixed(0)};${(house.load[i] as number).toFixed(0)};${(house.imported[i] as number).toFixed(0)}`,
    ).join("\n")}\n`,
} as const;

const german = (seconds: number) => local(seconds).replace(/^(\d+)-(\d+)-(\d+)/, "$3.$2.$1");
const kilo = (watts = 0) => (watts / 1000).toFixed(4);

/** The export of an inverter's production from a portal. */
export function productionExport({ mornings: { from, watts } }: SimulatedInverter): string {
  return `Time,System Production (W)\n${Array.from(from, (at, i) => `${slashed(at)},${(watts[i] as number).toFixed(1)}`).join("\n")}\n`;
}
