import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { endWithEngine } from "../engine/gone";
import { ownPlugin } from "../engine/plugin";
import { Plugin } from "./plugin";

/** A site of some hundred devices is larger than gRPC takes by itself. */
const NO_LIMIT = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

/** Starts the plugin as the engine starts it: with its address as the only argument that is not a flag. */
function main(): void {
  const plugin = new Plugin(ownPlugin());
  const address = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  if (address) {
    plugin.connect(address);
    endWithEngine(address);
  }
  const server = new Server(NO_LIMIT);
  server.addService(ResourceProviderService, plugin.service);
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    // The engine reads the port from the first line. Anything else there would be shown to the user.
    process.stdout.write(`${port}\n`);
  });
}

main();
