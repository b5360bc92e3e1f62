import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { baseLoadOf, type House } from "../../measure/sky/baseLoad";
import { capacityOf } from "../../measure/sky/capacity";
import { chargePowerOf } from "../../measure/sky/chargePower";
import { cutInOf } from "../../measure/sky/cutIn";
import { JUDGES } from "../../measure/sky/declared";
import type { Session } from "../../measure/sky/sessions";
import { type Circumstances, EXPORTS, type SimulatedCar, simulatedCar } from "../support/charging";
import { meterOf, sessionsOf } from "../support/exports";
import {
  type Household,
  houseOf,
  METERS,
  type SimulatedHouse,
  simulatedHouse,
  simulatedInverter,
} from "../support/houses";
import { printFolder } from "./folder";
import { printRoofs } from "./roofs";

/**
 * Prints how accurate `measure` is: for simulated cars, houses and inverters with other seeds than in the tests, or for
 * a folder with exports and their truth.
 */

/** A value that was measured, or the reason why not. */
interface Found {
  readonly kind: string;
  readonly value?: number;
  /** Absolute, in the unit of the value. */
  readonly deviation?: number;
  readonly reason?: string;
}

interface Answer {
  readonly truth: number;
  readonly found: Found;
  readonly isRefused: boolean;
}

const COUNT = Number(process.env.ACCURACY_COUNT ?? 200);

/** The first seed. Tests use smaller ones. */
const FIRST = 10_000;

function rowOf(name: string, answerOf: (seed: number) => Answer, count = COUNT): void {
  const answers = Array.from({ length: count }, (_, i) => answerOf(FIRST + i));
  const measured = answers.filter(({ found }) => found.kind === "measured");
  const errors = measured.map(({ truth, found }) => Math.abs((found.value ?? 0) / truth - 1)).sort((a, b) => a - b);
  const inside = measured.filter(
    ({ truth, found }) => Math.abs((found.value ?? 0) - truth) <= 2 * (found.deviation ?? 0),
  ).length;
  const stated = measured.map(({ found }) => (2 * (found.deviation ?? 0)) / (found.value ?? 1)).sort((a, b) => a - b);
  const at = (all: readonly number[], share: number) => percent(all[Math.floor(share * (all.length - 1))]);
  const reasons = new Map<string, number>();
  for (const { found } of answers)
    if (found.kind !== "measured")
      reasons.set(found.reason ?? found.kind, (reasons.get(found.reason ?? found.kind) ?? 0) + 1);
  const cells = [
    `${measured.length} of ${count}`,
    `${at(errors, 0.5)}, ${at(errors, 0.9)}`,
    at(stated, 0.5),
    `${inside}`,
    `${answers.filter(({ isRefused }) => isRefused).length}`,
    [...reasons].map(([reason, number]) => `${number} ${reason}`).join(", "),
  ];
  console.log(`| ${[name, ...cells].join(" | ")} |`);
}

function percent(share: number | undefined): string {
  return share === undefined ? "–" : `${(100 * share).toFixed(1)} %`;
}

const relative = <T extends { kind: string }>(found: T & { value?: number; deviation?: number }): Found =>
  found.kind === "measured" ? { ...found, deviation: (found.deviation ?? 0) * (found.value ?? 0) } : found;

function capacityRow(name: string, circumstances: Circumstances, seen: (car: SimulatedCar) => readonly Session[]) {
  rowOf(name, (seed) => {
    const car = simulatedCar(seed, circumstances);
    const found = capacityOf(seen(car));
    return {
      truth: car.capacity,
      found: relative(found),
      isRefused: JUDGES.maxCapacity(car.capacity, found, []).differs,
    };
  });
}

function powerRow(name: string, circumstances: Circumstances, seen = (car: SimulatedCar) => car.sessions) {
  rowOf(name, (seed) => {
    const car = simulatedCar(seed, circumstances);
    const found = chargePowerOf(seen(car));
    return { truth: car.power, found: relative(found), isRefused: JUDGES.maxChargePower(car.power, found).differs };
  });
}

function houseRow(name: string, household: Household, seen: (house: SimulatedHouse) => House) {
  rowOf(
    name,
    (seed) => {
      const house = simulatedHouse(seed, household);
      const found = baseLoadOf(seen(house));
      return { truth: house.base, found, isRefused: JUDGES.baseLoad(house.base, found).differs };
    },
    Math.ceil(COUNT / 4),
  );
}

