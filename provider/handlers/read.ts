import { fromDevice, pick, type Values } from "../settings/setting";
import { type Call, readDeviceOfKind } from "./call";
import { fromId, fromOutputs, type Properties, type State, toId, toInputs, toOutputs } from "./state";
import { verify } from "./verification";

export interface Read {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/**
 * Shows live values for what is declared; what the service does not report keeps its last known value.
 * Of a resource that is only read (`VehicleSettings.get`) everything that is reported is shown.
 * @returns undefined when the service no longer knows the device
 */
export async function read(call: Call, id: string, outputs: Properties): Promise<Read | undefined> {
  const ref = fromId(id);
  const device = await readDeviceOfKind(call, ref);
  if (!device) return undefined;

  const reported = fromDevice(call.kind, device);
  if (!isOwned(outputs)) {
    const inputs = toInputs({ ...ref, values: reported });
    return { id: toId(ref), inputs, outputs: { ...inputs, reported } };
  }
  const state = refreshed(fromOutputs(call.kind, outputs), reported);
  return { id: toId(ref), inputs: toInputs(state), outputs: toOutputs(state) };
}

/** Whether these are the outputs of a resource that was created; one that is only read has no baseline. */
function isOwned(outputs: Properties): boolean {
  return outputs.baseline !== undefined;
}

function refreshed(before: State, reported: Values): State {
  const written = { ...before.values, ...before.written };
  const shown = verify(written, reported);
  const keys = Object.keys(shown);
  return {
    ...before,
    values: { ...before.values, ...pick(reported, keys) },
    reported,
    written: pick(
      written,
      keys.filter((key) => shown[key] === "pending"),
    ),
    // A key whose update had an unknown outcome counts as accepted once its value is seen.
    verification: pick(
      shown,
      keys.filter((key) => key in before.verification || shown[key] === "verified"),
    ),
  };
}
