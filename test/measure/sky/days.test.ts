import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { LOSSES, type SunDay, type SunInverter, type SunSite, sunOf, sunYearOf } from "../../../measure/sky/days";

const FIGURES = join(__dirname, "../../../../test/measure/sky/reference.csv");

/** One row of pvlib's figures. */
interface Reference extends Record<string, unknown> {
  readonly latitude: number;
  readonly tilt: number;
  readonly azimuth: number;
  readonly date: string;
  readonly insolation_kwh_m2: number;
  readonly peak_w_m2: number;
  readonly peak_at: string;
}

const ROWS: Reference[] = parse(readFileSync(FIGURES), {
  columns: true,
  cast: (text) => (Number.isNaN(Number(text)) ? text : Number(text)),
  comment: "#",
});

/** The peak power of a roof with round numbers: 1,000 W/m² give 1 MW after the losses. */
const MEGAWATT = 1_000_000 / (1 - LOSSES);

const ROOF: SunInverter = { peakPower: 9800, azimuth: 202.5, tilt: 35, baseLoad: 400, cutInThreshold: 150 };
const HOME: SunSite = { latitude: 48.1, inverters: { roof: ROOF }, cars: [{ chargePower: 11_000, capacity: 77_000 }] };

const spring = (site: SunSite): SunDay => sunOf(site)[0] as SunDay;
const home = (roof: Partial<SunInverter>, rest: Partial<SunSite> = {}) =>
  spring({ ...HOME, ...rest, inverters: { roof: { ...ROOF, ...roof } } });

describe("sun of a site beside pvlib's figures", () => {
  for (const row of ROWS) {
    const { latitude, tilt, azimuth, date } = row;
    it(`latitude ${latitude}, tilt ${tilt}, azimuth ${azimuth}, ${date}`, () => {
      const inverters = { roof: { peakPower: MEGAWATT, tilt, azimuth } };
      const day = sunOf({ latitude, inverters, cars: [] }).find((one) => one.date === date) as SunDay;
      const off = Math.abs(day.roofKilowattHours / 1000 - row.insolation_kwh_m2);
      expect(off, "kWh/m² of the day").to.be.below(Math.max(0.08 * row.insolation_kwh_m2, 0.1));
      if (row.peak_w_m2 > 100) {
        expect(Math.abs(minutesOf(day.peakAt) - minutesOf(row.peak_at)), "minutes of the peak").to.be.at.most(20);
      }
    });
  }

  it("has rows of each hemisphere, and of each day that is looked at", () => {
    expect(ROWS).to.have.lengthOf(60);
    expect(new Set(ROWS.map(({ date }) => date))).to.deep.equal(new Set(sunOf(HOME).map(({ date }) => date)));
    expect(ROWS.some(({ latitude }) => latitude < 0)).to.equal(true);
  });
});

