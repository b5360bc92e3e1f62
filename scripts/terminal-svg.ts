import type { IBuffer, IBufferCell } from "@xterm/headless";

const FONT_SIZE = 14;
const LINE_HEIGHT = 20;
const CHARACTER_WIDTH = 8.4;
const PADDING = 16;

const FOREGROUND = "#d1d7e0";
/** The 16 colours of a terminal, chosen to be legible on the dark ground. */
const PALETTE = [
  ...["#656c76", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4"],
  ...["#8b949e", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#ffffff"],
];

/** The content of a terminal, down to its last line with text, as an SVG image with its own dark ground. */
export function terminalSvg(screen: IBuffer, columns: number, title: string): string {
  const lines = Array.from({ length: screen.length }, (_, row) => lineOf(screen, row));
  const height = (lines.findLastIndex((line) => line !== "") + 1) * LINE_HEIGHT + 2 * PADDING;
  const width = Math.ceil(columns * CHARACTER_WIDTH) + 2 * PADDING;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>text { font: ${FONT_SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }</style>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" fill="#0d1117" stroke="#30363d"/>`,
    ...lines.filter((line) => line !== ""),
    "</svg>",
  ].join("\n")}\n`;
}

/**
 * The text of a line, in pieces of one style without two spaces in a row. Each piece has its own position, so that it
 * is right in any font.
 */
function lineOf(screen: IBuffer, row: number): string {
  const stretches: { column: number; style: string; text: string }[] = [];
  const line = screen.getLine(row);
  for (let column = 0; column < (line?.length ?? 0); column++) {
    const cell = line?.getCell(column);
    if (!cell) continue;
    const style = styleOf(cell);
    const text = cell.getChars() || " ";
    const last = stretches.at(-1);
    if (last?.style === style) last.text += text;
    else stretches.push({ column, style, text });
  }
  return stretches
    .flatMap(({ column, style, text }) =>
      [...text.matchAll(/\S+(?: \S+)*/g)].map(({ index, 0: piece }) => {
        const x = PADDING + (column + index) * CHARACTER_WIDTH;
        const y = PADDING + row * LINE_HEIGHT + FONT_SIZE;
        const length = piece.length * CHARACTER_WIDTH;
        return `<text x="${x.toFixed(1)}" y="${y}" textLength="${length.toFixed(1)}" ${style}>${escaped(piece)}</text>`;
      }),
    )
    .join("\n");
}

function styleOf(cell: IBufferCell): string {
  const colour = cell.isFgPalette() ? PALETTE[cell.getFgColor()] : undefined;
  const weight = cell.isBold() ? ` font-weight="bold"` : "";
  return `fill="${colour ?? FOREGROUND}"${weight}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
