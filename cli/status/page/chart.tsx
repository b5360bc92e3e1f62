import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";

const HEIGHT = 240;

/** One curve of a chart. */
export interface Curve {
  readonly label: string;
  readonly colour: "roof" | "cars" | "now";
  readonly isFilled?: true;
  readonly dash?: number[];
  readonly watts: readonly number[];
}

/**
 * The powers of a day as curves. @param words description for screen readers
 * @param hours hours of the values
 */
export function Chart({
  words,
  hours,
  curves,
}: {
  readonly words: string;
  readonly hours: number[];
  readonly curves: readonly Curve[];
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => drawn(place.current as HTMLDivElement, hours, curves), [hours, curves]);
  return <div class="chart" ref={place} role="img" aria-label={words} />;
}

/** The options of the chart of a day. A canvas cannot use the style sheet. */
function optionsOf(
  curves: readonly Curve[],
  { width, isDark }: { readonly width: number; readonly isDark: boolean },
): UPlot.Options {
  const { text, grid, fill, ...colours } = isDark
    ? { text: "#b1bac4", grid: "#30363d", roof: "#d29922", cars: "#58a6ff", fill: "#58a6ff33", now: "#ff7b72" }
    : { text: "#424a53", grid: "#d0d7de", roof: "#9a6700", cars: "#0969da", fill: "#0969da26", now: "#cf222e" };
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  return {
    width,
    height: HEIGHT,
    cursor: { show: false },
    legend: { live: false },
    scales: { x: { time: false, range: [0, 24] }, y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] } },
    axes: [
      { ...axis, incrs: [3, 6], values: (_, hours) => hours.map((hour) => `${String(hour).padStart(2, "0")}:00`) },
      { ...axis, label: "kW", labelSize: 20, size: 40 },
    ],
    series: [
      {},
      ...curves.map(({ label, colour, isFilled, dash }) => ({
        ...{ label, width: 2, stroke: colours[colour] },
        ...(isFilled && { fill }),
        ...(dash && { dash }),
      })),
    ],
  };
}

/**
 * Draws a chart into an element. Draws it again if its width or the colors change, and in light colors for print.
 * @returns a function that removes the chart
 */
function drawn(element: HTMLElement, hours: number[], curves: readonly Curve[]): () => void {
  const data: UPlot.AlignedData = [hours, ...curves.map(({ watts }) => watts.map((watt) => watt / 1000))];
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let plot: UPlot | undefined;
  const draw = (isDark: boolean) => {
    plot?.destroy();
    plot = new UPlot(optionsOf(curves, { width: element.clientWidth, isDark }), data, element);
  };
  const redraw = () => draw(dark.matches);
  const onPaper = () => draw(false);
  const watch = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
  redraw();
  watch.observe(element);
  dark.addEventListener("change", redraw);
  addEventListener("beforeprint", onPaper);
  addEventListener("afterprint", redraw);
  return () => {
    watch.disconnect();
    dark.removeEventListener("change", redraw);
    removeEventListener("beforeprint", onPaper);
    removeEventListener("afterprint", redraw);
    plot?.destroy();
  };
}
