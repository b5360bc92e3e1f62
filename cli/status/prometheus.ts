import { Gauge, Registry } from "prom-client";
import { type DeviceStatus, type SiteStatus, type Status, saysNo } from "./model";

/** The status in Prometheus' text format, for node_exporter's textfile collector. */
export async function prometheusOf(status: Status): Promise<string> {
  const registry = new Registry();
  const [project = "", ...stack] = status.name.split("/");
  const scope = status.of === "fleet" ? { fleet: status.name } : { project, stack: stack.join("/") };
  const gauge = (name: string, help: string, labels: readonly string[] = []) => {
    const metric = new Gauge({
      name: `solar_charging_${name}`,
      help,
      labelNames: [...new Set([...Object.keys(scope), ...labels])],
      registers: [registry],
    });
    return (value: number, of: Readonly<Record<string, string>> = {}) => metric.set({ ...scope, ...of }, value);
  };
  ofAll(status, gauge);
  ofSites(status.sites, gauge);
  const devices = [
    ...status.sites.flatMap((site) => site.devices.map((device) => ({ site: site.site, device }))),
    ...status.devices.map((device) => ({ site: "", device })),
  ];
  ofDevices(devices, status.isOffline, gauge);
  return await registry.metrics();
}

/** Declares a metric, and gives what sets its values. */
type Declare = (
  name: string,
  help: string,
  labels?: readonly string[],
) => (value: number, labels?: Readonly<Record<string, string>>) => void;

function ofAll({ time, counts, stackErrors }: Status, gauge: Declare): void {
  gauge("status_timestamp_seconds", "When this was looked at, in seconds since 1970.")(Date.parse(time) / 1000);
  gauge("stacks_unreadable", "Stacks whose state could not be read.")(stackErrors.length);
  const sites = gauge(
    "sites",
    "Sites that are to be ready for solar-aware charging, by whether they are as declared and accepted.",
    ["ready"],
  );
  sites(counts.ready, { ready: "true" });
  sites(counts.solar - counts.ready, { ready: "false" });
  if (!counts.observed) return;
  const observed = gauge(
    "sites_observed",
    "The same sites, by what the service reports now: ready, notReady or unknown.",
    ["verdict"],
  );
  for (const [verdict, count] of Object.entries(counts.observed)) observed(count, { verdict });
}

function ofSites(sites: readonly SiteStatus[], gauge: Declare): void {
  const labels = ["stack", "site"];
  const ready = gauge("site_ready", "Whether all that solar-aware charging needs is declared and accepted.", labels);
  const gaps = gauge("site_gaps", "Settings and devices that are missing to that.", labels);
  const observed = gauge(
    "site_observed_ready",
    "Whether the site is ready by what the service reports now; absent if not known.",
    labels,
  );
  for (const { site, stack, solar, ready: isReady, gaps: missing, observed: now } of sites) {
    if (!solar) continue;
    ready(Number(isReady), { stack, site });
    gaps(missing.length, { stack, site });
    if (now && now.verdict !== "unknown") observed(Number(now.verdict === "ready"), { stack, site });
  }
}

function ofDevices(
  devices: readonly { readonly site: string; readonly device: DeviceStatus }[],
  isOffline: boolean,
  gauge: Declare,
): void {
  const labels = ["stack", "site", "device", "name"];
  const drift = gauge("device_drifted_settings", "Settings that somebody changed since they were applied.", labels);
  const pending = gauge(
    "device_unapplied_settings",
    "Declared settings that the service has not accepted as declared.",
    labels,
  );
  const read = isOffline ? undefined : gauge("device_read", "Whether the device could be read.", labels);
  const inactive = isOffline
    ? undefined
    : gauge(
        "device_says_no",
        "1 for each thing that the device itself says against charging: setupIncomplete, optedOut, inactive.",
        [...labels, "reason"],
      );
  const status = isOffline
    ? undefined
    : gauge("device_service_status", "1 for the service status that the device reports.", [...labels, "status"]);
  const changed = gauge(
    "device_last_change_timestamp_seconds",
    "When the ledger has the last change of the device, in seconds since 1970.",
    labels,
  );
  for (const { site, device } of devices) {
    const of = { stack: device.stack, site, device: device.device, name: device.label };
    drift(device.drift.length, of);
    pending(device.toApply.length, of);
    read?.(Number(device.problem === undefined), of);
    const { says } = device;
    for (const reason of says ? saysNo(says) : []) inactive?.(1, { ...of, reason });
    if (says?.serviceStatus !== undefined) status?.(1, { ...of, status: says.serviceStatus });
    const [last] = device.changes;
    if (last) changed(Date.parse(last.time) / 1000, of);
  }
}
