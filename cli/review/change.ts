import { grouped } from "../../measure/sky/numbers";
import { inGeneral, textOf } from "../../provider/messages/message";
import { defined } from "../../provider/settings/objects";
import { reasonOfGap } from "../../provider/settings/readiness";
import { changeInWords, valueInWords } from "../../provider/settings/valueWords";
import type { DeviceChange, SettingChange, SiteChange, SiteView } from "../view/model";

/** The readiness of a site on both sides of a change. Absent if it is not known, or does not matter. */
export function readinessOf({ before, after }: SiteChange): {
  readonly before?: boolean | undefined;
  readonly after?: boolean | undefined;
} {
  const isDecisive = after?.solar === true || before?.ready === true;
  // A site that leaves need not be ready any more.
  if (after?.change === "leaving") return { before: before?.ready };
  const now = after?.observed ? VERDICTS[after.observed.verdict] : after?.ready;
  return { before: before?.ready, after: now || isDecisive ? now : undefined };
}

const VERDICTS = { ready: true, notReady: false, unknown: undefined };

/**
 * The gaps of a site after a change, in words, each device once: `vehicle/car: maxCapacity is not declared; policy is
 * not accepted yet`.
 */
export function missingIn({ before, after }: SiteChange): string[] {
  if (!after || after.change === "leaving" || !(after.solar || before?.ready)) return [];
  return [...grouped(after.gaps, ({ device }) => device)].map(
    ([device, own]) => `${device}: ${own.map((gap) => reasonOfGap(gap)).join("; ")}`,
  );
}

/**
 * The lints of a site after a change, by text. `isOld`: the site had the lint before. Without this, each change of a
 * site would show its old warnings as new ones.
 */
export function lintsAfter({ before, after }: SiteChange) {
  const isOld = hasLint(before);
  return new Map(
    lintsIn(after).map(({ lint, device, label }) => {
      const remark = defined({ device: label, text: textOf(inGeneral(lint)) });
      return [textOf(lint), { isOld: isOld(lint.code, device), remark }];
    }),
  );
}

/** Whether a site has a lint, by its code and device, whatever the values are. */
export function hasLint(site: SiteView | undefined): (code: string, device?: string) => boolean {
  const idOf = (code: string, device?: string) => `${code} ${device}`;
  const ids = new Set(lintsIn(site).map(({ lint, device }) => idOf(lint.code, device)));
  return (code, device) => ids.has(idOf(code, device));
}

function lintsIn(site: SiteView | undefined) {
  if (!site) return [];
  const { isSite, warnings, devices } = site;
  return [
    ...warnings.map((lint) => ({ lint, device: undefined, label: undefined })),
    ...devices.flatMap(({ label, deviceId, warnings: own }) =>
      own.map((lint) => {
        const device = isSite ? label : `device '${deviceId}'`;
        return { lint: { ...lint, device }, device, label };
      }),
    ),
  ];
}

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
