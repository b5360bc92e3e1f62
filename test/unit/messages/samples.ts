import { UNSTEADY } from "../../../cli/fleet/failures";
import { engineKilled, heldBy, noEngine, noHost, problemOfEngine } from "../../../cli/stacks/texts";
import { readConfiguration, serviceOptions, unsetFor } from "../../../provider/configuration/configuration";
import { misspelled } from "../../../provider/configuration/configurationKeys";
import { ConfigurationError } from "../../../provider/configuration/error";
import * as engine from "../../../provider/engine/messages";
import * as ledger from "../../../provider/ledger/messages";
import { setNotUsable } from "../../../provider/lifecycle/approval/approved";
import { FORECAST_ALONE, NOTHING_DECLARED } from "../../../provider/lifecycle/device/check";
import * as lifecycle from "../../../provider/lifecycle/run/messages";
import { NO_INVERTER, OWN_POLICIES } from "../../../provider/lifecycle/run/messages";
import type { MessageCode } from "../../../provider/messages/codes";
import { type Message, problemOf } from "../../../provider/messages/message";
import * as service from "../../../provider/service/errors";
import { refusalOf, refusalOfHold } from "../../../provider/service/health";
import { inverter } from "../../../provider/settings/inverter";
import { lint } from "../../../provider/settings/lints";
import { declaredValues, foldWords } from "../../../provider/settings/planes";
import { notReady } from "../../../provider/settings/readiness";
import { problemsOf } from "../../../provider/settings/schema";
import type { Values } from "../../../provider/settings/setting";
import { siteLints } from "../../../provider/settings/siteLints";
import { vehicle } from "../../../provider/settings/vehicle";

const CAR = { businessId: "acme", deviceId: "car" };

const failed = (failure: service.ServiceFailure, extract?: string): Message =>
  new service.ServiceError("update", CAR, { ...failure, ...(extract && { extract }) }, { maybeApplied: false }).problem;
const status = (code: number, text = "", extract?: string) => failed(service.failureOfStatus(code, text), extract);
const PROXY = "http://proxy.example.com:3128";
const connection = (code: string, proxy?: string) => {
  const other = { target: "https://api.example.com", key: "baseUrl", isLocal: false, proxy };
  return failed(service.through(proxy, service.failureOfConnection(Object.assign(new Error(), { code }), other)));
};

/** The problems of a configuration that is complete except for these values. */
function configuration(stack: Readonly<Record<string, string>>, environment: NodeJS.ProcessEnv = {}): Message[] {
  try {
    serviceOptions(readConfiguration((key) => stack[key], environment));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [...error.problems].filter(({ code }) => code !== "notSet");
  }
}

