import { writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { expect } from "chai";
import { problemOf } from "../../../provider/messages/message";
import type { ServiceOptions } from "../../../provider/service/client";
import { nameOf } from "../../../provider/service/device";
import type { ServiceError } from "../../../provider/service/errors";
import { virtualClock } from "../../support/clock";
import { failureOf } from "../../support/failure";
import { temporaryFolder } from "../../support/folder";
import { hangsUp, type Received, type Reply, servers } from "../../support/server";
import { serviceAt as anyServiceAt, CAR, never } from "../../support/service";

const serviceAt = (baseUrl: string, credentials: ServiceOptions["credentials"], retryTimeoutSeconds = 5) =>
  anyServiceAt(baseUrl, { credentials, retryTimeoutSeconds });

/** A server that accepts only this token. */
function accepts(token: string, reply = '{"id":""}') {
  return (response: ServerResponse, { headers }: Received) => {
    response.statusCode = headers.authorization === `Bearer ${token}` ? 200 : 401;
    response.end(response.statusCode === 200 ? reply : JSON.stringify(headers));
  };
}

function grants(token: string): Reply {
  const body = JSON.stringify({ access_token: token, token_type: "Bearer", expires_in: 3600 });
  return { headers: { "content-type": "application/json" }, body };
}

describe("device service: credentials", () => {
  const serve = servers();
  const clock = virtualClock();
  const inFolder = temporaryFolder();
  beforeEach(() => {
    clock.random = 0.5;
  });

  const tokensOf = (received: readonly { headers: { authorization?: string | undefined } }[]) =>
    received.map(({ headers }) => headers.authorization?.replace("Bearer ", ""));

  async function withTokens(...replies: [Reply, ...Reply[]]) {
    const endpoint = await serve(...replies);
    const credentials = {
      oauthTokenUrl: `${endpoint.url}/token`,
      oauthClientId: "pipeline",
      oauthClientSecret: "s3cret/x",
    };
    return { endpoint, credentials };
  }

  it("one token is made for many requests", async () => {
    const { endpoint, credentials } = await withTokens(grants("t1"));
    const server = await serve({ body: '{"id":""}' });
    const service = serviceAt(server.url, credentials);
    const cars = Array.from({ length: 20 }, (_, i) => ({ ...CAR, deviceId: `car${i}` }));
    await Promise.all(cars.map((car) => service.readDevice(car, never)));
    await service.updateDevice(CAR, { policy: "CHARGE BY" }, never);
    expect(endpoint.received).to.have.lengthOf(1);
    expect(new Set(tokensOf(server.received))).to.deep.equal(new Set(["t1"]));
  });

  it("no token is made before there is a request", async () => {
    const { endpoint, credentials } = await withTokens(grants("t1"));
    serviceAt("http://127.0.0.1:1", credentials);
    expect(endpoint.received).to.deep.equal([]);
  });

  it("a token that is refused is renewed once for all, and the requests go on", async () => {
    const { endpoint, credentials } = await withTokens(grants("t1"), grants("t2"));
    const server = await serve(accepts("t2"));
    const service = serviceAt(server.url, credentials, 0);
    const cars = Array.from({ length: 5 }, (_, i) => ({ ...CAR, deviceId: `car${i}` }));
    await Promise.all(cars.map((car) => service.updateDevice(car, { policy: "CHARGE BY" }, never)));
    await service.readLatestMetrics(CAR, never);
    expect(endpoint.received).to.have.lengthOf(2);
    expect(tokensOf(server.received).filter((token) => token === "t2")).to.have.lengthOf(6);
  });

  it("a token that is refused in place of a refused one is final, and no update was applied", async () => {
    const { endpoint, credentials } = await withTokens(grants("t1"), grants("t2"), grants("t3"));
    const server = await serve({ status: 401 });
    const service = serviceAt(server.url, credentials);
    const first = (await failureOf(service.updateDevice(CAR, { policy: "CHARGE BY" }, never))) as ServiceError;
    expect(first).to.include({ status: 401, isUnauthorized: true, maybeApplied: false, transient: false });
    expect(first.problem).to.deep.include({ code: "notAuthorized", keys: ["oauthTokenUrl"] });
    expect(tokensOf(server.received)).to.deep.equal(["t1", "t2"]);
    await failureOf(service.readDevice(CAR, never));
    expect(tokensOf(server.received)).to.deep.equal(["t1", "t2", "t2"]);
    expect(endpoint.received).to.have.lengthOf(2);
  });

  it("a token that is set is final when it is refused", async () => {
    const server = await serve({ status: 401 });
    const error = await failureOf(serviceAt(server.url, { accessToken: "t0ken" }).readDevice(CAR, never));
    expect(problemOf(error)).to.deep.include({ code: "notAuthorized", keys: ["accessToken"] });
    expect(server.received).to.have.lengthOf(1);
  });

  describe("a token that is refused 20 times in a row", () => {
    const cars = Array.from({ length: 100 }, (_, i) => ({ ...CAR, deviceId: `car${i}` }));

    it("is not sent for the other devices, which fail for the same reason", async () => {
      const server = await serve({ status: 401 });
      const service = serviceAt(server.url, { accessToken: "t0ken" });
      for (const car of cars) {
        const error = (await failureOf(service.updateDevice(car, { policy: "CHARGE BY" }, never))) as ServiceError;
        expect(error).to.include({ status: 401, isUnauthorized: true, maybeApplied: false, transient: false });
        expect(error.problem).to.deep.include({ code: "notAuthorized", keys: ["accessToken"] });
      }
      expect(server.received).to.have.lengthOf(20);
    });

    it("is sent again half a minute later", async () => {
      let isValid = false;
      const server = await serve((response, request) => accepts(isValid ? "t0ken" : "t1")(response, request));
      const service = serviceAt(server.url, { accessToken: "t0ken" });
      for (const car of cars.slice(0, 30)) await failureOf(service.readDevice(car, never));
      clock.advance(30_000);
      isValid = true;
      await service.readDevice(CAR, never);
      expect(server.received).to.have.lengthOf(21);
    });

    it("is sent on if a device is accepted between: the refusals are about the others", async () => {
      const server = await serve((response, { path }) => {
        response.statusCode = path.endsWith("5") ? 200 : 401;
        response.end('{"id":""}');
      });
      const service = serviceAt(server.url, { accessToken: "t0ken" });
      const results = await Promise.allSettled(cars.map((car) => service.readDevice(car, never)));
      expect(results.filter(({ status }) => status === "fulfilled")).to.have.lengthOf(10);
      expect(server.received).to.have.lengthOf(100);
    });
  });

  it("a file that was rotated is read again", async () => {
    writeFileSync(inFolder("token"), "old\n");
    const server = await serve(accepts("old"), accepts("new"));
    const service = serviceAt(server.url, { accessToken: `file:${inFolder("token")}` });
    await service.readDevice(CAR, never);
    writeFileSync(inFolder("token"), "new\n");
    await service.readDevice(CAR, never);
    expect(tokensOf(server.received)).to.deep.equal(["old", "old", "new"]);
  });

  it("a command that gives no token is the reason of every request, and sends none", async () => {
    const server = await serve({ body: '{"id":""}' });
    const service = serviceAt(server.url, { tokenCommand: "echo denied >&2; exit 4" });
    for (const request of [service.readDevice(CAR, never), service.updateDevice(CAR, { policy: "CHARGE BY" }, never)]) {
      const error = (await failureOf(request)) as ServiceError;
      expect(error).to.include({ isUnauthorized: true, transient: false, maybeApplied: false });
      expect(error.problem).to.include({ code: "tokenCommand", device: nameOf(CAR), extract: "denied" });
    }
    expect(server.received).to.deep.equal([]);
  });

  it("a token endpoint that fails in passing is tried again", async () => {
    const { endpoint, credentials } = await withTokens({ status: 503 }, hangsUp, grants("t1"));
    const server = await serve({ body: '{"id":""}' });
    await serviceAt(server.url, credentials).readDevice(CAR, never);
    expect(endpoint.received).to.have.lengthOf(3);
  });

  it("a token endpoint that keeps failing is reported, and no update was applied", async () => {
    const { credentials } = await withTokens({ status: 503, body: "s3cret/x" });
    const server = await serve({ body: '{"id":""}' });
    const update = serviceAt(server.url, credentials).updateDevice(CAR, { policy: "CHARGE BY" }, never);
    const error = (await failureOf(update)) as ServiceError;
    expect(error).to.include({ isUnauthorized: true, transient: true, maybeApplied: false });
    expect(error.problem).to.deep.include({ code: "serviceFails", keys: ["oauthTokenUrl"], extract: "[redacted]" });
    expect(server.received).to.deep.equal([]);
  });

  it("an update whose answer was lost may have been applied, if there is then no token for another try", async () => {
    const { credentials } = await withTokens(grants("t1"), { status: 400 });
    const server = await serve(hangsUp, { status: 401 });
    const update = serviceAt(server.url, credentials).updateDevice(CAR, { policy: "CHARGE BY" }, never);
    expect(await failureOf(update)).to.include({ isUnauthorized: true, maybeApplied: true });
  });

  it("nothing of a token, an earlier one or the secret is shown of an answer", async () => {
    const { credentials } = await withTokens(grants("t1-long"), grants("t2-long"));
    const basic = btoa("pipeline:s3cret%2Fx");
    const echo = `t1-long t2-long s3cret/x s3cret%2Fx ${basic} ${btoa("Bearer t2-long")}`;
    const server = await serve({ status: 401 }, { status: 403, body: echo });
    const error = await failureOf(serviceAt(server.url, credentials).readDevice(CAR, never));
    expect(error.message).to.contain('"[redacted] [redacted] [redacted] [redacted] [redacted] ');
    expect(error.message).not.to.match(/t1-long|t2-long|s3cret/);
    expect(error.message).not.to.contain(btoa("2-long"));
  });
});
