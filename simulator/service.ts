import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { deviceObject, latestTelemetry, statusesOf } from "./deviceObject";
import type { FaultScript } from "./faults";
import type { SimulatedFleet } from "./fleet";
import { authorized, bodyRead, delayed, faulted, identified, logged, type ServiceEnv } from "./middleware";
import { checkPatch } from "./patch";
import { parseJson } from "./schemas";
import type { RequestLogEntry } from "./types";

export interface ServiceParts {
  fleet: SimulatedFleet;
  faults: FaultScript;
  log: (entry: RequestLogEntry) => void;
  now: () => number;
  /** Aborted when the simulator closes. */
  closing: AbortSignal;
}

const DEVICE = "/api/v1/businesses/:businessId/devices/:deviceId";
const LATEST = `${DEVICE}/metrics/latest`;

/** The device service. The statuses of its errors are our choice: the service documents none. */
export function serviceApp({ fleet, faults, log, now, closing }: ServiceParts): Hono<ServiceEnv> {
  const latency = ({ businessId = "", deviceId = "" }: RequestLogEntry) =>
    fleet.behaviourOf(fleet.find(businessId, deviceId)).latencySeconds;

  const app = new Hono<ServiceEnv>();
  app.use(logged(log, now));
  app.all(DEVICE, identified({ GET: "read", PATCH: "update" }));
  app.all(LATEST, identified({ GET: "latest" }));
  app.use(bodyRead, delayed(latency, closing), faulted(faults), authorized(fleet.token));

  app.get(DEVICE, (c) => {
    const { businessId, deviceId } = c.req.param();
    const device = fleet.get(businessId, deviceId);
    const behaviour = fleet.behaviourOf(device);
    const statuses = statusesOf(device, fleet.devicesOf(businessId), behaviour);
    const settings = device.cachedRead(behaviour);
    return c.json(deviceObject(businessId, deviceId, device, { settings, behaviour, statuses }));
  });

  app.get(LATEST, (c) => {
    const { businessId, deviceId } = c.req.param();
    return c.json(latestTelemetry(fleet.get(businessId, deviceId)));
  });

  app.patch(DEVICE, (c) => {
    const { businessId, deviceId } = c.req.param();
    const device = fleet.get(businessId, deviceId);
    if (!/^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? "")) {
      throw new HTTPException(415, { message: "the header Content-Type must be application/json" });
    }
    const { inverterFields } = fleet.behaviourOf(device);
    fleet.patch(device, checkPatch(device.description.type, inverterFields, parseJson(c.var.body)));
    return c.body(null, 200);
  });

  app.all(DEVICE, methodNotAllowed);
  app.all(LATEST, methodNotAllowed);
  return app;
}

function methodNotAllowed(c: Context): never {
  throw new HTTPException(405, { message: `${c.req.method} is not allowed here` });
}
