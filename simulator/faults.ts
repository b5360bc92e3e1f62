import type { HttpBindings } from "@hono/node-server";
import type { BrokenConnection, Fault, RequestLogEntry } from "./types";

type FaultKind = NonNullable<Fault["kind"]>;

/** The remaining faults, in order. */
export class FaultScript {
  #remaining: (Fault & { times: number })[] = [];

  add(...faults: Fault[]): void {
    this.#remaining.push(...faults.map((fault) => ({ times: 1, ...fault })));
  }

  clear(): void {
    this.#remaining = [];
  }

  /** The next fault that matches this request. This counts as one of its uses. */
  take(request: RequestLogEntry): Fault | undefined {
    const fault = this.#remaining.find(
      ({ method, businessId, deviceId }) =>
        (method === undefined || method === request.method) &&
        (businessId === undefined || businessId === request.businessId) &&
        (deviceId === undefined || deviceId === request.deviceId),
    );
    if (!fault) return undefined;
    fault.times -= 1;
    this.#remaining = this.#remaining.filter(({ times }) => times > 0);
    return fault;
  }
}

/** Whether the service carries out the request before the connection breaks. */
export function takesEffect(kind: FaultKind): boolean {
  return kind !== "reset" && kind !== "stall-headers";
}

/** Breaks the connection instead of sending this answer. @returns the way in which it broke, for the log */
export async function breakConnection(
  kind: FaultKind,
  { incoming, outgoing }: HttpBindings,
  answer: Response,
): Promise<BrokenConnection> {
  if (kind === "stall-headers") return "stalled";
  if (kind === "reset" || kind === "reset-after-apply") {
    incoming.socket.resetAndDestroy();
    return "reset";
  }
  const body = Buffer.from(await answer.arrayBuffer());
  // Half of an empty body cannot be sent, so the header promises one byte.
  const headers = { ...Object.fromEntries(answer.headers), "content-length": body.length || 1 };
  outgoing.writeHead(answer.status, headers).write(body.subarray(0, body.length / 2));
  if (kind === "stall-body") return "stalled";
  incoming.socket.destroySoon();
  return "truncated";
}
