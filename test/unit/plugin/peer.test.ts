import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { endianness } from "node:os";
import { expect } from "chai";
import { type Ends, mayCall } from "../../../provider/plugin/peer";

describe("a connection to the plugin", () => {
  const UID = 1000;
  const ENDS: Ends = { localAddress: "127.0.0.1", localPort: 0x1f90, remoteAddress: "127.0.0.2", remotePort: 0xcafe };
  const word = (hex: string) => (endianness() === "LE" ? Buffer.from(hex, "hex").reverse().toString("hex") : hex);
  const [server, client] = [`${word("7f000001")}:1F90`, `${word("7f000002")}:CAFE`].map((one) => one.toUpperCase());
  const mapped = (end = "") => `${"0".repeat(16)}${word("0000ffff")}${end}`.toUpperCase();
  const row = (local = "", remote = "", uid = UID, state = "01") =>
    `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 546 1 0\n`;
  const accepted = row(server, client);
  /** Whether the caller may call, if each reading of the tables has these rows. */
  const given = (...readings: (readonly string[])[]) => {
    let reading = 0;
    return mayCall(ENDS, UID, (table) => {
      const rows = readings[Math.min(reading, readings.length - 1)] as readonly string[];
      if (table.endsWith("6")) reading++;
      const isLong = (one: string) => one.length > 150;
      return `  sl  local_address\n${rows.filter((one) => isLong(one) === table.endsWith("6")).join("")}`;
    });
  };

  it("of the same user may call", () => {
    expect(given([row("0100007F:0001", "0100007F:0002", 7), accepted, row(client, server)])).to.equal(true);
  });

  for (const [what, other] of [
    ["of another user", row(client, server, 1001)],
    ["of root", row(client, server, 0)],
    ["that its caller has closed, so that the kernel no longer knows the user", row(client, server, UID, "06")],
    ["of another user by an IPv6 socket", row(mapped(client), mapped(server), 1001)],
  ] as const) {
    it(`${what} may not call`, () => {
      expect(given([accepted, other])).to.equal(false);
    });
  }

  it("by an IPv6 socket of the same user may call", () => {
    expect(given([accepted, row(mapped(client), mapped(server))])).to.equal(true);
  });

  it("may call if a table that was changing listed it at the second reading", () => {
    expect(given([accepted], [accepted, row(client, server)])).to.equal(true);
  });

  it("may not call if no reading lists it", () => {
    expect(given([accepted])).to.equal(false);
  });

  it("may call on a system that lists no connections", () => {
    expect(given([])).to.equal(true);
    const fails = () => {
      throw new Error("ENOENT");
    };
    expect(mayCall(ENDS, UID, fails)).to.equal(true);
  });

  it("of this process may call", async () => {
    const listener: Server = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const { port } = listener.address() as { port: number };
    const caller = connect(port, "127.0.0.1");
    const [socket] = (await once(listener, "connection")) as [Socket];

    const may = [mayCall(socket), process.platform === "linux" && mayCall(socket, -1)];

    caller.destroy();
    socket.destroy();
    listener.close();
    expect(may).to.deep.equal([true, false]);
  });
});
