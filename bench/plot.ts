import type * as Vega from "vega";
import type * as VegaLite from "vega-lite";
import { OPERATIONS } from "./contestant";
import { median, type Result } from "./report";

/** An SVG of the wall times at one size: bars of each operation by contestant. */
export async function plotOf(results: readonly Result[], vehicles: number): Promise<string> {
  const { parse, View }: typeof Vega = await import("vega");
  const { compile }: typeof VegaLite = await import("vega-lite");
  const these = results.filter((result) => result.vehicles === vehicles);
  const contestants = [...new Set(these.map(({ contestant }) => contestant))];
  const values = OPERATIONS.flatMap((operation) =>
    contestants.flatMap((contestant) => {
      const rounds = these.filter((result) => result.operation === operation && result.contestant === contestant);
      return rounds.length > 0
        ? [{ operation, contestant, seconds: median(rounds.map(({ seconds }) => seconds)) }]
        : [];
    }),
  );
  const { spec } = compile({
    background: "white",
    width: 560,
    height: 240,
    title: `${vehicles} vehicles, a service that answers in 20 ms`,
    data: { values },
    mark: "bar",
    encoding: {
      x: { field: "operation", type: "nominal", sort: [...OPERATIONS], axis: { labelAngle: 0, title: null } },
      xOffset: { field: "contestant", sort: contestants },
      y: { field: "seconds", type: "quantitative", title: "seconds" },
      color: { field: "contestant", type: "nominal", sort: contestants, title: null },
    },
  });
  return `${await new View(parse(spec), { renderer: "none" }).toSVG()}\n`;
}
