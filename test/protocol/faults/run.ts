import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { writeClaims } from "../../../provider/ledger/runFile";
import { ACCESS_TOKEN, CLIENT_SECRET, SECRETS, searchFor } from "../../support/canaries";
import { filesBelow } from "../../support/folder";
import { freePort } from "../../support/freePort";
import type { ProviderHost } from "../host";
import { LOCKED } from "../installation";
import { startHost } from "../startHost";
import { type Certificates, makeCertificates } from "./certificates";
import { type Expected, problemsOf } from "./expected";
import { type Operation, type Outcome, perform, readHealthy } from "./operations";
import { type Limits, type Met, type Row, VERIFY } from "./row";
import { ROWS } from "./rows";
import { BUSINESS, FaultyService, TOKEN_PATH } from "./service";

const LIMITS: Limits = { request: 10, retry: 6 };

/** Longest operation, in seconds: a read, an update, a read-back, and a reserve for a busy machine. */
const longest = ({ retry }: Limits) => 3 * retry + VERIFY + 5;

/** Rows that run at the same time. They mostly wait. */
const AT_ONCE = 6;

/** One line of the matrix. */
export interface Line extends Outcome {
  readonly fault: string;
  readonly met: Met;
  readonly operation: Operation;
  /** Number of outputs and files that were searched for secrets, and the places in which pieces were found. */
  readonly searches: number;
  readonly found: readonly string[];
  /** The differences from the expectation; empty if there are none. */
  readonly problems: readonly string[];
}

/** Runs the matrix. Each row has its own provider process and service, or several. */
export async function runMatrix(rows: readonly Row[] = ROWS): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), "solar-charging-faults-"));
  try {
    const certificates = await makeCertificates();
    const authority = join(folder, "authority.pem");
    writeFileSync(authority, certificates.authority);
    const lines: Line[][] = [];
    const waiting = [...rows.entries()];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, row] = next;
        lines[index] = await runRow(row, index, { certificates, authority, folder });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return lines.flat();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The common setting of all rows. */
interface Setting {
  readonly certificates: Certificates;
  /** File of the authority that the provider trusts. */
  readonly authority: string;
  /** Each process has its own folder in this one. */
  readonly folder: string;
}

type Case = readonly [met: Met, operation: Operation, expected: Expected];

async function runRow(row: Row, index: number, setting: Setting): Promise<Line[]> {
  const cases = Object.entries(row.expected).flatMap(([met, expectations]) =>
    Object.entries(expectations).map(([operation, expected]) => [met, operation, expected] as Case),
  );
  const lines: Line[] = [];
  for (const together of row.connection.isApart ? cases.map((each) => [each]) : [cases]) {
    lines.push(...(await runCases(row, together, index + lines.length, setting)));
  }
  return lines;
}

/** Runs operations one after the other in a provider process with its own service. */
async function runCases(row: Row, cases: readonly Case[], firstEcho: number, setting: Setting): Promise<Line[]> {
  const { certificate, isDown, limits = LIMITS } = row.connection;
  const service = await FaultyService.start({
    firstEcho,
    // Without this, the server of another test could get the port while this one is down.
    ...(isDown && { port: await freePort() }),
    ...(certificate && { certificate: setting.certificates.of[certificate] }),
  });
  const folder = mkdtempSync(join(setting.folder, "process-"));
  const host = await hostOf(row, service, folder, setting.authority);
  const outcomes: (Outcome & Pick<Line, "met" | "operation" | "problems">)[] = [];
  try {
    await readHealthy(host, service); // The first call loads and compiles code, so it must not count as time of a fault.
    if (isDown) service.refuse();
    for (const [met, operation, expected] of cases) {
      const outcome = await perform(operation, host, service, () => service.begin(met, row.happens));
      outcomes.push({ ...outcome, met, operation, problems: problemsOf(expected, outcome, longest(limits)) });
    }
  } finally {
    await host.stop();
    await service.stop();
  }
  const left = { "output of the process": host.printed, ...filesIn(folder) };
  return outcomes.map((outcome) => {
    const texts = Object.entries({ ...outcome.shown, ...left }).map(
      ([place, text]) => [place, Buffer.from(text)] as const,
    );
    const { places, found } = searchFor(SECRETS, texts);
    return { ...outcome, fault: row.fault, searches: places, found, problems: [...outcome.problems, ...found] };
  });
}

/** A provider that writes all its files in this folder: ledger, log of requests, temporary files. */
async function hostOf(row: Row, service: FaultyService, folder: string, authority: string): Promise<ProviderHost> {
  const { url = service.url, limits = LIMITS, isClient } = row.connection;
  mkdirSync(join(folder, "tmp"));
  const calls = writeClaims(join(folder, "calls"), []);
  return await startHost(LOCKED, {
    config: {
      "solar-charging:baseUrl": url,
      "solar-charging:businessId": BUSINESS,
      "solar-charging:requestTimeoutSeconds": String(limits.request),
      "solar-charging:retryTimeoutSeconds": String(limits.retry),
      "solar-charging:verifyTimeoutSeconds": String(VERIFY),
    },
    environment: {
      ...(isClient
        ? {
            SOLAR_CHARGING_OAUTH_TOKEN_URL: service.url + TOKEN_PATH,
            SOLAR_CHARGING_OAUTH_CLIENT_ID: "pipeline",
            SOLAR_CHARGING_OAUTH_CLIENT_SECRET: CLIENT_SECRET,
          }
        : { SOLAR_CHARGING_ACCESS_TOKEN: ACCESS_TOKEN }),
      SOLAR_CHARGING_LEDGER_FILE: join(folder, "ledger.jsonl"),
      ...calls,
      TMPDIR: join(folder, "tmp"),
      NODE_EXTRA_CA_CERTS: authority,
    },
  });
}

function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(filesBelow(folder).map((file) => [basename(file), readFileSync(file, "utf8")]));
}
