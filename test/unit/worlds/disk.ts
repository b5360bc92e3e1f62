import fs from "node:fs";

/** The folder of the files in memory. */
const FOLDER = "/worlds/";

/** File descriptors of files in memory begin here. */
const FIRST = 1 << 24;

/** The time at the beginning of each run: after all that happened before. */
const BEGIN_OF_RUN = 1.7e12;

const REAL_DATE = Date;
const REAL = {
  existsSync: fs.existsSync,
  openSync: fs.openSync,
  closeSync: fs.closeSync,
  readSync: fs.readSync,
  writeSync: fs.writeSync,
  fstatSync: fs.fstatSync,
  statSync: fs.statSync,
  rmSync: fs.rmSync,
};

type Function_ = (...args: never[]) => unknown;

/** A clock that stands still until it is asked: then a millisecond passes, so that no two events have the same time. */
class Clock extends REAL_DATE {
  static at = 0;

  constructor(...args: []) {
    super(...((args.length === 0 ? [Clock.now()] : args) as []));
  }

  static override now(): number {
    Clock.at += 1;
    return Clock.at;
  }
}

/** A disk in memory, and a clock. Kernel calls would take most of the time of a search. */
export class Disk {
  readonly #files = new Map<string, Buffer>();
  readonly #open = new Map<number, string>();
  #next = FIRST;

  /** The path of a file on this disk. */
  path(name: string): string {
    return FOLDER + name;
  }

  read(name: string): string {
    return this.#files.get(this.path(name))?.toString() ?? "";
  }

  /** @param content empty if there is no such file */
  write(name: string, content: string): void {
    if (content === "") this.#files.delete(this.path(name));
    else this.#files.set(this.path(name), Buffer.from(content));
  }

  /** Serves the paths of this disk, and the time of this clock, until the work is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    Object.assign(fs, this.#doubles());
    Clock.at = BEGIN_OF_RUN;
    Object.assign(globalThis, { Date: Clock });
    try {
      return await work();
    } finally {
      Object.assign(fs, REAL);
      Object.assign(globalThis, { Date: REAL_DATE });
    }
  }

  #doubles() {
    const isHere = (path: unknown): path is string => typeof path === "string" && path.startsWith(FOLDER);
    const contentOf = (path: string) => this.#files.get(path) ?? Buffer.alloc(0);
    const statOf = (path: string) => ({ size: contentOf(path).length, isFIFO: () => false, isFile: () => true });
    const orReal = (real: Function_, isOurs: (first: unknown) => boolean, double: Function_) =>
      ((...args: never[]) => (isOurs(args[0]) ? double(...args) : real(...args))) as Function_;
    const ofPath = (real: Function_, double: (path: string, ...rest: never[]) => unknown) =>
      orReal(real, isHere, double);
    const isOpen = (file: unknown): file is number => typeof file === "number" && this.#open.has(file);
    const nameOf = (file: number) => this.#open.get(file) as string;
    const missing = (path: string) => Object.assign(new Error(`no such file: ${path}`), { code: "ENOENT" });
    return {
      existsSync: ofPath(REAL.existsSync, (path) => this.#files.has(path)),
      openSync: ofPath(REAL.openSync, (path, flags: string) => {
        if (flags === "r" && !this.#files.has(path)) throw missing(path);
        this.#files.set(path, contentOf(path));
        this.#next += 1;
        this.#open.set(this.#next, path);
        return this.#next;
      }),
      closeSync: orReal(REAL.closeSync, isOpen, (file) => void this.#open.delete(file)),
      readSync: orReal(REAL.readSync, isOpen, (...args: [number, Buffer, number, number, number]) => {
        const [file, into, offset, length, position] = args;
        return contentOf(nameOf(file)).copy(into, offset, position, position + length);
      }),
      writeSync: orReal(REAL.writeSync, isOpen, (file: number, bytes: Buffer) => {
        this.#files.set(nameOf(file), Buffer.concat([contentOf(nameOf(file)), bytes]));
        return bytes.length;
      }),
      fstatSync: orReal(REAL.fstatSync, isOpen, (file: number) => statOf(nameOf(file))),
      statSync: ofPath(REAL.statSync, (path, { throwIfNoEntry = true }: fs.StatSyncOptions = {}) => {
        if (this.#files.has(path)) return statOf(path);
        if (throwIfNoEntry) throw missing(path);
        return undefined;
      }),
      rmSync: ofPath(REAL.rmSync, (path) => void this.#files.delete(path)),
    };
  }
}
