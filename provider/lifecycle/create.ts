import { fromDevice, pick } from "../settings/setting";
import { verify } from "../settings/verification";
import { type Call, noSuchDevice, readDeviceOfKind } from "./call";
import { reconcile } from "./reconcile";
import { fromInputs, fromOutputs, type Properties, type State, toId, toOutputs } from "./state";

/**
 * Adopts a device, which exists already: keeps what its declared keys are now as the baseline and sends those that differ.
 * @throws Error when the service does not know the device, or it is of another type
 */
export async function create(call: Call, inputs: Properties): Promise<{ id: string; outputs: Properties }> {
  const wanted = fromInputs(call.kind, inputs);
  const device = await readDeviceOfKind(call, wanted);
  if (!device) throw new Error(noSuchDevice(wanted));
  const reported = fromDevice(call.kind, device);
  const values = pick(reported, Object.keys(wanted.values));
  const observed: State = {
    ...wanted,
    values,
    reported,
    baseline: values,
    written: {},
    attempted: {},
    verification: verify(values, reported),
  };
  return { id: toId(wanted), outputs: toOutputs(await reconcile(call, observed, wanted)) };
}

/** Sends the declared keys that changed; a key that is no longer declared is let go of as it is. */
export async function update(call: Call, olds: Properties, news: Properties): Promise<Properties> {
  const before = fromOutputs(call.kind, olds);
  return toOutputs(await reconcile(call, before, fromInputs(call.kind, news)));
}
