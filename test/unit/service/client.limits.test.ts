import { getEventListeners } from "node:events";
import { expect } from "chai";
import { connect, type ServiceOptions } from "../../../provider/service/client";
import { failureOf } from "../../support/failure";
import { servers } from "../../support/server";

const CAR = { businessId: "acme", deviceId: "car" };
const CAR_PATH = "/api/v1/businesses/acme/devices/car";
const never = new AbortController().signal;

function serviceAt(baseUrl: string, options: Partial<ServiceOptions> = {}) {
  const defaults = { maxConcurrency: 16, requestTimeoutSeconds: 5, retryTimeoutSeconds: 5 };
  return connect({ baseUrl, credentials: { accessToken: "t0ken" }, onRetry: () => {}, ...defaults, ...options });
}

describe("device service: limits", () => {
  const serve = servers();

  /** A server whose answers wait until they are released. */
  async function held() {
    const open: { path: string; release: () => void }[] = [];
    let arrived = () => {};
    const server = await serve((response, { path }) => {
      if (path === "/probe") {
        response.end();
        return;
      }
      open.push({ path, release: () => response.end('{"id":""}') });
      arrived();
    });
    /** The paths of the open requests, once there are this many and whatever was sent along with them has arrived. */
    const opened = async (count: number) => {
      while (open.length < count) await new Promise<void>((next) => (arrived = next));
      for (let probes = 0; probes < 3; probes++) await fetch(`${server.url}/probe`);
      return open.map(({ path }) => path);
    };
    const release = (path: string) => {
      const index = open.findIndex((request) => request.path === path);
      open.splice(index, 1)[0]?.release();
    };
    return { url: server.url, opened, release };
  }

  it("no more than maxConcurrency requests are in flight", async () => {
    const { url, opened, release } = await held();
    const service = serviceAt(url, { maxConcurrency: 3 });
    const reads = Array.from({ length: 8 }, (_, i) => service.readDevice({ ...CAR, deviceId: `car${i}` }, never));
    for (let left = 8; left > 0; left--) {
      const paths = await opened(Math.min(left, 3));
      expect(paths).to.have.lengthOf(Math.min(left, 3));
      release(paths[0] as string);
    }
    await Promise.all(reads);
  });

  it("never two requests are in flight for one device, while others go on", async () => {
    const { url, opened, release } = await held();
    const service = serviceAt(url);
    const otherPath = CAR_PATH.replace("acme", "other");
    const requests: [string, Promise<unknown>][] = [
      [CAR_PATH, service.readDevice(CAR, never)],
      [CAR_PATH, service.updateDevice(CAR, { policy: "CHARGE BY" }, never)],
      [`${CAR_PATH}/metrics/latest`, service.readLatestMetrics(CAR, never)],
      [CAR_PATH, service.readDevice(CAR, never)],
    ];
    const other = service.readDevice({ ...CAR, businessId: "other" }, never);
    for (const [path, request] of requests) {
      expect(await opened(2)).to.have.members([path, otherPath]);
      release(path);
      await request;
    }
    release(otherPath);
    await other;
  });

  it("a device that failed can be asked again", async () => {
    const server = await serve({ status: 400 }, { body: '{"id":""}' });
    const service = serviceAt(server.url, { maxConcurrency: 1 });
    await failureOf(service.readDevice(CAR, never));
    expect(await service.readDevice(CAR, never)).to.deep.equal({ id: "" });
  });

  it("a call that is told to stop ends with the reason", async () => {
    const { url, opened } = await held();
    const stop = new AbortController();
    const read = failureOf(serviceAt(url).readDevice(CAR, stop.signal));
    await opened(1);
    stop.abort(new Error("create gave up"));
    expect((await read).message).to.equal("create gave up");
  });

  it("any number of requests share a signal: Node does not warn of that, and none listens to it when it is done", async () => {
    const warnings: Error[] = [];
    const heed = (warning: Error) => warnings.push(warning);
    process.on("warning", heed);
    const { url, opened, release } = await held();
    const service = serviceAt(url);
    const { signal } = new AbortController();
    const reads = Array.from({ length: 12 }, (_, i) => service.readDevice({ ...CAR, deviceId: `car${i}` }, signal));
    for (const path of await opened(reads.length)) release(path);
    await Promise.all(reads);
    process.off("warning", heed);
    expect(warnings).to.deep.equal([]);
    expect(getEventListeners(signal, "abort")).to.deep.equal([]);
  });

  it("a call that waits for its turn ends at once when it is told to stop, and nothing is sent of it", async () => {
    const { url, opened, release } = await held();
    const service = serviceAt(url, { maxConcurrency: 1 });
    const other = { ...CAR, deviceId: "other" };
    const first = service.readDevice(CAR, never);
    const stop = new AbortController();
    const waiting = [service.readDevice(CAR, stop.signal), service.readDevice(other, stop.signal)].map(failureOf);
    await opened(1);
    stop.abort(new Error("create gave up"));
    for (const failure of await Promise.all(waiting)) expect(failure.message).to.equal("create gave up");
    release(CAR_PATH);
    await first;
    const last = service.updateDevice(other, { policy: "CHARGE BY" }, never);
    expect(await opened(1)).to.deep.equal([CAR_PATH.replace("car", "other")]);
    release(CAR_PATH.replace("car", "other"));
    await last;
  });

  it("a call that was told to stop before it began sends nothing", async () => {
    const server = await serve({ body: '{"id":""}' });
    const read = serviceAt(server.url).readDevice(CAR, AbortSignal.abort(new Error("too late")));
    expect((await failureOf(read)).message).to.equal("too late");
    expect(server.received).to.deep.equal([]);
  });
});
