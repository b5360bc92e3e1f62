import { type Charging, type GivenHouse, type Meter, meterOf as meterIn } from "../../measure/files/meter";
import type { Given } from "../../measure/files/powers";
import { type Production, productionOf as productionIn } from "../../measure/files/production";
import { type SessionFile, sessionsOf as sessionsIn } from "../../measure/files/sessions";

/** The readers of exports, for a text instead of a file. */

export function sessionsOf(text: string, timeZone?: string): SessionFile {
  return sessionsIn([[Buffer.from(text)]], timeZone);
}

export function meterOf(text: string, given: GivenHouse, charging?: readonly Charging[]): Meter {
  return meterIn([[Buffer.from(text)]], given, charging);
}

export function productionOf(text: string, given: Given): Production {
  return productionIn([[Buffer.from(text)]], given);
}
