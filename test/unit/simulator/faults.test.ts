import { request } from "node:http";
import { expect } from "chai";
import type { Simulator } from "solar-charging-simulator";
import { call, devicePath, failure, patch, read, simulators } from "../../support/simulators";

describe("simulator: faults", () => {
  const start = simulators();

  describe("an answer instead of the real one", () => {
    it("has the status, headers and body of the fault", async () => {
      const simulator = await start();
      simulator.fail({ status: 503, headers: { "retry-after": "7" }, body: "<h1>busy</h1>" });
      const response = await fetch(simulator.url + devicePath("car"));
      expect(response.status).to.equal(503);
      expect(response.headers.get("retry-after")).to.equal("7");
      expect(await response.text()).to.equal("<h1>busy</h1>");
    });

    it("is 200 with a broken body when only that is given", async () => {
      const simulator = await start();
      simulator.fail({ body: "{" });
      expect(await read(simulator, "car")).to.include({ status: 200, text: "{" });
    });

    it("applies nothing", async () => {
      const simulator = await start();
      simulator.fail({ status: 500 });
      await patch(simulator, "car", { max_capacity: 70_000 });
      expect(simulator.device("acme", "car")).to.include({ max_capacity: 60_000 });
    });
  });

  describe("the script", () => {
    const statuses = async (simulator: Simulator, count: number) => {
      const seen: number[] = [];
      for (let i = 0; i < count; i++) seen.push((await read(simulator, "car")).status);
      return seen;
    };

    it("uses each fault once, or as many times as it says, in order", async () => {
      const simulator = await start();
      simulator.fail({ status: 500, times: 2 }, { status: 429 });
      simulator.fail({ status: 502 });
      expect(await statuses(simulator, 5)).to.deep.equal([500, 500, 429, 502, 200]);
    });

    it("keeps a fault for the requests it is meant for", async () => {
      const simulator = await start();
      simulator.add("other", "car", { type: "vehicle" });
      simulator.fail(
        { status: 501, method: "PATCH" },
        { status: 502, deviceId: "roof" },
        { status: 503, businessId: "other" },
      );
      expect(await statuses(simulator, 1)).to.deep.equal([200]);
      expect((await read(simulator, "roof")).status).to.equal(502);
      expect((await call(simulator, "GET", devicePath("car", "other"))).status).to.equal(503);
      expect((await patch(simulator, "car", {})).status).to.equal(501);
    });
  });

  describe("a broken connection", () => {
    const CHANGES = { max_capacity: 70_000 };
    const OLD = { max_capacity: 60_000, policy: "CHARGE BY" };
    const NEW = { ...OLD, ...CHANGES };

    for (const [kind, applied] of [
      ["reset", OLD],
      ["reset-after-apply", NEW],
    ] as const) {
      it(`${kind}: the client sees a reset, the PATCH has ${applied === NEW ? "" : "not "}been applied`, async () => {
        const simulator = await start();
        simulator.fail({ kind });
        expect(await failure(patch(simulator, "car", CHANGES))).to.equal("ECONNRESET");
        expect(simulator.device("acme", "car")).to.deep.equal(applied);
        expect(simulator.requests[0]).to.include({ operation: "update", status: "reset" });
        expect(simulator.requests[0]?.body).to.deep.equal(CHANGES);
      });
    }

    it("stall-headers: the PATCH is not applied and nothing is ever answered", async () => {
      const { simulator, logged } = await startLogged();
      simulator.fail({ kind: "stall-headers" });
      const answer = failure(patch(simulator, "car", CHANGES));
      expect(await logged).to.equal("stalled");
      expect(simulator.device("acme", "car")).to.deep.equal(OLD);
      await simulator.close();
      expect(await answer).to.equal("UND_ERR_SOCKET");
    });

    it("stall-body: the headers and half of the body arrive, and the rest does not", async () => {
      const simulator = await start();
      const whole = (await read(simulator, "car")).text;
      simulator.fail({ kind: "stall-body" });
      const response = await fetchWithToken(simulator, "GET");
      expect(response.status).to.equal(200);
      expect(response.headers.get("content-length")).to.equal(String(Buffer.byteLength(whole)));
      const reader = response.body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      expect(whole.slice(0, whole.length / 2)).to.equal(Buffer.from(value ?? []).toString());
      const rest = failure(reader?.read() ?? Promise.resolve());
      await simulator.close();
      expect(await rest).to.equal("UND_ERR_SOCKET");
      expect(simulator.requests[1]).to.include({ operation: "read", status: "stalled" });
    });

    it("truncate: half of the body arrives, then the connection closes", async () => {
      const simulator = await start();
      const whole = (await read(simulator, "car")).text;
      simulator.fail({ kind: "truncate" });
      const response = await rawRead(simulator);
      expect(response).to.deep.equal({ status: 200, text: whole.slice(0, whole.length / 2), complete: false });
      expect(simulator.requests[1]).to.include({ operation: "read", status: "truncated" });
    });

    for (const kind of ["stall-body", "truncate"] as const) {
      it(`${kind}: a PATCH has been applied, though its answer never ends`, async () => {
        const simulator = await start();
        simulator.fail({ kind });
        const response = await fetchWithToken(simulator, "PATCH", JSON.stringify(CHANGES));
        expect(response.status).to.equal(200);
        expect(simulator.device("acme", "car")).to.deep.equal(NEW);
        const text = failure(response.text());
        await simulator.close();
        expect(await text).to.equal("UND_ERR_SOCKET");
      });
    }

    it("is over with the next request", async () => {
      const simulator = await start();
      simulator.fail({ kind: "reset" });
      await failure(read(simulator, "car"));
      expect((await read(simulator, "car")).status).to.equal(200);
    });
  });

  async function startLogged() {
    let logs = (_status: unknown): void => undefined;
    const logged = new Promise((resolve) => {
      logs = resolve;
    });
    const simulator = await start({ onRequest: ({ status }) => logs(status) });
    return { simulator, logged };
  }
});

function fetchWithToken({ url, token }: Simulator, method: string, body: string | null = null): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return fetch(url + devicePath("car"), { method, headers, body });
}

/** Reads with node:http, which returns the part of a body that arrived before the connection closed. */
function rawRead({ url, token }: Simulator): Promise<{ status: number | undefined; text: string; complete: boolean }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    request(url + devicePath("car"), { headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("error", () => undefined);
      response.on("close", () => resolve({ status: response.statusCode, text, complete: response.complete }));
    })
      .on("error", reject)
      .end();
  });
}
