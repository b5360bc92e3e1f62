import { failureOfCut } from "../../../provider/service/errors";
import { clientRows } from "./clientRows";
import {
  BASELINE,
  deviceIsGone,
  FIRST,
  goesWell,
  RESTORED,
  readFails,
  SILENCE,
  thenRefused,
  updateCounts,
  updateIsRefused,
  updateIsUncertain,
} from "./expected";
import * as faults from "./faults";
import {
  APPLIED,
  elsewhere,
  final,
  HALF_APPLIED,
  HURRIED,
  LATE,
  NOT_APPLIED,
  passing,
  type Row,
  row,
  VERIFY,
} from "./row";
import { passOn } from "./service";

/** No request arrives. */
function unreachable(says: RegExp): Row["expected"] {
  const common = { says, GET: 0, PATCH: 0, next: "refused" };
  return {
    every: {
      create: { ...common, device: "old", state: "nothing" },
      read: { ...common, device: "new", state: "as before" },
      update: { ...common, device: "old", state: "as before" },
      delete: { ...common, device: "new", state: "as before" },
    },
  };
}

// 64 characters are one too many for a label of a name, so no resolver asks the network.
const NAME_OF_NOBODY = `https://${"a".repeat(64)}.example`;

/** The answer is not that of the service. */
const NOT_ITS_ANSWER = /^(?!.*(HTTP \d|E[A-Z]{4})).*solar-charging:baseUrl/;
const NO_DEVICE = readFails(NOT_ITS_ANSWER, 1);
/** The answer breaks off. */
const CUT = new RegExp(failureOfCut(200).reason.replace("(HTTP 200)", ""));

const connections = [
  row("none", passOn, { every: goesWell() }),
  row("none, over TLS", passOn, { every: goesWell() }, { certificate: "trusted" }),
  row("refused", passOn, unreachable(/ECONNREFUSED/), { isDown: true }),
  row("DNS failure", passOn, unreachable(/ENOTFOUND/), { url: NAME_OF_NOBODY }),
  ...(
    [
      ["for another name", /ERR_TLS_CERT_ALTNAME_INVALID.*solar-charging:baseUrl/],
      ["expired", /CERT_HAS_EXPIRED.*clock/],
      ["self-signed", /DEPTH_ZERO_SELF_SIGNED_CERT.*NODE_EXTRA_CA_CERTS/],
    ] as const
  ).map(([certificate, says]) => row(`certificate ${certificate}`, passOn, unreachable(says), { certificate })),
  row("reset before the request was applied", faults.resetsBefore, passing(/ECONNRESET/)),
  row("reset while the request was applied", faults.resetsDuring, {
    GET: readFails(/ECONNRESET/, "several"),
    PATCH: updateIsUncertain(/ECONNRESET/, "several", HALF_APPLIED),
  }),
  row("reset after the request was applied", faults.resetsAfter, {
    GET: readFails(/ECONNRESET/, "several"),
    PATCH: updateIsUncertain(/ECONNRESET/, "several", APPLIED),
  }),
  row("what was sent, sent back", faults.sendsBack, passing(/HPE_INVALID_CONSTANT/)),
  row("slow headers", faults.staysSilent, passing(LATE), HURRIED),
];

