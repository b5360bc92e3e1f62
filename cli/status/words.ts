import { grouped } from "../../measure/sky/numbers";
import { listed } from "../../provider/settings/explain";
import { GapReason, reasonOfGap } from "../../provider/settings/readiness";
import { valuesInWords } from "../../provider/settings/valueWords";
import { ChargePolicy } from "../../provider/settings/vehicle";
import { ServiceStatus } from "../../provider/status/vocabulary";
import { type DeviceView, type Reason, reasonsIn, type SiteView } from "../view/model";
import { counted, numbered, settingInWords } from "../words";
import { type Counts, isExpectedReady } from "./model";

const OBSTACLES: Partial<Record<Reason["code"], (device: DeviceView) => string>> = {
  setupIncomplete: ({ ownStatus }) => `its setup is not complete${ownStatus?.chargeByMissing ? NO_CHARGE_BY : ""}`,
  optedOut: ({ ownStatus }) => `it is opted out${ownStatus?.optedOutUntil ? ` until ${ownStatus.optedOutUntil}` : ""}`,
  inactive: ({ ownStatus }) => {
    const isSetup = ownStatus?.serviceStatus === ServiceStatus.InactiveSetupIncomplete;
    const cause = isSetup && ownStatus.chargeByMissing && ownStatus.setupComplete !== false ? NO_CHARGE_BY : "";
    return `the service is inactive for it (${ownStatus?.serviceStatus})${cause}: ${ownStatus?.meaning ?? ""}`;
  },
};

const NO_CHARGE_BY = ", and no charge-by time is set";

/** The number of ready solar sites: `2 of 5 sites ready now (4 declared)`. Offline, only the declared number. */
export function readyInWords({ solar, ready, observed, otherPolicies }: Counts): string {
  if (solar === 0) return "no site uses solar-aware charging";
  const others = otherPolicies > 0 ? `, ${numbered(otherPolicies)} without a car that charges by the forecast` : "";
  return observed
    ? `${numbered(observed.ready)} of ${counted(solar, "site")} ready now (${numbered(ready)} declared)${others}`
    : `${numbered(ready)} of ${counted(solar, "site")} declared ready${others}`;
}

/** Whether no car of a site that should be ready charges by the forecast, because each declares another policy. */
export function hasOnlyOtherPolicies(site: SiteView): boolean {
  const cars = site.devices.filter(({ group, observe }) => group === "vehicles" && !observe);
  const policies = new Set(cars.map(({ declared }) => declared.policy));
  return isExpectedReady(site) && policies.size === 1 && policies.has(ChargePolicy.ChargeBy);
}

export function isGap(code: Reason["code"]): code is GapReason {
  return Object.values<string>(GapReason).includes(code);
}

/** The words about a site or a device that the manifest no longer declares: `… the next update removes it (was ready)`. */
export function leavingWords({ solar, ready }: Partial<SiteView> = {}): string {
  return `no longer declared: the next update removes it${solar ? ` (was ${ready ? "ready" : "not ready"})` : ""}`;
}

/** A line of reasons, with the code of the first one. */
interface ReasonLine extends Pick<Reason, "code"> {
  readonly words: string;
}

/** Reasons that several settings of a device share in one line. Without this, an inverter would take five lines. */
const SHARED: Partial<Record<Reason["code"], (settings: readonly string[], device?: DeviceView) => string>> = {
  unseen: (settings) => `accepted, but not reported: ${listed(settings.map(settingInWords))}`,
  toApply: (settings, device) => `not applied yet: ${settings.map((key) => toApplyInWords(key, device)).join(", ")}`,
};

/** The reasons of a device in words, without its name. */
export function reasonLines(reasons: readonly Reason[], device?: DeviceView): ReasonLine[] {
  return [...grouped(reasons, (reason) => (reason.code in SHARED ? reason.code : reason))].map(([, some]) => {
    const [reason] = some as [Reason];
    const settings = some.map(({ setting = "" }) => setting);
    return { code: reason.code, words: SHARED[reason.code]?.(settings, device) ?? reasonInWords(reason, device) };
  });
}

/** A reason in words, without the name of its device. @param device absent for the site as a whole */
export function reasonInWords({ code, setting = "" }: Reason, device?: DeviceView): string {
  const name = settingInWords(setting);
  if (isGap(code) && (code !== "otherDevice" || !device?.problem)) return reasonOfGap({ reason: code, setting }, name);
  if (!device) return code;
  if (code === "drift" || code === "kept") return `${name} ${differenceInWords(device, setting, code)}`;
  return OBSTACLES[code]?.(device) ?? device.problem?.finding ?? code;
}

/**
 * The reported and the declared value of a setting that somebody changed: `is 70 kWh, declared 77 kWh`; `kept: 70 kWh,
 * …` if onDrift keeps it.
 */
function differenceInWords({ declared, reported, secret }: DeviceView, key: string, code: "drift" | "kept"): string {
  const isKept = code === "kept";
  if (secret.includes(key)) return `${isKept ? "kept: " : ""}differs from the declared value, which is secret`;
  const [is, should] = valuesInWords(key, [reported[key], declared[key]]);
  return `${isKept ? "kept:" : "is"} ${is}, declared ${should}`;
}

/** The value that an update would set: `capacity 77 kWh (now 60 kWh)`. */
function toApplyInWords(key: string, { declared = {}, reported = {}, secret = [] }: Partial<DeviceView> = {}): string {
  const name = settingInWords(key);
  if (secret.includes(key)) return name;
  const isOther = reported[key] !== undefined && reported[key] !== declared[key];
  const [value, now] = valuesInWords(key, isOther ? [declared[key], reported[key]] : [declared[key]]);
  return `${name} ${value}${now === undefined ? "" : ` (now ${now})`}`;
}

/** The findings about a device: the reasons why its site is not ready, and other problems. */
export function reasonsOfDevice(device: DeviceView, ofSite: readonly Reason[]): Reason[] {
  const { label, drift, kept, toApply } = device;
  const own = reasonsIn(device, { drift, kept, toApply });
  const reasons = [...own, ...ofSite.filter((reason) => reason.device === label)];
  const keyOf = ({ code, setting }: Reason) => setting ?? code;
  return [...new Map(reasons.map((reason) => [keyOf(reason), reason] as const).reverse()).values()].reverse();
}

/** A value of a device in words, in a unit that suits both the declared and the reported value. */
export function shownValue(
  { secret, declared, reported }: DeviceView,
  key: string,
  values: DeviceView["declared"],
): string {
  if (secret.includes(key)) return "[secret]";
  if (values[key] === undefined) return "–";
  return valuesInWords(key, [values[key], declared[key], reported[key]])[0] as string;
}

/** The author of a change. For a pipeline, the end of its address, such as `runs/4711`. */
export function byInWords(by: string): string {
  return /^https?:/.test(by) ? by.split("/").slice(-2).join("/") : by;
}

/** `2026-11-22 07:20 UTC`. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}
