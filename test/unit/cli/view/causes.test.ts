import { expect } from "chai";
import fc from "fast-check";
import { type DriftedDevice, driftByCause } from "../../../../cli/view/causes";
import type { SettingChange } from "../../../../cli/view/model";

const drifted = (label: string, settings: SettingChange[], site = "berlin"): DriftedDevice => ({
  site,
  change: { label, kind: "changed", settings },
});
const byPrice = { setting: "policy", from: "CHARGE BY FORECAST", to: "CHARGE BY" };
const cars = (count: number, setting: SettingChange = byPrice) =>
  Array.from({ length: count }, (_, index) => drifted(`vehicle/van-${index}`, [setting], `site-${index}`));

describe("drift by cause", () => {
  it("is one line for cars with the same setting and the same new value, with the list behind it", () => {
    const { shared, others } = driftByCause(cars(38));
    expect(others).to.deep.equal([]);
    expect(shared.map(({ words }) => words)).to.deep.equal(["38 cars: policy CHARGE BY FORECAST → CHARGE BY"]);
    expect(shared[0]?.names).to.have.length(38);
    expect(shared[0]?.names.slice(0, 2)).to.deep.equal(["site-0 van-0", "site-1 van-1"]);
  });

  it("is the range of a number of many new devices, with the devices at its ends first", () => {
    const fresh = (count: number, kind: "new" | "changed" = "new") =>
      Array.from({ length: count }, (_, index): DriftedDevice => {
        const settings = [{ setting: "peakPower", to: 5000 + 1000 * ((index + 7) % count) }];
        return { site: `site-${index}`, change: { label: "inverter/roof", kind, settings } };
      });
    const { shared, others } = driftByCause(fresh(60), 5);
    expect(others).to.deep.equal([]);
    expect(shared.map(({ words }) => words)).to.deep.equal(["60 inverters: new, peakPower → 5 kW to 64 kW"]);
    expect(shared[0]?.names.slice(0, 3)).to.deep.equal(["site-53 roof", "site-52 roof", "site-0 roof"]);
    expect(new Set(shared[0]?.names).size).to.equal(60);
    for (const some of [fresh(8), fresh(60, "changed")]) expect(driftByCause(some, 5).others).to.deep.equal(some);
  });

  it("leaves two devices with the same value as they are", () => {
    expect(driftByCause(cars(2))).to.deep.equal({ shared: [], others: cars(2) });
  });

  it("keeps the other settings of a device with the device", () => {
    const tilt = { setting: "maxCapacity", from: 77_000, to: 70_000 };
    const { others } = driftByCause([...cars(2), drifted("vehicle/van", [byPrice, tilt])]);
    expect(others).to.deep.equal([drifted("vehicle/van", [tilt])]);
  });

  it("has no earlier value if the devices had different ones", () => {
    const different = [77_000, 60_000, 45_000].map((from) => ({ setting: "maxCapacity", from, to: 70_000 }));
    const { shared } = driftByCause(different.map((one, index) => drifted(`vehicle/${index}`, [one])));
    expect(shared.map(({ words }) => words)).to.deep.equal(["3 cars: maxCapacity → 70 kWh"]);
  });

  it("tells cars from inverters", () => {
    const same = { setting: "peakPower", from: 2, to: 1 };
    const devices = ["vehicle/a", "vehicle/b", "inverter/c", "inverter/d"].map((label) => drifted(label, [same]));
    expect(driftByCause(devices).shared).to.deep.equal([]);
  });

  it("compares no secret values, and no devices that are gone", () => {
    const hidden = cars(5, { setting: "maxCapacity", secret: true });
    const gone = cars(5).map(({ change, ...one }) => ({ ...one, change: { ...change, kind: "leaves", settings: [] } }));
    for (const devices of [hidden, gone as DriftedDevice[]]) {
      expect(driftByCause(devices)).to.deep.equal({ shared: [], others: devices });
    }
  });

  it("keeps the line of each device that leaves, if they restore the same value", () => {
    const leaving = cars(3).map(
      ({ change, ...one }): DriftedDevice => ({ ...one, change: { ...change, kind: "leaves" } }),
    );
    const { shared, others } = driftByCause(leaving);
    expect(shared[0]?.names).to.have.length(3);
    expect(others).to.deep.equal(leaving.map((one) => ({ ...one, change: { ...one.change, settings: [] } })));
  });

  it("shows each drifted setting of each device once, whatever it is", () => {
    const setting = fc.record({
      setting: fc.constantFrom("policy", "maxCapacity", "tilt"),
      from: fc.nat(2),
      to: fc.option(fc.nat(2), { nil: undefined }),
      secret: fc.constantFrom(true as const, undefined),
    });
    const settings = fc.uniqueArray(setting, { selector: (one) => one.setting, minLength: 1 });
    const nameOf = ({ site, change }: DriftedDevice) => `${site} ${change.label.split("/")[1]}`;
    const arbitrary = fc.array(fc.tuple(fc.constantFrom("vehicle", "inverter"), settings), { maxLength: 30 });
    fc.assert(
      fc.property(arbitrary, (all) => {
        const devices = all.map(([kind, own], index) => drifted(`${kind}/${index}`, own as SettingChange[]));
        const { shared, others } = driftByCause(devices);
        const keys = [
          ...shared.flatMap(({ words, names }) => names.map((name) => `${name} ${/: (\w+)/.exec(words)?.[1]}`)),
          ...others.flatMap((one) => one.change.settings.map(({ setting }) => `${nameOf(one)} ${setting}`)),
        ];
        const expected = devices.flatMap((one) =>
          one.change.settings.map(({ setting }) => `${nameOf(one)} ${setting}`),
        );
        expect(keys.sort()).to.deep.equal(expected.sort());
        for (const { names } of shared) expect(names.length).to.be.at.least(3);
      }),
    );
  });
});