function inverterRow(step: number) {
  rowOf(
    `cut-in threshold, steps of ${step} min`,
    (seed) => {
      const { cutIn, mornings } = simulatedInverter(seed, step);
      const found = cutInOf(mornings);
      return { truth: cutIn, found, isRefused: JUDGES.cutInThreshold(cutIn, found).differs };
    },
    Math.ceil(COUNT / 4),
  );
}

const atCharger = ({ sessions }: SimulatedCar) => sessions.map(({ added: _, ...rest }) => rest);
const withoutHours = (car: SimulatedCar) => atCharger(car).map(({ hours: _, ...rest }) => rest);

const byLoad = (house: SimulatedHouse) => houseOf(house, "load");
const byImport = (house: SimulatedHouse) => houseOf(house, "import");
const byBoth = (house: SimulatedHouse) => houseOf(house, "import and return");

const HEADER =
  "answered | median error, 90 % | stated ± | inside | right values refused | not enough |\n|---|---|---|---|---|---|---|";

/** Prints the accuracy of values that are written in the form of each system, and read again. */
function printForms(): void {
  console.log(`\n| form | ${HEADER}`);
  for (const [form, exportOf] of Object.entries(EXPORTS)) {
    const seen = ({ sessions }: SimulatedCar) => sessionsOf(exportOf(sessions)).sessions;
    capacityRow(`capacity, ${form}`, { car: "Blue car" }, seen);
    powerRow(`charge power, ${form}`, { car: "Blue car" }, seen);
  }
  for (const [form, exportOf] of Object.entries(METERS))
    houseRow(`base load, ${form}`, { hasSolar: true, step: 60 }, (house) => meterOf(exportOf(house), UTC).house);
}

const UTC = { timeZone: "UTC" };

function printSimulated(): void {
  console.log(`| simulated | ${HEADER}`);
  capacityRow("capacity, energy in the battery, 20 % at fast chargers", { fast: 0.2 }, ({ sessions }) => sessions);
  capacityRow("capacity, energy at the charger", {}, atCharger);
  capacityRow("capacity, charger, nearly all from surplus", { surplus: 0.9 }, atCharger);
  capacityRow("capacity, charger, hours of charging not known", {}, withoutHours);
  capacityRow("capacity, charger, 15 % old states of charge", { old: 0.15 }, atCharger);
  capacityRow("capacity, charger, 15 sessions", { count: 15 }, atCharger);
  powerRow("charge power", {});
  powerRow("charge power, nearly all from surplus", { surplus: 0.9 });
  powerRow("charge power, 15 sessions", { count: 15 });
  houseRow("base load, load, 15 min", {}, byLoad);
  houseRow("base load, load, hourly", { step: 60 }, byLoad);
  houseRow("base load, load, a car by night", { hasCar: true, step: 60 }, byLoad);
  houseRow(
    "base load, a year with heating",
    { days: 365, from: Date.UTC(2025, 0, 1) / 1000, hasHeating: true },
    byLoad,
  );
  houseRow("base load, a new load on day 40", { change: { day: 40, watts: 120 } }, byLoad);
  houseRow("base load, import and return, solar", { hasSolar: true }, byBoth);
  houseRow("base load, import only, solar", { hasSolar: true, step: 60 }, byImport);
  houseRow("base load, import only, solar, a boiler by night", { hasSolar: true, hasBoiler: true }, byImport);
  houseRow("base load, import only, a battery", { hasSolar: true, hasBattery: true }, byImport);
  houseRow(
    "base load, only winter with heating",
    { days: 60, from: Date.UTC(2025, 10, 5) / 1000, hasHeating: true },
    byLoad,
  );
  for (const step of [1, 5, 15]) inverterRow(step);
  printForms();
  printRoofs(Array.from({ length: Math.ceil(COUNT / 8) }, (_, i) => FIRST + i));
}

const [folder] = process.argv.slice(2);
if (folder !== undefined && existsSync(join(folder, "truth.json")))
  printFolder(folder, JSON.parse(readFileSync(join(folder, "truth.json"), "utf8")));
else printSimulated();
