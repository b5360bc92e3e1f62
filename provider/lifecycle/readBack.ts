import { type DeviceRef, nameOf } from "../service/device";
import { fromDevice, type Values } from "../settings/setting";
import { type Earlier, type Verification, verify } from "../settings/verification";
import type { Call } from "./call";

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
  const read = async () => {
    const found = await call.service.readDevice(device, call.signal);
    if (!found) throw new Error("the service no longer knows the device");
    return fromDevice(call.kind, found);
  };
  try {
    let reported = await read();
    for (let pause = FIRST_PAUSE; staleKeys(reported).length > 0 && performance.now() < end; pause *= 2) {
      await new Promise((pass) => setTimeout(pass, Math.min(pause, LONGEST_PAUSE)));
      reported = await read();
    }
    for (const key of staleKeys(reported)) {
      await call.warn(
        `${nameOf(device)}: ${key} was accepted as ${sent[key]}, but the cached read still shows ${reported[key]} ` +
          `after ${call.verifyTimeoutSeconds} s. "pulumi refresh" shows what became of it`,
      );
    }
    for (const key of keysThatAre("adjusted", reported)) {
      await call.warn(
        `${nameOf(device)}: ${key} was accepted as ${sent[key]}, and the service keeps ${reported[key]}: declare that ` +
          "value if it is right. It is not sent again",
      );
    }
    return reported;
  } catch (error) {
    await call.warn(
      `${nameOf(device)}: ${Object.keys(sent).join(", ")} was accepted, but not read back: ${(error as Error).message}`,
    );
    return undefined;
  }
}
