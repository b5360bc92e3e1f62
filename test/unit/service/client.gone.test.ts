import { expect } from "chai";
import { connect, type DeviceService, type ServiceOptions } from "../../../provider/service/client";
import type { ServiceError } from "../../../provider/service/errors";
import { failureOf } from "../../support/failure";
import { type Received, type Reply, servers } from "../../support/server";

const never = new AbortController().signal;
const ref = (deviceId: string) => ({ businessId: "acme", deviceId });

function serviceAt(baseUrl: string, options: Partial<ServiceOptions> = {}): DeviceService {
  const limits = { maxConcurrency: 16, requestTimeoutSeconds: 5, retryTimeoutSeconds: 5 };
  return connect({ baseUrl, credentials: { accessToken: "t0ken" }, onRetry: () => {}, ...limits, ...options });
}

describe("device service: devices that are gone", () => {
  const serve = servers();

  /** Knows the devices of which these words are no part. */
  function knowsOthers(...words: string[]): Reply {
    return (response, { path, method }: Received) => {
      const isKnown = words.every((word) => !path.includes(word));
      response.writeHead(isKnown ? 200 : 404).end(method === "GET" ? '{"policy":"CHARGE BY"}' : "");
    };
  }

  /** Whether each of these devices is gone, asked for side by side. */
  async function goneOf(service: DeviceService, devices: readonly string[]) {
    const ask = async (deviceId: string) => {
      if (await service.readDevice(ref(deviceId), never)) return "known";
      return await service.confirmGone(ref(deviceId)).then(
        () => "gone",
        () => "refused",
      );
    };
    return await Promise.all(devices.map(ask));
  }

  it("one alone is gone, and so are some among others that are known", async () => {
    const { url } = await serve(knowsOthers("car"));
    expect(await goneOf(serviceAt(url), ["car"])).to.deep.equal(["gone"]);
    expect(await goneOf(serviceAt(url), ["car1", "car2", "van1", "van2"])).to.deep.equal([
      "gone",
      "gone",
      "known",
      "known",
    ]);
  });

  it("most are not believed to be gone, and the error says at which address", async () => {
    const { url } = await serve(knowsOthers("car"));
    const service = serviceAt(`${url}/wrong`);
    expect(await goneOf(service, ["car1", "car2", "van"])).to.deep.equal(["refused", "refused", "known"]);
    const error = (await failureOf(service.confirmGone(ref("car1")))) as ServiceError;
    expect(error).to.deep.include({ isGone: false, transient: false, maybeApplied: false });
    expect(error.message).to.contain(`at ${url}/wrong/api/v1/businesses/acme. `);
    expect(error.message).to.contain("SOLAR_CHARGING_ALLOW_GONE=true");
  });

  it("most are gone where that is allowed", async () => {
    const { url } = await serve(knowsOthers("car"));
    const gone = await goneOf(serviceAt(url, { allowGone: true }), ["car1", "car2", "car3"]);
    expect(gone).to.deep.equal(["gone", "gone", "gone"]);
  });

  it("an update that is accepted speaks for the address, a latest read that finds nothing does not speak against it", async () => {
    const { url } = await serve(knowsOthers("car", "metrics"));
    const service = serviceAt(url);
    await service.updateDevice(ref("van"), { policy: "CHARGE BY" }, never);
    await service.readLatestMetrics(ref("truck"), never);
    expect(await goneOf(service, ["car"])).to.deep.equal(["gone"]);
    expect(await goneOf(service, ["car2"])).to.deep.equal(["refused"]);
  });
});
