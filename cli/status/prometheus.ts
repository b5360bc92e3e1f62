import { Gauge, Registry } from "prom-client";
import { obstaclesIn } from "../view/model";
import { isExpectedReady, type Status } from "./model";

type Labels = Readonly<Record<string, string>>;

/** Labels of the metrics, in addition to those that name the fleet or the stack. */
const LABELS = ["ready", "verdict", "stack", "site", "device", "name", "reason", "status"];

/** The status in Prometheus' text format, for node_exporter's textfile collector. */
export async function prometheusOf(status: Status): Promise<string> {
  const { time, counts, stackErrors, isOffline } = status;
  const registry = new Registry();
  const [project = "", ...stack] = status.name.split("/");
  const scope = status.of === "fleet" ? { fleet: status.name } : { project, stack: stack.join("/") };
  const labelNames = [...new Set([...Object.keys(scope), ...LABELS])];
  const gauge = (name: string, help: string, samples: readonly (readonly [value: number, labels?: Labels])[]) => {
    const metric = new Gauge({ name: `solar_charging_${name}`, help, labelNames, registers: [registry] });
    for (const [value, labels] of samples) metric.set({ ...scope, ...labels }, value);
  };
  gauge("status_timestamp_seconds", "Time of this status, in seconds since 1970.", [[Date.parse(time) / 1000]]);
  gauge("stacks_unreadable", "Stacks whose state could not be read.", [[stackErrors.length]]);

  gauge("sites", "Sites with solar-aware charging, by whether everything it needs is declared and accepted.", [
    [counts.ready, { ready: "true" }],
    [counts.solar - counts.ready, { ready: "false" }],
  ]);
  if (counts.observed) {
    const observed = Object.entries(counts.observed).map(([verdict, count]) => [count, { verdict }] as const);
    gauge(
      "sites_observed",
      "The same sites, by their readiness as the service reports it now: ready, notReady or unknown.",
      observed,
    );
  }
  const sites = status.sites
    .filter(isExpectedReady)
    .map((site) => ({ site, labels: { stack: site.stack, site: site.name } }));
  gauge(
    "site_ready",
    "1 if everything that solar-aware charging needs is declared and accepted, else 0.",
    sites.map(({ site, labels }) => [Number(site.ready), labels]),
  );
  gauge(
    "site_gaps",
    "Settings and devices that the site lacks for solar-aware charging.",
    sites.map(({ site, labels }) => [site.gaps.length, labels]),
  );
  gauge(
    "site_observed_ready",
    "1 if the site is ready as the service reports it now, else 0; absent if not known.",
    sites
      .filter(({ site: { observed } }) => observed && observed.verdict !== "unknown")
      .map(({ site, labels }) => [Number(site.observed?.verdict === "ready"), labels]),
  );

  const devices = [
    ...status.sites.flatMap(({ name, stack, devices }) => devices.map((device) => ({ ...device, stack, site: name }))),
    ...status.devices.map((device) => ({ ...device, site: "" })),
  ].map(({ stack, site, device, label: name, ...one }) => ({ ...one, labels: { stack, site, device, name } }));
  gauge(
    "device_drifted_settings",
    "Settings that were changed after they were applied.",
    devices.map(({ drift, labels }) => [drift.length, labels]),
  );
  gauge(
    "device_unapplied_settings",
    "Declared settings that the service has not accepted as declared.",
    devices.map(({ toApply, labels }) => [toApply.length, labels]),
  );
  if (!isOffline) {
    gauge(
      "device_read",
      "1 if the device could be read, else 0.",
      devices.map(({ problem, labels }) => [Number(problem === undefined), labels]),
    );
    gauge(
      "device_obstacle",
      "1 for each reason why the device does not charge, as it reports itself: setupIncomplete, optedOut, inactive.",
      devices.flatMap(({ ownStatus = {}, labels }) =>
        obstaclesIn(ownStatus).map((reason) => [1, { ...labels, reason }] as const),
      ),
    );
    gauge(
      "device_service_status",
      "1, with the service status that the device reports as a label.",
      devices.flatMap(({ ownStatus: { serviceStatus: status } = {}, labels }) =>
        status === undefined ? [] : [[1, { ...labels, status }] as const],
      ),
    );
  }
  gauge(
    "device_last_change_timestamp_seconds",
    "Time of the last change of the device in the ledger, in seconds since 1970.",
    devices.flatMap(({ updates: [last], labels }) => (last ? [[Date.parse(last.time) / 1000, labels] as const] : [])),
  );
  return await registry.metrics();
}
