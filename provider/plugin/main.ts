#!/usr/bin/env node
import "../engine/shortLived";
import { type AddressInfo, createServer } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { endWithEngine } from "../engine/endWithEngine";
import { ownPlugin } from "../engine/plugin";
import { mayCall } from "./peer";
import { Plugin } from "./plugin";
import { LIMITS } from "./rpc";

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
  // The address of the engine is the last argument. Flags before it, such as `-tracing <url>`, can have values.
  const engine = args.at(-1);
  if (args.includes("--version")) console.log(release.version);
  else if (args.includes("--help")) console.log(HELP);
  else {
    if (engine !== undefined) endWithEngine(engine);
    serve(release, engine);
  }
}

/**
 * Listens for the engine, and for nobody else. A process that a person has started for `PULUMI_DEBUG_PROVIDERS` serves
 * one command after another. Each command gets a new plugin, so that nothing of an earlier run remains.
 */
function serve(release: ReturnType<typeof ownPlugin>, engine: string | undefined): void {
  let inject = newServer();
  function newServer() {
    const server = new Server(LIMITS);
    const onEngineGone = () => {
      inject = newServer();
      server.forceShutdown();
    };
    server.addService(ResourceProviderService, new Plugin(release, engine, onEngineGone).service);
    return server.createConnectionInjector(ServerCredentials.createInsecure()).injectConnection;
  }
  const listener = createServer((socket) => {
    if (mayCall(socket)) inject(socket);
    else socket.destroy();
  });
  listener.listen(0, "127.0.0.1", () => {
    // The engine reads the port from the first line, and shows all other output to the user.
    process.stdout.write(`${(listener.address() as AddressInfo).port}\n`);
  });
}

main(process.argv.slice(2));
