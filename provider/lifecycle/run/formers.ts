import type { Value } from "../../settings/setting";
import type { SettingEvent } from "./records";

/** The value that a setting had before one of our values. */
export interface Former {
  /** Absent if the service did not report it. */
  readonly value?: Value;
}

/**
 * Our possible values of a setting, each with the value from before our first update.
 * @param events the events of the setting, in order
 */
export function formersIn(events: readonly SettingEvent[]): ReadonlyMap<Value, Former> {
  let formers = new Map<Value, Former>();
  for (const { event, ours, before } of events) {
    const former: Former = before === undefined ? {} : { value: before };
    if (event === "restored") {
      formers = new Map();
    } else if (event === "sent") {
      const last = [...formers.values()].at(-1);
      for (const value of ours) if (last && !formers.has(value)) formers.set(value, last);
    } else if (event === "left") {
      // A resource that adopted the device earlier had one of our values as its baseline.
      for (const [value, { value: known }] of formers) {
        if (known !== undefined && ours.includes(known)) formers.set(value, former);
      }
      for (const value of ours) formers.set(value, former);
    } else {
      // If the value before is one of ours, it is from a killed run, and both values count. Otherwise somebody else
      // changed the setting in between, and our earlier values no longer count.
      const isOfUs = before !== undefined && formers.has(before);
      const isSameLife = isOfUs || [...formers.values()].some(({ value }) => value === before);
      if (!isSameLife) formers = new Map();
      for (const value of ours) formers.set(value, (isOfUs && formers.get(before)) || former);
    }
  }
  return formers;
}
