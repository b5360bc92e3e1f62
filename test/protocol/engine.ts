import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

/** The part of the engine that a provider can reach: it accepts messages for the user. */
export interface FakeEngine {
  readonly address: string;
  /** The messages so far, each after its severity and, if it is about a resource, the URN: `WARNING urn:… …`. */
  readonly messages: readonly string[];
  /** Whether it refuses messages from now on. */
  refuses: boolean;
  stop(): void;
}

export async function startEngine(): Promise<FakeEngine> {
  const messages: string[] = [];
  const severities = new Map(Object.entries(LogSeverity).map(([name, value]) => [value, name]));
  const server = new Server();
  server.addService(EngineService, {
    log({ request }: ServerUnaryCall<LogRequest, Empty>, answer: sendUnaryData<Empty>) {
      if (engine.refuses) return answer({ code: status.UNAVAILABLE });
      const words = [severities.get(request.getSeverity()), request.getUrn(), request.getMessage()];
      messages.push(words.filter(Boolean).join(" "));
      answer(null, new Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const engine: FakeEngine = {
    address: `127.0.0.1:${port}`,
    messages,
    refuses: false,
    stop: () => server.forceShutdown(),
  };
  return engine;
}
