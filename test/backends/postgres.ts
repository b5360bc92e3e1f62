import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { execute } from "../../scripts/execute";
import { freePort } from "../support/freePort";
import { type Backend, startServer } from "./child";

const PASSWORD = "a-postgres-password";
/** The user id of `nobody`, because PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

/** Starts a PostgreSQL with an empty database in the folder. @param bin the folder of `initdb` and `postgres` */
export async function startPostgres(bin: string, folder: string): Promise<Backend> {
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  mkdirSync(data);
  writeFileSync(passwordFile, PASSWORD);
  if (user.uid !== undefined) {
    for (const path of [folder, data, passwordFile]) chownSync(path, user.uid, user.gid);
  }
  chmodSync(data, 0o700);
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" } };
  await execute(
    join(bin, "initdb"),
    [
      ...["--pgdata", data, "--username", "pulumi", "--pwfile", passwordFile, "--auth", "scram-sha-256"],
      ...["--encoding", "UTF8", "--no-locale", "--no-sync"],
    ],
    { ...options, seconds: 120 },
  );
  const port = await freePort();
  const close = await startServer(
    join(bin, "postgres"),
    ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-c", "unix_socket_directories="],
    options,
    () => greet(port),
  );
  return {
    name: "PostgreSQL",
    env: { PULUMI_BACKEND_URL: `postgres://pulumi:${PASSWORD}@127.0.0.1:${port}/postgres?sslmode=disable` },
    password: PASSWORD,
    close,
  };
}

/** Resolves when PostgreSQL speaks its protocol: it answers a question about encryption with one letter. */
function greet(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from("0000000804d2162f", "hex")));
    socket.on("data", () => {
      socket.destroy();
      resolve();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the connection was closed")));
  });
}
