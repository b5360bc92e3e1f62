import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { CLAIMS_FILE, Claims, type Owner, writeClaims } from "../../../provider/lifecycle/claims";
import type { DeviceRef } from "../../../provider/service/device";
import { inverter } from "../../../provider/settings/inverter";
import { CAR, ownerOf, ROOF } from "../../support/fakes";
import { temporaryFolder } from "../../support/folder";

describe("Claims", () => {
  const path = temporaryFolder();

  it("are against another value of what was added, by device and key", () => {
    const claims = new Claims();
    claims.add(CAR, { policy: "CHARGE BY" }, ownerOf());
    claims.add(CAR, { maxCapacity: 77_000 }, ownerOf());
    claims.add(ROOF, { tilt: 30 }, ownerOf());
    expect(claims.against(CAR, "policy", "CHARGE BY FORECAST")).to.equal("this stack");
    expect(claims.against(CAR, "policy", "CHARGE BY")).to.equal(undefined);
    expect(claims.against(CAR, "maxCapacity", undefined)).to.equal("this stack");
    expect(claims.against(CAR, "tilt", 31)).to.equal(undefined);
    expect(claims.against(ROOF, "tilt", 31)).to.equal("this stack");
    expect(claims.against({ ...CAR, businessId: "other" }, "policy", undefined)).to.equal(undefined);
  });

  it("knows the resource that declares a key, where that is told, and some resource of the program", () => {
    const claims = new Claims();
    claims.add(ROOF, { tilt: 30 }, ownerOf());
    expect(claims.anyUrn).to.equal(undefined);
    claims.add(CAR, { policy: "CHARGE BY" }, ownerOf("urn:policy"));
    claims.add(CAR, { maxCapacity: 77_000 }, ownerOf("urn:car"));
    const urns = ["policy", "maxCapacity", "tilt"].map((key) => claims.urnOf(CAR, key));
    expect([...urns, claims.urnOf(ROOF, "tilt")]).to.deep.equal(["urn:policy", "urn:car", undefined, undefined]);
    expect(claims.anyUrn).to.equal("urn:policy");
  });

  it("forgets what one resource declares, and keeps what others declare of the same device", () => {
    const claims = new Claims();
    claims.add(CAR, { policy: "CHARGE BY" }, ownerOf("urn:policy"));
    claims.add(CAR, { maxCapacity: 77_000 }, ownerOf("urn:car"));
    claims.add(ROOF, { tilt: 30 }, ownerOf("urn:car"));
    claims.release("urn:car");
    expect(claims.urnOf(CAR, "policy")).to.equal("urn:policy");
    expect([claims.urnOf(CAR, "maxCapacity"), claims.urnOf(ROOF, "tilt")]).to.deep.equal([undefined, undefined]);
    claims.release("urn:car");
    claims.release("urn:other");
    claims.release(undefined);
    expect(claims.urnOf(CAR, "policy")).to.equal("urn:policy");
  });

  it("let a device be of another kind once nobody declares it, and not while somebody else still does", () => {
    const claims = new Claims();
    claims.add(CAR, { policy: "CHARGE BY" }, ownerOf("urn:policy"));
    claims.add(CAR, { maxCapacity: 77_000 }, ownerOf("urn:car"));
    const roof = ownerOf("urn:roof", inverter);
    expect(claims.add(CAR, { tilt: 30 }, roof)).to.deep.equal({ deviceId: ownerOf("urn:policy").words });
    claims.release("urn:policy");
    expect(claims.add(CAR, { tilt: 30 }, roof)).to.have.property("deviceId");
    claims.release("urn:car");
    claims.add(ROOF, { tilt: 30 }, ownerOf("urn:once", inverter));
    claims.release("urn:once");
    expect(claims.add(ROOF, { policy: "CHARGE BY" }, ownerOf("urn:again"))).to.deep.equal({});
  });

  it("are of two owners if the resources differ, or the devices of one site do, and never of one that is not known", () => {
    const declare = (first: Owner, second: Owner) => {
      const claims = new Claims();
      claims.add(CAR, { policy: "CHARGE BY" }, first);
      return claims.add(CAR, { policy: "CHARGE BY" }, second);
    };
    const of = (urn: string | undefined, words: string): Owner => ({ ...ownerOf(urn), words });
    const other = { policy: "vehicle/a of SiteSettings 'home'" };
    const first = of("urn:home", other.policy);
    expect(declare(first, of("urn:home", "vehicle/b of SiteSettings 'home'"))).to.deep.equal(other);
    expect(declare(first, of("urn:north", first.words))).to.deep.equal(other);
    expect(declare(first, first)).to.deep.equal({});
    expect(declare(first, of(undefined, "VehicleSettings 'car'"))).to.deep.equal({});
    expect(declare(of(undefined, "VehicleSettings 'car'"), first)).to.deep.equal({});
  });

  it("know a resource of the run that declares nothing, as it is deleted", () => {
    const claims = new Claims();
    claims.see("urn:deleted");
    claims.see("urn:other");
    expect(claims.anyUrn).to.equal("urn:deleted");
  });

  it("does not confuse ids that look alike when joined", () => {
    const claims = new Claims();
    claims.add({ businessId: "a/b", deviceId: "c" }, { policy: "CHARGE BY" }, ownerOf());
    expect(claims.against({ businessId: "a", deviceId: "b/c" }, "policy", undefined)).to.equal(undefined);
  });

  it("are against another value of what another stack of the fleet declares, as the file says, and know no resource of it", () => {
    const file = path("claims.json");
    const odd = { businessId: "a/b", deviceId: "__proto__" };
    writeClaims(file, [
      [CAR, { maxCapacity: 77_000 }],
      [odd, { policy: "CHARGE BY" }],
      [CAR, { policy: "CHARGE BY" }],
    ]);
    const claims = new Claims({ [CLAIMS_FILE]: file });
    claims.add(CAR, { maxChargePower: 11_000, policy: "CHARGE BY FORECAST" }, ownerOf("urn:car"));
    const keys = ["maxCapacity", "policy", "maxChargePower", "tilt", "constructor"];
    const against = (device: DeviceRef) => keys.map((key) => claims.against(device, key, undefined));
    expect(against(CAR)).to.deep.equal(["another stack", "this stack", "this stack", undefined, undefined]);
    expect(against(odd)).to.deep.equal([undefined, "another stack", undefined, undefined, undefined]);
    expect(against(ROOF)).to.deep.equal(keys.map(() => undefined));
    expect(claims.against(CAR, "maxCapacity", 77_000)).to.equal(undefined);
    expect(claims.against(CAR, "policy", "CHARGE BY FORECAST")).to.equal(undefined);
    expect(claims.urnOf(CAR, "maxCapacity")).to.equal(undefined);
  });

  for (const [what, text] of Object.entries({ "is not there": undefined, "is cut": '[["acme/car",{"pol' })) {
    it(`let nothing be restored where the file ${what}, as another stack may have set it`, () => {
      const file = path(`${what}.json`);
      if (text) writeFileSync(file, text);
      const claims = new Claims({ [CLAIMS_FILE]: file });
      expect(() => claims.against(CAR, "policy", undefined)).to.throw(`${CLAIMS_FILE} cannot be read`);
    });
  }
});
