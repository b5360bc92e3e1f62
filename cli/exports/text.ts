import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** Largest export that is read, in bytes, compressed or not (our choice). A year of minutes has 20 MB. */
const LARGEST = 32 * 1024 * 1024;

/** The text of an export, which may be compressed; `-` is standard input. @throws Error if it is empty or too large */
export async function exportedText(file: string): Promise<string> {
  const bytes = file === "-" ? await standardInput() : bytesOf(file);
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = textIn(isCompressed ? decompressed(bytes) : bytes);
  if (text.trim() === "") throw new Error("the file is empty: export it again");
  return text;
}

/** @throws Error if these are not the bytes of a text */
function textIn(bytes: Buffer): string {
  const begin = bytes.subarray(0, 4).toString("latin1");
  if (begin.startsWith("PAR1")) throw new Error("this is a Parquet file: export CSV");
  // The second is Excel's format before 2007.
  if (begin.startsWith("PK") || begin === "\xd0\xcf\x11\xe0")
    throw new Error("this is a ZIP or Excel file: unpack it, or save the table as CSV");
  // Excel's "Unicode text".
  if (begin.startsWith("\xff\xfe")) return bytes.subarray(2).toString("utf16le");
  if (bytes.subarray(0, 4096).includes(0)) throw new Error("this is not a text: export CSV");
  return bytes.toString("utf8");
}

function bytesOf(file: string): Buffer {
  let handle: number | undefined;
  try {
    handle = openSync(file, "r");
    if (fstatSync(handle).size > LARGEST) throw tooLarge();
    return readFileSync(handle);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`the file cannot be read (${code})`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

async function standardInput(): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    size += part.length;
    if (size > LARGEST) throw tooLarge();
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
}

function decompressed(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new Error("the compressed file is cut off or broken: export it again");
  }
}

function tooLarge(): Error {
  return new Error(`the file has more than ${LARGEST / 1024 / 1024} MB: export fewer days`);
}
