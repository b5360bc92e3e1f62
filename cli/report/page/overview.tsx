import type { Status } from "../../status/model";
import { minuteOf } from "../../status/time";
import { Drift } from "./drift";
import { type Filter, filteredDevices, filteredSites, type Show } from "./filter";
import { FilterForm } from "./filterForm";
import { Grid } from "./grid";
import { Others } from "./others";
import { RolloutSection } from "./rollout";
import { hrefOfFilter } from "./route";
import { useTitle } from "./title";

/** All sites at a glance. */
export function Overview({ status, filter }: { readonly status: Status; readonly filter: Filter }) {
  const { counts, name, stackErrors, rollout } = status;
  const title = `${counts.ready} of ${counts.solar} ${counts.solar === 1 ? "site" : "sites"} ready`;
  useTitle(`${name}: ${title}`);
  const sites = filteredSites(status.sites, filter);
  const devices = filteredDevices(status.devices, filter);
  return (
    <>
      <header>
        <p class="over">
          {status.of === "fleet" ? "Fleet" : "Stack"} <strong>{name}</strong>
        </p>
        <h1 tabIndex={-1}>{title}</h1>
        <Bar status={status} />
        <p class="muted">
          Ready: all that solar-aware charging needs is declared, and the service has accepted it.{" "}
          {counts.sites > counts.solar && `${counts.sites - counts.solar} more without solar-aware charging. `}
          As of {minuteOf(status.time)}.
        </p>
      </header>
      {stackErrors.map(({ stack, finding }) => (
        <p class="alert" key={stack}>
          The state of {stack} could not be read, and its sites are missing here: {finding}
        </p>
      ))}
      <Tiles status={status} />
      <section aria-labelledby="sites">
        <h2 id="sites">Sites and conditions</h2>
        <FilterForm filter={filter} shown={sites.length} of={status.sites.length} />
        <Grid sites={sites} isOffline={status.isOffline} />
      </section>
      {status.devices.length > 0 && <Others devices={devices} of={status.devices.length} />}
      <Drift sites={sites} devices={devices} />
      {rollout && <RolloutSection rollout={rollout} />}
    </>
  );
}

/** The share of the sites that is ready, as a bar. */
function Bar({ status: { counts } }: { readonly status: Status }) {
  const { solar, ready } = counts;
  if (solar === 0) return null;
  return (
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-all" width="100" height="4" />
      <rect class="bar-ready" width={(100 * ready) / solar} height="4" />
    </svg>
  );
}

/** What somebody has to look at, in numbers that lead to it. */
function Tiles({ status: { counts, isOffline, sites } }: { readonly status: Status }) {
  const { observed, drifted, unread, toApply } = counts;
  const optedOut = sites.flatMap(({ devices }) => devices).filter(({ says }) => says?.optedOut === true).length;
  const tiles: readonly { count: number; words: string; show: Show }[] = [
    { count: counts.solar - counts.ready, words: "sites not ready as declared", show: "notReady" },
    ...(observed
      ? [
          { count: observed.notReady, words: "sites not ready as reported now", show: "notReady" as const },
          { count: observed.unknown, words: "sites of which not all is reported", show: "unknown" as const },
        ]
      : []),
    { count: drifted, words: "devices drifted", show: "drift" },
    { count: toApply, words: "devices with settings to apply", show: "toApply" },
    ...(isOffline
      ? []
      : [
          { count: unread, words: "devices not read", show: "unread" as const },
          { count: optedOut, words: "cars opted out", show: "attention" as const },
        ]),
  ];
  return (
    <ul class="tiles" aria-label="In numbers">
      {tiles.map(({ count, words, show }) => (
        <li key={words}>
          <a class={count > 0 ? "tile some" : "tile"} href={hrefOfFilter({ show })}>
            <strong>{count}</strong> <span>{words}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
