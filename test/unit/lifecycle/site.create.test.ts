import { expect } from "chai";
import { inverter } from "../../../provider/settings/inverter";
import { toPatch, type Values } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { virtualClock } from "../../support/clock";
import { refused, uncertain } from "../../support/fakes";
import {
  type BusyService,
  CAR_BASELINE,
  CAR_VALUES,
  FORECAST,
  ROOF_BASELINE,
  ROOF_VALUES,
  refOf,
  SITE,
  SiteStack,
  siteService,
} from "../../support/sites";

const CAR_PATCH = { max_capacity: 77_000, max_charge_power: 11_000, policy: FORECAST };
const LABELS: Readonly<Record<string, string>> = {
  "car-a": "vehicle/a",
  "car-b": "vehicle/b",
  "roof-p": "inverter/p",
  "roof-q": "inverter/q",
};
const DEVICES = Object.keys(LABELS);
const isCar = (deviceId: string) => deviceId.startsWith("car");
const values = (deviceId: string): Values =>
  isCar(deviceId) ? CAR_VALUES : { ...ROOF_VALUES, ...(deviceId === "roof-q" && { baseLoad: 0 }) };
const patchOf = (declared: Values) => `PATCH ${JSON.stringify(declared)}`;
const wire = (deviceId: string, declared: Values) => patchOf(toPatch(isCar(deviceId) ? vehicle : inverter, declared));

/** What is kept of a device on which everything went well. */
function kept(deviceId: string) {
  const policy = isCar(deviceId) && { policy: FORECAST };
  const baseline = isCar(deviceId) ? CAR_BASELINE : ROOF_BASELINE;
  const fromSite = isCar(deviceId) && { policyFromSite: true };
  return { businessId: "acme", deviceId, ...values(deviceId), ...policy, baseline, ...fromSite };
}

/** The same of a car whose policy waits for another device: it is what it was before. */
function waiting(deviceId: string) {
  return { ...kept(deviceId), policy: CAR_BASELINE.policy };
}

