/** Messages about the configuration. */
const OF_CONFIGURATION = [
  "notSet",
  "notUsable",
  "misspelled",
  "severalCredentials",
  "nodeDebug",
  "configurationOfLastUp",
  "inverterFieldsNotSet",
] as const;

/** Messages about requests. */
const OF_SERVICE = [
  "redirect",
  "notAuthorized",
  "notAllowed",
  "notFound",
  "conflict",
  "tooManyRequests",
  "serviceFails",
  "requestRefused",
  "askedToWait",
  "outage",
  "onHold",
  "notTheService",
  "updateFailed",
  "cutAnswer",
  "otherDeviceAnswers",
  "mostUnknown",
  "timeout",
  "tls",
  "proxyRefuses",
  "proxyAddress",
  "noConnection",
  "secretFile",
  "tokenCommand",
  "tokenEndpoint",
  "retrying",
] as const;

/** Messages about a device or a site. */
const OF_DEVICE = [
  "noSuchDevice",
  "otherKind",
  "wakesCar",
  "badId",
  "uncertain",
  "uncertainDelete",
  "notBegun",
  "unmanaged",
  "declaredElsewhere",
  "baselineUnknown",
  "changedElsewhere",
  "goneBeforeDelete",
  "leavesStack",
  "settingsLost",
  "notImported",
  "pending",
  "adjusted",
  "notReadBack",
  "notRead",
  "baselines",
  "siteChanges",
  "notReady",
  "siteImport",
  "deleteBegun",
  "driftInCache",
  "differsInCache",
  "livePreviewEnds",
  "ledgerFails",
  "ledgerLineMissing",
  "journalFails",
  "claimsUnreadable",
  "internal",
] as const;

/** Messages about a run of the engine. */
const OF_ENGINE = ["engine", "noEngine", "engineKilled", "stackHeld", "stackNotRun"] as const;

/** The names of all lints, by which a program switches them off: they never change. */
export const LINT_CODES = [
  "direct-current-power",
  "power-for-capacity",
  "default-power",
  "small-capacity",
  "large-capacity",
  "default-capacity",
  "ignored-metadata",
  "forecast-without-metadata",
  "small-peak-power",
  "large-peak-power",
  "flat-tilt",
  "tilt-in-radians",
  "steep-tilt",
  "high-cut-in",
  "low-cut-in",
  "base-load-above-peak",
  "low-base-load",
  "high-base-load",
  "incomplete-inverter",
  "azimuth-off-equator",
  "repeated-base-load",
  "base-load-above-site",
  "forecast-without-inverter",
] as const;

/** Every code of a message. test/unit/messages.golden.md has the words of each. */
export const MESSAGE_CODES = [...OF_CONFIGURATION, ...OF_SERVICE, ...OF_DEVICE, ...OF_ENGINE, ...LINT_CODES] as const;
export type MessageCode = (typeof MESSAGE_CODES)[number];
