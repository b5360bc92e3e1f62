import { GAP_REASONS, type GapReason, reasonOfGap } from "../../provider/settings/readiness";
import { settingInWords, valueInWords } from "../settingWords";
import { type DeviceStatus, type Reason, type SaidCode, saysNo } from "./model";

const SAID: Readonly<Record<SaidCode, (device: DeviceStatus) => string>> = {
  setupIncomplete: () => "its setup is not complete",
  optedOut: ({ says }) => `it is opted out${says?.optedOutUntil ? ` until ${says.optedOutUntil}` : ""}`,
  inactive: ({ says }) => `the service is inactive (${says?.serviceStatus}): ${says?.meaning ?? ""}`,
};

function isGap(code: Reason["code"]): code is GapReason {
  return (GAP_REASONS as readonly string[]).includes(code);
}

/** A reason in words, without the name of its device. @param device absent for the site as a whole */
export function reasonInWords({ code, setting = "" }: Reason, device?: DeviceStatus): string {
  const name = settingInWords(setting);
  if (isGap(code) && (code !== "otherDevice" || !device?.problem)) return reasonOfGap(code, name);
  if (!device) return code;
  if (code in SAID) return SAID[code as SaidCode](device);
  if (code === "unseen") return `${name} is accepted, and not reported`;
  if (code === "drift") return `${name} ${driftInWords(device, setting)}`;
  if (code === "toApply") return `${name} ${toApplyInWords(device, setting)}`;
  return device.problem?.finding ?? code;
}

/** Both values of a setting that somebody changed: `is 70 kWh, declared 77 kWh`. */
function driftInWords({ declared, reported, secret }: DeviceStatus, key: string): string {
  if (secret.includes(key)) return "is another value than the declared secret";
  return `is ${valueInWords(key, reported[key])}, declared ${valueInWords(key, declared[key])}`;
}

/** The values that an update would set: `77 kWh is not applied yet, now 60 kWh`. */
function toApplyInWords({ declared, reported, secret }: DeviceStatus, key: string): string {
  if (secret.includes(key)) return "is not applied yet";
  const isOther = reported[key] !== undefined && reported[key] !== declared[key];
  const now = isOther ? `, now ${valueInWords(key, reported[key])}` : "";
  return `${valueInWords(key, declared[key])} is not applied yet${now}`;
}

/** What is to be said of a device: why its site is not ready, and what else somebody has to know. */
export function reasonsOfDevice(device: DeviceStatus, ofSite: readonly Reason[]): Reason[] {
  const { label, problem, drift, toApply, says = {} } = device;
  const of = (code: Reason["code"], settings: readonly string[]) =>
    settings.map((setting): Reason => ({ device: label, setting, code }));
  const own: Reason[] = problem
    ? [{ device: label, code: problem.code }]
    : [
        ...saysNo(says).map((code): Reason => ({ device: label, code })),
        ...of("drift", drift),
        ...of("toApply", toApply),
      ];
  const reasons = [...own, ...ofSite.filter((reason) => reason.device === label)];
  const keyOf = ({ code, setting }: Reason) => setting ?? code;
  return [...new Map(reasons.map((reason) => [keyOf(reason), reason] as const).reverse()).values()].reverse();
}

/** One of the values of a device, in words. */
export function shownValue({ secret }: DeviceStatus, key: string, values: DeviceStatus["declared"]): string {
  if (secret.includes(key)) return "[secret]";
  return values[key] === undefined ? "–" : valueInWords(key, values[key]);
}

/** Who made a change: of a pipeline's run the end of its address, as in `runs/4711`. */
export function byInWords(by: string): string {
  return /^https?:/.test(by) ? by.split("/").slice(-2).join("/") : by;
}
