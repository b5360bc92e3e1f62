import { pick, type Values } from "../settings/setting";
import type { Call } from "./call";
import { unmanaged } from "./messages";
import type { State } from "./state";

/**
 * Reports what settings were before we wrote them, as they leave the state without being written back. Without this,
 * nobody could restore them. Every path on which a baseline can leave the state leads here.
 * @param lost the baselines that leave
 */
export async function reportUnmanaged(call: Pick<Call, "info">, state: State, lost: Values): Promise<void> {
  const changed = pick(
    lost,
    Object.keys(lost).filter((key) => lost[key] !== state.values[key]),
  );
  if (Object.keys(changed).length === 0) return;
  await call.info(unmanaged(state, changed));
}
