import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Display, Show } from "../run";
import { hide } from "./secrets";

/** Shows messages to the user, by way of the engine. Without an engine, they go to standard error. */
export class EngineLog implements Display {
  readonly warn = this.#at(LogSeverity.WARNING);
  readonly info = this.#at(LogSeverity.INFO);
  readonly progress = this.#at(LogSeverity.INFO, true);
  #engine: EngineClient | undefined;

  connect(address: string): void {
    this.#engine = new EngineClient(address, credentials.createInsecure());
  }

  #at(severity: LogSeverity, isEphemeral = false): Show {
    return async (message, urn = "") => {
      const engine = this.#engine;
      const text = hide(message);
      if (!engine) return void process.stderr.write(`${text}\n`);
      const request = new LogRequest().setSeverity(severity).setMessage(text).setUrn(urn).setEphemeral(isEphemeral);
      await new Promise<void>((resolve, reject) => {
        engine.log(request, (error) => (error ? reject(error) : resolve()));
      });
    };
  }
}
