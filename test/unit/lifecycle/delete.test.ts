import { expect } from "chai";
import { CLAIMS_FILE, Claims, writeClaims } from "../../../provider/lifecycle/claims";
import { isRetained, remove } from "../../../provider/lifecycle/delete";
import { fromOutputs, type Properties } from "../../../provider/lifecycle/state";
import type { Device } from "../../../provider/service/device";
import { fromDevice } from "../../../provider/settings/setting";
import { vehicle } from "../../../provider/settings/vehicle";
import { failureOf } from "../../support/failure";
import { CAR, callOf, FakeService, fleet, ownerOf, ROOF, refused, uncertain } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";

const ours = { max_capacity: 77_000, max_charge_power: 11_000, policy: "CHARGE BY FORECAST" };
const values = { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST" };
const verified = { maxCapacity: "verified", maxChargePower: "verified", policy: "verified" };
const baseline = { maxCapacity: 60_000, maxChargePower: 3000, policy: "CHARGE BY" };

function outputs(onDelete: string, changes: Properties = {}): Properties {
  return { ...CAR, ...values, onDelete, baseline, reported: {}, verification: verified, ...changes };
}

/** What a delete requests, sends and warns of, by the car's live fields. */
async function deleted(state: Properties, live: Properties = ours, claims = new Claims()) {
  const service = fleet(live);
  const call = callOf(vehicle, service, { claims });
  await remove(call, fromOutputs(vehicle, state));
  return {
    requests: service.requests.map((request) => request.split(" ")[0]),
    sent: service.sent,
    warnings: call.warnings,
  };
}

describe("delete", () => {
  const path = temporaryFolder();

  it("retains unless the program says otherwise", () => {
    expect(isRetained({})).to.equal(true);
    expect(isRetained({ onDelete: "retain" })).to.equal(true);
    expect(isRetained({ onDelete: "restore" })).to.equal(false);
    expect(isRetained({ onDelete: "reset" })).to.equal(false);
  });

  describe("restore", () => {
    it("writes the baselines back with one read and one update", async () => {
      expect(await deleted(outputs("restore"))).to.deep.equal({
        requests: ["GET", "PATCH"],
        sent: [{ max_capacity: 60_000, max_charge_power: 3000, policy: "CHARGE BY" }],
        warnings: [],
      });
    });

    it("touches no key that is not declared", async () => {
      const state = { ...CAR, onDelete: "restore", maxCapacity: 77_000, baseline };
      expect((await deleted(state)).sent).to.deep.equal([{ max_capacity: 60_000 }]);
    });

    it("leaves a key alone that someone else has set since, and says so", async () => {
      const { sent, warnings } = await deleted(outputs("restore"), { ...ours, max_capacity: 50_000 });
      expect(sent).to.deep.equal([{ max_charge_power: 3000, policy: "CHARGE BY" }]);
      expect(warnings).to.deep.equal([
        "device 'car' of business 'acme': maxCapacity is not restored: it is now 50000, set elsewhere",
      ]);
    });

    it("writes a baseline back over either value that an update of unknown outcome can have left", async () => {
      const uncertain = outputs("restore", {
        maxCapacity: 79_000,
        written: { maxCapacity: 78_000 },
        attempted: { maxCapacity: [78_500, 79_000] },
        verification: {},
      });
      for (const live of [78_000, 78_500, 79_000]) {
        const { sent, warnings } = await deleted(uncertain, { ...ours, max_capacity: live });
        expect(sent[0]).to.include({ max_capacity: 60_000 });
        expect(warnings).to.deep.equal([]);
      }
    });

    it("leaves a key alone that a refresh took over from someone else", async () => {
      const drifted = outputs("restore", {
        maxCapacity: 50_000,
        written: { maxCapacity: 77_000 },
        verification: { maxCapacity: "verified" },
      });
      const { sent, warnings } = await deleted(drifted, { ...ours, max_capacity: 50_000 });
      expect(sent).to.deep.equal([{ max_charge_power: 3000, policy: "CHARGE BY" }]);
      expect(warnings).to.deep.equal([
        "device 'car' of business 'acme': maxCapacity is not restored: it is now 50000, set elsewhere",
      ]);
    });

    it("restores a key that a refresh took over from someone else, once it is back at our value", async () => {
      const drifted = outputs("restore", {
        maxCapacity: 50_000,
        written: { maxCapacity: 77_000 },
        verification: { maxCapacity: "verified" },
      });
      const { sent, warnings } = await deleted(drifted);
      expect(sent).to.deep.equal([{ max_capacity: 60_000, max_charge_power: 3000, policy: "CHARGE BY" }]);
      expect(warnings).to.deep.equal([]);
    });

    it("leaves a key alone that is not reported any more, and says so", async () => {
      const { max_capacity: _, ...live } = ours;
      const { sent, warnings } = await deleted(outputs("restore"), live);
      expect(sent).to.deep.equal([{ max_charge_power: 3000, policy: "CHARGE BY" }]);
      expect(warnings[0]).to.match(/maxCapacity is not restored: it is no longer reported$/);
    });

    it("leaves a key alone whose value before was not reported, and says so", async () => {
      const { sent, warnings } = await deleted(outputs("restore", { baseline: { policy: "CHARGE BY" } }));
      expect(sent).to.deep.equal([{ policy: "CHARGE BY" }]);
      expect(warnings).to.deep.equal([
        "device 'car' of business 'acme': maxCapacity is not restored: the service did not report what it was before",
        "device 'car' of business 'acme': maxChargePower is not restored: the service did not report what it was before",
      ]);
    });

    it("sends nothing, and says nothing, where all is as it was", async () => {
      const live = { max_capacity: 60_000, max_charge_power: 3000, policy: "CHARGE BY" };
      expect(await deleted(outputs("restore"), live)).to.deep.equal({ requests: ["GET"], sent: [], warnings: [] });
    });

    for (const [what, verification] of [
      ["an update that no read has shown yet", { ...verified, maxCapacity: "pending" }],
      ["an update of unknown outcome", { maxChargePower: "verified", policy: "verified" }],
    ] as const) {
      it(`writes a baseline back that the cached read shows, after ${what}`, async () => {
        const live = { max_capacity: 60_000, max_charge_power: 3000, policy: "CHARGE BY" };
        const { sent, warnings } = await deleted(outputs("restore", { verification }), live);
        expect(sent).to.deep.equal([{ max_capacity: 60_000 }]);
        expect(warnings).to.deep.equal([]);
      });
    }

    it("leaves a key alone that someone else has set since, though no read has shown our update", async () => {
      const verification = { ...verified, maxCapacity: "pending" };
      const { sent, warnings } = await deleted(outputs("restore", { verification }), { ...ours, max_capacity: 50_000 });
      expect(sent).to.deep.equal([{ max_charge_power: 3000, policy: "CHARGE BY" }]);
      expect(warnings[0]).to.match(/maxCapacity is not restored: it is now 50000/);
    });

    it("sends nothing where the declared value was there before", async () => {
      expect((await deleted(outputs("restore", { baseline: values }))).requests).to.deep.equal(["GET"]);
    });
  });

  describe("reset", () => {
    it("writes the documented defaults of the declared keys with one read and one update", async () => {
      const defaults = { max_capacity: 80_000, max_charge_power: 7200, policy: "CHARGE BY" };
      expect(await deleted(outputs("reset"))).to.deep.equal({
        requests: ["GET", "PATCH"],
        sent: [defaults],
        warnings: [],
      });
      const one = { ...CAR, onDelete: "reset", maxCapacity: 77_000 };
      expect((await deleted(one)).sent).to.deep.equal([{ max_capacity: 80_000 }]);
    });

    it("writes a default that the cached read shows, after an update that it has not shown yet", async () => {
      const state = outputs("reset", { verification: { ...verified, maxCapacity: "pending" } });
      const live = { max_capacity: 80_000, max_charge_power: 7200, policy: "CHARGE BY" };
      expect((await deleted(state, live)).sent).to.deep.equal([{ max_capacity: 80_000 }]);
    });

    it("sends nothing that is the default already", async () => {
      expect((await deleted(outputs("reset"), { ...ours, max_capacity: 80_000 })).sent).to.deep.equal([
        { max_charge_power: 7200, policy: "CHARGE BY" },
      ]);
    });
  });

  for (const onDelete of ["restore", "reset"]) {
    describe(`${onDelete}: limits`, () => {
      it("makes no request where nothing is declared", async () => {
        expect((await deleted({ ...CAR, onDelete, baseline })).requests).to.deep.equal([]);
      });

      it("never touches a key that another resource of the run declares", async () => {
        const claims = new Claims();
        claims.add(CAR, { maxCapacity: 1, policy: "none" }, ownerOf());
        const { sent } = await deleted(outputs(onDelete), ours, claims);
        expect(sent.map((fields) => Object.keys(fields))).to.deep.equal([["max_charge_power"]]);
      });

      it("writes what another resource declares too, as that undoes nothing", async () => {
        const claims = new Claims();
        const { sent: goal } = await deleted(outputs(onDelete));
        claims.add(CAR, fromDevice(vehicle, goal[0] as Device), ownerOf());
        expect((await deleted(outputs(onDelete), ours, claims)).sent).to.deep.equal(goal);
      });

      it("leaves what another stack of the fleet declares, and tells what it was", async () => {
        writeClaims(path("claims.json"), [[CAR, { maxCapacity: 1 }]]);
        const claims = new Claims({ [CLAIMS_FILE]: path("claims.json") });
        const { sent, warnings } = await deleted(outputs(onDelete), ours, claims);
        expect(sent.map((fields) => Object.keys(fields))).to.deep.equal([["max_charge_power", "policy"]]);
        expect(warnings).to.deep.equal([
          "device 'car' of business 'acme': maxCapacity is not written back, as another stack declares it now",
        ]);
      });

      it("makes no request where others declare everything", async () => {
        const claims = new Claims();
        claims.add(CAR, values, ownerOf());
        expect((await deleted(outputs(onDelete), ours, claims)).requests).to.deep.equal([]);
      });

      it("heeds no claim on another device", async () => {
        const claims = new Claims();
        claims.add(ROOF, values, ownerOf());
        claims.add({ ...CAR, businessId: "other" }, values, ownerOf());
        expect((await deleted(outputs(onDelete), ours, claims)).sent).to.have.lengthOf(1);
      });

      it("succeeds for a device that is gone, before the read", async () => {
        const service = new FakeService();
        await remove(callOf(vehicle, service), fromOutputs(vehicle, outputs(onDelete)));
        expect(service.requests).to.deep.equal(["GET acme/car"]);
      });

      for (const isRead of [true, false]) {
        it(`fails if the device may be there, at another address, ${isRead ? "before the update" : "before the read"}`, async () => {
          const service = Object.assign(isRead ? fleet(ours) : new FakeService(), { believesInGone: false });
          service.beforeUpdate = () => {
            throw refused(404);
          };
          const call = callOf(vehicle, service);
          await failureOf(remove(call, fromOutputs(vehicle, outputs(onDelete))));
          expect([...call.warnings, ...call.infos]).to.deep.equal([]);
        });
      }

      for (const status of [404, 410]) {
        it(`succeeds for a device that is gone before the update (${status})`, async () => {
          const service = fleet(ours);
          service.beforeUpdate = () => {
            throw refused(status);
          };
          await remove(callOf(vehicle, service), fromOutputs(vehicle, outputs(onDelete)));
          expect(service.sent).to.have.lengthOf(1);
        });
      }

      it("fails with every other failure of the update, a 404 that says nothing of the device too", async () => {
        for (const failure of [refused(403), refused(404, { isGone: false })]) {
          const service = fleet(ours);
          service.beforeUpdate = () => {
            throw failure;
          };
          expect(await failureOf(remove(callOf(vehicle, service), fromOutputs(vehicle, outputs(onDelete))))).to.equal(
            failure,
          );
        }
      });

      it("says of an update of unknown outcome what to do, because state does not show it", async () => {
        const service = fleet(ours);
        service.afterUpdate = () => {
          throw uncertain();
        };
        const { message } = await failureOf(remove(callOf(vehicle, service), fromOutputs(vehicle, outputs(onDelete))));
        expect(message)
          .to.contain(uncertain().message)
          .and.to.match(/may have been applied: delete again, or "pulumi refresh" before the next "pulumi up"$/);
      });

      it("refuses a device that is of another type by now, and sends nothing", async () => {
        const service = fleet({ ...ours, dev_type: "Inverter" });
        expect(
          (await failureOf(remove(callOf(vehicle, service), fromOutputs(vehicle, outputs(onDelete))))).message,
        ).to.match(/'Inverter'/);
        expect(service.sent).to.deep.equal([]);
      });
    });
  }
});