const bodies = [
  row(
    "slow body",
    faults.answersSlowly,
    { GET: readFails(LATE, "several"), PATCH: updateIsUncertain(LATE, "several", APPLIED) },
    HURRIED,
  ),
  row("body cut", faults.cutsBody, {
    GET: readFails(/ECONNRESET|ERR_STREAM_PREMATURE_CLOSE/, "several"),
    PATCH: updateIsUncertain(/ECONNRESET|ERR_STREAM_PREMATURE_CLOSE/, "several", APPLIED),
  }),
  row("body cut, without a length", faults.cutsUnseen, {
    GET: readFails(CUT, "several"),
    PATCH: updateIsUncertain(CUT, "several", APPLIED),
  }),
  row(
    "wrong length, too long",
    faults.promisesTooMuch,
    { GET: readFails(LATE, "several"), PATCH: updateIsUncertain(LATE, "several", APPLIED) },
    HURRIED,
  ),
  row("wrong length, too short", faults.promisesTooLittle, { GET: NO_DEVICE, PATCH: updateCounts() }),
  row("200 with HTML", faults.answersPage(200), {
    GET: NO_DEVICE,
    PATCH: updateIsUncertain(/solar-charging:baseUrl/, 1, NOT_APPLIED),
  }),
  row(
    "200 with an array",
    faults.answersAfter(({ body }, echo) => ({ body: `[${JSON.stringify(echo)}${body && ","}${body}]` })),
    {
      GET: NO_DEVICE,
      PATCH: updateCounts(),
    },
  ),
  row(
    "200 with a string",
    faults.answersAfter((_, echo) => ({ body: JSON.stringify(`done for ${echo}`) })),
    { GET: NO_DEVICE, PATCH: updateCounts() },
  ),
  row("200 with 100 MB", faults.answersHugely, {
    GET: NO_DEVICE,
    PATCH: updateIsUncertain(NOT_ITS_ANSWER, 1, APPLIED),
  }),
  row(
    "200 with a body on PATCH",
    faults.answersWith((request) => ({ updated: true, request })),
    { PATCH: updateCounts() },
  ),
  row(
    "200 with the request in the device",
    faults.answersWith((request) => ({ request, [request]: 1, __typename: request, policy: request })),
    { GET: goesWell() },
  ),
  row(
    "200 with the request as the device's type",
    faults.answersWith((request) => ({ dev_type: request })),
    { GET: readFails(/'.*\[redacted\].*',.*VehicleSettings .*'Electric vehicle'/, 1) },
  ),
  row(
    "201",
    faults.answersAfter(() => ({ status: 201 })),
    { PATCH: updateCounts() },
  ),
  row(
    "204",
    faults.answersAfter(() => ({ status: 204 })),
    { GET: NO_DEVICE, PATCH: updateCounts() },
  ),
];

const MOST_ARE_GONE = / http.*SOLAR_CHARGING_ALLOW_GONE=true/;

/** The service refuses the request, and no value. */
const OF_REQUEST = /(?!.*solar-charging:inverterFields).*solar-charging:baseUrl/;

const statuses = [
  ...[301, 302, 307, 308].flatMap((status) =>
    (["same", "other"] as const).map((host) =>
      row(
        `${status} to the ${host} host`,
        faults.redirects(status, host),
        elsewhere(new RegExp(`HTTP ${status} .*solar-charging:baseUrl`)),
      ),
    ),
  ),
  ...[400, 422].map((status) =>
    row(`${status}`, faults.answers(status), {
      GET: readFails(new RegExp(`HTTP ${status} ${OF_REQUEST.source}`), 1),
      PATCH: updateIsRefused(new RegExp(`HTTP ${status} .*solar-charging:inverterFields`)),
    }),
  ),
  row("401", faults.answers(401), final(/HTTP 401 .*SOLAR_CHARGING_ACCESS_TOKEN/)),
  row("403", faults.answers(403), final(/HTTP 403 /)),
  ...[404, 410].flatMap((status) => [
    row(
      `${status}`,
      faults.answers(status),
      {
        GET: deviceIsGone(),
        PATCH: {
          ...updateIsRefused(new RegExp(`HTTP ${status} .*still exists`)),
          delete: { says: BASELINE, device: "new", state: "gone", GET: 1, PATCH: 1 },
        },
      },
      { isApart: true },
    ),
    row(`${status} for most devices`, faults.answers(status), {
      GET: { ...readFails(MOST_ARE_GONE, 1), create: deviceIsGone().create },
      PATCH: {
        ...updateIsRefused(new RegExp(`HTTP ${status} .*still exists`)),
        delete: { says: MOST_ARE_GONE, device: "new", state: "as before", GET: 1, PATCH: 1 },
      },
    }),
  ]),
  row("404 with HTML", faults.answersPage(404), final(/HTTP 404 .*solar-charging:baseUrl/)),
  row("409", faults.answers(409), final(/HTTP 409/)),
  ...[405, 413, 415].map((status) =>
    row(`${status}`, faults.answers(status), final(new RegExp(`HTTP ${status} ${OF_REQUEST.source}`))),
  ),
  ...[500, 502, 503, 504].map((status) =>
    row(`${status}`, faults.answers(status), passing(new RegExp(`HTTP ${status} `))),
  ),
];

/** The service asks for a longer wait than the limit: no request is sent any more, for any device. */
function holds(says: RegExp): Row["expected"] {
  return {
    GET: thenRefused(readFails(says, 1)),
    PATCH: thenRefused(updateIsUncertain(says, 1, NOT_APPLIED)),
  };
}

const YEAR_2100 = "Fri, 31 Dec 2100 23:59:59 GMT";
const YEAR_1970 = "Thu, 01 Jan 1970 00:00:00 GMT";

