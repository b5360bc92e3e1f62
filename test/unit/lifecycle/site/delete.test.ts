import { expect } from "chai";
import { virtualClock } from "../../../support/clock";
import { refused, uncertain } from "../../../support/fakes";
import { type BusyService, FORECAST, otherType, refOf, SITE, SiteStack, siteService } from "../../../support/sites";

const RESTORED = { ...SITE, onDelete: "restore" };
const CAR_BACK = 'PATCH {"max_capacity":60000,"max_charge_power":3000,"policy":"CHARGE BY"}';
const ROOF_BACK = 'PATCH {"peak_power":1000,"azimuth":2,"tilt":3,"cut_in_threshold":4,"base_load":5}';
const back = (deviceId: string) => (deviceId.startsWith("car") ? CAR_BACK : ROOF_BACK);
const DEVICES = ["car-a", "car-b", "roof-p", "roof-q"];
const LABELS = ["vehicle/a", "vehicle/b", "inverter/p", "inverter/q"];

/** A site that restores its devices. */
async function ready(args: object = RESTORED) {
  const service = siteService();
  const before = Object.fromEntries(DEVICES.map((deviceId) => [deviceId, service.get(refOf(deviceId))]));
  const site = new SiteStack(service);
  await site.up(args as typeof SITE);
  return { service, site, before };
}

