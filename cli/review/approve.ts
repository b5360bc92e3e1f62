import { rmSync, writeFileSync } from "node:fs";
import { type ApprovedSet, digestOf } from "../../provider/lifecycle/approval/approved";
import { partsOf } from "../../provider/messages/names";
import { type DeviceRef, deviceName } from "../../provider/service/device";
import { firstNames, listed } from "../../provider/settings/explain";
import { isObject } from "../../provider/settings/objects";
import type { Value } from "../../provider/settings/setting";
import { parsedJson, refuseForeign } from "../files";
import { counted, quoted } from "../words";
import { distinct, type Review } from "./review";
import type { ResourceSends } from "./sends";

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
  /** The settings with another wire name than their own: `tilt as roof_tilt`. */
  readonly renamed: readonly string[];
}

/**
 * Writes the closed set of values that a change may send.
 * @param found returns the values in the sources of the review
 * @throws Error if the change cannot be approved: it failed, or parts of it are not known
 */
export function approve(
  path: string,
  review: Review,
  found: () => readonly ResourceSends[],
  { repair }: { readonly repair: boolean },
): Approval {
  refuseFailed(review);
  // Without this, the set would lack the devices that the preview leaves out.
  if (repair && review.others.same) throw new Error("--approve-repair needs a preview with --show-sames");
  const sends = found();
  refuseUnknown(review, sends, { repair });
  const resources = sends.map(({ urn, service, devices }) => {
    const { project, stack } = partsOf(urn);
    if (service === undefined || project === undefined || stack === undefined) {
      throw new Error(
        `the service or stack of ${partsOf(urn).name} is not known: set SOLAR_CHARGING_BASE_URL for preview and review`,
      );
    }
    return { project, stack, service, devices };
  });
  const set = setOf(resources, { repair });
  const text = textOfSet(set);
  writeFileSync(path, text);
  const all = set.stacks.flatMap((stack) => stack.devices);
  const sent = all.flatMap(({ sends }) => sends.filter(({ why }) => why !== "moved"));
  return {
    ...{ file: path, digest: digestOf(text) },
    devices: distinct(all.map(deviceName)).length,
    values: sent.length,
    repair,
    services: distinct(set.stacks.map(({ service }) => service)),
    // Without these, a change could send a value to another field unseen.
    renamed: distinct(
      sent.flatMap(({ setting, field }) =>
        field.replaceAll("_", "") === setting.toLowerCase() ? [] : `${setting} as ${field}`,
      ),
    ),
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
  { file, digest, devices, values, repair, services, renamed }: Approval,
  next: readonly string[],
  code: (text: string) => string,
): string {
  const some = (word: string, all: readonly string[]) => (all.length === 0 ? "" : ` ${word} ${listed(all.map(code))}`);
  const repairs = repair ? ", also to repair drift" : "";
  const allowed = `${code(digest)} allows ${counted(values, "value")} for ${counted(devices, "device")}${some("at", services)}${some("with", renamed)}${repairs}`;
  const commands = next.map((command) => code(`SOLAR_CHARGING_APPROVED=${quoted(`${file}#${digest}`)} ${command}`));
  return `${allowed}, and nothing else. Next: ${commands.join(" and ")}`;
}

/** Refuses a preview that did not show all of its change. */
function refuseFailed({ noPreview, errors, sites }: Review): void {
  const isFailed = errors.length > 0 || sites.some((site) => site.errors.length > 0);
  if (noPreview || isFailed) throw new Error("the preview has errors, so there is nothing to approve");
  const open = sites.flatMap(({ name, devices }) =>
    devices.flatMap(({ label, kind }) => (kind === "failed" || kind === "held" ? `${label} of ${name}` : [])),
  );
  if (open.length > 0) {
    throw new Error(
      `the preview did not show ${firstNames(open)}: remove the cause, which the review names, and preview again`,
    );
  }
}

/** Refuses values that nobody can review. */
function refuseUnknown(
  { sites }: Review,
  sends: readonly ResourceSends[],
  { repair }: { readonly repair: boolean },
): void {
  for (const { error } of sends) if (error !== undefined) throw new Error(error);
  const unknown = sends.flatMap(({ devices }) =>
    devices.flatMap((device) => device.unknown.map((key) => `${key} of ${device.label}`)),
  );
  if (unknown.length > 0) {
    throw new Error(`the change cannot be approved: only the update knows ${firstNames(unknown)}`);
  }
  // A preview does not show whether a secret value changes.
  const maybe = sites.flatMap(({ devices, drift }) => [
    ...devices.filter(({ kind }) => kind === "secret"),
    ...drift.filter(({ settings }) => repair && settings.some(({ secret }) => secret)),
  ]);
  const secret = [...sends.flatMap((one) => one.secret), ...maybe.map(({ label }) => `a secret of ${label}`)];
  if (secret.length > 0) {
    throw new Error(
      `the change cannot be approved: ${firstNames(secret)} changes, and no review shows a secret value. ` +
        "Declare its value as plain text; for a resource that leaves, declare onDelete: retain. Or apply this change without an approved set",
    );
  }
}

/** A planned resource, with the stack that it is in. */
export interface PlannedResource extends Omit<ApprovedSet["stacks"][number], "devices"> {
  readonly devices: readonly ResourceSends["devices"][number][];
}

/**
 * The closed set of a change. It does not depend on the order of the resources. A review does not show the values of a
 * device that only gets another resource. Without `moved`, the set would allow to overwrite a later value of somebody
 * else, or a later change to release the device.
 * @param options `repair`: whether declared values may also be sent to repair drift
 */
export function setOf(resources: readonly PlannedResource[], { repair }: { readonly repair: boolean }): ApprovedSet {
  const markOf = (service: string, { businessId, deviceId }: DeviceRef, setting: string, value?: Value) =>
    JSON.stringify([service, businessId, deviceId, setting, value]);
  const marks = new Set(
    resources.flatMap(({ service, devices }) =>
      devices.flatMap((device) =>
        device.sends.flatMap(({ setting, value, why }) =>
          why === "release" ? [] : markOf(service, device, setting, why === "moved" ? value : undefined),
        ),
      ),
    ),
  );
  const stacks = resources.map(({ devices, ...stack }) => {
    const allowed = devices.flatMap(({ unknown: _, drifted: __, sends: all, ...device }) => {
      const found = all.flatMap((one) => {
        const isRelease = one.why === "release";
        const isMoved = marks.has(markOf(stack.service, device, one.setting, isRelease ? undefined : one.value));
        if (one.why === "moved" || (!repair && one.why === "repair")) return [];
        return isMoved && (isRelease || !repair) ? { ...one, why: "moved" as const } : one;
      });
      const sends = inOrder(found);
      return sends.length > 0 || device.released ? { ...device, sends } : [];
    });
    return { ...stack, devices: inOrder(allowed) };
  });
  return { approval: 1, stacks: inOrder(stacks) };
}

/** Each value once, in an order that does not depend on the given one. */
function inOrder<T>(all: readonly T[]): T[] {
  const texts = new Map(all.map((one) => [JSON.stringify(one), one]));
  return [...texts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}

/** The text of a set in a file. Equal sets have equal texts, and so equal digests. */
export function textOfSet(set: ApprovedSet): string {
  return `${JSON.stringify(set, undefined, 2)}\n`;
}
