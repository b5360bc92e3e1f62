import { ServiceError } from "../service/errors";
import type { Declaration } from "../settings/declaration";
import { differingKeys, omit, pick, toPatch } from "../settings/setting";
import { verify } from "../settings/verification";
import { reportUnmanaged } from "./baselines";
import { type Call, recordUpdate } from "./call";
import { UncertainError } from "./errors";
import { readBack } from "./readBack";
import { acceptedValues, type State } from "./state";

/**
 * Brings a device from what is known of it to what is declared: sends exactly the declared keys whose value is not
 * known to be accepted, and reads them back. Sends nothing if nothing differs.
 * @param held keys that stay as they are, whatever is declared of them
 * @throws UncertainError when it is not known whether the service applied what was sent
 */
export async function reconcile(
  call: Call,
  before: State,
  declared: Declaration,
  held: readonly string[] = [],
): Promise<State> {
  const wanted = { ...declared, values: omit(declared.values, held) };
  const keepHeld = (state: State) => withKeysOf(state, before, held);
  const keys = Object.keys(wanted.values);
  const sent = pick(wanted.values, differingKeys(wanted.values, acceptedValues(before)));
  const settled = keys.filter((key) => !(key in sent));
  // A key that is declared for the first time was until now what the service reported.
  const firstDeclared = keys.filter((key) => !(key in before.values));
  const unmanaged = Object.keys(before.baseline).filter((key) => !(key in wanted.values) && !held.includes(key));
  await reportUnmanaged(call, before, pick(before.baseline, unmanaged));
  const earlier = { ...before, isSent: (key: string) => key in sent };
  const known: State = {
    ...wanted,
    reported: before.reported,
    baseline: { ...pick(before.baseline, keys), ...pick(before.reported, firstDeclared) },
    written: pick(before.written, settled),
    attempted: {},
    verification: verify(pick(wanted.values, settled), before.reported, earlier),
  };
  if (settled.length === keys.length) return keepHeld(known);

  const recording = recordUpdate(call, wanted, sent, { ...before.reported, ...acceptedValues(before) });
  try {
    await call.service.updateDevice(wanted, toPatch(call.kind, sent), call.signal);
  } catch (error) {
    await recording?.failed(error);
    if (error instanceof ServiceError && !error.maybeApplied) throw error;
    // What was accepted before may still stand; a value that equals the baseline is nothing to be restored.
    const accepted = { ...acceptedValues(before), ...before.written };
    const standing = pick(accepted, differingKeys(accepted, before.baseline));
    const written = { ...known.written, ...pick(standing, Object.keys(sent)) };
    const attempted = Object.fromEntries(
      Object.entries(sent).map(([key, value]) => [key, [...new Set([...(before.attempted[key] ?? []), value])]]),
    );
    throw new UncertainError(keepHeld({ ...known, written, attempted }), error as Error);
  }
  recording?.accepted();
  const reported = await readBack(call, wanted, sent, earlier);
  if (!reported) {
    await recording?.end();
    const pending = Object.fromEntries(Object.keys(sent).map((key) => [key, "pending" as const]));
    return keepHeld({ ...known, verification: { ...known.verification, ...pending } });
  }
  const verification = verify(wanted.values, reported, earlier);
  await recording?.end(verification);
  return keepHeld({ ...known, reported, verification });
}

/** The state with what another one has of some keys. */
function withKeysOf(state: State, other: State, keys: readonly string[]): State {
  if (keys.length === 0) return state;
  return {
    ...state,
    values: { ...state.values, ...pick(other.values, keys) },
    baseline: { ...state.baseline, ...pick(other.baseline, keys) },
    written: { ...state.written, ...pick(other.written, keys) },
    attempted: { ...state.attempted, ...pick(other.attempted, keys) },
    verification: { ...state.verification, ...pick(other.verification, keys) },
  };
}
