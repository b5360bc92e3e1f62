import { valueInWords } from "../../../provider/settings/valueWords";
import type { Rollout } from "../../stacks/fleetRecord";
import { type DeviceView, obstaclesIn } from "../../view/model";
import { counted, settingInWords } from "../../words";
import { conditionOf } from "../conditions";
import type { LoneDevice, Status } from "../model";
import { minuteOf, readyInWords } from "../words";
import { Drift } from "./drift";
import { type Filter, filteredDevices, filteredSites, isReady, type Show } from "./filter";
import { FilterForm } from "./filterForm";
import { Grid } from "./grid";
import { Badge, Legend, Sign } from "./marks";
import { hrefOf, hrefOfFilter } from "./route";
import { useAll, useTitle } from "./rows";
import { Table } from "./table";

/** Number of sites that are all shown (our choice). */
const FEW = 20;

/** All sites at a glance: first what needs somebody. */
export function Overview({ status, filter }: { readonly status: Status; readonly filter: Filter }) {
  const { counts, name, stackErrors, rollout } = status;
  const title = readyInWords(counts);
  const others = counts.sites - counts.leaving - counts.solar;
  useTitle(`${name}: ${title}`);
  const sites = filteredSites(status.sites, filter);
  const devices = filteredDevices(status.devices, filter);
  // Without this, drift and a stopped rollout would stand below hundreds of rows that need nobody.
  const isFolding = sites.length > FEW && filter.show === "all" && filter.text === "" && filter.lacks === "";
  const [folded, shown] = isFolding ? [sites.filter(isReady), sites.filter((site) => !isReady(site))] : [[], sites];
  const [isAll] = useAll();
  const isStopped = rollout !== undefined && rollout.outcome !== "done";
  return (
    <>
      <header>
        <p class="over">
          {status.of === "fleet" ? "Fleet" : "Stack"} <strong>{name}</strong>
        </p>
        <h1 tabIndex={-1}>{title}</h1>
        <Bar status={status} />
        <p class="muted">
          Ready now: the service reports everything that solar-aware charging needs. Declared: it is declared, and the
          service has accepted it. {others > 0 && `${others} more without solar-aware charging. `}
          {counts.leaving > 0 && `${counts.leaving} no longer declared. `}
          As of {minuteOf(status.time)}.
        </p>
      </header>
      {stackErrors.map(({ stack, finding }) => (
        <p class="alert" key={stack}>
          The state of {stack} could not be read, so its sites are missing here: {finding}
        </p>
      ))}
      <Tiles status={status} />
      {isStopped && <RolloutSection rollout={rollout} />}
      <Drift sites={sites} devices={devices} />
      <section aria-labelledby="sites">
        <h2 id="sites">Sites and conditions</h2>
        <FilterForm filter={filter} shown={sites.length} of={status.sites.length} />
        {sites.length === 0 ? <p class="empty">No site matches.</p> : <Legend />}
        {shown.length > 0 && <Grid sites={shown} isOffline={status.isOffline} />}
        {folded.length > 0 && (
          <details open={isAll}>
            <summary>{counted(folded.length, "ready site")}</summary>
            <Grid sites={folded} isOffline={status.isOffline} />
          </details>
        )}
      </section>
      {status.devices.length > 0 && <Others devices={devices} of={status.devices.length} />}
      {rollout && !isStopped && <RolloutSection rollout={rollout} />}
    </>
  );
}

/** The share of the sites that is ready, as a bar. */
function Bar({ status: { counts } }: { readonly status: Status }) {
  const { solar, observed } = counts;
  const ready = observed?.ready ?? counts.ready;
  if (solar === 0) return null;
  return (
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-all" width="100" height="4" />
      <rect class="bar-ready" width={(100 * ready) / solar} height="4" />
    </svg>
  );
}

/** The number of each kind of problem, as a link to its sites. */
function Tiles({ status: { counts, isOffline, sites, devices: lone } }: { readonly status: Status }) {
  const { observed, drifted, unread, toApply, warnings } = counts;
  const optedOut = [...sites.flatMap(({ devices }) => devices), ...lone].filter(({ ownStatus = {} }) =>
    obstaclesIn(ownStatus).includes("optedOut"),
  ).length;
  const tile = (count: number, noun: string, words: string, show: Show) => ({ count, noun, words, show });
  const tiles = [
    ...(observed
      ? [
          tile(observed.notReady, "site", "not ready now", "notReady"),
          tile(observed.unknown, "site", "not known now", "unknown"),
        ]
      : []),
    tile(counts.solar - counts.ready, "site", "not ready as declared", "notReady"),
    tile(drifted, "device", "drifted", "drift"),
    tile(toApply, "device", "with settings to apply", "toApply"),
    tile(warnings, "value", "that may be wrong", "warnings"),
    ...(isOffline
      ? []
      : [tile(unread, "device", "not read", "unread"), tile(optedOut, "car", "opted out", "attention")]),
  ].filter(({ count }) => count > 0);
  if (tiles.length === 0) return null;
  return (
    <ul class="tiles" aria-label="In numbers">
      {tiles.map(({ count, noun, words, show }) => (
        <li key={words}>
          <a class="tile" href={hrefOfFilter({ show })}>
            <strong>{count}</strong> <span>{`${noun}${count === 1 ? "" : "s"} ${words}`}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The devices that no site has. */
export function Others({ devices, of }: { readonly devices: readonly LoneDevice[]; readonly of: number }) {
  return (
    <section aria-labelledby="others">
      <h2 id="others">Devices outside of a site</h2>
      <p class="muted">
        {devices.length === of ? counted(of, "device") : `${devices.length} of ${counted(of, "device")}`}. Only sites
        can be ready for solar-aware charging.
      </p>
      <Table
        caption="Devices outside of a site"
        rows={devices}
        noun="devices"
        keyOf={({ stack, label }) => `${stack} ${label}`}
        columns={[
          { title: "Device", cell: ({ stack, label }) => <a href={hrefOf("device", stack, label)}>{label}</a> },
          { title: "Id", cell: ({ device }) => device },
          { title: "Settings", cell: settingsOf },
        ]}
      />
    </section>
  );
}

function settingsOf(device: DeviceView) {
  return Object.keys(device.declared).map((key) => (
    <span class="setting" key={key}>
      <Sign state={conditionOf(device, key)} setting={key} /> {settingInWords(key)}{" "}
      {valueInWords(key, device.declared[key])}
    </span>
  ));
}

const TONES = { done: "good", stopped: "bad", interrupted: "warning", failed: "bad" } as const;

/** The last rollout, wave by wave. */
export function RolloutSection({ rollout: { time, outcome, reason, waves } }: { readonly rollout: Rollout }) {
  return (
    <section aria-labelledby="rollout">
      <h2 id="rollout">Last rollout</h2>
      <p>
        <Badge tone={TONES[outcome]}>{outcome}</Badge> {minuteOf(time)}
        {reason && `: ${reason}`}
      </p>
      <ol class="waves">
        {waves.map(({ wave, stacks, ok, failed, notDone }) => (
          <li key={wave} class={failed + notDone > 0 ? "wave bad" : "wave good"}>
            <strong>{wave}</strong>
            <span>
              {ok} ok{failed > 0 && `, ${failed} failed`}
              {notDone > 0 && `, ${notDone} not done`}
            </span>
            {stacks > 1 && <span class="muted">{stacks} stacks</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