const KNOWN = { unknownKeys: new Set<string>() };
const ofCar = (changes: Values) =>
  lint(vehicle, { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY FORECAST", ...changes }, KNOWN);
const ofRoof = (changes: Values) => {
  const roof = { peakPower: 9800, azimuth: 180, tilt: 35, cutInThreshold: 150, baseLoad: 400, ...changes };
  return lint(inverter, roof, { ...KNOWN, latitude: 48 });
};
const ofSite = (...loads: readonly [baseLoad: number, peakPower: number][]) =>
  siteLints(
    loads.map(([baseLoad, peakPower], index) => ({ label: `inverter/${index}`, inputs: { baseLoad, peakPower } })),
    [],
  );

const eastWest = (tilt: number) => [90, 270].map((azimuth) => ({ peakPower: 5000, azimuth, tilt }));
const [EAST_WEST, STEEP] = [eastWest(30), eastWest(45)];

const notApproved = (device: string, isRepair: boolean) => {
  return { device, isRepair, setting: "maxCapacity", value: 90_000 };
};
const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;
const readBack = { setting: "maxCapacity", sent: 77_000, reported: 60_000 };
const DOWN = service.failureOfStatus(503, "");
const OUTAGE = { since: 0, failures: 12, devices: new Set(["a", "b", "c"]), last: DOWN, nextProbe: 75_000 };

/**
 * Messages of every code, made by the code of the provider. They are made when a test asks for them: messages made while
 * this module is loaded would not show a mutation of that code.
 */
export const SAMPLES: Readonly<Record<MessageCode, () => readonly Message[]>> = {
  notSet: () => [...unsetFor({}), lifecycle.notConnected(unsetFor({}))],
  notUsable: () => [
    ...configuration({ baseUrl: "http://api.example.com" }),
    problemOf(new ConfigurationError([...unsetFor({}), ...configuration({ maxConcurrency: "0" })])),
  ],
  misspelled: () => misspelled(["solar-charging:baseURL"], { SOLAR_CHARGING_TOKEN_COMAND: "x" }),
  severalCredentials: () => configuration({ accessToken: "t0ken", tokenCommand: "echo t0ken" }),
  nodeDebug: () => configuration({}, { NODE_DEBUG: "http" }),
  configurationOfLastUp: () => configuration({}),
  inverterFieldsNotSet: () => [lifecycle.INVERTER_FIELDS_NOT_SET],

  redirect: () => [status(302, "Found")],
  notAuthorized: () => [status(401, "Unauthorized")],
  notAllowed: () => [status(403, "Forbidden", "not your fleet")],
  notFound: () => [status(404, "Not Found")],
  conflict: () => [status(409, "Conflict")],
  tooManyRequests: () => [status(429)],
  serviceFails: () => [status(503)],
  requestRefused: () => [status(422, "", "max_capacity: {device} {baseUrl} <b> | `x` @team #1")],
  askedToWait: () => [failed({ ...DOWN, ...service.askedToWait(30_000, 0) })],
  outage: () => [failed({ ...refusalOf(OUTAGE, 60_000), transient: true })],
  onHold: () => [failed({ ...refusalOfHold(90_000, service.failureOfStatus(429, "")), transient: true })],
  notTheService: () => [failed(service.failureOfContent("the answer is not a JSON object"))],
  updateFailed: () => [failed(service.FAILURE_OF_REFUSAL, "too large")],
  cutAnswer: () => [failed(service.failureOfCut(206))],
  otherDeviceAnswers: () => [failed(service.failureOfForeign("'van'"))],
  mostUnknown: () => [failed(service.failureOfAbsences("https://api.example.com/api/v1/businesses/acme"))],
  timeout: () => [failed(service.failureOfTimeout(30))],
  tls: () =>
    ["ERR_TLS_CERT_ALTNAME_INVALID", "CERT_HAS_EXPIRED", "EPROTO", "SELF_SIGNED_CERT_IN_CHAIN"].map((code) =>
      connection(code),
    ),
  proxyRefuses: () => [connection("PROXY_407", PROXY)],
  proxyAddress: () => [failed(service.FAILURE_OF_PROXY_ADDRESS)],
  noConnection: () => [connection("ECONNREFUSED"), connection("ECONNREFUSED", PROXY)],
  secretFile: () => [
    failed(service.failureOfSecretFile("accessToken", "/run/token", "is empty", "Write the token into it")),
  ],
  tokenCommand: () => [failed(service.failureOfCommand("ended with exit code 3", "no such vault"))],
  tokenEndpoint: () => [failed(service.failureOfTokenEndpoint("no access token from {oauthTokenUrl}: HTTP 400"))],
  retrying: () => [service.retrying(DOWN, 120)],

  noSuchDevice: () => [lifecycle.noSuchDevice(CAR)],
  otherKind: () => [lifecycle.otherKind(CAR, "Inverter", vehicle)],
  wakesCar: () => [engine.wakesCar(false), engine.wakesCar(true)],
  badId: () => [engine.badId("deviceId", "must not be empty"), engine.badId("businessId", "is required")],
  changedAfterCheck: () => [
    lifecycle.changedAfterCheck([
      { property: "inverters.roof.tilt", reason: "must be from 0° to 90°, not 135°" },
      { property: "businessId", reason: "must not be empty" },
    ]),
  ],
  uncertain: () =>
    [failed(service.failureOfTimeout(30)), problemOf(new Error("the socket was closed"))].map((why) =>
      lifecycle.uncertain("uncertain", why),
    ),
  uncertainDelete: () => [lifecycle.uncertain("uncertainDelete", failed(service.failureOfTimeout(30)))],
  notBegun: () => [lifecycle.NOT_BEGUN],
  runStopped: () => [engine.RUN_STOPPED],
  undelivered: () => [engine.undelivered(new Error("14 UNAVAILABLE: no connection"))],
  overdue: () => [lifecycle.overdue(5)],
  unmanaged: () => [
    lifecycle.unmanaged(CAR, { maxCapacity: 60_000, policy: "CHARGE BY" }),
    lifecycle.unmanaged(CAR, { maxCapacity: 60_000 }, "/var/ledger.jsonl"),
    lifecycle.unmanaged(CAR, { maxCapacity: 60_000 }, undefined, { isMoved: true }),
  ],
  kept: () => [lifecycle.keptValues(CAR, [{ setting: "maxCapacity", kept: 70_000, declared: 77_000 }])],
  sameDevice: () => [lifecycle.sameDevice(CAR, { ...CAR, deviceId: "old-car" })],
  declaredElsewhere: () => [
    lifecycle.declaredElsewhere(CAR, ["maxCapacity", "policy"], "another stack"),
    lifecycle.declaredElsewhere(CAR, ["policy"], "another stack"),
  ],
  declaredNotSent: () => [lifecycle.moved("declaredNotSent", CAR, "maxCapacity", 70_000)],
  keptOverwritten: () => [lifecycle.moved("keptOverwritten", CAR, "maxCapacity", 70_000)],
  baselineUnknown: () => [
    lifecycle.baselinesUnknown(CAR, ["policy"]),
    lifecycle.baselinesUnknown(CAR, ["maxCapacity", "maxChargePower"]),
  ],
  changedElsewhere: () => [
    lifecycle.changedElsewhere(CAR, "policy", "CHARGE BY"),
    lifecycle.changedElsewhere(CAR, "policy", undefined),
  ],
  restored: () => [lifecycle.restored(CAR, { maxCapacity: 60_000, policy: "CHARGE BY" })],
  goneBeforeDelete: () => [lifecycle.goneBeforeDelete(CAR)],
  leavesStack: () => [lifecycle.leavesStack(CAR)],
  settingsMistyped: () => [lifecycle.settingsMistyped(CAR, ["maxCapacity"])],
  settingsLost: () => [lifecycle.settingsLost(CAR, ["maxCapacity"])],
  notImported: () =>
    problemsOf(vehicle, { ...CAR, maxCapacity: 77 }, new Set()).map(({ property, reason }) =>
      lifecycle.notImported(CAR, property, reason),
    ),
  pending: () => [lifecycle.pending(CAR, readBack, 10)],
  adjusted: () => [
    ...[60_000, 77, 0].map((reported) => lifecycle.adjusted(CAR, { ...readBack, reported })),
    lifecycle.adjusted(CAR, { setting: "policy", sent: "CHARGE BY", reported: "charge_by" }),
  ],
  notReadBack: () =>
    [["maxCapacity"], ["maxCapacity", "policy"]].map((keys) =>
      lifecycle.notReadBack(CAR, keys, failed(service.failureOfTimeout(30))),
    ),
  notRead: () => [lifecycle.notRead("vehicle/car: HTTP 503")],
  baselines: () => [lifecycle.baselinesBeforeUpdate({ "vehicle/car": { maxCapacity: 60_000 } })],
  notRestorable: () => [
    lifecycle.notRestorable([
      { label: "vehicle/car", keys: ["maxCapacity", "policy"] },
      { label: "inverter/roof", keys: ["tilt"] },
    ]),
  ],
  changes: () => [
    lifecycle.changesOf(["inverter/roof: azimuth SSW → NNE (202.5° → 22.5°)", "vehicle/car: leaves (retain)"]),
  ],
  notReady: () => [
    notReady("berlin", [
      { device: "inverter/roof", setting: "tilt", reason: "notDeclared" },
      { device: "vehicle/car", setting: "maxCapacity", reason: "assumed" },
    ]),
  ],
  noInverter: () => [NO_INVERTER],
  ownPolicies: () => [OWN_POLICIES],
  siteImport: () => [lifecycle.SITE_IMPORT],
  deleteBegun: () => [lifecycle.DELETE_BEGUN],
  driftInCache: () => [lifecycle.driftInCache("tilt", 30, 35)],
  differsInCache: () => [lifecycle.differsInCache("tilt", 30, 35)],
  foldedPlanes: () =>
    [50, undefined].map((latitude) => lifecycle.foldedPlanes(foldWords(EAST_WEST, latitude) as Omit<Message, "code">)),
  livePreviewEnds: () => [lifecycle.livePreviewEnds(status(503))],
  ledgerFails: () => [ledger.ledgerFails("/var/ledger.jsonl", "EACCES")],
  ledgerLineMissing: () => [
    ledger.ledgerLineMissing("/var/ledger.jsonl", "ENOSPC", '{"time":"…"}', { isWhole: true }),
    ledger.ledgerLineMissing("/var/ledger.jsonl", "ENOSPC", '{"time":"…"}', { isWhole: false }),
  ],
  journalFails: () => [ledger.journalFails("/var/baselines.jsonl", "ENOSPC")],
  journalUnreadable: () => [ledger.journalUnreadable("/var/baselines.jsonl", "EACCES")],
  storeUnusable: () => [ledger.storeUnusable("ENOENT", "/tmp/run.jsonl"), ledger.storeUnusable("no folder", undefined)],
  baselineOutOfRange: () => [lifecycle.baselineOutOfRange(CAR, "maxCapacity", 999_999_999)],
  notReviewed: () => [
    lifecycle.notReviewed([notApproved("vehicle/car", false)], DIGEST),
    lifecycle.notReviewed([notApproved("vehicle/car", false), notApproved("vehicle/van", true)], DIGEST),
    lifecycle.notReviewed(
      Array.from({ length: 12 }, (_, index) => notApproved(`vehicle/${index}`, true)),
      DIGEST,
    ),
  ],
  approvalNotUsable: () => [setNotUsable("approved.json", "ENOENT")],
  internal: () => [problemOf(new Error("nothing is known of this")), problemOf(new TypeError("x is undefined"))],
  engine: () => [
    problemOfEngine("post-step event returned an error: write /state/acme.json.0123456789abcdef.tmp: no space"),
  ],
  noEngine: () => [noEngine(), noHost()],
  engineKilled: () => [engineKilled("shard-1-of-2", "/fleets/acme", "SIGKILL")],
  stackHeld: () => [
    heldBy("shard-1-of-2", "/fleets/acme", ""),
    heldBy("shard-1-of-2", "/fleets/acme", "created by ann@elsewhere (pid 7) at 2026-11-21T16:11:25Z"),
  ],
  stackNotRun: () => [{ code: "stackNotRun", finding: "its folder cannot be written" }],
  notSteady: () => [UNSTEADY],

  "direct-current-power": () => ofCar({ maxCapacity: 50_000, maxChargePower: 50_000 }),
  "power-for-capacity": () => ofCar({ maxCapacity: 10_000, maxChargePower: 20_000 }),
  "default-power": () => ofCar({ maxChargePower: 7200 }),
  "small-capacity": () => [
    ...ofCar({ maxCapacity: 7700, maxChargePower: 3700 }),
    ...lint(
      vehicle,
      { maxCapacity: 7700, policy: "CHARGE BY FORECAST" },
      { ...KNOWN, secretKeys: new Set(["maxCapacity"]) },
    ).filter(({ code }) => code === "small-capacity"),
  ],
  "large-capacity": () => ofCar({ maxCapacity: 200_000 }),
  "default-capacity": () => ofCar({ maxCapacity: 80_000 }),
  "ignored-metadata": () => [...ofCar({ policy: "CHARGE BY" }), ...lint(vehicle, { maxCapacity: 77_000 }, KNOWN)],
  "forecast-without-metadata": () => [
    ...lint(vehicle, { policy: "CHARGE BY FORECAST" }, KNOWN),
    ...lint(vehicle, { policy: "CHARGE BY FORECAST", maxCapacity: 77_000 }, KNOWN),
  ],
  "small-peak-power": () => ofRoof({ peakPower: 200, cutInThreshold: 10, baseLoad: 60 }),
  "large-peak-power": () => ofRoof({ peakPower: 250_000 }),
  "flat-tilt": () => ofRoof({ tilt: 0 }),
  "tilt-in-radians": () => ofRoof({ tilt: 0.61 }),
  "steep-tilt": () => ofRoof({ tilt: 70 }),
  "high-cut-in": () => ofRoof({ cutInThreshold: 9000 }),
  "low-cut-in": () => [...ofRoof({ cutInThreshold: 0 }), ...ofRoof({ cutInThreshold: 0.15 })],
  "base-load-above-peak": () => ofRoof({ peakPower: 3000, baseLoad: 4000 }),
  "low-base-load": () => [...ofRoof({ baseLoad: 20 }), ...ofRoof({ baseLoad: 0.4 })],
  "high-base-load": () => ofRoof({ baseLoad: 6000 }),
  "incomplete-inverter": () => lint(inverter, { peakPower: 9800, azimuth: 180, tilt: 35 }, KNOWN),
  "azimuth-off-equator": () => [
    ...ofRoof({ azimuth: 10 }),
    ...lint(inverter, { peakPower: 9800, azimuth: 10, tilt: 35, cutInThreshold: 150, baseLoad: 400 }, KNOWN),
  ],
  "repeated-base-load": () => ofSite([400, 9800], [400, 9800]),
  "base-load-above-site": () => [...ofSite([900, 1000], [1200, 1000]), ...ofSite([500, 700], [600, 200])],
  "forecast-without-inverter": () => [FORECAST_ALONE],
  "nothing-declared": () => [NOTHING_DECLARED],
  "planes-as-one": () =>
    lint(inverter, declaredValues(inverter, { planes: STEEP, cutInThreshold: 150, baseLoad: 400 }, 50), {
      ...KNOWN,
      latitude: 50,
      planes: STEEP,
    }),
};
