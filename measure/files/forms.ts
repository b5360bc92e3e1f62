import type { Table } from "./table";

/**
 * The values of a session that a file can have. `counted` is the counter at the start; `drawn` is then the counter at
 * the end.
 */
export type Role = "start" | "end" | "drawn" | "counted" | "added" | "hours" | "from" | "to" | "car" | "peak" | "solar";

/**
 * The columns of a system's sessions, by the letters of their names without a unit in brackets. If several are given,
 * the first with a value counts.
 */
export interface Form extends Partial<Readonly<Record<Role, string>>> {
  readonly system: string;
  /** Another column that only this system has. Needed if start, end and energy could also be those of a meter. */
  readonly sign?: string;
  /** Whether times without an offset are in UTC. */
  readonly isUtc?: boolean;
  /** Whether start and end are times of charging; otherwise they are times of the plug. */
  readonly isCharging?: boolean;
}

/** All forms. A file has the first form whose start, end and energy are among its columns. */
export const FORMS: readonly Form[] = [
  {
    ...{ system: "TeslaMate", isUtc: true, isCharging: true, start: "startdate", end: "enddate" },
    ...{ added: "chargeenergyadded", drawn: "chargeenergyused", from: "startbatterylevel", to: "endbatterylevel" },
  },
  {
    ...{ system: "Easee", start: "firstenergytransferperiodstarted", end: "lastenergytransferperiodend" },
    ...{ drawn: "kilowatthours", hours: "actualdurationseconds" },
  },
  {
    ...{ system: "Easee", start: "sessionstart", end: "sessionend", drawn: "consumption sessionenergy" },
    hours: "chargedurationinseconds",
  },
  { system: "Zaptec", isUtc: true, start: "startdatetime", end: "enddatetime", drawn: "energy" },
  // The column of the energy can be wrong, so the difference of the counter is used.
  { system: "go-e", start: "start", end: "end", drawn: "etodiff", hours: "secondscharged", peak: "maxpower" },
  {
    ...{ system: "BMW", start: "starttime", end: "endtime", drawn: "energyconsumedfrompowergridkwh" },
    ...{
      added: "energyincreasehvbkwh",
      hours: "totalchargingdurationsec",
      from: "displayedstartsoc",
      to: "displayedsoc",
    },
  },
  { system: "Wallbox", start: "starttime", end: "endtime", drawn: "energy", hours: "chargingtime" },
  { system: "SMA EV Charger", sign: "chargername", start: "start", end: "end", drawn: "consumption" },
  {
    ...{ system: "Škoda", start: "chargingstarttime formattedchargingstarttime" },
    ...{ end: "chargingendtime formattedchargingendtime", drawn: "formattedtotalenergy" },
    ...{ hours: "formattedactivechargingtime", from: "formattedstartsoc", to: "formattedendsoc" },
  },
  {
    ...{ system: "evcc", start: "created", end: "finished", drawn: "energy chargedenergy" },
    ...{ hours: "duration chargeduration", from: "socstart", to: "socend socstop", car: "vehicle" },
    ...{ solar: "solar solarpercentage" },
  },
  {
    ...{ system: "evcc", start: "startzeit", end: "endzeit", drawn: "energie", hours: "ladedauer" },
    ...{ from: "ladestandstart", to: "ladestandende", car: "fahrzeug", solar: "sonne" },
  },
  {
    ...{ system: "openWB", start: "zeitstempelbeginn begin", end: "zeitstempelende end" },
    ...{
      drawn: "energie importedsincemodeswitch rangecharged",
      hours: "dauer timecharged",
      car: "fahrzeug vehiclename",
    },
    ...{ peak: "leistung" },
  },
  {
    ...{ system: "ChargePoint", start: "startdate", end: "enddate", drawn: "energy", hours: "chargingtime" },
    ...{ from: "startsoc", to: "endsoc" },
  },
  {
    ...{ system: "OCPP", start: "starttimestamp timestart startdatetime starttime" },
    ...{ end: "stoptimestamp timestop stopdatetime stoptime", drawn: "stopvalue meterstop" },
    counted: "startvalue meterstart",
  },
  { system: "ACN-Data", start: "connectiontime", end: "donechargingtime", drawn: "kwhdelivered", isCharging: true },
  {
    ...{ system: "table", start: "start started startedat sessionstart startdatetime" },
    ...{ end: "end ended stop endedat sessionend enddatetime", drawn: "energy energyused totalenergy" },
    hours: "activeduration chargingtime duration",
    ...{ from: "socstart startsoc startingbattery", to: "socend endsoc endingbattery", car: "vehicle car" },
  },
];

/** The systems whose exports are read, for error messages. */
export const SYSTEMS = [...new Set(FORMS.map(({ system }) => system))].filter((one) => one !== "table");

/** The form of a table; undefined if it lists no sessions. */
export function formOf({ names }: Pick<Table, "names">): Form | undefined {
  const has = (columns: string | undefined) => columnsOf(names, columns).length > 0;
  return FORMS.find(
    ({ sign, start, end, drawn, added }) =>
      has(start) && has(end) && (has(drawn) || has(added)) && (sign === undefined || has(sign)),
  );
}

/** The columns that a form gives by their letters. */
export function columnsOf(names: readonly string[], letters = ""): number[] {
  const own = names.map((name) => [lettersOf(name), lettersOf(name.replace(/[([][^()[\]]*[)\]]/g, ""))]);
  return letters.split(" ").flatMap((one) => {
    const column = own.findIndex((forms) => one !== "" && forms.includes(one));
    return column < 0 ? [] : [column];
  });
}

/** The letters of a name: `SoC start (%)` and `socStart` are the same. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}]/gu, "");
}
