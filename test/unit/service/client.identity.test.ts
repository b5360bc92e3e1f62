import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { expect } from "chai";
import { ServiceError } from "../../../provider/service/errors";
import { expectFacts } from "../../support/facts";
import { failureOf } from "../../support/failure";
import { type Reply, servers } from "../../support/server";
import { CAR, never, serviceAt } from "../../support/service";

const VAN = { businessId: "acme", deviceId: "van" };

const nameOf = (dev_id: unknown) => JSON.stringify({ metadata: { dev_id } });

describe("device service: answers of another device", () => {
  const serve = servers();

  /** A server that answers with these bodies in turn and repeats the last one, and the connection of each request. */
  async function answering(...bodies: [string, ...string[]]) {
    const sockets: (Socket | null)[] = [];
    const replies = bodies.map(
      (body): Reply =>
        (response: ServerResponse) => {
          sockets.push(response.socket);
          response.end(body);
        },
    );
    const server = await serve(...(replies as [Reply, ...Reply[]]));
    return { service: serviceAt(server.url), received: server.received, sockets };
  }

  for (const dev_id of ["car", "", null, undefined, 7]) {
    it(`an answer is this device's if it names ${JSON.stringify(dev_id)}`, async () => {
      const { service, received } = await answering(nameOf(dev_id));
      expect(await service.readObject(CAR, never)).to.deep.equal(JSON.parse(nameOf(dev_id)));
      expect(received).to.have.lengthOf(1);
    });
  }

  const reads = ["readDevice", "readObject"] as const;
  for (const read of reads) {
    it(`${read} asks again, over a new connection, if the answer names another device`, async () => {
      const { service, sockets } = await answering(nameOf("car"), nameOf("van"), nameOf("car"));
      await service[read](CAR, never);
      expect(await service[read](CAR, never)).to.deep.equal({ metadata: { dev_id: "car" } });
      expect(sockets).to.have.lengthOf(3);
      expect(sockets[1]).to.equal(sockets[0]);
      expect(sockets[2]).not.to.equal(sockets[0]);
      await service[read](CAR, never);
      expect(sockets[3]).to.equal(sockets[2]);
    });

    it(`${read} fails if both answers name another device, and names it`, async () => {
      const { service, received } = await answering(nameOf("van\u202e t0ken"));
      const error = (await failureOf(service[read](CAR, never))) as ServiceError;
      expect(error)
        .to.be.instanceOf(ServiceError)
        .and.include({ transient: false, isGone: false, maybeApplied: false });
      expectFacts(error.message, ["'car'", "'van [redacted]'"]);
      expect(received).to.have.lengthOf(2);
    });
  }

  it("a latest read that names another device is an error, and not tried again: each try can wake a car", async () => {
    const { service, received } = await answering(nameOf("van"));
    expect(await failureOf(service.readLatestMetrics(CAR, never))).to.be.instanceOf(ServiceError);
    expect(received).to.have.lengthOf(1);
  });

  it("no connection is used again that was open when an answer named another device", async () => {
    const open: ServerResponse[] = [];
    const sockets = new Set<Socket | null>();
    let arrived = () => {};
    const server = await serve((response, { path }) => {
      sockets.add(response.socket);
      if (path.endsWith("/slow")) {
        open.push(response);
        arrived();
      } else response.end(nameOf(sockets.size < 3 ? "van" : "car"));
    });
    const service = serviceAt(server.url);
    const slow = service.readDevice({ ...CAR, deviceId: "slow" }, never);
    await new Promise<void>((next) => (arrived = next));
    await service.readDevice(CAR, never);
    expect(sockets.size).to.equal(3);
    const closed = new Promise((close) => open[0]?.socket?.once("close", close));
    open[0]?.end(nameOf("slow"));
    expect(await slow).to.deep.equal({ metadata: { dev_id: "slow" } });
    await closed;
    await service.readDevice(CAR, never);
    expect(sockets.size).to.equal(3);
  });

  it("an update whose answer names another device is sent again over a new connection", async () => {
    const { service, sockets } = await answering(nameOf("van"), nameOf("car"));
    await service.updateDevice(CAR, { policy: "CHARGE BY" }, never);
    expect(new Set(sockets).size).to.equal(2);
  });

  it("an update may have been applied if both answers name another device, or the second refuses it", async () => {
    const other: Reply = { body: nameOf("van") };
    for (const replies of [[other], [other, { status: 403 }]] as [Reply, ...Reply[]][]) {
      const server = await serve(...replies);
      const update = serviceAt(server.url).updateDevice(CAR, { policy: "CHARGE BY" }, never);
      expect(await failureOf(update)).to.include({ maybeApplied: true, transient: false });
      expect(server.received).to.have.lengthOf(2);
    }
  });

  it("one id that answers for two devices is an error for the second, however often, and never for the first", async () => {
    const { service } = await answering('{"id":"x"}');
    await service.readDevice(CAR, never);
    for (let times = 0; times < 2; times++) {
      const error = (await failureOf(service.readDevice(VAN, never))) as ServiceError;
      expect(error).to.be.instanceOf(ServiceError);
      expect(error.problem.code).to.equal("otherDeviceAnswers");
      expectFacts(error.message, ["'van'", "'car'"]);
    }
    expect(await service.readObject(CAR, never)).to.deep.equal({ id: "x" });
  });

  it("an id that was another one for this device before, or is the name of another device, is an error", async () => {
    const { service, received } = await answering('{"id":"x"}', '{"id":"y","metadata":{"dev_id":"car"}}', '{"id":"y"}');
    await service.readDevice(CAR, never);
    expect(await failureOf(service.readDevice(CAR, never))).to.be.instanceOf(ServiceError);
    expect(received).to.have.lengthOf(3);
    const named = await answering('{"id":"van"}');
    await named.service.readDevice(VAN, never);
    for (const device of [CAR, { ...CAR, businessId: "other" }]) {
      expect(await failureOf(named.service.readDevice(device, never))).to.be.instanceOf(ServiceError);
    }
  });

  it("a device whose id is its name is accepted, though the id answered for another one before", async () => {
    const { service } = await answering('{"id":"van"}');
    await service.readDevice(CAR, never);
    expect(await service.readDevice(VAN, never)).to.deep.equal({ id: "van" });
    expect(await failureOf(service.readDevice(CAR, never))).to.be.instanceOf(ServiceError);
  });

  it("a device may have another business's, no or an empty id, and metrics may have any", async () => {
    const { service } = await answering(
      '{"id":"x"}',
      '{"id":"x"}',
      '{"id":""}',
      '{"id":""}',
      '{"policy":""}',
      '{"policy":""}',
      '{"id":"x"}',
    );
    await service.readDevice(CAR, never);
    await service.readDevice({ ...CAR, businessId: "other" }, never);
    for (const device of [CAR, VAN, CAR, VAN]) await service.readDevice(device, never);
    expect(await service.readLatestMetrics(VAN, never)).to.deep.equal({ id: "x" });
  });

  for (const body of ["{}", '{"error":"not found"}', '{"errors":["locked"]}']) {
    it(`a read whose answer is ${body} is an error, because it shows no device`, async () => {
      const { service } = await answering(body);
      expect(await failureOf(service.readDevice(CAR, never))).to.include({ status: 200, maybeApplied: false });
    });
  }

  it("a read may show fields that are not documented, as an inverter's may be", async () => {
    const { service } = await answering('{"id":"roof","peak_power":9800}');
    expect(await service.readDevice(CAR, never)).to.deep.equal({ id: "roof", peak_power: 9800 });
  });
});
