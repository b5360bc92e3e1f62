#!/usr/bin/env node
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { endWithEngine } from "../engine/gone";
import { ownPlugin } from "../engine/plugin";
import { Plugin } from "./plugin";
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
  if (args.includes("--version")) console.log(release.version);
  else if (args.includes("--help")) console.log(HELP);
  // The address of the engine is the last argument: flags before it, such as `-tracing <url>`, have values.
  else serve(new Plugin(release), args.at(-1));
}

/** Serves the engine. @param address of the engine; undefined if it attaches later */
function serve(plugin: Plugin, address: string | undefined): void {
  if (address) {
    plugin.connect(address);
    endWithEngine(address);
  }
  const server = new Server(LIMITS);
  server.addService(SERVICE, plugin.service);
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    // The engine reads the port from the first line, and shows all other output to the user.
    process.stdout.write(`${port}\n`);
  });
}

main(process.argv.slice(2));
