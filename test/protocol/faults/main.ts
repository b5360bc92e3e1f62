import { reason } from "../../../scripts/execute";
import { type Line, runMatrix } from "./run";

/** The columns of the matrix. */
const COLUMNS: Readonly<Record<string, (line: Line) => string>> = {
  fault: ({ fault }) => fault,
  "met by": ({ met }) => met,
  operation: ({ operation }) => operation,
  device: ({ device }) => device,
  state: ({ state }) => state,
  GET: ({ requests }) => String(requests.GET),
  PATCH: ({ requests }) => String(requests.PATCH),
  POST: ({ requests }) => String(requests.POST),
  "time (s)": ({ seconds }) => seconds.toFixed(1),
  "next call": ({ next }) => next,
  "the user sees": ({ says }) => says || "nothing",
};

/** `npm run faults`: runs and prints the fault matrix. Fails if a line differs from its expectation. */
async function main(): Promise<void> {
  const start = performance.now();
  const lines = await runMatrix();
  const names = Object.keys(COLUMNS);
  for (const cells of table([names, ...lines.map((line) => Object.values(COLUMNS).map((cell) => cell(line)))])) {
    console.log(cells);
  }
  const wrong = lines.filter(({ problems }) => problems.length > 0);
  for (const { fault, met, operation, problems } of wrong) {
    console.error(`NOT AS EXPECTED: ${fault}, met by ${met}, ${operation}: ${problems.join("; ")}`);
  }
  const faults = new Set(lines.map(({ fault }) => fault).filter((fault) => !fault.startsWith("none"))).size;
  const seconds = Math.round((performance.now() - start) / 1000);
  const searches = lines.reduce((sum, line) => sum + line.searches, 0);
  const hits = lines.reduce((sum, { found }) => sum + found.length, 0);
  console.log(`searched for canaries in ${searches} outputs and files, ${hits} hits`);
  console.log(`${faults} faults, ${lines.length} lines, ${wrong.length} not as expected, ${seconds} s`);
  if (wrong.length > 0) process.exitCode = 1;
}

/** The rows as lines, with aligned columns. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

main().catch((error) => {
  console.error(reason(error));
  process.exitCode = 1;
});
