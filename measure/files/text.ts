import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** Largest export that is read, in bytes, compressed or not (our choice). A year of minutes of three phases has 150 MB. */
const LARGEST = 256 * 1024 * 1024;

/** The text of an export as bytes in pieces. They can be read several times: a file is never in memory as a whole. */
export type Pieces = Iterable<Buffer>;

/** Size of a piece, in bytes. */
const PIECE = 256 * 1024;

/** The text of an export, which may be compressed; `-` is standard input. @throws Error if it is empty or too large */
export async function exportedText(file: string): Promise<Pieces> {
  try {
    let pieces = await piecesOf(file);
    while (beginningOf(pieces, 2).equals(GZIP)) pieces = await decompressed(pieces);
    return textIn(pieces);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`the file cannot be read (${code})`);
  }
}

const GZIP = Buffer.from([0x1f, 0x8b]);

/** The first bytes of a text. */
export function beginningOf(pieces: Pieces, size: number): Buffer {
  const first: Buffer[] = [];
  let known = 0;
  for (const piece of pieces) {
    first.push(piece);
    known += piece.length;
    if (known >= size) break;
  }
  return Buffer.concat(first).subarray(0, size);
}

/** @throws Error if these are not the bytes of a text */
export function textIn(pieces: Pieces): Pieces {
  const bytes = beginningOf(pieces, 4096);
  const begin = bytes.toString("latin1", 0, 4);
  if (begin.startsWith("PAR1")) throw new Error("this is a Parquet file: export CSV");
  // The second is Excel's format before 2007.
  if (begin.startsWith("PK") || begin === "\xd0\xcf\x11\xe0")
    throw new Error("this is a ZIP or Excel file: unpack it, or save the table as CSV");
  // Excel's "Unicode text" begins with a mark. Without one, each second byte of usual letters is 0.
  const encoding =
    { "\xff\xfe": "utf-16le", "\xfe\xff": "utf-16be" }[begin.slice(0, 2)] ??
    ["utf-16le", "utf-16be"].find((_, at) => bytes[at] && bytes[1 - at] === 0 && bytes[3 - at] === 0);
  if (encoding) return textIn({ [Symbol.iterator]: () => inUtf8(pieces, encoding) });
  if (/^\s*<(!doctype|html)/i.test(bytes.toString()))
    throw new Error("this is a web page, such as that of a login: export CSV again");
  if (bytes.includes(0)) throw new Error("this is not a text: export CSV");
  for (const piece of pieces) if (piece.toString().trim() !== "") return pieces;
  throw new Error("the file is empty: export it again");
}

function* inUtf8(pieces: Pieces, encoding: string): Generator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for (const piece of pieces) yield Buffer.from(decoder.decode(piece, { stream: true }));
}

async function piecesOf(file: string): Promise<Pieces> {
  if (file === "-") return collected(process.stdin);
  const stats = statSync(file);
  // A pipe can be read only once.
  if (!stats.isFile()) return collected(createReadStream(file));
  if (stats.size > LARGEST) throw tooLarge();
  return { [Symbol.iterator]: () => readPieces(file) };
}

function* readPieces(file: string): Generator<Buffer> {
  const handle = openSync(file, "r");
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE);
      const size = readSync(handle, piece);
      if (size === 0) return;
      yield piece.subarray(0, size);
    }
  } finally {
    closeSync(handle);
  }
}

async function collected(stream: Readable): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > LARGEST) throw tooLarge();
    pieces.push(piece);
  }
  return pieces;
}

async function decompressed(pieces: Pieces): Promise<Pieces> {
  try {
    return await collected(Readable.from(pieces).pipe(createGunzip({ chunkSize: PIECE })));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new Error("the compressed file is cut off or broken: export it again");
  }
}

function tooLarge(): Error {
  return new Error(`the file has more than ${LARGEST / 1024 / 1024} MB: export fewer days`);
}
