import { findingsOf } from "../../measure/sky/findings";
import { judge, wrongPanels } from "../../measure/sky/judge";
import { turn } from "../../measure/sky/plane";
import { type RoofTrend, trendOf } from "../../measure/sky/trend";
import { simulatedRoof, type Weather } from "../support/simulatedRoofs";

const CLOCK = { shift: 0, deviation: 2 };
const STARTS = ["2025-01-15", "2025-03-15", "2025-05-15", "2025-07-15", "2025-09-15", "2025-11-01"];

function found(seed: number, weather: Weather) {
  const roof = simulatedRoof(seed, weather);
  return { roof, findings: findingsOf(roof.series, roof.place, CLOCK) };
}

/** Prints the accuracy of roofs and of their changes for simulated ones. @param seeds of the roofs */
export function printRoofs(seeds: readonly number[]): void {
  console.log("\n| simulated roofs | answered | azimuth | tilt | peak power | azimuth; tilt inside | refused |");
  console.log("|---|---|---|---|---|---|---|");
  for (const step of [15, 60]) for (const days of [30, 60]) roofRow(seeds, { days, step });
  console.log("\n| simulated year | fitted | change found | day within a week | size inside the ± |");
  console.log("|---|---|---|---|---|");
  for (const step of [15, 60]) for (const factor of [1, 0.9, 0.67, 0.5]) changeRow(seeds, step, factor);
}

function roofRow(seeds: readonly number[], { days, step }: { days: number; step: number }): void {
  const all = seeds.map((seed) => found(seed, { days, step, begin: STARTS[seed % STARTS.length] as string }));
  const answers = all.flatMap(({ roof: { panels, place }, findings }) => {
    if (findings.kind !== "onePlane") return [];
    const judgement = judge(panels, findings, place);
    const { measured = {} } = judgement;
    const differs = wrongPanels(judgement);
    const peak = findings.peakPower.value / panels.peakPower - 1;
    return [{ panels, measured, differs, tilt: findings.tilt.value - panels.tilt, peak }];
  });
  const azimuths = answers.flatMap(({ panels, measured: { azimuth } }) =>
    azimuth ? [{ off: Math.abs(turn(panels.azimuth, azimuth.value)), uncertainty: azimuth.uncertainty }] : [],
  );
  const inside = answers.filter(({ tilt, measured }) => Math.abs(tilt) <= (measured.tilt?.uncertainty ?? 0)).length;
  const cells = [
    `${days} days, ${step} min`,
    `${answers.length} of ${seeds.length}`,
    errors(
      azimuths.map(({ off }) => off),
      "°",
    ),
    errors(
      answers.map(({ tilt }) => tilt),
      "°",
    ),
    errors(
      answers.map(({ peak }) => 100 * peak),
      " %",
    ),
    `${azimuths.filter(({ off, uncertainty }) => off <= uncertainty).length} of ${azimuths.length}; ${inside} of ${answers.length}`,
    `${answers.filter(({ differs }) => differs.length > 0).length}`,
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

function changeRow(seeds: readonly number[], step: number, factor: number): void {
  const [begin, days] = ["2025-01-01", 365];
  const first = Date.parse(begin) / 86_400_000;
  const trends = seeds.flatMap((seed): { day: number; trend: RoofTrend }[] => {
    const day = 80 + ((seed * 53) % 200);
    const { findings } = found(seed, { days, step, begin, change: { day, factor } });
    const trend = findings.kind === "onePlane" ? trendOf(findings) : undefined;
    return trend ? [{ day, trend }] : [];
  });
  const changes = trends.flatMap(({ day, trend: { change } }) => (change ? [{ day, change }] : []));
  const near = changes.filter(({ day, change }) => Math.abs(Date.parse(change.since) / 86_400_000 - first - day) <= 7);
  const inside = changes.filter(
    ({ change: { share } }) => Math.abs(Math.log((1 + share.value) / factor)) <= share.uncertainty / (1 + share.value),
  );
  const cells = [
    `${factor === 1 ? "no change" : `−${Math.round(100 * (1 - factor))} %`}, ${step} min`,
    `${trends.length} of ${seeds.length}`,
    `${changes.length}`,
    ...(factor === 1 ? ["", ""] : [`${near.length}`, `${inside.length}`]),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

/** The median error, and the limit of 90 % of the errors. */
function errors(all: readonly number[], unit: string): string {
  const sorted = all.map(Math.abs).sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1);
  return `${at(0.5)}${unit}, ${at(0.9)}${unit}`;
}
