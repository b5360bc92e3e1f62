import { expect } from "chai";
import fc from "fast-check";
import { PhysicalDevices } from "../../../provider/ledger/physical";
import { fingerprintOf } from "../../../provider/service/device";
import { anyId } from "../../support/arbitraries";

const OLD = { businessId: "acme", deviceId: "old" };
const NEW = { businessId: "acme", deviceId: "new" };

describe("the fingerprint of a device", () => {
  it("is the same for the same phys_id in a business, wherever the service shows it", () => {
    fc.assert(
      fc.property(anyId, anyId, (businessId, physId) => {
        const own = fingerprintOf({ businessId }, { phys_id: physId });
        expect(own).to.equal(fingerprintOf({ businessId }, { metadata: { phys_id: physId } }));
        expect(own).to.match(/^[\w-]{6}$/);
      }),
    );
  });

  it("differs for another phys_id, and for another business", () => {
    fc.assert(
      fc.property(anyId, anyId, anyId, (first, second, physId) => {
        fc.pre(first !== second);
        const own = fingerprintOf({ businessId: first }, { phys_id: physId });
        expect(own).to.not.equal(fingerprintOf({ businessId: second }, { phys_id: physId }));
        expect(own).to.not.equal(fingerprintOf({ businessId: first }, { phys_id: `${physId}x` }));
      }),
    );
  });

  it("does not contain the phys_id", () => {
    expect(fingerprintOf(OLD, { phys_id: "WVWZZZ1KZAW000001" })).to.not.include("WVWZZZ");
  });

  for (const device of [{}, { phys_id: "" }, { metadata: { phys_id: "" } }]) {
    it(`is none of ${JSON.stringify(device)}`, () => {
      expect(fingerprintOf(OLD, device)).to.equal(undefined);
    });
  }
});

describe("the physical devices of a run", () => {
  it("find the new id when the old device leaves after the new one was read", () => {
    const devices = new PhysicalDevices();
    expect(devices.read(NEW, "f")).to.equal(undefined);
    expect(devices.leave(OLD, "f")).to.deep.equal(NEW);
  });

  it("find the old id when the new device is read after the old one left", () => {
    const devices = new PhysicalDevices();
    expect(devices.leave(OLD, "f")).to.equal(undefined);
    expect(devices.read(NEW, "f")).to.deep.equal(OLD);
  });

  it("find nothing for the device itself, which another resource may declare again", () => {
    const devices = new PhysicalDevices();
    devices.leave(OLD, "f");
    expect(devices.read(OLD, "f")).to.equal(undefined);
  });

  it("find nothing for another car", () => {
    const devices = new PhysicalDevices();
    devices.read(NEW, "g");
    expect(devices.leave(OLD, "f")).to.equal(undefined);
  });
});
