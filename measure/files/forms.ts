import type { Table } from "./table";

/** The values of a session that a file can have. */
export type Role = "start" | "end" | "drawn" | "added" | "hours" | "from" | "to" | "car" | "peak" | "solar";

/** The form of a system's sessions. Columns are given by their letters; of several, the first with a value counts. */
export interface Form extends Partial<Readonly<Record<Role, string>>> {
  readonly system: string;
  /** Another column of the system, if start, end and energy could be those of a meter. */
  readonly sign?: string;
  /** Whether times without an offset are in UTC. */
  readonly isUtc?: boolean;
  /** Whether start and end are those of charging, not of the plug. */
  readonly isCharging?: boolean;
}

/** The forms. The first one whose start, end and energy a file has is that of the file. */
const FORMS: readonly Form[] = [
  {
    ...{ system: "TeslaMate", isUtc: true, isCharging: true, start: "startdate", end: "enddate" },
    ...{ added: "chargeenergyadded", drawn: "chargeenergyused", from: "startbatterylevel", to: "endbatterylevel" },
  },
  {
    ...{ system: "Easee", start: "firstenergytransferperiodstarted", end: "lastenergytransferperiodend" },
    ...{ drawn: "kilowatthours", hours: "actualdurationseconds" },
  },
  { system: "Zaptec", isUtc: true, start: "startdatetime", end: "enddatetime", drawn: "energy" },
  // Its column of the energy can be wrong, so the difference of its counter is used.
  { system: "go-e", start: "start", end: "end", drawn: "etodiff", hours: "secondscharged", peak: "maxpower" },
  { system: "Wallbox", start: "starttime", end: "endtime", drawn: "energy", hours: "chargingtime" },
  { system: "SMA EV Charger", sign: "chargername", start: "start", end: "end", drawn: "consumption" },
  {
    ...{ system: "Škoda", start: "chargingstarttime formattedchargingstarttime" },
    ...{ end: "chargingendtime formattedchargingendtime", drawn: "formattedtotalenergy" },
    ...{ hours: "formattedactivechargingtime", from: "formattedstartsoc", to: "formattedendsoc" },
  },
  {
    ...{ system: "evcc", start: "created", end: "finished", drawn: "energykwh chargedenergykwh chargedenergy" },
    ...{ hours: "duration chargeduration", from: "socstart", to: "socend socstop", car: "vehicle" },
    ...{ solar: "solar solarpercentage" },
  },
  {
    ...{ system: "evcc", start: "startzeit", end: "endzeit", drawn: "energiekwh", hours: "ladedauer" },
    ...{ from: "ladestandstart", to: "ladestandende", car: "fahrzeug", solar: "sonne" },
  },
  {
    ...{ system: "table", start: "start", end: "end", drawn: "energykwh energy", hours: "duration" },
    ...{ from: "socstart", to: "socend", car: "vehicle" },
  },
];

/** The systems whose exports are read, for an error. */
export const SYSTEMS = [...new Set(FORMS.map(({ system }) => system))].filter((one) => one !== "table");

/** The form of a table; undefined if it lists no sessions. */
export function formOf({ names }: Pick<Table, "names">): Form | undefined {
  const own = names.map(lettersOf);
  const has = (columns: string | undefined) => columns?.split(" ").some((name) => own.includes(name)) ?? false;
  return FORMS.find(
    ({ sign, start, end, drawn, added }) =>
      has(start) && has(end) && (has(drawn) || has(added)) && (sign === undefined || has(sign)),
  );
}

/** The letters of a name: `SoC start (%)` and `socStart` are the same. */
export function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}]/gu, "");
}