describe("delete of a site", () => {
  virtualClock();

  it("releases vehicles, then inverters: one read and one PATCH a device", async () => {
    const { site, service, before } = await ready();
    const { of, requests, reasons } = await site.destroy();
    expect(reasons).to.deep.equal([]);
    for (const deviceId of DEVICES) expect(of(deviceId)).to.deep.equal(["GET", back(deviceId)]);
    expect(requests.findLastIndex((request) => request.includes("car"))).to.be.below(
      requests.findIndex((request) => request.includes("roof")),
    );
    for (const deviceId of DEVICES) expect(service.get(refOf(deviceId))).to.deep.equal(before[deviceId]);
  });

  it("makes no request with retain, needs no service, and shows what devices had", async () => {
    const { site } = await ready(SITE);
    const run = site.run({
      service: () => {
        throw new Error("there is no service");
      },
    });
    const { reasons, requests } = await site.destroy(run);
    expect({ reasons, requests }).to.deep.equal({ reasons: [], requests: [] });
    for (const deviceId of DEVICES) {
      expect(
        run.shown.filter((text) => text.includes(`'${deviceId}'`)),
        deviceId,
      ).to.have.lengthOf(1);
    }
    expect(run.shown.join("\n")).to.contain("maxCapacity was 60 kWh, maxChargePower 3 kW, policy CHARGE BY");
  });

  it("releases one device of a site, and leaves the others, as each declares", async () => {
    const vehicles = { ...SITE.vehicles, a: { ...SITE.vehicles.a, onDelete: "reset" } };
    const { site, service } = await ready({ ...SITE, vehicles });
    const { requests } = await site.destroy();
    expect(requests).to.deep.equal([
      "GET car-a",
      'PATCH car-a {"max_capacity":80000,"max_charge_power":7200,"policy":"CHARGE BY"}',
    ]);
    expect(service.get(refOf("car-b"))).to.include({ policy: FORECAST });
  });

  it("never touches a device that is only observed", async () => {
    const inverters = { ...SITE.inverters, p: { deviceId: "roof-p", observe: true } };
    const { site } = await ready({ ...RESTORED, inverters });
    expect((await site.destroy()).of("roof-p")).to.deep.equal([]);
  });

  /**
   * The ways in which restoring one device fails, each with the requests to it, and the faults that end before the next
   * delete.
   */
  const failuresOf = (failing: string, service: BusyService): Record<string, [fail: () => () => void, string[]]> => ({
    "its read is refused": [() => service.fail("reads", () => refused(403), failing), ["GET"]],
    "it is of another type": [() => otherType(service, failing), ["GET"]],
    "its PATCH is refused": [() => service.fail("updates", () => refused(422), failing), ["GET", back(failing)]],
    "its PATCH is lost without an answer": [() => service.fail("updates", uncertain, failing), ["GET", back(failing)]],
  });

  for (const [index, failing] of DEVICES.entries()) {
    const isCar = failing.startsWith("car");
    const sameGroup = DEVICES.filter((deviceId) => deviceId !== failing && deviceId.startsWith("car") === isCar);

    for (const why of Object.keys(failuresOf(failing, siteService()))) {
      it(`fails if, of ${failing}, ${why}: the others of its kind are restored, and the next delete does the rest`, async () => {
        const { site, service, before } = await ready();
        const [fail, requests] = failuresOf(failing, service)[why] as [() => () => void, string[]];
        const mend = fail();
        const first = await site.destroy();
        expect(first.reasons).to.have.lengthOf(1);
        expect(first.reasons[0]).to.match(new RegExp(`^${LABELS[index]}: `));
        expect(first.of(failing)).to.deep.equal(requests);
        for (const other of sameGroup) expect(service.get(refOf(other))).to.deep.equal(before[other]);
        // Cars may still depend on the values of the inverters.
        if (isCar) expect(first.requests.join()).to.not.contain("roof");
        expect(site.outputs).to.not.equal(undefined);

        mend();
        const second = await site.destroy();
        expect(second.reasons).to.deep.equal([]);
        for (const deviceId of DEVICES) {
          const isLeft = deviceId === failing || (isCar && !deviceId.startsWith("car"));
          expect(second.of(deviceId)).to.deep.equal(isLeft ? ["GET", back(deviceId)] : ["GET"]);
          expect(service.get(refOf(deviceId))).to.deep.equal(before[deviceId]);
        }
      });
    }

    it(`continues if ${failing}'s PATCH was applied without an answer: the next delete finds it released`, async () => {
      const { site, service, before } = await ready();
      const mend = service.fail("answers", uncertain, failing);
      expect((await site.destroy()).reasons).to.have.lengthOf(1);
      mend();
      const second = await site.destroy();
      expect(second.reasons).to.deep.equal([]);
      expect(second.of(failing)).to.deep.equal(["GET"]);
      for (const deviceId of DEVICES) expect(service.get(refOf(deviceId))).to.deep.equal(before[deviceId]);
    });

    for (const [what, gone] of [
      ["before its read", (service: BusyService) => service.remove(refOf(failing))],
      ["before its PATCH", (service: BusyService) => service.fail("updates", () => refused(404), failing)],
    ] as const) {
      it(`succeeds if ${failing} is gone ${what}, and shows what it had`, async () => {
        const { site, service } = await ready();
        gone(service);
        expect((await site.destroy()).reasons).to.deep.equal([]);
        // One message names the baselines of the device. Another one says that it is gone.
        expect(site.shown.filter((text) => text.includes(`'${failing}'`) && text.includes(" was "))).to.have.lengthOf(
          1,
        );
      });
    }
  }

  it("fails if no device is known: they may be there, at another address", async () => {
    const { site, service } = await ready();
    const { outputs } = site;
    for (const id of DEVICES) service.remove(refOf(id));
    service.believesInGone = false;
    expect((await site.destroy()).reasons).to.have.lengthOf(1);
    expect(site.outputs).to.deep.equal(outputs);
  });

  it("names the released devices after a failure, because state does not show them", async () => {
    const { site, service } = await ready();
    service.fail("updates", () => refused(422), "car-b");
    const { reasons } = await site.destroy();
    expect(reasons.join()).to.contain("pulumi refresh");
  });

  it("names only the failed device if nothing was released", async () => {
    const { site, service } = await ready();
    service.fail("updates", () => refused(422));
    const { reasons } = await site.destroy();
    expect(reasons).to.have.lengthOf(1);
    expect(reasons[0])
      .to.match(/^vehicle\/a, vehicle\/b: .*422/)
      .and.not.contain("pulumi refresh");
    expect(reasons[0]?.split("\n")).to.have.lengthOf(1);
  });

  it("does not speak of restored devices after a failure if the others had nothing to restore", async () => {
    const { a, b } = RESTORED.vehicles;
    const { site, service } = await ready({ ...RESTORED, vehicles: { a, b: { ...b, onDelete: "retain" } } });
    service.fail("updates", () => refused(422));
    const { reasons, requests } = await site.destroy();
    expect(requests.filter((request) => request.startsWith("PATCH car-b"))).to.deep.equal([]);
    expect(reasons.join()).to.match(/422/).and.not.contain("pulumi refresh");
  });
});
