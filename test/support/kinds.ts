import { randomUUID } from "node:crypto";
import type { DeviceKind } from "../../provider/settings/setting";

/**
 * A copy of a kind without cached schemas: a test that gets the cached schema of another test would not test how it is
 * built.
 */
export function freshKind(kind: DeviceKind): DeviceKind {
  return { ...kind, name: `${kind.name} ${randomUUID()}` as DeviceKind["name"] };
}
