import { expect } from "chai";
import { capacityOf, OPERATIONS } from "../../../bench/contestant";
import { CHANGED, deviceCount, devicesBefore, devicesOf, resourcesOf, sitesOf } from "../../../bench/workload";

const SITES = { job: "sites", count: 3 } as const;
const VEHICLES = { job: "vehicles", count: 3 } as const;

describe("the workload", () => {
  for (const workload of [SITES, VEHICLES]) {
    it(`has as many devices as it counts: ${workload.job}`, () => {
      expect(Object.keys(devicesOf(workload))).to.have.length(deviceCount(workload));
      expect(Object.keys(devicesBefore(workload))).to.have.length(deviceCount(workload));
    });

    it(`changes each setting of each device, as no request would be needed otherwise: ${workload.job}`, () => {
      const before = devicesBefore(workload);
      for (const [id, { settings }] of Object.entries(devicesOf(workload))) {
        for (const [key, value] of Object.entries(settings)) expect(before[id]?.settings[key], key).not.to.equal(value);
      }
    });

    it(`declares anew one setting of one device: ${workload.job}`, () => {
      const [once, again] = [devicesOf(workload), devicesOf(workload, 1)];
      const changed = Object.keys(once).filter((id) => JSON.stringify(once[id]) !== JSON.stringify(again[id]));
      expect(changed).to.deep.equal([CHANGED]);
      expect(again[CHANGED]?.settings).to.deep.equal({ ...once[CHANGED]?.settings, max_capacity: 1 });
    });
  }

  it("gives a site four vehicles and an inverter", () => {
    for (const { vehicles, inverters } of Object.values(sitesOf(3))) {
      expect([Object.keys(vehicles).length, Object.keys(inverters).length]).to.deep.equal([4, 1]);
    }
  });

  it("leaves the policy to the site, and declares it without one", () => {
    expect(JSON.stringify(resourcesOf(SITES))).not.to.include("policy");
    expect(resourcesOf(VEHICLES)[CHANGED]).to.include({ policy: "CHARGE BY FORECAST" });
  });

  it("gives devices the wire's names", () => {
    expect(devicesOf(SITES)["roof-0"]?.settings).to.have.all.keys(
      "peak_power",
      "azimuth",
      "tilt",
      "cut_in_threshold",
      "base_load",
    );
  });
});

describe("capacityOf", () => {
  it("is another one in each operation that changes it, and stays in the others", () => {
    expect(OPERATIONS.map(capacityOf)).to.deep.equal([77e3, 77e3, 77e3, 77e3, 77e3, 78e3, 79e3, 79e3]);
  });
});
