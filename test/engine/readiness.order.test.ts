import { expect } from "chai";
import type { Fault, Simulator } from "../../simulator";
import { givenProject, takeRequests } from "../support/project";
import {
  expectNoneTooEarly,
  expectOrder,
  expectReady,
  expectRestored,
  fleetOf,
  type Position,
  positionsIn,
  Sabotage,
  SITE,
} from "./sites";

/** Longest time of a test that runs the engine many times, in milliseconds. */
const MANY_RUNS = 300_000;

const REFUSED: Fault = { status: 422, body: "no" };
const FAILING: Fault = { status: 503 };
const LOST: Fault = { kind: "reset-after-apply" };

describe("engine: the order in which a site is made ready", () => {
  let simulator: Simulator;
  const sabotage = new Sabotage(() => simulator);
  const given = givenProject(fleetOf(["home"]), "for all", sabotage.onRequest);
  let positions: Position[];

  /** A program of sites, of which the new ones get their devices. */
  const declare = (sites: readonly string[], added: readonly string[] = []) => {
    const { acme } = fleetOf(added).businesses;
    for (const [deviceId, device] of Object.entries(acme ?? {})) simulator.add("acme", deviceId, device);
    given.project.program(`${SITE}\nfor (const name of ${JSON.stringify(sites)}) site(name);`);
  };

  // All tests go by the positions of this run, in which nothing fails.
  before(async () => {
    simulator = given.simulator;
    given.project.env.SOLAR_CHARGING_INVERTER_FIELDS = "{}";
    given.project.env.SOLAR_CHARGING_RETRY_TIMEOUT_SECONDS = "0";
    given.project.env.SOLAR_CHARGING_VERIFY_TIMEOUT_SECONDS = "0";
    declare(["home"]);
    await given.project.up();
    positions = positionsIn(simulator.requests, "home");
    expectOrder(simulator.requests);
    expectReady(simulator, ["home"]);
  });

  it("is inverters, vehicles, and each vehicle's policy, each of them read, updated and read back", () => {
    const updated = positions.filter(({ method }) => method === "PATCH").map(({ device }) => device);
    expect(updated).to.have.lengthOf(6);
    expect(updated.slice(0, 2)).to.have.members(["south", "west"]);
    expect(updated.slice(2)).to.have.members(["one", "two", "one", "two"]);
    expect(positions).to.have.lengthOf(18);
    expect(positions.filter(({ isReadBack }) => isReadBack)).to.have.lengthOf(6);
  });

  it("goes the other way round when it is destroyed, and restores everything", async () => {
    takeRequests(simulator);
    await given.project.destroy();
    const updates = takeRequests(simulator).filter((request) => request.startsWith("PATCH"));
    for (const car of ["one", "two"]) {
      const own = updates.filter((request) => request.startsWith(`PATCH home-${car} `));
      expect(own.map((request) => /policy/.test(request))).to.deep.equal([true, false]);
    }
    const devices = updates.map((request) => request.split(" ")[1]);
    expect(devices.slice(-2)).to.have.members(["home-south", "home-west"]);
    expectRestored(simulator, ["home"]);
  });

  it("holds whichever request is refused, and the next update completes it", async () => {
    takeRequests(simulator);
    const sites: string[] = [];
    for (const [index, position] of positions.filter(({ isReadBack }) => !isReadBack).entries()) {
      const site = `refused${index}`;
      sites.push(site);
      declare(sites, [site]);
      sabotage.at(position, site, REFUSED);
      expect(await given.project.fails("up", "--yes", "--skip-preview")).to.contain("HTTP 422");
      expectNoneTooEarly(simulator, sites);
    }
    await given.project.up();
    expectOrder(simulator.requests);
    expectReady(simulator, sites);
    await given.project.destroy();
  }).timeout(MANY_RUNS);

  it("holds with --continue-on-error, and the next update completes it; and so does its reverse", async () => {
    takeRequests(simulator);
    const updates = positions.filter(({ method }) => method === "PATCH");
    const broken = [
      ...positions.map((position) => ({ position, fault: REFUSED })),
      ...updates.map((position) => ({ position, fault: FAILING })),
      ...updates.map((position) => ({ position, fault: LOST })),
    ].map((one, index) => ({ ...one, site: `site${index}` }));
    const sites = broken.map(({ site }) => site);
    declare(sites, sites);
    for (const { position, site, fault } of broken) sabotage.at(position, site, fault);
    await given.project.fails("up", "--yes", "--skip-preview", "--continue-on-error");
    expectNoneTooEarly(simulator, sites);
    await given.project.up();
    expectOrder(simulator.requests);
    expectReady(simulator, sites);

    // Of a position that a destroy does not have, nothing fails.
    for (const { position, site, fault } of broken) sabotage.at(position, site, fault);
    await given.project.fails("destroy", "--yes", "--skip-preview", "--continue-on-error");
    expectNoneTooEarly(simulator, sites);
    await given.project.destroy();
    expectRestored(simulator, sites);
  }).timeout(MANY_RUNS);
});
