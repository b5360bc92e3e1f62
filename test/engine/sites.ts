import { expect } from "chai";
import type { Fault, Fleet, RequestLogEntry, Settings, Simulator } from "../../simulator";

/** A program's function `site(name)`: a site of two vehicles and two inverters, with devices of its own. */
export const SITE = `
  const car = (deviceId) => ({ deviceId, maxCapacity: kWh(77), maxChargePower: kW(11), onDelete: "restore" });
  const roof = (deviceId) => ({
    deviceId, peakPower: kW(9.8), azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400, onDelete: "restore" });
  const site = (name) => new SolarReadiness(name, {
    vehicles: { one: car(name + "-one"), two: car(name + "-two") },
    inverters: { south: roof(name + "-south"), west: roof(name + "-west") },
  });`;

/** What the devices of a site are before the program, and what it declares about them. */
const CAR = {
  before: { max_capacity: 50_000, max_charge_power: 7_400, policy: "CHARGE BY" },
  declared: { max_capacity: 77_000, max_charge_power: 11_000 },
};
const ROOF = {
  before: { peak_power: 5_000, azimuth: 90, tilt: 10, cut_in_threshold: 20, base_load: 100 },
  declared: { peak_power: 9_800, azimuth: 180, tilt: 35, cut_in_threshold: 150, base_load: 400 },
};
const FORECAST = "CHARGE BY FORECAST";
const CARS = ["one", "two"];
const ROOFS = ["south", "west"];

/** A business "acme" with the devices of these sites. */
export function fleetOf(sites: readonly string[]): Fleet {
  const devices = sites.flatMap((site) => [
    ...CARS.map((car) => [`${site}-${car}`, { type: "vehicle", settings: CAR.before }] as const),
    ...ROOFS.map((roof) => [`${site}-${roof}`, { type: "inverter", settings: ROOF.before }] as const),
  ]);
  return { businesses: { acme: Object.fromEntries(devices) } };
}

/** One request of a site: the first, second, … of its method for the device. */
export interface Position {
  readonly method: "GET" | "PATCH";
  readonly device: string;
  readonly nth: number;
  /** Whether it reads back what was accepted: its failure is no failure of the update. */
  readonly isReadBack: boolean;
}

/** Each request of a site's log, in order. */
export function positionsIn(requests: readonly RequestLogEntry[], site: string): Position[] {
  return requests.map(({ method, deviceId = "" }, index) => {
    const earlier = requests.slice(0, index).filter((request) => request.deviceId === deviceId);
    return {
      method: method as Position["method"],
      device: deviceId.replace(`${site}-`, ""),
      nth: earlier.filter((request) => request.method === method).length,
      isReadBack: method === "GET" && earlier.at(-1)?.method === "PATCH",
    };
  });
}

/** Lets requests fail by their positions. */
export class Sabotage {
  #waiting: (Position & { readonly deviceId: string; readonly fault: Fault })[] = [];
  #seen = new Map<string, number>();

  constructor(private readonly simulator: () => Simulator) {}

  /** Lets the request at this position of the site's next operation fail. */
  at(position: Position, site: string, fault: Fault): void {
    const deviceId = `${site}-${position.device}`;
    for (const method of ["GET", "PATCH"]) this.#seen.delete(`${method} ${deviceId}`);
    this.#waiting.push({ ...position, deviceId, fault });
    this.#arm(position.method, deviceId, 0);
  }

  /** To be told of every request before it is answered. */
  readonly onRequest = ({ method, deviceId = "" }: RequestLogEntry): void => {
    const seen = (this.#seen.get(`${method} ${deviceId}`) ?? 0) + 1;
    this.#seen.set(`${method} ${deviceId}`, seen);
    this.#arm(method, deviceId, seen);
  };

  #arm(method: string, deviceId: string, nth: number): void {
    const due = this.#waiting.filter((at) => at.method === method && at.deviceId === deviceId && at.nth === nth);
    this.#waiting = this.#waiting.filter((at) => !due.includes(at));
    for (const at of due) this.simulator().fail({ ...at.fault, method: at.method, deviceId });
  }
}

/** What is accepted before a request is sent, from the log. */
function acceptedBefore(requests: readonly RequestLogEntry[], request: RequestLogEntry, deviceId: string): Settings {
  // Times are whole milliseconds: an end may look one later than it was.
  const isOver = ({ time, latencyMs }: RequestLogEntry) => Date.parse(time) + latencyMs - 1 <= Date.parse(request.time);
  const updates = requests.slice(0, requests.indexOf(request)).filter((earlier) => earlier.method === "PATCH");
  const accepted = updates.filter(
    (earlier) => earlier.deviceId === deviceId && earlier.status === 200 && isOver(earlier),
  );
  return Object.assign({}, ...accepted.map(({ body }) => body));
}

/** Of every car, that its policy was only ever sent after everything it needs was accepted. */
export function expectOrder(requests: readonly RequestLogEntry[]): void {
  const policies = requests.filter(({ body }) => (body as Settings | undefined)?.policy === FORECAST);
  for (const request of policies) {
    const [site = "", car = ""] = request.deviceId?.split("-") ?? [];
    for (const roof of ROOFS) {
      expect(acceptedBefore(requests, request, `${site}-${roof}`), `${roof} of ${site}`).to.include(ROOF.declared);
    }
    expect(acceptedBefore(requests, request, `${site}-${car}`), `${car} of ${site}`).to.include(CAR.declared);
  }
}

/** Of every car, that it is by the forecast only where everything it needs is as declared. */
export function expectNoneTooEarly(simulator: Simulator, sites: readonly string[]): void {
  for (const site of sites) {
    for (const car of CARS.map((name) => simulator.device("acme", `${site}-${name}`))) {
      if (car.policy !== FORECAST) continue;
      expect(car, site).to.include(CAR.declared);
      for (const roof of ROOFS) expect(simulator.device("acme", `${site}-${roof}`), site).to.include(ROOF.declared);
    }
  }
}

/** That everything is as declared. */
export function expectReady(simulator: Simulator, sites: readonly string[]): void {
  for (const site of sites) {
    for (const car of CARS) {
      expect(simulator.device("acme", `${site}-${car}`), site).to.include({ ...CAR.declared, policy: FORECAST });
    }
  }
  expectNoneTooEarly(simulator, sites);
}

/** That everything is as it was before the program. */
export function expectRestored(simulator: Simulator, sites: readonly string[]): void {
  for (const site of sites) {
    for (const car of CARS) expect(simulator.device("acme", `${site}-${car}`), site).to.include(CAR.before);
    for (const roof of ROOFS) expect(simulator.device("acme", `${site}-${roof}`), site).to.include(ROOF.before);
  }
}
