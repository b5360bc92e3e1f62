import type { Meter } from "../../measure/files/meter";
import type { Took } from "../../measure/files/powers";
import type { SessionFile } from "../../measure/files/sessions";
import { type House, showsOnlyNights } from "../../measure/sky/baseLoad";
import type { Session } from "../../measure/sky/sessions";
import { printable } from "../terminal";
import { counted } from "../words";

/** One line about the way in which a file of sessions was read. */
export function sessionsWords({ format, sessions }: SessionFile, car: string, own: readonly Session[]): string {
  const charges = own.filter(({ from, to }) => from !== undefined && to !== undefined).length;
  const whose = car === "" ? "without names of cars" : `${own.length} of '${car}' (--car corrects it)`;
  return printable(`${format}, ${counted(sessions.length, "session")}, ${whose}, ${charges} with states of charge`);
}

/** One line about the way in which a file of production was read. */
export function productionWords(took: Took): string {
  return printable(
    `${took.format}, ${valuesWords(took, ` of '${took.column}'`)} (--column corrects it), ${timesWords(took)}${notesWords(took)}`,
  );
}

/** One line about the way in which a file of a meter was read. */
export function meterWords(took: Meter["took"], house: House): string {
  const roles = took.roles.map(([role, names]) => `${role} from ${names.map((name) => `'${name}'`).join(" + ")}`);
  const nights = showsOnlyNights(house) ? ", only nights, because by day the sun delivers (--solar)" : "";
  return printable(
    `${took.format}, ${roles.join(", ")} (--column corrects it), ${valuesWords(took, "")}, ${timesWords(took)}${nights}${notesWords(took)}`,
  );
}

function notesWords({ notes }: Took): string {
  return notes.map((note) => `; ${note}`).join("");
}

function valuesWords({ quantity: { unit, kind, from }, step, rows }: Took, which: string): string {
  const energy = { power: "", energy: " for each step", counter: ", a counter" }[kind];
  const sure = from === "plausible" ? " (a guess; --unit corrects it)" : "";
  const width = step === 1 ? "minute" : `${step} minutes`;
  return `${counted(rows, "value")}${which} in ${unit}${energy}${sure}, one every ${width}`;
}

function timesWords({ quantity: { kind }, zone, label, labelIsKnown }: Took): string {
  const guess = labelIsKnown ? "" : " (a guess; --label corrects it)";
  const moment = kind === "counter" ? "" : `, each at the ${label} of its step${guess}`;
  // --time-zone cannot mean this: it is also the zone of the house, and of the sun.
  const where =
    zone === "own"
      ? "with their offset from UTC (if it is wrong, delete it in the file and give --time-zone)"
      : `in ${zone}`;
  return `times ${where}${moment}`;
}
