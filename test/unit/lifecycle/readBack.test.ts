import { expect } from "chai";
import { readBack } from "../../../provider/lifecycle/readBack";
import { vehicle } from "../../../provider/settings/vehicle";
import type { Earlier } from "../../../provider/settings/verification";
import { virtualClock } from "../../support/clock";
import { CAR, callOf, fleet } from "../../support/fakes";

/** What was known before the update. */
const EARLIER: Earlier = {
  reported: { maxCapacity: 60_000 },
  values: {},
  verification: {},
  isSent: () => true,
};

describe("readBack", () => {
  const clock = virtualClock();
  const sent = { maxCapacity: 77_000 };

  /** A call after an update from 60000 to 77000 which this many reads do not show. */
  async function updated(staleReads: number, live = {}, verifyTimeoutSeconds = 10) {
    const service = fleet({ max_capacity: 60_000, ...live });
    service.staleReads = staleReads;
    await service.updateDevice(CAR, { max_capacity: 77_000 });
    service.requests.length = 0;
    return { service, call: callOf(vehicle, service, { verifyTimeoutSeconds }) };
  }

  it("is one read where the cache is current", async () => {
    const { service, call } = await updated(0, { max_charge_power: 3000 });
    expect(await readBack(call, CAR, sent, EARLIER)).to.deep.equal({ maxCapacity: 77_000, maxChargePower: 3000 });
    expect(service.requests).to.have.lengthOf(1);
    expect(call.warnings).to.deep.equal([]);
  });

  it("reads again while a key that was sent is stale", async () => {
    const { service, call } = await updated(2);
    expect(await readBack(call, CAR, sent, EARLIER)).to.deep.equal({ maxCapacity: 77_000 });
    expect(service.requests).to.have.lengthOf(3);
    expect(call.warnings).to.deep.equal([]);
  });

  it("waits for no key that is not reported", async () => {
    const { service, call } = await updated(5);
    service.hidden.add("max_capacity");
    expect(await readBack(call, CAR, sent, EARLIER)).to.deep.equal({});
    expect(service.requests).to.have.lengthOf(1);
  });

  it("waits for no key that was not sent", async () => {
    const { service, call } = await updated(0, { policy: "CHARGE BY" });
    await readBack(call, CAR, sent, EARLIER);
    expect(service.requests).to.have.lengthOf(1);
  });

  it("ends with a warning when the time is up: it names key, value sent and value shown", async () => {
    const { service, call } = await updated(Number.POSITIVE_INFINITY);
    clock.random = 0.5;
    const begin = Date.now();
    expect(await readBack(call, CAR, sent, EARLIER)).to.deep.equal({ maxCapacity: 60_000 });
    expect(service.requests.length).to.be.within(3, 60);
    expect(Date.now() - begin).to.be.within(10_000, 13_000);
    expect(call.warnings).to.have.lengthOf(1);
    expect(call.warnings[0]).to.match(
      /device 'car' of business 'acme': maxCapacity was accepted as 77000, .* 60000 .*pulumi refresh/,
    );
  });

  it("reads once where no time is given", async () => {
    const { service, call } = await updated(Number.POSITIVE_INFINITY, {}, 0);
    await readBack(call, CAR, sent, EARLIER);
    expect(service.requests).to.have.lengthOf(1);
    expect(call.warnings).to.have.lengthOf(1);
  });

  it("that fails is a warning and no failure", async () => {
    const { service, call } = await updated(0);
    service.beforeRead = () => {
      throw new Error("HTTP 500");
    };
    expect(await readBack(call, CAR, sent, EARLIER)).to.equal(undefined);
    expect(call.warnings).to.deep.equal([
      "device 'car' of business 'acme': maxCapacity was accepted, but not read back: HTTP 500",
    ]);
  });

  it("that fails names every key that was sent", async () => {
    const { service, call } = await updated(0);
    service.remove(CAR);
    await readBack(call, CAR, { ...sent, policy: "CHARGE BY" }, EARLIER);
    expect(call.warnings[0]).to.contain("maxCapacity, policy was accepted, but not read back");
  });

  it("of a device that has gone is a warning and no failure", async () => {
    const { service, call } = await updated(0);
    service.remove(CAR);
    expect(await readBack(call, CAR, sent, EARLIER)).to.equal(undefined);
    expect(call.warnings).to.deep.equal([
      "maxCapacity was accepted, but not read back: the service does not know device 'car' of business 'acme'",
    ]);
  });
});
