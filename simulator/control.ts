import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { readBody } from "./body";
import type { FaultScript } from "./faults";
import type { SimulatedFleet } from "./fleet";
import { BehaviourSchema, check, FaultSchema, FleetDeviceSchema, parseJson, SettingsSchema } from "./schemas";
import type { RequestLogEntry } from "./types";

interface ControlEnv {
  Bindings: HttpBindings;
}

export interface ControlParts {
  fleet: SimulatedFleet;
  faults: FaultScript;
  requests: RequestLogEntry[];
}

/** The methods of the `Simulator` object, over HTTP, for programs in other processes. Described in README.md. */
export function controlApp({ fleet, faults, requests }: ControlParts): Hono<ControlEnv> {
  const app = new Hono<ControlEnv>();

  app.get("/health", (c) => c.json({ status: "ok" }));

  app.get("/requests", (c) => c.json(requests));
  app.delete("/requests", (c) => {
    requests.length = 0;
    return done(c);
  });

  app.get("/devices/:businessId/:deviceId", (c) => {
    const { businessId, deviceId } = c.req.param();
    return c.json(fleet.get(businessId, deviceId).settings);
  });
  app.patch("/devices/:businessId/:deviceId", async (c) => {
    const { businessId, deviceId } = c.req.param();
    fleet.appUserSets(businessId, deviceId, await checkedBody(c, SettingsSchema));
    return done(c);
  });
  app.put("/devices/:businessId/:deviceId", async (c) => {
    const { businessId, deviceId } = c.req.param();
    fleet.add(businessId, deviceId, await checkedBody(c, FleetDeviceSchema));
    return done(c);
  });
  app.delete("/devices/:businessId/:deviceId", (c) => {
    const { businessId, deviceId } = c.req.param();
    fleet.remove(businessId, deviceId);
    return done(c);
  });

  app.patch("/behaviour", async (c) => {
    fleet.behave(await checkedBody(c, BehaviourSchema));
    return done(c);
  });
  app.patch("/behaviour/:businessId/:deviceId", async (c) => {
    const { businessId, deviceId } = c.req.param();
    fleet.behave(await checkedBody(c, BehaviourSchema), businessId, deviceId);
    return done(c);
  });

  app.post("/faults", async (c) => {
    faults.add(...(await checkedBody(c, z.array(FaultSchema))));
    return done(c);
  });
  app.delete("/faults", (c) => {
    faults.clear();
    return done(c);
  });

  app.all("*", (c) => {
    throw new HTTPException(404, { message: `the control API has no ${c.req.method} ${c.req.path}` });
  });
  return app;
}

function done(c: Context): Response {
  return c.body(null, 204);
}

async function checkedBody<T>(c: Context<ControlEnv>, schema: z.ZodType<T>): Promise<T> {
  return check(schema, parseJson(await readBody(c.env.incoming)));
}
