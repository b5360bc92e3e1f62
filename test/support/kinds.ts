import { randomUUID } from "node:crypto";
import type { DeviceKind } from "../../provider/settings/setting";

/**
 * A kind like this one that nothing has been asked about yet: schemas are built once for each kind, and a test that gets
 * one which another test had built would tell nothing about how it is built.
 */
export function freshKind(kind: DeviceKind): DeviceKind {
  return { ...kind, name: `${kind.name} ${randomUUID()}` as DeviceKind["name"] };
}
