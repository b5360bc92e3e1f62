import { changeInWords, valueInWords } from "../../provider/lifecycle/run/valueWords";
import type { DeviceChange, SettingChange } from "../view/model";

/**
 * The changes of a device, one phrase for each setting: `maxChargePower 7.4 → 11 kW`. Settings have the names of the
 * program, as in the warnings and gaps beside them. Phrases can contain anything that is declared.
 */
export function deviceWords({ kind, settings, was, onDelete, reason }: DeviceChange): string[] {
  const phrases = settings.map(settingWords);
  const renamed = was === undefined ? [] : [`was ${was}`];
  if (kind === "new") return ["new", ...phrases];
  if (kind === "leaves") return [leavingWords(onDelete)];
  if (kind === "resent") return ["not accepted yet: the next update sends it again"];
  if (kind === "secret") return ["has a secret value, which may have changed"];
  if (kind === "failed") return [`failed: ${reason ?? "no reason given"}`, ...phrases];
  if (kind === "held") return [reason === undefined ? "not done" : `not done: ${reason}`];
  return [...renamed, ...phrases];
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

const LEAVING = {
  observe: "no longer observed",
  retain: "no longer managed; keeps its values",
  restore: "no longer managed; gets its earlier values back",
  reset: "no longer managed; gets the service's defaults",
};

function leavingWords(onDelete = "retain"): string {
  return Object.hasOwn(LEAVING, onDelete)
    ? LEAVING[onDelete as keyof typeof LEAVING]
    : `no longer managed (${onDelete})`;
}

/** The name of a device without its kind: `van-3`. */
export function shortName(label: string): string {
  return label.slice(label.indexOf("/") + 1);
}