describe("sun of a site", () => {
  it("shows a roof that faces the wrong way", () => {
    const [right, wrong] = [home({}), home({ azimuth: 22.5 })];
    expect([right.roofKilowattHours, wrong.roofKilowattHours].map(Math.round)).to.deep.equal([56, 14]);
    expect([right.peakAt, wrong.peakAt]).to.deep.equal(["12:50", "09:30"]);
  });

  it("shows kW in place of W", () => {
    expect(home({ peakPower: 9.8 }).kilowattHours).to.equal(0);
  });

  it("shows a base load above the roof's power", () => {
    expect(home({ baseLoad: 9800 })).to.include({ kilowattHours: 0 });
  });

  it("takes away the base load of each inverter", () => {
    const half = { ...ROOF, peakPower: 4900 };
    const two = spring({ ...HOME, inverters: { east: half, west: half } });
    expect(two.roofKilowattHours).to.be.closeTo(home({}).roofKilowattHours, 0.1);
    expect(two.kilowattHours).to.be.closeTo(home({ baseLoad: 800 }).kilowattHours, 0.1);
  });

  it("leaves an inverter out while it is below its cut-in threshold", () => {
    const threshold = 3000;
    const { roofWatts, chargeWatts } = home({ cutInThreshold: threshold, baseLoad: 0 });
    expect(chargeWatts).to.deep.equal(roofWatts.map((watts) => (watts < threshold ? 0 : watts)));
  });

  it("gives the cars no more than they take", () => {
    const { chargeWatts } = home({}, { cars: [1400, 2300].map((chargePower) => ({ chargePower, capacity: 77_000 })) });
    expect(Math.max(...chargeWatts)).to.equal(3700);
    expect(home({}, { cars: [] }).kilowattHours).to.equal(0);
  });

  it("gives the cars no more than they hold", () => {
    const { chargeWatts, kilowattHours } = home({}, { cars: [{ chargePower: 11_000, capacity: 10_000 }] });
    expect(kilowattHours).to.equal(10);
    expect(chargeWatts.findLastIndex((watts) => watts > 0)).to.be.below(12 * 12);
  });

  it("has a year of clear days, whose share of a change is that of the days", () => {
    const [right, wrong] = [202.5, 22.5].map((azimuth) =>
      sunYearOf({ ...HOME, inverters: { roof: { ...ROOF, azimuth } } }),
    );
    expect(right?.roofKilowattHours).to.be.within(15_000, 22_000);
    expect((wrong?.roofKilowattHours ?? 0) / (right?.roofKilowattHours ?? 1)).to.be.within(0.35, 0.7);
  });

  it("is of the planes themselves if one stands for several", () => {
    const planes = [90, 270].map((azimuth) => ({ peakPower: 4900, azimuth, tilt: 35 }));
    const [east, west] = planes.map((plane) => home(plane).roofKilowattHours);
    expect(home({ planes }).roofKilowattHours).to.be.closeTo((east ?? 0) + (west ?? 0), 0.1);
  });

  it("has no peak on a day without sun", () => {
    const [, , , winter] = sunOf({ ...HOME, latitude: 75 });
    expect(winter).to.include({ roofKilowattHours: 0, peakAt: "" });
  });

  it("is longest in June in the north, and in December in the south", () => {
    const level = { peakPower: 1000, azimuth: 0, tilt: 0 };
    const kilowattHours = (latitude: number) =>
      sunOf({ latitude, inverters: { level }, cars: [] }).map((day) => day.roofKilowattHours);
    expect(kilowattHours(50).indexOf(Math.max(...kilowattHours(50)))).to.equal(1);
    expect(kilowattHours(-50).indexOf(Math.max(...kilowattHours(-50)))).to.equal(3);
  });

  it("never leaves the cars more than the roofs give, nor less than nothing, whatever the site", () => {
    const inverter = fc.record({
      peakPower: fc.double({ min: 100, max: 1_000_000, noNaN: true }),
      azimuth: fc.double({ min: 0, max: 360, noNaN: true }),
      tilt: fc.double({ min: 0, max: 90, noNaN: true }),
      baseLoad: fc.double({ min: 0, max: 100_000, noNaN: true }),
      cutInThreshold: fc.double({ min: 0, max: 1_000_000, noNaN: true }),
    });
    const site = fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      inverters: fc.dictionary(fc.string(), inverter, { maxKeys: 3 }),
      cars: fc.array(
        fc.record({
          chargePower: fc.double({ min: 0, max: 350_000, noNaN: true }),
          capacity: fc.double({ min: 0, max: 200_000, noNaN: true }),
        }),
        { maxLength: 3 },
      ),
    });
    fc.assert(
      fc.property(site, (any) => {
        for (const { minutes, roofWatts, chargeWatts, roofKilowattHours, kilowattHours } of sunOf(any)) {
          expect([roofWatts.length, chargeWatts.length]).to.deep.equal([minutes.length, minutes.length]);
          const peakPower = Object.values(any.inverters).reduce((total, one) => total + one.peakPower, 0);
          for (const [index, watts] of roofWatts.entries()) {
            expect(watts).to.be.within(0, 1.3 * peakPower + 1);
            expect(chargeWatts[index]).to.be.within(0, watts);
          }
          expect(Number.isFinite(roofKilowattHours)).to.equal(true);
          const capacity = any.cars.reduce((total, car) => total + car.capacity, 0);
          expect(kilowattHours).to.be.at.most(capacity / 1000 + 0.001);
        }
      }),
      { numRuns: 40 },
    );
  });
});

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
