import { EventEmitter, once } from "node:events";
import type { ClientHttp2Session } from "node:http2";
import { expect } from "chai";
import { endWithEngine } from "../../../provider/engine/endWithEngine";

describe("endWithEngine", () => {
  const { exit } = process;
  afterEach(() => {
    process.exit = exit;
  });

  for (const code of ["ECONNRESET", "EMFILE", "ETIMEDOUT", "EHOSTUNREACH"]) {
    it(`looks again after ${code}, until the engine is gone`, async () => {
      const ended = new EventEmitter();
      process.exit = ((status: number) => ended.emit("exit", status)) as never;
      const outcomes = [code, code, "ECONNREFUSED"];
      const open = () => {
        const session = Object.assign(new EventEmitter(), { unref: () => {} });
        const outcome = outcomes.shift();
        setImmediate(() => {
          session.emit("error", Object.assign(new Error("lost"), { code: outcome }));
          // Nobody looks again after the last one: the real process would have ended.
          if (outcome !== "ECONNREFUSED") session.emit("close");
        });
        // Keeps this process alive, because the pauses do not.
        return session as unknown as ClientHttp2Session;
      };
      const alive = setInterval(() => {}, 1000);
      const exited = once(ended, "exit");
      endWithEngine("127.0.0.1:4711", { open });
      expect(await exited).to.deep.equal([1]);
      expect(outcomes).to.deep.equal([]);
      clearInterval(alive);
    });
  }
});
