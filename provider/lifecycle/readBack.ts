import { MessageError, problemOf } from "../messages/message";
import type { DeviceRef } from "../service/device";
import { fromDevice, type Values } from "../settings/setting";
import { type Earlier, type Verification, verify } from "../settings/verification";
import type { Call } from "./call";
import { adjusted, noSuchDevice, notReadBack, pending } from "./messages";

/** First and longest pause between two reads, in milliseconds (our choice). */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 2000;

/**
 * What the cached read shows after an update: read once, and again while it still shows another value for a key that
 * was sent, until the time is up. Undefined when it cannot be read: what was accepted stays accepted.
 */
export async function readBack(
  call: Call,
  device: DeviceRef,
  sent: Values,
  earlier: Earlier,
): Promise<Values | undefined> {
  const end = performance.now() + call.verifyTimeoutSeconds * 1000;
  const keysThatAre = (verification: Verification, reported: Values) =>
    Object.entries(verify(sent, reported, earlier)).flatMap(([key, is]) => (is === verification ? [key] : []));
  const staleKeys = (reported: Values) => keysThatAre("pending", reported);
  const shown = (setting: string, reported: Values) => ({ setting, sent: sent[setting], reported: reported[setting] });
  const read = async () => {
    const found = await call.service.readDevice(device, call.signal);
    if (!found) throw new MessageError(noSuchDevice(device));
    return fromDevice(call.kind, found);
  };
  try {
    let reported = await read();
    for (let pause = FIRST_PAUSE; staleKeys(reported).length > 0 && performance.now() < end; pause *= 2) {
      await new Promise((pass) => setTimeout(pass, Math.min(pause, LONGEST_PAUSE)));
      reported = await read();
    }
    for (const key of staleKeys(reported)) {
      await call.warn(pending(device, shown(key, reported), call.verifyTimeoutSeconds));
    }
    for (const key of keysThatAre("adjusted", reported)) {
      await call.warn(adjusted(device, shown(key, reported)));
    }
    return reported;
  } catch (error) {
    await call.warn(notReadBack(device, Object.keys(sent), problemOf(error)));
    return undefined;
  }
}
