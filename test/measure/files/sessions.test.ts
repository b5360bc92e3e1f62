import { expect } from "chai";
import { capacityOf } from "../../../measure/sky/capacity";
import { chargePowerOf } from "../../../measure/sky/chargePower";
import { EXPORTS, simulatedCar } from "../../support/charging";
import { sessionsOf } from "../../support/exports";

const CAR = simulatedCar(11, { count: 50, car: "Blue car" });

/** Largest rounding of an energy, in Wh, and of a start, in seconds. */
const ROUNDED: Readonly<Record<string, readonly [energy: number, start: number]>> = {
  "SMA EV Charger": [5, 1],
  Škoda: [501, 60],
  // The counter says when it rose, not when the charging began.
  "Home Assistant": [1, 120],
};

/** Systems that know only the times of the plug. */
const OF_PLUG = ["Zaptec", "SMA EV Charger"];

describe("sessions in a file", () => {
  for (const [form, exportOf] of Object.entries(EXPORTS)) {
    it(`of ${form} are read with their times, energies and powers`, () => {
      const { format, sessions } = sessionsOf(exportOf(CAR.sessions));
      expect(form).to.contain(format);
      expect(sessions).to.have.length(CAR.sessions.length);
      for (const [i, one] of sessions.entries()) {
        const { start, drawn, hours } = CAR.sessions[i] as (typeof CAR.sessions)[number];
        const [energy, seconds] = ROUNDED[form] ?? [1, 1];
        expect(one.start).to.be.closeTo(start, seconds);
        expect(one.drawn).to.be.closeTo(drawn ?? 0, energy);
        if (one.hours !== undefined) expect(one.hours).to.be.closeTo(hours ?? 0, Math.max(0.01, seconds / 3600));
      }
      if (sessions.some(({ to }) => to !== undefined)) {
        const capacity = capacityOf(sessions);
        expect(capacity.kind === "measured" && capacity.value / CAR.capacity).to.be.within(0.95, 1.05);
      }
      if (!OF_PLUG.includes(format)) {
        const power = chargePowerOf(sessions);
        expect(power.kind === "measured" && power.value / CAR.power).to.be.within(0.95, 1.05);
      }
    });
  }

  it("may be in several files that were joined, each with its header and a mark of its encoding", () => {
    const half = CAR.sessions.length / 2;
    for (const [form, exportOf] of Object.entries(EXPORTS)) {
      const parts = [CAR.sessions.slice(0, half), CAR.sessions.slice(half)].map(exportOf);
      if (parts[0]?.startsWith("{") || parts[0]?.startsWith("[")) continue;
      expect(sessionsOf(parts.map((text) => `\ufeff${text}`).join("")).sessions, form).to.have.length(half * 2);
    }
  });

  it("of chargers without a car's data show no state of charge, and plug times no power", () => {
    for (const form of ["Easee", "Zaptec", "go-e", "Wallbox", "SMA EV Charger"] as const)
      expect(capacityOf(sessionsOf(EXPORTS[form](CAR.sessions)).sessions)).to.include({ reason: "noStateOfCharge" });
    for (const form of ["Zaptec", "SMA EV Charger"] as const)
      expect(chargePowerOf(sessionsOf(EXPORTS[form](CAR.sessions)).sessions)).to.include({ reason: "plugTimes" });
  });

  it("of chargers' portals have the hours of charging beside those of the plug", () => {
    const iso = (at: number) => new Date(1000 * at).toISOString();
    const hours = (one: number) => `${Math.floor(one)}:${String(Math.floor((one % 1) * 60)).padStart(2, "0")}:00`;
    for (const [names, own] of [
      ["Start,End,Charging Time (h:m:s),Energy (kWh)", (all: number, of: number) => hours(of ?? all)],
      [
        "Start,End,Total duration,Active duration,Energy [kWh]",
        (all: number, of: number) => `${hours(all)},${hours(of)}`,
      ],
    ] as const) {
      const rows = CAR.sessions.map(
        ({ start, end, drawn = 0, hours: of = 0 }) =>
          `${iso(start)},${iso(end)},${own((end - start) / 3600, of)},${drawn / 1000}`,
      );
      const power = chargePowerOf(sessionsOf([names, ...rows].join("\n")).sessions);
      expect(power.kind === "measured" && power.value / CAR.power, names).to.be.within(0.95, 1.05);
    }
    const easee = CAR.sessions.map(({ start, end, drawn = 0 }) => `${iso(start)};${iso(end)};${drawn / 1000}`);
    const portal = ["Session start;Session end;Consumption (kWh)", ...easee].join("\n");
    expect(sessionsOf(portal))
      .to.include({ format: "Easee" })
      .and.property("sessions")
      .to.have.length(CAR.sessions.length);
  });

  it("that were exported twice count once, and a session without an end does not count", () => {
    const [header = "", ...rows] = EXPORTS.evcc(CAR.sessions).trim().split("\n");
    const twice = [
      header,
      ...rows.flatMap((row) => [row, row]),
      "2025-05-01 10:00:00,,Garage,,Blue car,,,,0.5,0:01:00,,,,,,",
    ];
    expect(sessionsOf(twice.join("\n")).sessions).to.have.length(rows.length);
  });

  it("may be those of several files with the same header", () => {
    const text = EXPORTS["older evcc"](CAR.sessions);
    const later = CAR.sessions.map((one) => ({ ...one, start: one.start + 1e7, end: one.end + 1e7 }));
    expect(sessionsOf(text + EXPORTS["older evcc"](later)).sessions).to.have.length(2 * CAR.sessions.length);
  });

  it("keep the names of cars", () => {
    const other = simulatedCar(12, { car: "Small" });
    const { sessions } = sessionsOf(EXPORTS["evcc in German"]([...CAR.sessions, ...other.sessions]));
    expect(new Set(sessions.map(({ car }) => car))).to.deep.equal(new Set(["Blue car", "Small"]));
  });

  const WRONG: Readonly<Record<string, readonly [text: string, expected: RegExp]>> = {
    "without a time": ["hello\nworld\n", /no row with a date/],
    "of another kind": [
      "time,power\n2025-01-01 00:00:00,5\n2025-01-01 01:00:00,6\n",
      /not a list of charging sessions.*time and power/,
    ],
    "with times in place of names": [
      "entity_id,type,unit,2025-03-12T23:00:00.000Z\nsensor.grid,grid_consumption,kWh,0.3\n",
      /not a list of charging sessions.*The columns are without names/,
    ],
    "of a year of zeros": [
      EXPORTS.evcc(CAR.sessions.map((one) => ({ ...one, drawn: 0 }))),
      /no session with an energy above 0/,
    ],
    "with a broken time": [
      EXPORTS.evcc(CAR.sessions).replace(/\n[^,\n]+/g, (all) => (all.includes("02-10") ? "\nx" : all)),
      /line \d+, column 1 \(Created\): not a time/,
    ],
    "of a history without a counter": [
      "entity_id,state,last_changed\nsensor.power,1,2025-01-01T00:00:00Z\nsensor.power,2,2025-01-01T01:00:00Z\n",
      /no sensor is an energy counter/,
    ],
    "of a history with several counters": [
      "entity_id,state,last_changed\nsensor.a_energy,1,2025-01-01T00:00:00Z\nsensor.b_energy,2,2025-01-01T01:00:00Z\n",
      /several sensors may be the energy counter.*a_energy' and 'sensor.b_energy'/,
    ],
    "of a history that never charges": [
      "entity_id,state,last_changed\nsensor.a_energy,1,2025-01-01T00:00:00Z\nsensor.a_energy,1,2025-01-01T01:00:00Z\n",
      /never rises/,
    ],
  };
  for (const [name, [text, expected]] of Object.entries(WRONG)) {
    it(`cannot be read from a file ${name}`, () => {
      expect(() => sessionsOf(text)).to.throw(expected);
    });
  }

  it("can be cut off anywhere: the rest is read, or there is an error", () => {
    const text = EXPORTS.evcc(CAR.sessions);
    for (let end = 10; end < text.length; end += 97) {
      try {
        expect(sessionsOf(text.slice(0, end)).sessions.length).to.be.at.most(CAR.sessions.length);
      } catch (error) {
        expect((error as Error).message).to.match(/no row with a date|not a time|no session|not a list/);
      }
    }
  });
});
