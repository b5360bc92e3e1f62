import { readFileSync } from "node:fs";
import { endianness } from "node:os";

/** The two addresses of a connection over IPv4, according to the accepted socket. */
export interface Ends {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/** The tables in which Linux lists connections with their users. An IPv6 socket can connect to an IPv4 address. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/**
 * The state of an open connection in the tables. For a closed connection, the kernel shows root instead of the user.
 */
const ESTABLISHED = "01";

/**
 * Maximum number of times that the tables are read (our choice). A table that changes while it is read can miss a row.
 */
const TRIES = 5;

/**
 * Whether a connection may call this process. It may not if the kernel says that it belongs to another user of this
 * machine. Without this, every user could call a provider, which sends its token with each request. Only Linux shows
 * the user; on other systems, every connection may call.
 * @param read returns the text of a table; throws if there is none
 */
export function mayCall(
  ends: Ends,
  uid = process.geteuid?.(),
  read: (table: string) => string = (table) => readFileSync(table, "utf8"),
): boolean {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const rows = TABLES.flatMap((table) => rowsIn(table, read));
    // In a sandbox, the tables can be empty. They then say nothing about this connection.
    if (!rows.some(isFrom(ends))) return true;
    const other = rows.find(isFrom(reversed(ends)));
    if (other) return other.state === ESTABLISHED && other.uid === uid;
  }
  return false;
}

interface Row {
  readonly local: string;
  readonly remote: string;
  readonly state: string;
  readonly uid: number;
}

function rowsIn(table: string, read: (table: string) => string): Row[] {
  try {
    const [, ...lines] = read(table).trimEnd().split("\n");
    return lines.map((line) => {
      const [, local = "", remote = "", state = "", , , , uid] = line.trim().split(/\s+/);
      return { local, remote, state, uid: Number(uid) };
    });
  } catch {
    return [];
  }
}

function reversed({ localAddress, localPort, remoteAddress, remotePort }: Ends): Ends {
  return {
    ...{ localAddress: remoteAddress, localPort: remotePort },
    ...{ remoteAddress: localAddress, remotePort: localPort },
  };
}

function isFrom({ localAddress, localPort, remoteAddress, remotePort }: Ends): (row: Row) => boolean {
  const [local, remote] = [formsOf(localAddress, localPort), formsOf(remoteAddress, remotePort)];
  return (row) => local.includes(row.local) && remote.includes(row.remote);
}

/**
 * An address in the form of each table: four bytes, or an IPv6 address that contains them, in the byte order of the
 * machine.
 */
function formsOf(address = "", port = 0): string[] {
  const words = [Buffer.from([0, 0, 0xff, 0xff]), Buffer.from(address.split(".").map(Number))];
  const [prefix, own] = words.map((word) => (endianness() === "LE" ? word.reverse() : word).toString("hex"));
  const end = `:${port.toString(16).padStart(4, "0")}`;
  return [`${own}${end}`, `${"0".repeat(16)}${prefix}${own}${end}`].map((form) => form.toUpperCase());
}
