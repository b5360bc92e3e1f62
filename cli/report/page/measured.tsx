import { adviceWords, resultWords } from "../../measured/words";
import type { BestDay, MeasuredInverter } from "../../view/measured";
import type { SiteView } from "../../view/model";
import { Chart } from "./chart";

/** The measured panels of a site's inverters beside the declared ones. */
export function MeasuredRoofs({ site }: { readonly site: SiteView }) {
  const results = site.devices.flatMap(({ measured }) => (measured ? [measured] : []));
  if (results.length === 0) return null;
  return (
    <section aria-labelledby="measured" class="sun">
      <h2 id="measured">Measured roofs</h2>
      {results.map((result) => (
        <Roof key={result.name} result={result} />
      ))}
    </section>
  );
}

function Roof({ result }: { readonly result: MeasuredInverter }) {
  const { name, differs, day } = result;
  return (
    <article aria-label={name}>
      <h3 class="name">{name}</h3>
      <p>{resultWords(result)}.</p>
      <p class={differs.length > 0 ? "alert" : "muted"}>{adviceWords(result).join(" ")}</p>
      {day && <DayChart day={day} />}
    </article>
  );
}

/**
 * The best clear day: the measured power, and the power of the measured and the declared roof. The words above say
 * the same.
 */
function DayChart({ day: { date, measured, roof, declared } }: { readonly day: BestDay }) {
  return (
    <Chart
      words={`Measured and declared power on ${date}`}
      hours={measured.map((_, index) => (index * 24) / measured.length)}
      curves={[
        { label: "Measured", colour: "cars", isFilled: true, watts: measured },
        { label: "Measured roof", colour: "roof", dash: [2, 4], watts: roof },
        { label: "Declared roof", colour: "now", dash: [6, 4], watts: declared },
      ]}
    />
  );
}
