import { setTimeout } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { readBody } from "./body";
import { breakConnection, type FaultScript, takesEffect } from "./faults";
import type { BrokenConnection, RequestLogEntry } from "./types";

// The steps of each request to the service before it is carried out, in this order.

export interface ServiceEnv {
  Bindings: HttpBindings;
  Variables: { entry: RequestLogEntry; body: string; broken?: BrokenConnection };
}

type Middleware = MiddlewareHandler<ServiceEnv>;

/** Logs the request before its answer is sent, so that a client which has the answer finds it in the log. */
export function logged(log: (entry: RequestLogEntry) => void, now: () => number): Middleware {
  return async (c, next) => {
    const start = performance.now();
    const entry: RequestLogEntry = {
      time: new Date(now()).toISOString(),
      method: c.req.method,
      path: new URL(c.req.url).pathname,
      operation: "other",
      status: 0,
      latencyMs: 0,
    };
    c.set("entry", entry);
    await next();
    entry.status = c.var.broken ?? c.res.status;
    entry.latencyMs = Math.round(performance.now() - start);
    log(entry);
  };
}

/** Adds to the log entry of a request its business and device, and the operation that its method means on this path. */
export function identified(operations: Partial<Record<string, RequestLogEntry["operation"]>>): Middleware {
  return async (c, next) => {
    Object.assign(c.var.entry, c.req.param(), { operation: operations[c.req.method] ?? "other" });
    await next();
  };
}

/** Reads the body of a PATCH before all other steps, so that the log has it even if the request fails. */
export const bodyRead: Middleware = async (c, next) => {
  if (c.req.method === "PATCH") {
    const body = await readBody(c.env.incoming);
    c.set("body", body);
    c.var.entry.body = parsedIfJson(body);
  }
  await next();
};

/** Delays requests. A request that still waits when the simulator closes has no effect. */
export function delayed(secondsFor: (entry: RequestLogEntry) => number, closing: AbortSignal): Middleware {
  return async (c, next) => {
    const seconds = secondsFor(c.var.entry);
    try {
      if (seconds > 0) await setTimeout(seconds * 1000, undefined, { signal: closing });
    } catch {
      return alreadySent(c, "reset");
    }
    await next();
  };
}

export function faulted(script: FaultScript): Middleware {
  return async (c, next) => {
    const fault = script.take(c.var.entry);
    if (!fault) return next();
    const { kind, status = 200, headers = {}, body = null } = fault;
    if (kind === undefined) return new Response(body, { status, headers });
    if (takesEffect(kind)) await next();
    alreadySent(c, await breakConnection(kind, c.env, c.res));
  };
}

/** Refuses requests without the token. */
export function authorized(token: string): Middleware {
  return async (c, next) => {
    if (c.req.header("Authorization") !== `Bearer ${token}`) {
      throw new HTTPException(401, { message: "the header Authorization must be Bearer and the access token" });
    }
    await next();
  };
}

function alreadySent(c: Context<ServiceEnv>, broken: BrokenConnection): void {
  c.set("broken", broken);
  c.res = RESPONSE_ALREADY_SENT;
}

function parsedIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
