import { changeInWords, valueInWords } from "../../provider/settings/valueWords";
import { readinessOf } from "./compare";
import type { DeviceChange, SettingChange, SiteChange } from "./model";

/**
 * The readiness of a site that is removed, and not of one whose stack could not be read: `removed (was ready)`, or that
 * the next update removes: `no longer declared (was ready)`; undefined for other sites.
 */
export function removedWords(site: SiteChange): string | undefined {
  const isLeaving = site.after?.change === "leaving";
  if (!site.isSite || (site.after ? !isLeaving : !site.before)) return undefined;
  const { before } = readinessOf(site);
  const words = isLeaving ? "no longer declared" : "removed";
  return before === undefined ? words : `${words} (was ${before ? "ready" : "not ready"})`;
}

/** Whether a site that stays loses its readiness. */
export function losesReadiness(site: SiteChange): boolean {
  const { before, after } = readinessOf(site);
  return before === true && after === false;
}

/**
 * The changes of a device, one phrase for each setting: `maxChargePower 7.4 → 11 kW`. Settings have the names of the
 * program, as in the warnings and gaps beside them. Phrases can contain anything that is declared.
 */
export function deviceWords({ kind, settings, was, onDelete = "retain" }: DeviceChange): string[] {
  const phrases = settings.map(settingWords);
  const renamed = was === undefined ? [] : [`was ${was}`];
  if (kind === "new") return ["new", ...phrases];
  if (kind === "leaves") {
    const left = settings.map((one) =>
      one.to === undefined ? `keeps ${settingWords({ ...one, from: undefined, to: one.from })}` : settingWords(one),
    );
    return [LEAVING.get(onDelete) ?? `no longer managed (${onDelete})`, ...left];
  }
  if (kind === "secret") return ["has a secret value, which may have changed"];
  if (kind === "failed") return ["failed", ...phrases];
  if (kind === "held") return ["not done"];
  if (kind === "left") return ["left as it is"];
  const moved = onDelete === "moves" ? ["moves from another resource"] : [];
  return [...renamed, ...moved, ...phrases];
}

/** The drift of a device: the applied and the reported values. */
export function driftWords({ kind, settings }: DeviceChange): string[] {
  return kind === "leaves" ? ["the service no longer knows it"] : settings.map(settingWords);
}

function settingWords({ setting, from, to, secret }: SettingChange): string {
  if (secret) return `${setting} [secret]`;
  if (to === undefined) return `${setting} ${valueInWords(setting, from)} → no longer managed`;
  return from === undefined
    ? `${setting} ${valueInWords(setting, to)}`
    : `${setting} ${changeInWords(setting, from, to)}`;
}

const LEAVING = new Map(
  Object.entries({
    observe: "no longer observed",
    moves: "moves to another resource; no value is written back",
    retain: "no longer managed; keeps its values",
    restore: "no longer managed; gets back the known values that its resource found",
    same: "no longer managed; already has the values that its resource found",
    reset: "no longer managed; gets the service's defaults",
  }),
);
