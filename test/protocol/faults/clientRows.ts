import { type Expectations, goesWell, readFails, updateIsRefused } from "./expected";
import * as faults from "./faults";
import { HURRIED, LATE, type Row, row } from "./row";
import type { Fault } from "./service";

/** One fault of each class. An OAuth client meets them with a new token. */
const CLASSES: ReadonlySet<string> = new Set([
  "reset after the request was applied",
  "wrong length, too short",
  "200 with HTML",
  "200 with the request as the device's type",
  "307 to the other host",
  "403",
  "503",
  "alternating faults",
]);

const CLIENT = { isClient: true } as const;

/** The rows of an OAuth client: some faults of the rows with a fixed token, and the faults of the token endpoint. */
export function clientRows(rows: readonly Row[]): Row[] {
  const chosen = rows.filter(({ fault }) => CLASSES.has(fault));
  if (chosen.length !== CLASSES.size) throw new Error("a class of faults has no row");
  return [
    ...chosen.map(({ fault, happens, expected, connection }) =>
      row(`${fault}, OAuth client`, happens, expected, { ...connection, ...CLIENT }),
    ),
    row("401, OAuth client", faults.answers(401), refused, CLIENT),
    ...tokenRows,
  ];
}

const NOT_ACCEPTED = /HTTP 401 .*SOLAR_CHARGING_OAUTH_TOKEN_URL /;

/** The service refuses the token and the next one. For 30 s, the client gets no other. */
const refused: Row["expected"] = {
  GET: { ...readFails(NOT_ACCEPTED, 1), create: readFails(NOT_ACCEPTED, 2).create },
  PATCH: updateIsRefused(NOT_ACCEPTED),
};

/** Without a token, no request about a device is made. @param says also matches the endpoint's answer */
function withoutToken(says: RegExp, POST: readonly ["several" | 1, "several" | 0], next?: "refused"): Expectations {
  const common = {
    says: new RegExp(`solar-charging:oauthTokenUrl: ${says.source}`),
    device: "old",
    GET: 0,
    PATCH: 0,
    ...(next && { next }),
  };
  return {
    create: { ...common, state: "nothing", POST: POST[0] },
    update: { ...common, state: "as before", POST: POST[1] },
  };
}

/** The endpoint refuses, or answers without a token. It is asked once, and not again for 30 s. */
function refuses(fault: string, happens: Fault, says: RegExp): Row {
  return row(fault, happens, { POST: withoutToken(says, [1, 0], "refused") }, CLIENT);
}

/** The endpoint may give a token later, so it is asked several times. */
function fails(fault: string, happens: Fault, says: RegExp, connection: Row["connection"] = {}): Row {
  return row(fault, happens, { POST: withoutToken(says, ["several", "several"]) }, { ...CLIENT, ...connection });
}

const CHECK = "solar-charging:oauthTokenUrl, oauthClientId, oauthClientSecret \\w+ oauthScope";
const NO_GRANT = new RegExp(`(?!HTTP).*${CHECK}`);

const describes = (echo: string) => ({ error: "invalid_client", error_description: `not ${echo}`, got: { echo } });

/** The faults of the token endpoint. */
const tokenRows: readonly Row[] = [
  row("token: 200 with the request", faults.answersWith(describes), { POST: goesWell() }, CLIENT),
  refuses(
    "token: 201 with the token",
    faults.answersAfter(() => ({ status: 201 })),
    new RegExp(`HTTP 201 Created\\. .*${CHECK}`),
  ),
  ...[400, 401].map((status) =>
    refuses(
      `token: ${status} with the request`,
      faults.answersAfter((_, echo) => ({ status, body: JSON.stringify(describes(echo)) })),
      new RegExp(`HTTP ${status} .*${CHECK}`),
    ),
  ),
  refuses("token: 307 to the other host", faults.redirects(307, "other"), new RegExp(`HTTP 307 .*${CHECK}`)),
  refuses("token: 200 with HTML", faults.answersPage(200), NO_GRANT),
  refuses("token: wrong length, too short", faults.promisesTooLittle, NO_GRANT),
  fails("token: 500 with HTML", faults.answersPage(500), /HTTP 500 /),
  fails("token: reset after the grant", faults.resetsAfter, /.*ECONNRESET/),
  fails("token: body cut", faults.cutsBody, /.*(ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)/),
  fails("token: slow body", faults.answersSlowly, LATE, HURRIED),
];
