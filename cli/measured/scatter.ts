import type { Meaning, Styler } from "../style";

/** A cloud of points with lines through the origin. */
interface Scatter {
  readonly points: readonly (readonly [x: number, y: number])[];
  /** The value of each line at x = 100. The first ones are in front. */
  readonly lines: readonly { readonly at100: number; readonly sign: string; readonly meaning: Meaning }[];
  readonly unitOf: (y: number) => string;
}

/** Width and height of the area of the points, in characters. */
const [COLUMNS, ROWS] = [50, 10];

/** The sign of one point, and of several at the same place. */
const [ONE, SEVERAL] = ["•", "●"];

/** Width of the texts at the axis, in characters. */
const AXIS = 14;

/** Points and lines for a terminal, over x from 0 to 100 %. */
export function scatterText({ points, lines, unitOf }: Scatter, styled: Styler): string[] {
  const highest = Math.max(...points.map(([, y]) => y), ...lines.map(({ at100 }) => at100));
  const cells = Array.from({ length: ROWS }, () => new Array<string>(COLUMNS).fill(" "));
  const put = (x: number, y: number, text: (before: string) => string) => {
    const row = cells[Math.min(ROWS - 1, Math.floor((1 - y / highest) * ROWS))];
    const column = Math.min(COLUMNS - 1, Math.floor((x / 100) * COLUMNS));
    if (row) row[column] = text(row[column] as string);
  };
  for (const { at100, sign, meaning } of lines.toReversed())
    for (let column = 0; column < COLUMNS; column++) {
      const x = ((column + 0.5) / COLUMNS) * 100;
      put(x, (at100 * x) / 100, () => styled(meaning, sign));
    }
  for (const [x, y] of points) put(x, y, (before) => styled("good", before.includes(ONE) ? SEVERAL : ONE));
  const label = (row: number) => (row === 0 ? unitOf(highest) : row === ROWS / 2 ? unitOf(highest / 2) : "");
  return [
    ...cells.map((row, i) => `  ${styled("quiet", `${label(i).padStart(AXIS - 2)} │`)}${row.join("")}`),
    styled("quiet", `  ${"".padEnd(AXIS - 1)}└${"─".repeat(COLUMNS)}`),
    styled("quiet", `  ${"".padEnd(AXIS)}${"0 %".padEnd(COLUMNS / 2)}${"rise of charge".padEnd(COLUMNS / 2 - 5)}100 %`),
  ];
}
