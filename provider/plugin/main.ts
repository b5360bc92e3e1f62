#!/usr/bin/env node
import { type AddressInfo, createServer } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { endWithEngine } from "../engine/endWithEngine";
import { ownPlugin, type PluginRelease } from "../engine/plugin";
import { type Binding, ENDED } from "./binding";
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
  // The address of the engine is the last argument: flags before it, such as `-tracing <url>`, have values.
  const engine = args.at(-1);
  if (args.includes("--version")) console.log(release.version);
  else if (args.includes("--help")) console.log(HELP);
  else if (engine === undefined && process.send !== undefined) serveBound(release);
  else {
    if (engine !== undefined) endWithEngine(engine);
    serve(new Plugin(release, { engine }));
  }
}

/**
 * Serves the runs to which the command line binds this process, one after the other. Without this, each stack and
 * wave of a fleet would wait for a process that has to load and compile its code. Before the first run it has no
 * credentials, and between runs no port, so nobody else can configure it. It ends with the command, unless its engine
 * is still at work.
 */
function serveBound(release: PluginRelease): void {
  let plugin: Plugin | undefined;
  process.on("message", ({ environment, run }: Binding) => {
    if (plugin && !plugin.hasEnded) return;
    Object.assign(process.env, environment);
    const next: Plugin = new Plugin(release, {
      bound: {
        ...run,
        // Without this condition, a command that was killed would make the process end with requests in flight.
        onEnd: () => process.connected && process.send?.(ENDED),
      },
      onEngineGone: () => {
        const isFree = next.hasEnded && process.connected;
        if (isFree || plugin !== next) close();
        else process.exit(1);
      },
    });
    const close = serve(next);
    plugin = next;
  });
  process.on("disconnect", () => {
    if (!plugin?.isServing) process.exit();
  });
}

/** Listens for the engine, and for nobody else. @returns a function that ends this */
function serve(plugin: Plugin): () => void {
  const server = new Server(LIMITS);
  server.addService(ResourceProviderService, plugin.service);
  const { injectConnection } = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer((socket) => {
    if (mayCall(socket)) injectConnection(socket);
    else socket.destroy();
  });
  listener.listen(0, "127.0.0.1", () => {
    // The engine reads the port from the first line, and shows all other output to the user.
    process.stdout.write(`${(listener.address() as AddressInfo).port}\n`);
  });
  return () => {
    listener.close();
    server.forceShutdown();
  };
}

main(process.argv.slice(2));
