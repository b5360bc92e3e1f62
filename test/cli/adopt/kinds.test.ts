import { expect } from "chai";
import type { Listed } from "../../../cli/adopt/list";
import { sortByKind } from "../../../cli/adopt/read";
import type { GetDeviceResult } from "../../../provider/engine/deviceView";
import { vehicle } from "../../../provider/settings/vehicle";
import { expectFacts } from "../../support/facts";

const PUMP = "Heat pump\nx \u001b[31m";
const device = { businessId: "acme", deviceId: "pump", site: "main", place: "ids:1" };
const sorted = (one: Listed, devType = PUMP) => {
  const view = { ...device, devType, reported: {} } as unknown as GetDeviceResult;
  return sortByKind([one], new Map([["acme/pump", { view }]]));
};

describe("adopt: the kind of a device", () => {
  it("tells of a type without what a terminal would obey", () => {
    const [failed] = sorted({ ...device, kind: vehicle }).failed;
    expectFacts(failed?.reason, ["'Heat pump x [31m'", "vehicle"]);
    expect([...sorted(device).supposed]).to.deep.equal([["Heat pump x [31m", 1]]);
  });

  it("is an inverter's for a type that is not exactly a vehicle's, as the provider takes it", () => {
    const { adopted } = sorted(device, "Electric vehicle\n");
    expect(adopted.map(({ kind }) => kind.name)).to.deep.equal(["inverter"]);
  });
});
