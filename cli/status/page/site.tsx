import { grouped } from "../../../measure/sky/numbers";
import { asReason, type Reason, type SiteView } from "../../view/model";
import { isExpectedReady } from "../model";
import { leavingWords, reasonLines } from "../words";
import { capitalized, Device } from "./device";
import { ReadyBadge, VerdictBadge, Warnings } from "./marks";
import { MeasuredValues } from "./measured";
import { hrefOf, type PageProps } from "./route";
import { useTitle } from "./rows";
import { Sun } from "./sun";

/** The page of one site. */
export function SitePage({ status, stack, name }: PageProps) {
  const index = status.sites.findIndex((one) => one.stack === stack && one.name === name);
  const site = status.sites[index];
  const title = site?.title ?? name;
  useTitle(`${title} – ${status.name}`);
  return (
    <>
      <nav class="around" aria-label="Sites">
        <a href="#/">← All sites</a>
        <span>
          <Neighbour site={status.sites[index - 1]} words="Previous" />{" "}
          <Neighbour site={site && status.sites[index + 1]} words="Next" />
        </span>
      </nav>
      <h1 tabIndex={-1}>{title}</h1>
      {site ? <Site site={site} isOffline={status.isOffline} /> : <p class="empty">This report has no such site.</p>}
    </>
  );
}

function Neighbour({ site, words }: { readonly site: SiteView | undefined; readonly words: string }) {
  return site ? <a href={hrefOf("site", site.stack, site.name)}>{words}</a> : null;
}

function Site({ site, isOffline }: { readonly site: SiteView; readonly isOffline: boolean }) {
  const { solar, latitude, change, gaps, observed, warnings, devices, leaving = [], stack } = site;
  return (
    <>
      <p class="facts">
        <span>
          As declared: <ReadyBadge {...site} />
        </span>
        {solar && !isOffline && (
          <span>
            As reported now: <VerdictBadge observed={observed} />
          </span>
        )}
        <span class="muted">
          {site.title !== undefined && `site ${site.name}, `}stack {stack}
          {latitude !== undefined && `, latitude ${latitude}°`}
        </span>
      </p>
      {change === "new" && <p class="alert">No update has applied it yet.</p>}
      {change === "leaving" && <p class="muted">{capitalized(leavingWords(site))}.</p>}
      {isExpectedReady(site) && <Reasons title="Not ready as declared" reasons={gaps.map(asReason)} site={site} />}
      {isExpectedReady(site) && observed && (
        <Reasons
          title={observed.verdict === "unknown" ? "Not known now" : "Not ready now"}
          reasons={observed.reasons}
          site={site}
        />
      )}
      <Warnings warnings={warnings} />
      <Sun site={site} />
      <MeasuredValues site={site} />
      <section aria-labelledby="devices">
        <h2 id="devices">Devices</h2>
        {devices.map((device) => (
          <Device key={device.label} device={device} site={site} />
        ))}
        {leaving.map(({ device, label }) => (
          <p class="muted" key={device}>
            {label} ({device}): {leavingWords()}.
          </p>
        ))}
      </section>
    </>
  );
}

function Reasons({
  title,
  reasons,
  site,
}: {
  readonly title: string;
  readonly reasons: readonly Reason[];
  readonly site: SiteView;
}) {
  if (reasons.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="reasons">
        {[...grouped(reasons, ({ device }) => device)].flatMap(([name, own]) => {
          const device = site.devices.find(({ label }) => label === name);
          return reasonLines(own, device).map(({ words }) => (
            <li key={`${name} ${words}`}>
              <strong>{name}</strong> {words}
            </li>
          ));
        })}
      </ul>
    </section>
  );
}
