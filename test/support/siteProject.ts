import type { RequestLogEntry } from "solar-charging-simulator";
import { FLEET } from "./devices";
import { givenProject, takeRequests } from "./project";

export const FORECAST = "CHARGE BY FORECAST";
/** The arguments of devices, as the text of a program. */
export const car = (deviceId: string, more = "") =>
  `{ deviceId: "${deviceId}", maxCapacity: "77 kWh", maxChargePower: "11 kW" ${more} }`;
export const roof = (deviceId: string) =>
  `{ deviceId: "${deviceId}", peakPower: "9.8 kWp", azimuth: "SSW", tilt: 35, cutInThreshold: 150, baseLoad: 400 }`;
export const DECLARED = { max_capacity: 77_000, max_charge_power: 11_000, policy: FORECAST };

/** A project with one site and its service, for each test of a describe. */
export function givenSite() {
  let onRequest: (entry: RequestLogEntry) => void = () => {};
  const given = givenProject(FLEET, "for each", (entry) => onRequest(entry));
  beforeEach(() => {
    onRequest = () => {};
    given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
    given.project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
    given.project.env.SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS = "0";
  });
  const requests = () => takeRequests(given.simulator);
  return {
    given,
    requests,
    updates: () => requests().filter((request) => request.startsWith("PATCH")),
    /** Declares a site that exports its outputs. @param args text of the program */
    declare: (args: string) =>
      given.project.program(`const { ready, gaps, missing, unverified } = new SiteSettings("home", ${args});
      Object.assign(exports, { ready, gaps, missing, unverified });`),
    outputs: () => given.project.outputs(),
    device: (id: string) => given.simulator.device("acme", id),
    /** Resolves with the first PATCH. */
    patched: () =>
      new Promise<void>((resolve) => {
        onRequest = ({ method }) => {
          if (method === "PATCH") resolve();
        };
      }),
  };
}
