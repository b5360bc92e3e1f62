import { command, flag, type OptionsOf, rare, text, texts } from "../command/record";
import { JSON_FORM, measuredFile } from "../command/shared";
import { SUBJECT_OPTIONS } from "../stacks/subject";
import { needsAttention, type Status, siteNeedsAttention, warningsOf } from "./model";
import { ATTENTION, exitCodeOfStatus } from "./status";
import { readyInWords } from "./words";

/** The options of `status`. */
export const LOOK_OPTIONS = {
  ...SUBJECT_OPTIONS,
  offline: flag("use only the state of the last update or refresh, and make no request"),
  filter: text("<text>", "read and show only sites and devices with this text in their name or id"),
  measured: measuredFile("show its results beside declared and reported values"),
  ledger: rare(
    texts("<file...>", "ledgers with the last changes of the devices (default: SOLAR_CHARGING_LEDGER_FILE)"),
  ),
};

export type LookOptions = OptionsOf<typeof LOOK_OPTIONS>;

/** Width of a table that is not shown at a terminal, in characters. */
const COLUMNS = 120;

/** `solar-charging status`: shows which sites are ready, and why others are not. */
export const status = command({
  options: {
    ...LOOK_OPTIONS,
    problems: flag("show only problems and values that look wrong"),
    devices: flag("show a line for each device, with its settings"),
    html: flag("write a page as one HTML file, with drift, the last rollout, and the history and sun of each device", {
      conflicts: ["prometheus"],
    }),
    json: { ...JSON_FORM, conflicts: ["prometheus", "html"] },
    prometheus: flag("print metrics in Prometheus' text format, for node_exporter's textfile collector"),
    output: text("<file>", "write to this file instead of standard output; if writing fails, the earlier file stays", {
      short: "o",
    }),
  },
  notes: `DECLARED: everything that solar-aware charging needs is declared, and the service has accepted it.
NOW: the service reports it, too.
✓ ready, ✗ not ready, ! drifted, not read, or not charging, ? some values are not reported, – without solar-aware charging`,
  exitCodes: {
    0: "no site is known to be not ready, and nothing has drifted",
    1: "a device or a stack could not be read, or the command is wrong",
    2: "attention needed: a site is not ready, or a device has drifted or reports that it does not charge; not with --html",
    130: "interrupted",
  },
  examples: [
    "status",
    "status --manifest fleet.yaml --html --output report.html",
    "status --stack production --offline",
    "status --manifest fleet.yaml --problems --filter berlin",
    "status --manifest fleet.yaml --json | jq .counts",
    "status --manifest fleet.yaml --prometheus --output /var/lib/node_exporter/solar-charging.prom",
  ],
  read: async ({ options }) => {
    const all = await (await import("./look.js")).lookAt(options);
    return { all, shown: options.problems ? problemsIn(all) : all };
  },
  show: {
    text: async ({ shown }, { styled, columns = COLUMNS }, { devices = false }) =>
      (await import("./table.js")).statusTable(shown, { columns, styled, allDevices: devices }),
    json: ({ shown }): Status => shown,
    html: async ({ shown }) => (await import("./html.js")).htmlOf(shown),
    prometheus: async ({ shown }) => await (await import("./prometheus.js")).prometheusOf(shown),
  },
  isVerbatim: true,
  file: ({ output }) => output,
  isOutput: (earlier) =>
    /^(# HELP solar_charging|\{\s*"of":|.*(sites? ready|no site uses solar))/.test(earlier) ||
    /^<!doctype html>[\s\S]* id="data">/.test(earlier),
  remarks: ({ all }, { html, output }) => (html && output ? [`${readyInWords(all.counts)}. Written: ${output}`] : []),
  end: ({ all }, { options }) => {
    const code = exitCodeOfStatus(all);
    return options.html && code === ATTENTION ? 0 : code;
  },
});

/** The status without sites and devices that need no attention. The counts still include them. */
function problemsIn(status: Status): Status {
  const sites = status.sites.filter((site) => siteNeedsAttention(site) || warningsOf(site).length > 0);
  return { ...status, sites, devices: status.devices.filter(needsAttention) };
}