/** The service limits requests, and the provider waits as long as the service asks. */
const rateLimits = (
  [
    ["429 without Retry-After", undefined, /HTTP 429 .*maxRequestsPerMinute/],
    ["429, Retry-After in 1 s", "1", /HTTP 429 .* 1 s/],
    ["429, Retry-After beyond numbers", "9".repeat(400), /HTTP 429 .*maxRequestsPerMinute/],
    ["429, Retry-After no time", "soon", /HTTP 429 .*maxRequestsPerMinute/],
    ["429, Retry-After in the past", YEAR_1970, /HTTP 429 .*maxRequestsPerMinute/],
  ] as const
).map(([fault, header, says]) =>
  row(fault, faults.answers(429, header === undefined ? {} : { "retry-after": header }), passing(says)),
);

const longHolds = (
  [
    ["429, Retry-After in 120 s", "120", /HTTP 429 .* 120 s/],
    ["429, Retry-After a date", YEAR_2100, /HTTP 429 .* 2100-12-31/],
    ["429, Retry-After absurd", "999999999999", /HTTP 429 .* \+033715-08/],
  ] as const
).map(([fault, header, says]) =>
  row(fault, faults.answers(429, { "retry-after": header }), holds(says), { isApart: true }),
);

const STALE = new RegExp(` 77 kWh.* 60 kWh .* ${VERIFY} s.*"pulumi refresh"`);

const truths = [
  row(
    "alternating faults",
    faults.alternately(faults.answers(503), passOn, faults.resetsBefore, passOn, faults.answers(429), passOn),
    {
      every: {
        create: { says: FIRST, device: "new", state: "verified", GET: 4, PATCH: 2 },
        read: { says: SILENCE, device: "new", state: "verified", GET: 2, PATCH: 0 },
        update: { says: SILENCE, device: "new", state: "verified", GET: 2, PATCH: 2 },
        delete: { says: RESTORED, device: "old", state: "gone", GET: 2, PATCH: 2 },
      },
    },
  ),
  row("stale cache", faults.showsPast, {
    GET: {
      create: { says: STALE, device: "new", state: "pending", GET: "several", PATCH: 1 },
      read: { says: SILENCE, device: "new", state: "drifted", GET: 1, PATCH: 0 },
      update: { says: STALE, device: "new", state: "pending", GET: "several", PATCH: 1 },
      delete: { says: RESTORED, device: "old", state: "gone", GET: 1, PATCH: 1 },
    },
  }),
  row("flapping cache, first new", faults.alternately(passOn, faults.showsPast), {
    GET: {
      create: { says: FIRST, device: "new", state: "verified", GET: 3, PATCH: 1 },
      read: { says: SILENCE, device: "new", state: "verified", GET: 1, PATCH: 0 },
      update: { says: SILENCE, device: "new", state: "verified", GET: 1, PATCH: 1 },
      delete: { says: RESTORED, device: "old", state: "gone", GET: 1, PATCH: 1 },
    },
  }),
  row("flapping cache, first old", faults.alternately(faults.showsPast, passOn), {
    GET: {
      create: { says: FIRST, device: "new", state: "verified", GET: 2, PATCH: 1 },
      read: { says: SILENCE, device: "new", state: "drifted", GET: 1, PATCH: 0 },
      update: { says: SILENCE, device: "new", state: "verified", GET: 2, PATCH: 1 },
      delete: { says: RESTORED, device: "old", state: "gone", GET: 1, PATCH: 1 },
    },
  }),
  row("PATCH accepted and never applied", faults.answers(200), {
    PATCH: {
      create: { says: STALE, device: "old", state: "pending", GET: "several", PATCH: 1 },
      update: { says: STALE, device: "old", state: "pending", GET: "several", PATCH: 1 },
      delete: { says: RESTORED, device: "new", state: "gone", GET: 1, PATCH: 1 },
    },
  }),
  row("concurrent writer before our PATCH", faults.meetsWriter, {
    PATCH: {
      create: { says: FIRST, device: "new, their policy", state: "verified", GET: 2, PATCH: 1 },
      update: { says: SILENCE, device: "new, their policy", state: "verified", GET: 1, PATCH: 1 },
      delete: { says: RESTORED, device: "old, their policy", state: "gone", GET: 1, PATCH: 1 },
    },
  }),
];

const plain = [...connections, ...bodies, ...statuses, ...rateLimits, ...longHolds, ...truths];

/** The whole matrix. */
export const ROWS: readonly Row[] = [...plain, ...clientRows(plain)];
