import { expect } from "chai";
import { sortByKind } from "../../../cli/adopt/kinds";
import { vehicle } from "../../../provider/settings/vehicle";

const PUMP = "Heat pump\nx \u001b[31m";
const device = { businessId: "acme", deviceId: "pump", site: "main", place: "ids:1" };
const reading = { type: PUMP, reported: {} };

describe("adopt: the kind of a device", () => {
  it("tells of a type without what a terminal would obey", () => {
    const [failed] = sortByKind([{ device: { ...device, kind: vehicle }, reading }]).failed;
    expect(failed?.reason).to.contain("is of type 'Heat pump x [31m', which is no vehicle's");
    expect([...sortByKind([{ device, reading }]).supposed]).to.deep.equal([["Heat pump x [31m", 1]]);
  });

  it("is an inverter's for a type that is not exactly a vehicle's, as the provider takes it", () => {
    const { adopted } = sortByKind([{ device, reading: { ...reading, type: "Electric vehicle\n" } }]);
    expect(adopted.map(({ kind }) => kind.name)).to.deep.equal(["inverter"]);
  });
});