describe("create of a site", () => {
  virtualClock();

  it("sends inverters before vehicles, one PATCH a car with values and policy, three requests a device", async () => {
    const site = new SiteStack(siteService());
    const { requests, reasons, of } = await site.up(SITE);
    expect(reasons).to.deep.equal([]);
    for (const deviceId of DEVICES) {
      const patch = isCar(deviceId) ? patchOf(CAR_PATCH) : wire(deviceId, values(deviceId));
      expect(of(deviceId)).to.deep.equal(["GET", patch, "GET"]);
    }
    const order = requests.filter((request) => request.startsWith("PATCH")).map((request) => request.split(" ")[1]);
    expect(order.slice(0, 2)).to.have.members(["roof-p", "roof-q"]);
    const lastRoof = requests.findLastIndex((request) => request.includes("roof"));
    expect(requests.findIndex((request) => request.startsWith("PATCH car"))).to.be.greaterThan(lastRoof);
    for (const deviceId of DEVICES) expect(site.device(LABELS[deviceId] as string)).to.deep.equal(kept(deviceId));
    expect(site.outputs).to.deep.include({
      site: "home",
      solar: true,
      ready: true,
      gaps: [],
      missing: [],
      unverified: [],
    });
  });

  it("changes nothing afterwards: no request, and no difference", async () => {
    const site = new SiteStack(siteService());
    await site.up(SITE);
    expect(await site.differs(SITE)).to.equal(false);
    expect((await site.up(SITE)).requests).to.deep.equal([]);
  });

  it("sends nothing to devices that are as declared: one read each", async () => {
    const service = siteService();
    await new SiteStack(service).up(SITE);
    const { requests } = await new SiteStack(service).up(SITE);
    expect(requests).to.have.members(DEVICES.map((deviceId) => `GET ${deviceId}`));
  });

  it("keeps nothing if no device was accepted", async () => {
    const service = siteService();
    service.beforeUpdate = () => {
      throw refused(422);
    };
    const site = new SiteStack(service);
    const { reasons, requests } = await site.up(SITE);
    expect(site.outputs).to.equal(undefined);
    expect(reasons).to.have.lengthOf(1);
    for (const label of Object.values(LABELS)) expect(reasons[0]).to.contain(label);
    expect(requests.filter((request) => request.startsWith("PATCH car")).join()).to.not.contain("FORECAST");
  });

  for (const failing of DEVICES) {
    /** The other devices, and what the failure of this one does to them. */
    const others = DEVICES.filter((deviceId) => deviceId !== failing);
    const needIt = isCar(failing) ? [] : DEVICES.filter(isCar);

    const expectOthers = async (site: SiteStack, outcome: Awaited<ReturnType<SiteStack["up"]>>) => {
      expect(outcome.reasons).to.have.lengthOf(1);
      expect(outcome.reasons[0]).to.match(new RegExp(`^${LABELS[failing]}: `));
      for (const other of others) {
        const patch = needIt.includes(other) ? wire(other, CAR_VALUES) : isCar(other) ? patchOf(CAR_PATCH) : undefined;
        expect(outcome.of(other)).to.deep.equal(["GET", patch ?? wire(other, values(other)), "GET"]);
        const expected = needIt.includes(other) ? waiting(other) : kept(other);
        expect(site.device(LABELS[other] as string), other).to.deep.equal(expected);
      }
      expect(site.outputs).to.deep.include({ ready: false });
      expect(site.outputs?.gaps).to.deep.equal(
        Object.keys(values(failing)).map((setting) => ({ device: LABELS[failing], setting, reason: "notAccepted" })),
      );
    };

    /** The next update, without the failure: it sends the rest, and the site is ready. */
    const expectRest = async (site: SiteStack, ofFailing: readonly string[]) => {
      expect(await site.differs(SITE)).to.equal(true);
      const { of, reasons } = await site.up(SITE);
      expect(reasons).to.deep.equal([]);
      expect(of(failing)).to.deep.equal(ofFailing);
      for (const other of others) {
        expect(of(other)).to.deep.equal(needIt.includes(other) ? [patchOf({ policy: FORECAST }), "GET"] : []);
      }
      for (const deviceId of DEVICES) expect(site.device(LABELS[deviceId] as string)).to.deep.equal(kept(deviceId));
      expect(site.outputs).to.deep.include({ ready: true, gaps: [] });
      expect(await site.differs(SITE)).to.equal(false);
    };

    const whole = isCar(failing) ? patchOf(CAR_PATCH) : wire(failing, values(failing));

    describe(`of which ${failing} fails`, () => {
      const only = (throwing: () => void) => (device: { deviceId: string }) => {
        if (device.deviceId === failing) throwing();
      };
      const dropped: Record<string, { fail: (service: BusyService) => () => void; requests: string[] }> = {
        "because its read is refused": {
          fail: (service) => {
            service.beforeRead = only(() => {
              throw refused(403);
            });
            return () => {
              service.beforeRead = () => {};
            };
          },
          requests: ["GET"],
        },
        "because it is gone": {
          fail: (service) => {
            const fields = service.get(refOf(failing)) ?? {};
            service.remove(refOf(failing));
            return () => service.put(refOf(failing), fields);
          },
          requests: ["GET"],
        },
        "because it is of another type": {
          fail: (service) => {
            const fields = service.get(refOf(failing)) ?? {};
            service.put(refOf(failing), { ...fields, dev_type: isCar(failing) ? "Inverter" : "Electric vehicle" });
            return () => service.put(refOf(failing), fields);
          },
          requests: ["GET"],
        },
        "because its PATCH is refused": {
          fail: (service) => {
            service.beforeUpdate = only(() => {
              throw refused(422);
            });
            return () => {
              service.beforeUpdate = () => {};
            };
          },
          requests: ["GET", whole],
        },
        "because it is gone at its PATCH": {
          fail: (service) => {
            service.beforeUpdate = only(() => {
              throw refused(404);
            });
            return () => {
              service.beforeUpdate = () => {};
            };
          },
          requests: ["GET", whole],
        },
      };
      for (const [why, { fail, requests }] of Object.entries(dropped)) {
        it(`${why}: nothing is kept of it, the others go on, and the next update adopts it`, async () => {
          const service = siteService();
          const site = new SiteStack(service);
          const mend = fail(service);
          const outcome = await site.up(SITE);
          expect(outcome.of(failing)).to.deep.equal(requests);
          expect(site.device(LABELS[failing] as string)).to.equal(undefined);
          await expectOthers(site, outcome);
          mend();
          await expectRest(site, ["GET", whole, "GET"]);
        });
      }

      for (const [what, hook] of [
        ["and the PATCH is lost", "beforeUpdate"],
        ["and the PATCH is applied", "afterUpdate"],
      ] as const) {
        it(`without an answer, ${what}: its baseline and what was sent are kept, and it is sent again`, async () => {
          const service = siteService();
          const site = new SiteStack(service);
          service[hook] = only(() => {
            throw uncertain();
          });
          const outcome = await site.up(SITE);
          expect(outcome.of(failing)).to.deep.equal(["GET", whole]);
          const { deviceId, businessId, baseline, policyFromSite, ...sent } = kept(failing) as Record<string, unknown>;
          const reported = isCar(failing) ? CAR_BASELINE : ROOF_BASELINE;
          const attempted = Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, [value]]));
          expect(site.device(LABELS[failing] as string)).to.deep.equal({ ...kept(failing), reported, attempted });
          await expectOthers(site, outcome);
          service[hook] = () => {};
          await expectRest(site, [whole, "GET"]);
        });
      }

      it("at its read-back: it was accepted, the site is ready, and the next update sends nothing", async () => {
        const service = siteService();
        const site = new SiteStack(service);
        service.beforeRead = only(() => {
          const reads = service.requests.filter((request) => request === `GET acme/${failing}`).length;
          if (reads > 1) throw refused(503);
        });
        const { reasons, of } = await site.up(SITE);
        expect(reasons).to.deep.equal([]);
        expect(of(failing)).to.deep.equal(["GET", whole, "GET"]);
        const { baseline, deviceId, businessId, policyFromSite, ...sent } = kept(failing) as Record<string, unknown>;
        const pending = Object.fromEntries(Object.keys(sent).map((key) => [key, "pending"]));
        expect(site.device(LABELS[failing] as string)?.verification).to.deep.equal(pending);
        expect(site.outputs).to.deep.include({ ready: true });
        expect(site.outputs?.unverified).to.have.lengthOf(Object.keys(sent).length);
        expect((await site.up(SITE)).requests).to.deep.equal([]);
      });
    });
  }
});
