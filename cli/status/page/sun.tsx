import { useMemo, useState } from "preact/hooks";
import { LOSSES, type SunDay, sunOf } from "../../../measure/sky/days";
import { sunSiteOf, withReportedValues } from "../../clearDays/sunSite";
import { dayWords } from "../../clearDays/words";
import type { SiteView } from "../../view/model";
import { settingInWords } from "../../words";
import { isExpectedReady } from "../model";
import { Chart, type Curve } from "./chart";

/** The sun of a site: with the declared values, and with the reported ones if they have drifted. */
export function Sun({ site }: { readonly site: SiteView }) {
  const [index, setIndex] = useState(0);
  const { ready = false, devices } = site;
  const hasDrifted = devices.some(({ drift }) => drift.length > 0);
  const { declared, reported, gaps } = useMemo(() => {
    const planned = sunSiteOf(site);
    const now = hasDrifted ? sunSiteOf(withReportedValues(site)) : undefined;
    return {
      declared: planned.site && sunOf(planned.site),
      reported: now?.site && sunOf(now.site),
      gaps: planned.gaps,
    };
  }, [site, hasDrifted]);
  if (!isExpectedReady(site)) return null;
  return (
    <section aria-labelledby="sun" class="sun">
      <h2 id="sun">Sun</h2>
      {declared && !ready && <p>The site is not ready, so its cars charge by price, without solar energy.</p>}
      {declared ? (
        <Days days={declared} reported={reported} index={index} onChoose={setIndex} />
      ) : (
        <p class="muted">
          For an estimate, declare{" "}
          {gaps
            ?.map(({ device, setting }) => (device === "site" ? setting : `${settingInWords(setting)} of ${device}`))
            .join(", ")}
          .
        </p>
      )}
    </section>
  );
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
        wrong way. It is never sent; the service makes its own forecast.
      </p>
      <fieldset class="days">
        <legend>Clear day near</legend>
        {days.map((one, at) => (
          <label key={one.date}>
            <input type="radio" name="day" checked={at === index} onChange={() => onChoose(at)} /> {dayWords(one)}
          </label>
        ))}
      </fieldset>
      <DayChart day={day} now={now} />
      <table class="plain">
        <caption>Energy for the cars on a clear day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Roofs</th>
            <th scope="col">For the cars</th>
            {reported && <th scope="col">As reported now</th>}
            <th scope="col">Peak (solar time)</th>
          </tr>
        </thead>
        <tbody>
          {days.map((one, at) => (
            <tr key={one.date} class={at === index ? "chosen" : ""}>
              <th scope="row">{dayWords(one)}</th>
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

/** The powers of a day as a chart. The table below has the same numbers. */
function DayChart({ day, now }: { readonly day: SunDay; readonly now: SunDay | undefined }) {
  const words =
    `Power over a clear day near ${dayWords(day)}: ${day.peakAt ? `the roofs peak at ${day.peakAt} solar time` : "the roofs deliver nothing"}, ` +
    `and ${energy(day.kilowattHours)} are left for the cars.`;
  const curves: Curve[] = [
    { label: "Roofs", colour: "roof", watts: day.roofWatts },
    { label: "For the cars", colour: "cars", isFilled: true, watts: day.chargeWatts },
    ...(now ? [{ label: "As reported now", colour: "now" as const, dash: [6, 4], watts: now.chargeWatts }] : []),
  ];
  return <Chart words={words} hours={day.minutes.map((minute) => minute / 60)} curves={curves} />;
}
