import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Message, MessageError } from "../../messages/message";
import type { DeviceRef } from "../../service/device";
import type { Value } from "../../settings/setting";
import { type Allowed, allowedSchema } from "./sends";

const stackSchema = z.strictObject({
  project: z.string(),
  stack: z.string(),
  /** Address of the service. */
  service: z.string(),
  devices: z.array(allowedSchema),
});
type ApprovedStack = z.infer<typeof stackSchema>;

/** The closed set of values that a change may send. Its digest is not in it: it is compared from outside. */
const setSchema = z.strictObject({ approval: z.literal(1), stacks: z.array(stackSchema) });
export type ApprovedSet = z.infer<typeof setSchema>;

/** The source of a request. */
export interface Sender {
  readonly service: string | undefined;
  /** Undefined if the engine does not say it, as in a destroy of dynamic resources. */
  readonly project: string | undefined;
  readonly stack: string | undefined;
}

/** A value for a device. */
export interface Sending {
  readonly ref: DeviceRef;
  /** The field in the PATCH. */
  readonly field: string;
  readonly value: Value;
  /** Whether it is only planned. */
  readonly isPlan?: boolean;
}

/** The digest of a file: that of `sha256sum`. */
export function digestOf(content: string | Buffer): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

/** A set that somebody has approved. */
export class Approved {
  /** The values of each stack, by device. Without this, each request of a large stack would search all values. */
  readonly #devices = new Map<string, { readonly stack: ApprovedStack; readonly sends: Allowed["sends"] }[]>();

  private constructor(
    readonly digest: string,
    set: ApprovedSet,
  ) {
    for (const stack of set.stacks) {
      for (const { sends, ...device } of stack.devices) {
        const key = keyOf(device);
        this.#devices.set(key, [...(this.#devices.get(key) ?? []), { stack, sends }]);
      }
    }
  }

  /** @throws MessageError if the file has another digest, or is not an approved set */
  static read({ path, digest }: { readonly path: string; readonly digest: string }): Approved {
    let content: Buffer;
    try {
      content = readFileSync(path);
    } catch (error) {
      throw new MessageError(setNotUsable(path, `${(error as NodeJS.ErrnoException).code}`));
    }
    const found = digestOf(content);
    if (found !== digest) {
      throw new MessageError(setNotUsable(path, `its digest is ${found}, and ${digest} was approved`));
    }
    return new Approved(digest, setIn(path, content));
  }

  /** Whether a value may be sent to a device. A project or stack that is not known matches any. */
  allows(sender: Sender, { ref, field, value, isPlan }: Sending): boolean {
    const isOf = (known: string | undefined, approved: string) => known === undefined || known === approved;
    return (this.#devices.get(keyOf(ref)) ?? []).some(
      ({ stack: { service, project, stack }, sends }) =>
        service === sender.service &&
        isOf(sender.project, project) &&
        isOf(sender.stack, stack) &&
        sends.some((one) => one.field === field && one.value === value && (isPlan || one.why !== "moved")),
    );
  }
}

function keyOf({ businessId, deviceId }: DeviceRef): string {
  return JSON.stringify([businessId, deviceId]);
}

function setIn(path: string, content: Buffer): ApprovedSet {
  try {
    return setSchema.parse(JSON.parse(content.toString("utf8")));
  } catch {
    throw new MessageError(setNotUsable(path, "it is not a set that this version understands"));
  }
}

/** @param reason why the set cannot be used, such as `ENOENT` */
export function setNotUsable(path: string, reason: string): Message {
  return {
    code: "approvalNotUsable",
    finding: `the approved set ${path} cannot be used (${reason}), so nothing is sent`,
    advice: "Use the file that 'review --approve' wrote, and the digest that its review shows",
  };
}
