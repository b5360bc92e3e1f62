import type * as Vega from "vega";
import type * as VegaLite from "vega-lite";
import { OPERATIONS, type Operation } from "./contestant";
import { contestantsOf, median, type Result, roundsOf, sizesOf } from "./result";

/** What the plot over sizes shows: the others look like one of these. */
const OVER_SIZES: readonly Operation[] = ["first up", "preview", "refresh"];

/** An SVG of the wall times at one size: bars of each operation by contestant. */
export async function plotOf(results: readonly Result[], vehicles: number): Promise<string> {
  const contestants = contestantsOf(results);
  return await svgOf({
    width: 560,
    height: 240,
    title: `${vehicles} vehicles, a service that answers in 20 ms`,
    data: { values: pointsOf(results, OPERATIONS).filter((point) => point.vehicles === vehicles) },
    mark: "bar",
    encoding: {
      x: { field: "operation", type: "nominal", sort: [...OPERATIONS], axis: { labelAngle: 0, title: null } },
      xOffset: { field: "contestant", sort: contestants },
      y: { field: "seconds", type: "quantitative", title: "seconds" },
      color: { field: "contestant", type: "nominal", sort: contestants, title: null },
    },
  });
}

/** An SVG of the wall time per vehicle over the sizes: lines of each contestant, by operation. */
export async function plotOverSizes(results: readonly Result[]): Promise<string> {
  const contestants = contestantsOf(results);
  const values = pointsOf(results, OVER_SIZES).map((point) => ({
    ...point,
    milliseconds: (1000 * point.seconds) / point.vehicles,
  }));
  return await svgOf({
    title: "Time per vehicle, a service that answers in 20 ms",
    data: { values },
    facet: { column: { field: "operation", sort: [...OVER_SIZES], title: null } },
    spec: {
      width: 180,
      height: 240,
      mark: { type: "line", point: true },
      encoding: {
        x: {
          field: "vehicles",
          type: "quantitative",
          scale: { type: "log", nice: false },
          axis: { values: sizesOf(results), title: "vehicles" },
        },
        y: { field: "milliseconds", type: "quantitative", title: "ms per vehicle" },
        color: { field: "contestant", type: "nominal", sort: contestants, title: null },
      },
    },
  });
}

interface Point {
  readonly vehicles: number;
  readonly operation: Operation;
  readonly contestant: string;
  readonly seconds: number;
}

/** The medians of all rounds. */
function pointsOf(results: readonly Result[], operations: readonly Operation[]): Point[] {
  return sizesOf(results).flatMap((vehicles) =>
    operations.flatMap((operation) =>
      contestantsOf(results).flatMap((contestant) => {
        const seconds = median(roundsOf(results, vehicles, operation, contestant).map((result) => result.seconds));
        return Number.isNaN(seconds) ? [] : [{ vehicles, operation, contestant, seconds }];
      }),
    ),
  );
}

async function svgOf(specification: VegaLite.TopLevelSpec): Promise<string> {
  const { parse, View }: typeof Vega = await import("vega");
  const { compile }: typeof VegaLite = await import("vega-lite");
  const { spec } = compile({ background: "white", ...specification });
  return `${await new View(parse(spec), { renderer: "none" }).toSVG()}\n`;
}
