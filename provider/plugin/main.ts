#!/usr/bin/env node
import { type AddressInfo, createServer } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { endWithEngine } from "../engine/endWithEngine";
import { ownPlugin, type PluginRelease } from "../engine/plugin";
import { mayCall } from "./peer";
import { type Binding, Plugin } from "./plugin";
import { LIMITS, SERVICE } from "./rpc";

const HELP = `Usage: pulumi-resource-solar-charging [options]

The Pulumi provider of the package solar-charging. The Pulumi engine starts it.

Options:
  --version  print the version
  --help     print this help

npm puts it on the PATH of "npm run" and "npx", where the engine finds it.
Otherwise name its folder in Pulumi.yaml:

plugins:
  providers: [{ name: solar-charging, path: node_modules/.bin }]`;

/** Prints help for a person who starts the plugin by hand; otherwise serves the engine. */
function main(args: readonly string[]): void {
  const release = ownPlugin();
  // The address of the engine is the last argument: flags before it, such as `-tracing <url>`, have values.
  const engine = args.at(-1);
  if (args.includes("--version")) console.log(release.version);
  else if (args.includes("--help")) console.log(HELP);
  else if (engine === undefined && process.send !== undefined) serveOnceBound(release);
  else {
    if (engine !== undefined) endWithEngine(engine);
    serve(new Plugin(release, { engine }));
  }
}

/**
 * Waits for the one run that the command line has this process serve. Until then it has no port and no credentials, so
 * nobody else can configure it. It ends with the command, unless its engine is still at work.
 */
function serveOnceBound(release: PluginRelease): void {
  let plugin: Plugin | undefined;
  process.once("message", ({ environment, run }: Binding) => {
    Object.assign(process.env, environment);
    plugin = new Plugin(release, { run });
    serve(plugin);
  });
  process.on("disconnect", () => {
    if (!plugin?.isServing) process.exit();
  });
}

/** Listens for the engine, and for nobody else. */
function serve(plugin: Plugin): void {
  const server = new Server(LIMITS);
  server.addService(SERVICE, plugin.service);
  const { injectConnection } = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer((socket) => {
    if (mayCall(socket)) injectConnection(socket);
    else socket.destroy();
  });
  listener.listen(0, "127.0.0.1", () => {
    // The engine reads the port from the first line, and shows all other output to the user.
    process.stdout.write(`${(listener.address() as AddressInfo).port}\n`);
  });
}

main(process.argv.slice(2));
