import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProviderHost } from "../host";
import { LOCKED } from "../installation";
import { type Certificates, makeCertificates } from "./certificates";
import { type Expected, problemsOf } from "./expected";
import { type Operation, type Outcome, perform } from "./operations";
import { type Met, ROWS, type Row } from "./rows";
import { BUSINESS, FaultyService } from "./service";

/** Limits of the provider under test, in seconds. */
const REQUEST = 10;
const RETRY = 3;
const VERIFY = 1;

/** Longest operation: a read, an update, and reading back; and time for a busy machine. */
const LONGEST = 3 * RETRY + VERIFY + 2;

/** Rows under way at once: they mostly wait. */
const AT_ONCE = 6;

/** One line of the matrix. */
export interface Line extends Outcome {
  readonly fault: string;
  readonly met: Met;
  readonly operation: Operation;
  /** What is not as it has to be; empty where all is well. */
  readonly problems: readonly string[];
}

/** Runs the matrix: each row has a provider process and a service of its own, or several. */
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
        lines[next[0]] = await runRow(next[1], certificates, authority);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return lines.flat();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Case = readonly [met: Met, operation: Operation, expected: Expected];

async function runRow(row: Row, certificates: Certificates, authority: string): Promise<Line[]> {
  const cases = Object.entries(row.expected).flatMap(([met, expectations]) =>
    Object.entries(expectations).map(([operation, expected]) => [met, operation, expected] as Case),
  );
  const lines: Line[] = [];
  for (const together of row.connection.isApart ? cases.map((each) => [each]) : [cases]) {
    lines.push(...(await runCases(row, together, certificates, authority)));
  }
  return lines;
}

/** Runs operations one after the other in a provider process, which has a service of its own. */
async function runCases(
  row: Row,
  cases: readonly Case[],
  certificates: Certificates,
  authority: string,
): Promise<Line[]> {
  const { certificate, isDown, url, requestTimeout = REQUEST } = row.connection;
  const service = await FaultyService.start(certificate && { certificate: certificates.of[certificate] });
  const host = await ProviderHost.start(LOCKED, {
    config: {
      "solar-charging:baseUrl": url ?? service.url,
      "solar-charging:businessId": BUSINESS,
      "solar-charging:requestTimeoutSeconds": String(requestTimeout),
      "solar-charging:retryTimeoutSeconds": String(RETRY),
      "solar-charging:verifyTimeoutSeconds": String(VERIFY),
    },
    environment: { SOLAR_CHARGING_ACCESS_TOKEN: service.simulator.token, NODE_EXTRA_CA_CERTS: authority },
  });
  try {
    if (isDown) service.refuse();
    const lines: Line[] = [];
    for (const [met, operation, expected] of cases) {
      const outcome = await perform(operation, host, service, () => service.begin(met, row.happens));
      const problems = problemsOf(expected, outcome, LONGEST);
      lines.push({ ...outcome, fault: row.fault, met, operation, problems });
    }
    return lines;
  } finally {
    await host.stop();
    await service.stop();
  }
}
