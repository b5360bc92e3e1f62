import { expect } from "chai";
import { connect, type ServiceOptions } from "../../../provider/service/client";
import { ServiceError } from "../../../provider/service/errors";
import { failureOf } from "../../support/failure";
import { breaksOff, hangsUp, type Reply, servers } from "../../support/server";

const CAR = { businessId: "acme", deviceId: "car" };
const LATEST_PATH = "/api/v1/businesses/acme/devices/car/metrics/latest";
const never = new AbortController().signal;

function serviceAt(baseUrl: string, options: Partial<ServiceOptions> = {}) {
  const defaults = { maxConcurrency: 16, requestTimeoutSeconds: 5, retryTimeoutSeconds: 3600 };
  return connect({ baseUrl, credentials: { accessToken: "t0ken" }, onRetry: () => {}, ...defaults, ...options });
}

describe("device service: the latest read", () => {
  const serve = servers();

  it("gives the metrics as they are, from a path of their own", async () => {
    const server = await serve({ body: '{"state_of_charge":62.5,"plug_status":1,"more":[null]}' });
    expect(await serviceAt(server.url).readLatestMetrics(CAR, never)).to.deep.equal({
      state_of_charge: 62.5,
      plug_status: 1,
      more: [null],
    });
    expect(server.received.map(({ method, path, body }) => [method, path, body])).to.deep.equal([
      ["GET", LATEST_PATH, ""],
    ]);
    expect(server.received[0]?.headers).to.include({ authorization: "Bearer t0ken" });
  });

  const failures: [string, Reply, Partial<ServiceOptions>][] = [
    ["is answered 429", { status: 429, headers: { "retry-after": "0" } }, {}],
    ["is answered 503", { status: 503 }, {}],
    ["is answered 403", { status: 403 }, {}],
    ["has no answer in time", () => {}, { requestTimeoutSeconds: 0.5 }],
    ["is cut off", hangsUp, {}],
    ["is cut off in its answer", breaksOff(200), {}],
  ];
  for (const [what, reply, options] of failures) {
    it(`is never tried again where it ${what}: each try can wake the car`, async () => {
      const server = await serve(reply, { body: '{"id":""}' });
      const error = await failureOf(serviceAt(server.url, options).readLatestMetrics(CAR, never));
      expect(error).to.be.instanceOf(ServiceError).and.include({ maybeApplied: false });
      expect(error.message).to.match(/^cannot read the latest metrics of device 'car' of business 'acme': /);
      expect(server.received).to.have.lengthOf(1);
    });
  }

  it("is undefined where the service does not know the device", async () => {
    const server = await serve({ status: 404, headers: { "content-type": "application/json" }, body: '{"id":""}' });
    expect(await serviceAt(server.url).readLatestMetrics(CAR, never)).to.equal(undefined);
    expect(server.received).to.have.lengthOf(1);
  });

  for (const body of ["", "<html>", "[]", '[{"state_of_charge":62}]', "62", "null"]) {
    it(`200 with ${JSON.stringify(body)} is no metrics`, async () => {
      const server = await serve({ body });
      const error = await failureOf(serviceAt(server.url).readLatestMetrics(CAR, never));
      expect(error.message).to.match(/the answer is not a JSON object.*solar-charging:baseUrl/);
    });
  }
});
