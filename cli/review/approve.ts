import { rmSync, writeFileSync } from "node:fs";
import { HIDDEN_SECRET } from "../../provider/engine/answers";
import { kindOfType, withoutFront } from "../../provider/engine/tokens";
import { placeIn } from "../../provider/ledger/origin";
import { digestOf, setOf, textOfSet } from "../../provider/lifecycle/approval/approved";
import { type PlanLine, readPlan } from "../../provider/lifecycle/approval/planFile";
import { nameIn, typeIn } from "../../provider/lifecycle/run/urn";
import { deviceName } from "../../provider/service/device";
import { listed } from "../../provider/settings/explain";
import { isObject, omit } from "../../provider/settings/setting";
import { counted } from "../counted";
import { parsedJson, refuseForeign } from "../files";
import type { Preview } from "../pulumiPreview";
import { quoted } from "../shell";
import { noteRelease, startPreviewRun } from "../stacks/releases";
import type { DeviceView } from "../view/model";
import { isChanged, type Review, type SiteReview } from "./review";

/** An approved set that a review has written. */
export interface Approval {
  readonly file: string;
  /** `sha256:<digest>` of the file. */
  readonly digest: string;
  /** Number of devices that are changed or released, and of the values that may be sent to them. */
  readonly devices: number;
  readonly values: number;
  /** Whether declared values may also be sent to repair drift. */
  readonly repair: boolean;
  /** The addresses of the services. */
  readonly services: readonly string[];
}

/** The sources of an approved set. */
export interface ApprovalSources {
  readonly review: Review;
  /** The previews of programs: the engine asks no provider about their deletes. */
  readonly previews: readonly Preview[];
  /** The files in which the previews have noted the values that the change may send. */
  readonly plans: readonly string[];
}

/**
 * Writes the closed set of values that a change may send.
 * @throws Error if the change cannot be approved: it failed, parts of it are not known, or the files do not match
 */
export function approve(
  path: string,
  { review, previews, plans }: ApprovalSources,
  { repair }: { readonly repair: boolean },
): Approval {
  refuseFailed(review);
  const noted = plans.flatMap(readPlan);
  const lines = [...noted, ...previews.flatMap((preview) => releasesIn(preview, noted))];
  refuseUnknown(lines);
  const devices = lines.flatMap((line) => line.devices);
  for (const site of review.sites) refuseOther(site, devices);
  const resources = lines.map(({ urn, service, devices: own }) => {
    const { project, stack } = placeIn(urn);
    if (service === undefined || project === undefined || stack === undefined) {
      throw new Error(
        `${plans.join()} has a resource without its stack or service: set SOLAR_CHARGING_BASE_URL in the preview`,
      );
    }
    return { project, stack, service, devices: own };
  });
  const set = setOf(resources, { repair });
  const text = textOfSet(set);
  writeFileSync(path, text);
  const all = set.stacks.flatMap((stack) => stack.devices);
  return {
    ...{ file: path, digest: digestOf(text) },
    devices: new Set(all.map(deviceName)).size,
    values: all.reduce((sum, { sends }) => sum + sends.length, 0),
    repair,
    services: [...new Set(set.stacks.map(({ service }) => service))],
  };
}

/** Removes the approved set of an earlier review. @throws Error if the file is something else */
export function discardSet(path: string): void {
  refuseForeign(path, (earlier) => {
    const set = parsedJson(earlier);
    return isObject(set) && "approval" in set;
  });
  rmSync(path, { force: true });
}

/**
 * `sha256:… allows 7 values for 3 devices at https://api.example.com, and nothing else. Next: SOLAR_CHARGING_APPROVED=…`.
 * @param next the commands that apply the change. @param code formats data
 */
