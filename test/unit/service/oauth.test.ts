import { writeFileSync } from "node:fs";
import { expect } from "chai";
import type { ServiceFailure } from "../../../provider/service/errors";
import { type OAuthOptions, requestToken } from "../../../provider/service/oauth";
import { makeRouter } from "../../../provider/service/route";
import { expectFacts } from "../../support/facts";
import { temporaryFolder } from "../../support/folder";
import { hangsUp, type Reply, servers } from "../../support/server";

const SECRET = "s3cret/+:&x";

/** An answer of a token endpoint. */
function grants(answer: unknown, headers = { "content-type": "application/json" }): Reply {
  return { body: JSON.stringify(answer), headers };
}

describe("requestToken", () => {
  const serve = servers();
  const inFolder = temporaryFolder();

  /** The outcome of one request for a token, and the request as the endpoint received it. */
  async function requested(reply: Reply, changes: Partial<OAuthOptions> = {}) {
    const server = await serve(reply);
    const options = { oauthTokenUrl: `${server.url}/token/`, oauthClientId: "pipeline", oauthClientSecret: SECRET };
    const secrets = new Set<string>();
    const result = await requestToken({ ...options, ...changes }, { router: makeRouter(), timeoutSeconds: 4, secrets });
    return { result, received: server.received, secrets };
  }

  async function refused(reply: Reply, changes: Partial<OAuthOptions> = {}) {
    const { result } = await requested(reply, changes);
    expect(result).to.have.property("keys").that.contains("oauthTokenUrl");
    expect(JSON.stringify(result)).not.to.contain("s3cret");
    return result as ServiceFailure;
  }

  describe("asks", () => {
    it("with one POST of the grant, its client as basic authentication", async () => {
      const { received } = await requested(grants({ access_token: "t0ken", token_type: "Bearer" }));
      expect(received.map(({ method, path, body }) => [method, path, body])).to.deep.equal([
        ["POST", "/token/", "grant_type=client_credentials"],
      ]);
      const basic = Buffer.from(`pipeline:${encodeURIComponent(SECRET)}`).toString("base64");
      expect(received[0]?.headers).to.include({ authorization: `Basic ${basic}`, accept: "application/json" });
      expect(received[0]?.headers["content-type"]).to.match(/^application\/x-www-form-urlencoded/);
    });

    it("for scopes, if they are set", async () => {
      const oauthScope = "devices:read devices:write";
      const { received } = await requested(grants({ access_token: "t0ken", token_type: "Bearer" }), { oauthScope });
      expect(new URLSearchParams(received[0]?.body).get("scope")).to.equal(oauthScope);
    });

    it("with a secret from a file", async () => {
      writeFileSync(inFolder("secret"), "fr0mFile\n");
      const { received } = await requested(grants({ access_token: "t0ken", token_type: "Bearer" }), {
        oauthClientSecret: `file:${inFolder("secret")}`,
      });
      const basic = received[0]?.headers.authorization?.replace("Basic ", "") ?? "";
      expect(atob(basic)).to.equal("pipeline:fr0mFile");
    });

    it("nothing if the file of the secret is not there", async () => {
      const { result, received } = await requested({}, { oauthClientSecret: `file:${inFolder("none")}` });
      expect(result).to.deep.include({ code: "secretFile", keys: ["oauthClientSecret"] });
      expect(received).to.deep.equal([]);
    });
  });

  it("gives the token and how long it holds", async () => {
    const answer = { access_token: "t0ken", token_type: "bearer", expires_in: 300, scope: "x" };
    expect((await requested(grants(answer))).result).to.deep.equal({ token: "t0ken", lifetimeSeconds: 300 });
  });

  it("gives a token that holds for a time that is not known", async () => {
    const answer = { access_token: "t0ken", token_type: "Bearer" };
    expect((await requested(grants(answer))).result).to.deep.equal({ token: "t0ken" });
  });

  describe("takes for no token", () => {
    const unusable: [string, Reply][] = [
      ["no JSON", { body: "t0ken", headers: { "content-type": "application/json" } }],
      ["a web page", { body: "<html>", headers: { "content-type": "text/html" } }],
      ["a list", grants([{ access_token: "t0ken", token_type: "Bearer" }])],
      ["no access_token", grants({ token: "t0ken", token_type: "Bearer" })],
      ["a token of no type", grants({ access_token: "t0ken" })],
      ["a token of another type", grants({ access_token: "t0ken", token_type: "mac" })],
      ["an expiry that is no number", grants({ access_token: "t0ken", token_type: "Bearer", expires_in: "soon" })],
      ["a token that cannot be sent", grants({ access_token: "t0ken\nX: y", token_type: "Bearer" })],
    ];
    for (const [what, reply] of unusable) {
      it(`${what}, and shows nothing of it`, async () => {
        const { result } = await requested(reply);
        expect(result).to.include({ transient: false, code: "tokenEndpoint" });
        expect(JSON.stringify(result)).not.to.contain("t0ken");
      });
    }
  });

  describe("reports after a refusal", () => {
    for (const headers of [{}, { "www-authenticate": "Basic" }]) {
      it(`the endpoint's answer, and advice, ${JSON.stringify(headers)}`, async () => {
        const body = JSON.stringify({ error: "invalid_client", error_description: `not ${SECRET}` });
        const failure = await refused({ status: 401, headers, body });
        expect(failure).to.deep.include({
          code: "tokenEndpoint",
          extract: '{"error":"invalid_client","error_description":"not [redacted]"}',
          transient: false,
        });
        expectFacts(failure.reason, ["{oauthTokenUrl}", "HTTP 401 Unauthorized"]);
        expectFacts(failure.advice, ["{oauthTokenUrl}", "oauthClientId", "oauthClientSecret", "oauthScope"]);
        expect(failure).not.to.have.property("status");
      });
    }

    it("no secret that it echoes of the request, but which client it was", async () => {
      const { authorization } = (await requested({})).received[0]?.headers ?? {};
      const echo = JSON.stringify({ authorization, decoded: atob(authorization?.slice(6) ?? "") });
      const { extract } = await refused({ status: 400, body: `${echo} ${encodeURIComponent(SECRET)}` });
      expect(extract).to.equal('{"authorization":"Basic [redacted]","decoded":"pipeline:[redacted]"} [redacted]');
    });

    for (const status of [201, 400, 500]) {
      it(`nothing of an answer that holds a token: ${status}`, async () => {
        const body = JSON.stringify({ access_token: "t0ken-of-nobody", token_type: "Bearer" });
        expect(JSON.stringify(await refused({ status, body }))).not.to.contain("t0ken");
      });
    }

    it("with a redirect, that it is not followed", async () => {
      const target = await serve({});
      expect(await refused({ status: 307, headers: { location: target.url } })).to.include({ transient: false });
      expect(target.received).to.deep.equal([]);
    });

    for (const [what, reply, expected] of [
      ...[429, 500, 503].map((status) => [`with ${status}`, { status }, {}] as const),
      ["with a time to wait", { status: 503, headers: { "retry-after": "7" } }, { retryAfterMs: 7000 }],
      ["whose connection is closed", hangsUp, { code: "noConnection" }],
      ["that does not come in time", () => {}, { code: "timeout" }],
    ] as [string, Reply, object][]) {
      it(`${what}, that it may pass`, async () => {
        expect(await refused(reply)).to.include({ transient: true, ...expected });
      });
    }
  });

  it("makes the secret known as it is and as it is sent", async () => {
    const { secrets, received } = await requested({});
    expect([...secrets]).to.include.members([SECRET, received[0]?.headers.authorization?.replace("Basic ", "")]);
  });
});
