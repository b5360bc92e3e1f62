import type { Label } from "./points";
import type { Unit } from "./quantity";

/** The flows of energy of a house. `battery` is signed: a charge or a discharge. */
export const ROLES = ["load", "import", "return", "production", "charge", "discharge", "battery"] as const;
export type Role = (typeof ROLES)[number];

/** The meaning of a name: a flow; the output of one device of several; or another quantity. */
export type Meaning = Role | "device" | "none";

/** The facts about a system's files that the names of their columns do not show. */
export interface Layout {
  readonly system: string;
  /** A part of the header that other systems do not have. */
  readonly sign: RegExp;
  /** The moment of a step that its time means: start, middle or end. */
  readonly label?: Label;
  /** The unit of columns without a unit in their name. */
  readonly unit?: Unit;
  /** The column that names the sensor of a row, and that of its value. */
  readonly sensor?: string;
  readonly value?: RegExp;
  /** Seconds between the time of a row and the moment of its value, which is later. */
  readonly later?: number;
  /** Whether the file mixes hourly means with single changes. */
  readonly hasHours?: boolean;
  /** The name of the part of a house that the file is about, if it says nothing about the whole house. */
  readonly part?: string;
  /** Flows with misleading names: the consumption of a grid meter is an import. */
  readonly flows?: readonly (readonly [Meaning, RegExp])[];
}

const OF_GRID = [
  ["none", /gas\b|water|heat|warmte|cost/i],
  ["return", /return|product|terug|export|inject|vertid|surplus/i],
  ["import", /consum|verbrauch|verbruik|usage|electric|deliver|value|valeur|volume/i],
] as const;

/**
 * The systems whose files need more than the names of their columns. The first one whose `sign` is in the header
 * counts.
 */
export const LAYOUTS: readonly Layout[] = [
  {
    ...{ system: "Home Assistant", sign: /\bentity_id\b[^\n]{0,60}\blast_changed\b/, label: "start", hasHours: true },
    ...{ sensor: "entity_id", value: /^state$/ },
  },
  // The add-on of statistics: a sum or a mean of an hour stands under its start.
  {
    ...{ system: "Home Assistant", sign: /\bstatistic_id\b[^\n]{0,60}\bstart\b/, label: "end", later: 3600 },
    ...{ sensor: "statistic_id", value: /^(state|mean)$/ },
  },
  {
    ...{ system: "Home Assistant's energy dashboard", sign: /^sensor,unit,start,energy$/, label: "start" },
    ...{ sensor: "sensor", value: /^energy$/ },
  },
  { system: "SMA", sign: /Version CSV3\|/, label: "end" },
  { system: "SolarEdge", sign: /System Production \(W\)/, label: "start" },
  { system: "SolarEdge", sign: /\btimeUnit\b/, label: "start" },
  { system: "Enphase", sign: /Energy Produced \(Wh\)/, label: "start" },
  { system: "Fronius", sign: /\[dd\.MM\.yyyy HH:mm\]/, label: "start" },
  {
    ...{ system: "Shelly 3EM", sign: /Active energy Wh \([ABC]\)/, label: "start", part: "one of three phases" },
    // The letter of phase A looks like the unit ampere.
    flows: [
      ["return", /returned/i],
      ["import", /active energy/i],
    ],
  },
  { system: "Shelly", sign: /total_act_energy|Active energy Wh/, label: "start", unit: "Wh" },
  { system: "GivEnergy", sign: /power consumption power/, unit: "W", flows: [["none", /^(today|total) /]] },
  {
    system: "Tibber",
    sign: /\bconsumptionUnit\b/,
    label: "start",
    unit: "kWh",
    flows: [
      ["import", /^consumption$/i],
      ["none", /./],
    ],
  },
  {
    system: "Octopus",
    sign: /\binterval_start\b|^Consumption \(kWh\),\s*Start,/,
    label: "start",
    unit: "kWh",
    flows: OF_GRID,
  },
  {
    system: "FusionSolar",
    sign: /Statistische Zeit|Statistical Period|PV-Ertrag \(kWh\)|PV Yield \(kWh\)/i,
    label: "start",
  },
  { system: "Fluvius", sign: /Register[;,](Volume|Wert|Valeur)/i, label: "start", unit: "kWh" },
  { system: "Engie", sign: /Datum"?[;,]"?EAN"?[;,]"?Verbruik/, label: "start", unit: "kWh", flows: OF_GRID },
  { system: "DSMR-reader", sign: /Dutch Users|electricity_delivered_1/, label: "start", unit: "kWh", flows: OF_GRID },
  { system: "DSMR", sign: /energy_consumption_tari|power_consumption[^\n]{0,40}power_production/, flows: OF_GRID },
  { system: "Enedis", sign: /Courbe de charge|Horodate/, label: "end", unit: "W", flows: OF_GRID },
  { system: "i-DE", sign: /CUPS[;,]Fecha/i, label: "start", unit: "kWh", flows: OF_GRID },
  { system: "NEM12", sign: /^(100,NEM12|200,)/, label: "start", flows: OF_GRID },
  { system: "PVOutput", sign: /Energy Generated[^\n]{0,60}Power Generated|Date,Time,Energy,[^\n]{0,40}Power/ },
  { system: "Victron", sign: /AC Consumption L1/ },
  { system: "Emporia", sign: /Time Bucket/, label: "start" },
  { system: "Prometheus", sign: /\b__name__\b/, label: "middle" },
  // `aggregateWindow` writes the end of a window.
  { system: "InfluxDB", sign: /\bresult[;,]table\b/, label: "end" },
];

