#!/usr/bin/env node
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { endWithEngine } from "../engine/gone";
import { ownPlugin, type PluginRelease } from "../engine/plugin";
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
  else serve(release, args.at(-1));
}

/** Serves the engine. @param engine its address; undefined if it attaches later */
function serve(release: PluginRelease, engine: string | undefined): void {
  const plugin = new Plugin(release, engine);
  if (engine !== undefined) endWithEngine(engine);
  // The command line starts this process, sends the environment of a run, and then starts the engine. Without this, a
  // process without an engine would stay if the command is killed.
  process.on("message", (environment: Record<string, string>) => Object.assign(process.env, environment));
  process.on("disconnect", () => {
    if (!plugin.isServing) process.exit();
  });
  const server = new Server(LIMITS);
  server.addService(SERVICE, plugin.service);
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    // The engine reads the port from the first line, and shows all other output to the user.
    process.stdout.write(`${port}\n`);
  });
}

main(process.argv.slice(2));
