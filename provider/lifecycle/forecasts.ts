import type { Message } from "../messages/message";
import { lintMessage } from "../settings/lints";

/** Most vehicles that are named. */
const MOST_NAMES = 5;

/**
 * The vehicles of a run that declare CHARGE BY FORECAST themselves, and whether the run declares an inverter. The native
 * plugin sees one resource after the other: only at the end of a run does it know that no inverter comes any more.
 */
export class Forecasts {
  readonly #vehicles = new Set<string>();
  #hasInverter = false;

  /** @param words the vehicle, as messages name it */
  add(words: string): void {
    this.#vehicles.add(words);
  }

  seeInverter(): void {
    this.#hasInverter = true;
  }

  /** What a run has to be warned of once it is over. */
  warning(): Message | undefined {
    if (this.#hasInverter || this.#vehicles.size === 0) return undefined;
    const names = [...this.#vehicles].slice(0, MOST_NAMES).join(", ");
    const others = this.#vehicles.size - MOST_NAMES;
    return { ...WITHOUT_INVERTER, device: `${names}${others > 0 ? ` and ${others} more` : ""}` };
  }
}

/** What a vehicle on CHARGE BY FORECAST lacks that has no inverter near it. */
export const WITHOUT_INVERTER = lintMessage("forecast-without-inverter", [
  "policy CHARGE BY FORECAST needs the values of an inverter at the same site, and this program declares none",
  "Declare the site's inverter too, best with SiteSettings",
]);