/**
 * Words of each flow. The first flow that fits a name decides, because a name of a return also contains the word grid.
 */
export const FLOWS: readonly (readonly [Meaning, RegExp])[] = [
  [
    "none",
    /soc\b|state.?of.?charge|ladezustand|ladestand|level|theor|verlust|loss|erlös|umsatz|revenue|cost|kosten|price|percent/i,
  ],
  [
    "none",
    /(?<![a-z])(min|max|fund)(?![a-z])|preis|temp|irradi|strahlung|dire[ck]t|eigen|self|\bown\b|autark|reactive|apparent|freq|\bgas\b|\bwater\b|m3|m³/i,
  ],
  ["none", /(?<![a-z])(ev|car|eps)(?![a-z])|wallbox|charger|wattpilot/i],
  ["none", /volt|spannung|tension|(?<![a-z])current\b|[([](v|a|amp|hz)[)\]]|%/i],
  // Fronius writes a bar and the device after the name. Columns without a device are of the whole house.
  ["device", /wechselrichter|inverter|\|/i],
  [
    "return",
    /return|ret_energy|einspeis|gespeist|feed|export|injec|to.?grid|terug|retour|surplus|vertid|excedent|grid_out/i,
  ],
  ["discharge", /discharg|entlad|battery_out|from.?batter/i],
  ["charge", /charg|ladung|battery_in|to.?batter/i],
  ["battery", /batter|speicher|akku|powerwall|storage/i],
  ["production", /produ|erzeug|ertrag|(?<![a-z])pv|solar|yield|generat|photovolt|totw\b|gridms/i],
  [
    "import",
    /import|bezug|grid|netz|purchas|afname|offtake|soutir|mains?(?![a-z])|total_act_energy|active.?energy|act(ive)?_power|(?<![a-z])(p1|site)(?![a-z])/i,
  ],
  [
    "load",
    /consum|verbrauch|load|last\b|house|home|haus|usage|verbruik|needs|forbruk|kulutus|mængde|määrä|electric|elektri|charge\b/i,
  ],
];

/** Words of the names of a production, with the score of each: those of the panels count before the inverter's output. */
export const PREFERRED: readonly (readonly [score: number, RegExp])[] = [
  [0.25, /(?<![a-z])pv|solar|photovolt/i],
  [0.125, /tot(al|w)?\b|gesamt/i],
  [2, /power|leistung|watt|output|totw|energ/i],
];

/** Words that only distinguish the parts of a flow: phases, tariffs, mains, strings. */
export const PARTS: readonly RegExp[] = [
  /(?<![a-z])(l|phase|phs|ph|tarif|tariff|tarief|t|string|mppt|pv|dc|inverter|mains?|main)?[ _.-]{0,2}[1-6](?!\d|[a-z])/gi,
  /(?<![a-z])(phase|phs|ph|mains?)[ _.-]?[a-c](?![a-z])|(?<=^|[ _.(-])[abc](?=$|[ _.)-])/gi,
  /(?<![a-z])(low|normal|high|laag|hoog|peak|off-?peak|day|night|tag|nacht|dag|jour|nuit|hp|hc|ht|nt|punta|llano|valle)(?![a-z])/gi,
];
