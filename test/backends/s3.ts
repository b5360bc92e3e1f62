import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/freePort";
import { type Backend, startServer, type Traffic } from "./child";

const BUCKET = "pulumi-state";

/** Starts `versitygw`, an S3 server, with an empty bucket in the folder. */
export async function startS3(versitygw: string, folder: string): Promise<Backend> {
  const root = join(folder, "buckets");
  mkdirSync(join(root, BUCKET), { recursive: true });
  const log = join(folder, "requests.log");
  writeFileSync(log, "");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const keys = { access: "solar", secret: "an-s3-secret" };
  const close = await startServer(
    versitygw,
    // Keeps metadata in files, because not every file system has extended attributes.
    [
      ...["--port", `127.0.0.1:${port}`, "--keep-alive", "--quiet", "--access-log", log],
      ...["posix", "--sidecar", mkdir(join(folder, "metadata")), root],
    ],
    { env: { ROOT_ACCESS_KEY: keys.access, ROOT_SECRET_KEY: keys.secret } },
    () => fetch(url),
  );
  let seen = 0;
  return {
    name: "S3",
    env: {
      PULUMI_BACKEND_URL: `s3://${BUCKET}?endpoint=${url}&s3ForcePathStyle=true&region=us-east-1`,
      AWS_ACCESS_KEY_ID: keys.access,
      AWS_SECRET_ACCESS_KEY: keys.secret,
    },
    password: keys.secret,
    traffic: () => {
      const lines = readFileSync(log, "utf8").split("\n");
      const unseen = lines.slice(seen);
      seen = lines.length;
      return trafficIn(unseen);
    },
    close,
  };
}

/** Reads the access log: `… s3_PutObject <key> <target> <status> <error> <bytes sent> <bytes received> …`. */
function trafficIn(lines: readonly string[]): Traffic {
  const requests: Record<string, number> = {};
  let uploadedBytes = 0;
  for (const line of lines) {
    const found = /\bs3_(\w+) \S+ \S+ \d+ \S+ \d+ (\d+) /.exec(line);
    if (!found) continue;
    const [, kind = "", bytes] = found;
    requests[kind] = (requests[kind] ?? 0) + 1;
    if (kind === "PutObject") uploadedBytes += Number(bytes);
  }
  return { requests, uploadedBytes };
}

function mkdir(folder: string): string {
  mkdirSync(folder);
  return folder;
}
