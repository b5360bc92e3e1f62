import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { credentials } from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  type ConfigureResponse,
  CreateRequest,
  type CreateResponse,
  DeleteRequest,
  GetSchemaRequest,
  type GetSchemaResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { startSimulator } from "solar-charging-simulator";
import { reason } from "./execute";

const NAME = "pulumi-resource-solar-charging";
const URN = "urn:pulumi:dev::smoke::solar-charging:index:VehicleSettings::car";
const BEFORE = { max_capacity: 60_000 };

/**
 * Unpacks the archives of a release as the engine does. Each plugin then applies a car of a simulated service and
 * restores it. It needs no engine, so it runs on every system of a release.
 * @throws Error if a plugin fails
 */
export async function smoke(folder: string, version: string): Promise<string[]> {
  const archives = readdirSync(folder).filter((name) => name.endsWith(".tar.gz"));
  if (archives.length === 0) throw new Error(`${folder} has no archives: build them first with npm run plugin`);
  const unpacked = mkdtempSync(join(tmpdir(), "solar-charging-smoke-"));
  try {
    for (const archive of archives) await smokeArchive(folder, archive, join(unpacked, archive), version);
  } finally {
    rmSync(unpacked, { recursive: true, force: true, maxRetries: 5 }); // Windows locks an executable for a moment after its end.
  }
  return archives;
}

async function smokeArchive(folder: string, archive: string, target: string, version: string): Promise<void> {
  mkdirSync(target);
  // A path without a drive: the tar of Git for Windows takes the part before a colon for another machine.
  const tar = spawnSync("tar", ["-xzf", archive, "-C", relative(folder, target)], { cwd: folder, encoding: "utf8" });
  if (tar.status !== 0) throw new Error(`${archive} cannot be unpacked: ${tar.stderr}`);
  const file = join(target, readdirSync(target).find((name) => name === NAME || name === `${NAME}.exe`) ?? NAME);
  // The small archive contains a program for the machine's Node.
  const command = archive.endsWith("-node.tar.gz") ? [process.execPath, file] : [file];
  await smokePlugin(command, version).catch((error) => {
    throw new Error(`${archive}: ${reason(error)}`);
  });
}

async function smokePlugin(command: readonly string[], version: string): Promise<void> {
  const simulator = await startSimulator({
    fleet: { businesses: { acme: { car: { type: "vehicle", settings: BEFORE } } } },
  });
  const capacity = () => simulator.device("acme", "car")?.max_capacity;
  const env = {
    ...process.env,
    SOLAR_CHARGING_BASE_URL: simulator.url,
    SOLAR_CHARGING_ACCESS_TOKEN: simulator.token,
    SOLAR_CHARGING_BUSINESS_ID: "acme",
  };
  try {
    const made = await served(command, env, async (client) => {
      const info = await call<Empty, PluginInfo>(client, client.getPluginInfo, new Empty());
      const schema = await call<GetSchemaRequest, GetSchemaResponse>(client, client.getSchema, new GetSchemaRequest());
      const { resources } = JSON.parse(schema.getSchema()) as { readonly resources: object };
      if (info.getVersion() !== version || Object.keys(resources).length === 0) {
        throw new Error(`it does not answer as version ${version}`);
      }
      const settings = { deviceId: "car", maxCapacity: 77_000, onDelete: "restore", ignoreLints: ["ignored-metadata"] };
      const check = new CheckRequest().setUrn(URN).setOlds(new Struct()).setNews(Struct.fromJavaScript(settings));
      const inputs = (await call<CheckRequest, CheckResponse>(client, client.check, check)).getInputs();
      const create = new CreateRequest().setUrn(URN).setProperties(inputs);
      return await call<CreateRequest, CreateResponse>(client, client.create, create);
    });
    if (capacity() !== 77_000) throw new Error("it does not set the car");
    // In a separate run, because a run that has checked a car never restores it.
    await served(command, env, async (client) => {
      const remove = new DeleteRequest().setUrn(URN).setId(made.getId()).setProperties(made.getProperties());
      await call<DeleteRequest, Empty>(client, client.delete, remove);
    });
    if (capacity() !== BEFORE.max_capacity) throw new Error("it does not restore the car");
  } finally {
    await simulator.close();
  }
}

/** Starts a plugin, configures it, and ends it after the work. */
async function served<T>(
  [command = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  work: (client: ResourceProviderClient) => Promise<T>,
): Promise<T> {
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface(child.stdout), "line", { signal: AbortSignal.timeout(60_000) });
    const client = new ResourceProviderClient(`127.0.0.1:${line}`, credentials.createInsecure(), {
      "grpc.enable_http_proxy": 0,
    });
    const configure = new ConfigureRequest().setArgs(new Struct()).setAcceptsecrets(true);
    await call<ConfigureRequest, ConfigureResponse>(client, client.configure, configure);
    const result = await work(client);
    client.close();
    return result;
  } finally {
    const isRunning = child.exitCode === null && child.signalCode === null;
    const end = isRunning && once(child, "exit");
    child.kill();
    await end;
  }
}

function call<I, O>(
  client: ResourceProviderClient,
  method: (request: I, done: (error: Error | null, answer: O) => void) => unknown,
  request: I,
): Promise<O> {
  return promisify<I, O>(method.bind(client))(request);
}

if (require.main === module) {
  const { version } = require("../../package.json") as { version: string };
  smoke(resolve(process.argv[2] ?? ".local/plugin"), version).then(
    (archives) => console.log(`applied and restored a car: ${archives.join(", ")}`),
    (error) => {
      console.error(reason(error));
      process.exitCode = 1;
    },
  );
}