export function approvalWords(
  { file, digest, devices, values, repair, services }: Approval,
  next: readonly string[],
  code: (text: string) => string,
): string {
  const where = services.length === 0 ? "" : ` at ${listed(services.map(code))}`;
  const repairs = repair ? ", also to repair drift" : "";
  const allowed = `${code(digest)} allows ${counted(values, "value")} for ${counted(devices, "device")}${where}${repairs}`;
  const commands = next.map((command) => code(`SOLAR_CHARGING_APPROVED=${quoted(`${file}#${digest}`)} ${command}`));
  return `${allowed}, and nothing else. Next: ${commands.join(" and ")}`;
}

function refuseFailed({ noPreview, errors, operation, sites }: Review): void {
  const isFailed = errors.length > 0 || sites.some((site) => site.errors.length > 0);
  if (noPreview || isFailed) throw new Error("the preview has errors, so there is nothing to approve");
  if (operation === "applied") throw new Error("this change is already applied: approve its preview");
}

/** Refuses values that nobody can review. */
function refuseUnknown(lines: readonly PlanLine[]): void {
  const namesOf = (keys: "unknown" | "secret") => {
    const all = lines.flatMap(({ devices }) =>
      devices.flatMap((device) => device[keys].map((key) => `${key} of ${device.label}`)),
    );
    return listed(all.slice(0, 5));
  };
  const [open, secret] = [namesOf("unknown"), namesOf("secret")];
  if (open) throw new Error(`the change cannot be approved: only the update knows ${open}`);
  if (secret) {
    throw new Error(
      `the change cannot be approved: ${secret} changes, and no review shows a secret value. Declare it without a ` +
        "secret, or apply this change without an approved set",
    );
  }
}

type PlannedDevice = PlanLine["devices"][number];

/**
 * Refuses a set that does not match its review. Without this, the noted values of another preview would be approved
 * with a review that does not show them.
 */
function refuseOther(site: SiteReview, planned: readonly PlannedDevice[]): void {
  const of = ({ device }: DeviceView) => planned.filter((one) => deviceName(one) === device);
  const refuse = (label: string) => {
    throw new Error(
      `${label} of ${site.name} is not noted as the preview shows it: set SOLAR_CHARGING_FOR_APPROVAL to a new file, and ` +
        "run the preview again",
    );
  };
  for (const { label, kind, onDelete = "retain" } of isChanged(site) ? site.devices : []) {
    const isLeaving = kind === "leaves";
    if (isLeaving && onDelete === "retain") continue; // Nothing is sent, and a secret device cannot be noted.
    const view = (isLeaving ? site.before : site.after)?.devices.find((one) => one.label === label);
    const isNoted = view && (view.observe || of(view).some((one) => (one.released !== undefined) === isLeaving));
    if (!isNoted) refuse(label);
  }
  for (const view of site.after?.devices ?? []) {
    const own = of(view).filter(({ released }) => released === undefined);
    if (view.observe || own.length === 0) continue;
    const isShown = ({ setting, value, why }: PlannedDevice["sends"][number]) =>
      why === "release" || setting === "policy" || view.declared[setting] === value;
    if (!own.every(({ sends }) => sends.every(isShown))) refuse(view.label);
    for (const [setting, value] of Object.entries(view.declared)) {
      const isSame = own.some(({ sends }) => sends.some((one) => one.setting === setting && one.value === value));
      if (!isSame) refuse(view.label);
    }
  }
}

/**
 * The lines about resources that a preview deletes.
 * @param noted the notes of the preview, which have the old device of a resource that gets another one
 */
function releasesIn(preview: Preview, noted: readonly PlanLine[]): PlanLine[] {
  const isNoted = ({ businessId, deviceId }: Readonly<Record<string, unknown>>) =>
    noted.some(({ devices }) =>
      devices.some((one) => one.released && one.businessId === businessId && one.deviceId === deviceId),
    );
  const lines: PlanLine[] = [];
  const run = startPreviewRun(preview.config, (line) => lines.push({ run: "", ...line }));
  for (const { op, urn, oldState } of preview.steps) {
    const kind = kindOfType(typeIn(urn));
    // The second half of a replacement is a delete too.
    const outputs = withoutFront(oldState?.outputs ?? {});
    if (!["delete", "delete-replaced"].includes(op) || !kind || isNoted(outputs)) continue;
    noteRelease(run, urn, withoutHidden(nameIn(urn), outputs));
  }
  return lines;
}

/**
 * The outputs without the devices that have secrets and keep their values.
 * @throws Error if a device with secrets gets values back: the preview hides its baselines
 */
function withoutHidden(name: string, outputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isHidden = (value: unknown) => JSON.stringify(value).includes(JSON.stringify(HIDDEN_SECRET));
  if (!isHidden(outputs)) return outputs;
  const devices = isObject(outputs.devices) ? outputs.devices : { [name]: outputs };
  const hidden = Object.entries(devices).filter(([, device]) => isHidden(device));
  const isSent = ([, device]: [string, unknown]) => {
    const { onDelete = outputs.onDelete ?? "retain" } = isObject(device) ? device : {};
    return onDelete !== "retain";
  };
  const [sent] = hidden.find(isSent) ?? [];
  if (sent !== undefined) {
    throw new Error(
      `the removal of ${sent} cannot be approved: its baselines are secrets, which the preview hides. Declare ` +
        "onDelete: retain for it first, or remove it without an approved set",
    );
  }
  const labels = hidden.map(([label]) => label);
  return isObject(outputs.devices) ? { ...outputs, devices: omit<unknown>(outputs.devices, labels) } : {};
}
