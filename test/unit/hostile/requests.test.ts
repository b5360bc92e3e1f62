import { expect } from "chai";
import fc from "fast-check";
import { type Configuration, readConfiguration, serviceOptions } from "../../../provider/configuration/configuration";
import { ConfigurationError } from "../../../provider/configuration/error";
import { connect } from "../../../provider/service/client";
import type { DeviceRef } from "../../../provider/service/device";
import { problemsOf } from "../../../provider/settings/schema";
import { vehicle } from "../../../provider/settings/vehicle";
import { servers, type TestServer } from "../../support/server";

const CAR = { businessId: "acme", deviceId: "car" };
const CAR_PATH = "/api/v1/businesses/acme/devices/car";
const HOSTILE = ["a b", ..."a/b ..%2f %2e%2e % ?x#y ü🚗 \u202e ;@:&=+$, '\"<>{}|\\^` __proto__".split(" ")];

const serve = servers();

/** Reads a device through the real client. @returns the request as it arrived at the server */
async function arrived(server: TestServer, device: DeviceRef, configuration: Configuration) {
  const options = { ...serviceOptions(configuration), retryTimeoutSeconds: 0, onRetry: () => {} };
  await connect(options).readDevice(device, new AbortController().signal);
  const [request, ...others] = server.received.splice(0);
  expect(others).to.deep.equal([]);
  return { path: request?.path, authorization: request?.headers.authorization };
}

describe("hostile ids", () => {
  const sent: [string, string][] = [
    ["a/b", "a%2Fb"],
    ["a/../b", "a%2F..%2Fb"],
    ["../../admin", "..%2F..%2Fadmin"],
    ["...", "..."],
    [".a", ".a"],
    ["%2e%2e", "%252e%252e"],
    ["%2F", "%252F"],
    ["100%", "100%25"],
    ["a b", "a%20b"],
    ["a?b#c&d=e", "a%3Fb%23c%26d%3De"],
    ["a\\b", "a%5Cb"],
    ["a;b,c:d@e", "a%3Bb%2Cc%3Ad%40e"],
    ["ü", "%C3%BC"],
    ["u\u0308", "u%CC%88"],
    ["🚗", "%F0%9F%9A%97"],
    ["__proto__", "__proto__"],
    ["x".repeat(256), "x".repeat(256)],
  ];
  for (const [id, encoded] of sent) {
    it(`${JSON.stringify(id.slice(0, 20))} is on the wire one segment, as ${encoded.slice(0, 30)}`, async () => {
      expect(problemsOf(vehicle, { businessId: id, deviceId: id }, new Set())).to.deep.equal([]);
      const server = await serve({ body: '{"id":""}' });
      const configuration = readConfiguration((key) => ({ baseUrl: server.url, accessToken: "t0ken" })[key], {});
      const { path } = await arrived(server, { businessId: id, deviceId: id }, configuration);
      expect(path).to.equal(`/api/v1/businesses/${encoded}/devices/${encoded}`);
    });
  }
});

describe("hostile configuration", () => {
  /** Base URLs, with PORT for the server's port, and the part of the path that each adds before the API's. */
  const used: [string, string][] = [
    ["http://127.0.0.1:PORT", ""],
    ["http://127.0.0.1:PORT///", ""],
    ["http://127.0.0.1:PORT?", ""],
    ["http://127.0.0.1:PORT/a/../b/./c/", "/b/c"],
    ["http://127.0.0.1:PORT/%2e%2e/b", "/b"],
    ["http://127.0.0.1:PORT/a b/ü", "/a%20b/%C3%BC"],
    ["http://127.0.0.1:PORT/a%2Fb;v=1", "/a%2Fb;v=1"],
    ["http://127.0.0.1:PORT\\a", "/a"],
    ["HTTP://127.1:PORT/x", "/x"],
    ["http://@127.0.0.1:PORT", ""],
  ];
  for (const [baseUrl, path] of used) {
    it(`the base URL ${baseUrl} reaches ${path}/api/v1/…`, async () => {
      const server = await serve({ body: '{"id":""}' });
      const given = baseUrl.replace("PORT", new URL(server.url).port);
      const configuration = readConfiguration((key) => ({ baseUrl: given, accessToken: "t0ken" })[key], {});
      expect((await arrived(server, CAR, configuration)).path).to.equal(path + CAR_PATH);
    });
  }

  it("is refused, or the client takes it as it is: base URLs, tokens and businesses", async () => {
    const server = await serve({ body: '{"id":""}' });
    const { port } = new URL(server.url);
    const beginning = fc.constantFrom(
      "http://127.0.0.1:PORT",
      "http:127.1:PORT",
      "http://a:b@127.0.0.1:PORT",
      "ws://x",
    );
    const pieces = fc.array(fc.constantFrom("/", "..", "\t", "\n", "\0", "\ud800", "[", ...HOSTILE), { maxLength: 6 });
    const baseUrls = fc.tuple(beginning, pieces).map(([start, rest]) => start.replace("PORT", port) + rest.join(""));
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.string({ minLength: 1 }),
      pieces.map(String),
    );
    await fc.assert(
      fc.asyncProperty(baseUrls, texts, texts, async (baseUrl, accessToken, businessId) => {
        // Each value alone, so that one refusal does not hide another.
        for (const given of [{ baseUrl }, { accessToken }, { businessId }]) {
          const values: Record<string, string> = {
            baseUrl: server.url,
            accessToken: "t0ken",
            businessId: "acme",
            ...given,
          };
          let configuration: Configuration;
          try {
            configuration = readConfiguration((key) => values[key], {});
            serviceOptions(configuration);
          } catch (error) {
            expect(error).to.be.instanceOf(ConfigurationError);
            continue;
          }
          if (configuration.businessId === undefined) continue;
          const device = { ...CAR, businessId: configuration.businessId };
          const { path, authorization } = await arrived(server, device, configuration);
          const own = `/api/v1/businesses/${encodeURIComponent(device.businessId)}/devices/car`;
          expect(path).to.equal(new URL(configuration.baseUrl ?? "").pathname.replace(/\/$/, "") + own);
          expect(authorization).to.equal(`Bearer ${configuration.accessToken}`);
        }
      }),
    );
  });
});
