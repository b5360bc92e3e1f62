import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import UPlot from "uplot";
import { settingInWords } from "../../settingWords";
import type { SiteStatus } from "../../status/model";
import { LOSSES, type SunDay, sunOf } from "../../sun/site";
import { sunSiteOf } from "../../sun/sunSite";

/** What solar-aware charging can count on at a site: of what is declared, and of what is reported if that has drifted. */
export function Sun({ site }: { readonly site: SiteStatus }) {
  const [index, setIndex] = useState(0);
  const { solar, latitude, devices } = site;
  const hasDrifted = devices.some(({ drift }) => drift.length > 0);
  const { declared, reported, gaps } = useMemo(() => {
    const of = (isReported: boolean) =>
      sunSiteOf(
        latitude,
        devices.map(({ label, observe, declared, reported }) => ({
          label,
          values: observe ? reported : isReported ? { ...declared, ...reported } : declared,
        })),
      );
    const planned = of(false);
    const now = hasDrifted ? of(true) : undefined;
    return {
      declared: planned.site && sunOf(planned.site),
      reported: now?.site && sunOf(now.site),
      gaps: planned.gaps,
    };
  }, [latitude, devices, hasDrifted]);
  if (!solar) return null;
  return (
    <section aria-labelledby="sun" class="sun">
      <h2 id="sun">Sun</h2>
      {declared ? (
        <Days days={declared} reported={reported} index={index} onChoose={setIndex} />
      ) : (
        <p class="muted">
          No estimate without{" "}
          {gaps
            ?.map(({ device, setting }) => (device === "site" ? setting : `${settingInWords(setting)} of ${device}`))
            .join(", ")}
          .
        </p>
      )}
    </section>
  );
}

/** `20 March`. */
function dayInWords({ date }: SunDay): string {
  return new Date(date).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
}

function Days({
  days,
  reported,
  index,
  onChoose,
}: {
  readonly days: readonly SunDay[];
  readonly reported: readonly SunDay[] | undefined;
  readonly index: number;
  readonly onChoose: (index: number) => void;
}) {
  const day = days[index] as SunDay;
  const now = reported?.[index];
  return (
    <>
      <p class="muted">
        An estimate for clear days, less {Math.round(LOSSES * 100)} % for losses: it shows whether a roof faces the
        wrong way. The service's own forecast is another, and nothing of this is sent.
      </p>
      <fieldset class="days">
        <legend>Clear day near</legend>
        {days.map((one, at) => (
          <label key={one.date}>
            <input type="radio" name="day" checked={at === index} onChange={() => onChoose(at)} /> {dayInWords(one)}
          </label>
        ))}
      </fieldset>
      <Chart day={day} now={now} />
      <table class="plain">
        <caption>What is left for the cars on a clear day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Roofs</th>
            <th scope="col">For the cars</th>
            {reported && <th scope="col">As reported now</th>}
            <th scope="col">Peak, solar time</th>
          </tr>
        </thead>
        <tbody>
          {days.map((one, at) => (
            <tr key={one.date} class={at === index ? "chosen" : ""}>
              <th scope="row">{dayInWords(one)}</th>
              <td>{energy(one.roofKilowattHours)}</td>
              <td>{energy(one.kilowattHours)}</td>
              {reported && <td>{energy((reported[at] as SunDay).kilowattHours)}</td>}
              <td>{one.peakAt || "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function energy(kilowattHours: number): string {
  return `${kilowattHours.toFixed(1)} kWh`;
}

const HEIGHT = 240;

/** Colours of the lines. A canvas knows no style sheet. */
function coloursOf(isDark: boolean) {
  return isDark
    ? { text: "#b1bac4", grid: "#30363d", roof: "#d29922", cars: "#58a6ff", carsFill: "#58a6ff33", now: "#ff7b72" }
    : { text: "#424a53", grid: "#d0d7de", roof: "#9a6700", cars: "#0969da", carsFill: "#0969da26", now: "#cf222e" };
}

/** The powers of a day as curves. What it shows is in the table below it too. */
function Chart({ day, now }: { readonly day: SunDay; readonly now: SunDay | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current as HTMLDivElement;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let plot: UPlot | undefined;
    const draw = (isDark: boolean) => {
      plot?.destroy();
      plot = new UPlot(optionsOf(element.clientWidth, isDark, now !== undefined), dataOf(day, now), element);
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
  }, [day, now]);
  const words =
    `Power over a clear day near ${dayInWords(day)}: the roofs peak at ${day.peakAt || "no time"} solar time, ` +
    `and ${energy(day.kilowattHours)} are left for the cars.`;
  return <div class="chart" ref={place} role="img" aria-label={words} />;
}

function dataOf({ minutes, roofWatts, chargeWatts }: SunDay, now: SunDay | undefined): UPlot.AlignedData {
  const kilo = (watts: readonly number[]) => watts.map((watt) => watt / 1000);
  return [
    minutes.map((minute) => minute / 60),
    kilo(roofWatts),
    kilo(chargeWatts),
    ...(now ? [kilo(now.chargeWatts)] : []),
  ];
}

function optionsOf(width: number, isDark: boolean, hasNow: boolean): UPlot.Options {
  const { text, grid, roof, cars, carsFill, now } = coloursOf(isDark);
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
      { label: "Roofs", stroke: roof, width: 2 },
      { label: "For the cars", stroke: cars, fill: carsFill, width: 2 },
      ...(hasNow ? [{ label: "As reported now", stroke: now, width: 2, dash: [6, 4] }] : []),
    ],
  };
}
