import { setMaxListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { controlApp } from "./control";
import { FaultScript } from "./faults";
import { SimulatedFleet } from "./fleet";
import { serviceApp } from "./service";
import type { RequestLogEntry, Simulator, SimulatorOptions } from "./types";

const HOST = "127.0.0.1";

/**
 * Starts the simulated service on 127.0.0.1. Rejects if the port is in use or the state file is broken.
 * @example
 * const simulator = await startSimulator({ fleet: { businesses: { acme: { car: { type: "vehicle" } } } } });
 * process.env.SOLAR_CHARGING_BASE_URL = simulator.url;
 * process.env.SOLAR_CHARGING_ACCESS_TOKEN = simulator.token;
 * simulator.fail({ method: "PATCH", status: 503, times: 2 });
 * await simulator.close();
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { port = 0, now = Date.now, onRequest } = options;
  const fleet = new SimulatedFleet(options);
  const faults = new FaultScript();
  const requests: RequestLogEntry[] = [];
  const closing = new AbortController();
  // Without this, Node would warn: each delayed request listens to the signal.
  setMaxListeners(0, closing.signal);
  const log = (entry: RequestLogEntry) => {
    requests.push(entry);
    onRequest?.(entry);
  };

  const app = new Hono();
  app.route("/simulator", controlApp({ fleet, faults, requests }));
  app.route("/", serviceApp({ fleet, faults, log, now, closing: closing.signal }));
  app.notFound((c) => c.json({ error: `there is no ${c.req.path}` }, 404));
  app.onError((error, c) => c.json({ error: error.message }, error instanceof HTTPException ? error.status : 500));

  // Tests run this beside other code, so the process keeps its own Request and Response.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  // Without this, Node could close a connection at the moment of a request: a fault that no test asked for.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, HOST, resolve);
  });

  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    token: fleet.token,
    requests,
    get latestReads() {
      return requests.filter(({ operation }) => operation === "latest").length;
    },
    device: (businessId, deviceId) => fleet.get(businessId, deviceId).settings,
    appUserSets: fleet.appUserSets.bind(fleet),
    behave: fleet.behave.bind(fleet),
    fail: faults.add.bind(faults),
    add: fleet.add.bind(fleet),
    remove: fleet.remove.bind(fleet),
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
