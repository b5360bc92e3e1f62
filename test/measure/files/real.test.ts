import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { meterOf } from "../../../measure/files/meter";
import { productionOf } from "../../../measure/files/production";
import { exportedText } from "../../../measure/files/text";
import { baseLoadOf } from "../../../measure/sky/baseLoad";
import { findingsOf } from "../../../measure/sky/findings";

/** A folder with exports that people published. It is not in this repository: their numbers are those of houses. */
const FOLDER = process.env.REAL_EXPORTS;

const ZONE = { timeZone: "Europe/Amsterdam" };

/** The base load of each file, and the share by which the median of its nights may differ from it. */
const METERS: Readonly<Record<string, readonly [truth: number, within: number]>> = {
  "engie-electricity-and-gas.csv.gz": [260, 0.12],
  "engie-with-feed-in.csv.gz": [179, 0.15],
  "dsmr-reader-hour.csv.gz": [208, 0.1],
  "enphase-five-columns.csv.gz": [275, 0.1],
};

/** Files that have too few days, or only a part of a house: the reason. */
const WITHOUT: Readonly<Record<string, RegExp>> = {
  "fluvius-nl.csv.gz": /fewDays|daysWithGaps/,
  "givenergy-day.json.gz": /fewDays/,
};

describe("real exports", () => {
  before(function () {
    if (FOLDER === undefined || !existsSync(FOLDER)) this.skip();
  });
  const text = (file: string) => exportedText(join(FOLDER as string, file));

  for (const [file, [truth, within]] of Object.entries(METERS))
    it(`have the base load of ${file}`, async () => {
      const found = baseLoadOf(meterOf([await text(file)], ZONE).house);
      expect(found.kind === "measured" && found.value / truth).to.be.within(1 - within, 1 + within);
    });

  for (const [file, reason] of Object.entries(WITHOUT))
    it(`have no base load in ${file}, for its true reason`, async () => {
      const found = baseLoadOf(meterOf([await text(file)], ZONE).house);
      expect(found.kind === "notEnough" && found.reason).to.match(reason);
    });

  it("are refused if they are one phase of a house", async () => {
    const one = await text("shelly-3em-phase-A.csv.gz");
    expect(() => meterOf([one], ZONE)).to.throw("one of three phases");
  });

  it("have the base load of a house in the files of its three phases", async () => {
    const phases = await Promise.all(["A", "B", "C"].map((one) => text(`shelly-3em-phase-${one}.csv.gz`)));
    const found = baseLoadOf(meterOf(phases, ZONE).house);
    expect(found.kind === "measured" && found.value / 259).to.be.within(0.9, 1.1);
  });

  it("show no roof if it grew with too few clear days to see when", async () => {
    const { series } = productionOf([await text("enphase-grew-in-june.csv.gz")], ZONE);
    const found = findingsOf(series, { latitude: 50.1, longitude: 5 }, { shift: 0, deviation: 2 });
    expect(found).to.include({ kind: "notEnough", reason: "hourAboveRoof" });
  });

  it("have import and return in the days of NEM12", async () => {
    const { took, house } = meterOf([await text("nem12-5-minutes.csv.gz")], ZONE);
    expect(took.roles.map(([role]) => role)).to.deep.equal(["import", "return"]);
    expect(house.step).to.equal(15);
  });

  it("have the total of SMA's channels, and the energy of SolarEdge's hours", async () => {
    const sma = productionOf([await text("sma-5-minutes.csv.gz")], ZONE);
    expect(sma.took.column).to.contain("GridMs.TotW");
    for (const month of ["june", "july"]) {
      const { took } = productionOf([await text(`solaredge-api-${month}.json.gz`)], ZONE);
      expect(took, month).to.deep.include({ format: "SolarEdge", zone: "own", label: "start", step: 60 });
    }
  });

  it("show no roof in a June with 6 clear days, whose hours without sun have no value", async () => {
    const { series } = productionOf([await text("solaredge-api-june.json.gz")], ZONE);
    const found = findingsOf(series, { latitude: 52, longitude: 5 }, { shift: 0, deviation: 2 });
    expect(found).to.include({ kind: "notEnough", reason: "fewClearDays", read: 30, kept: 6 });
  });
});
