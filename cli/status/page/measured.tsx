import { type MeasuredRoof, roofOf } from "../../../measure/results/model";
import { roofWords } from "../../measured/roofWords";
import { besideSettings } from "../../measured/settings";
import type { SiteView } from "../../view/model";
import { Chart } from "./chart";
import { capitalized } from "./device";

/** The measured values of a site's devices beside the declared ones. */
export function MeasuredValues({ site }: { readonly site: SiteView }) {
  const results = site.devices.flatMap(({ label, measured, declared }) => {
    const roof = measured && roofOf(measured);
    const lines = measured ? besideSettings(measured, declared, { isAll: true }) : [];
    return roof || lines.length > 0 ? [{ label, roof, lines }] : [];
  });
  if (results.length === 0) return null;
  return (
    <section aria-labelledby="measured" class="sun">
      <h2 id="measured">Measured</h2>
      {results.map(({ label, roof, lines }) => (
        <article key={label} aria-label={label}>
          <h3 class="name">{label}</h3>
          {roof && <Roof result={roof} />}
          {lines.map(({ words, differs }) => (
            <p key={words} class={differs ? "alert" : "muted"}>
              {capitalized(words)}.
            </p>
          ))}
        </article>
      ))}
    </section>
  );
}

function Roof({ result }: { readonly result: MeasuredRoof }) {
  const { day } = result;
  const [facts, ...rest] = roofWords(result).filter(({ sentences }) => sentences.length > 0);
  return (
    <>
      <p>{facts?.sentences}.</p>
      {rest.map(({ sentences, meaning }) => (
        <p key={sentences[0]} class={meaning === "warning" ? "alert" : "muted"}>
          {sentences.join(" ")}
        </p>
      ))}
      {day && <DayChart day={day} />}
    </>
  );
}

/**
 * The best clear day: the measured power, and the power of the measured and the declared roof. The words above have the
 * same facts.
 */
function DayChart({ day: { date, measured, roof, declared } }: { readonly day: NonNullable<MeasuredRoof["day"]> }) {
  return (
    <Chart
      words={`Measured and declared power on ${date}`}
      hours={measured.map((_, index) => (index * 24) / measured.length)}
      curves={[
        { label: "Measured", colour: "cars", isFilled: true, watts: measured },
        { label: "Measured roof", colour: "roof", dash: [2, 4], watts: roof },
        ...(declared ? [{ label: "Declared roof", colour: "now" as const, dash: [6, 4], watts: declared }] : []),
      ]}
    />
  );
}
