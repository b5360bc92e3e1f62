import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { type CredentialOptions, Credentials } from "../../../provider/service/credentials";
import { makeRouter } from "../../../provider/service/route";
import { virtualClock } from "../../support/clock";
import { expectFacts } from "../../support/facts";
import { temporaryFolder } from "../../support/folder";
import { type Reply, servers } from "../../support/server";

/** Answers of a token endpoint, with the tokens t1, t2 and so on. */
function numbered(lifetimeSeconds?: number): Reply {
  let count = 0;
  return (response) => {
    count += 1;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ access_token: `t${count}`, token_type: "Bearer", expires_in: lifetimeSeconds }));
  };
}

describe("Credentials", () => {
  const serve = servers();
  const clock = virtualClock();
  const inFolder = temporaryFolder();

  function oauthAt(url: string): CredentialOptions {
    return { oauthTokenUrl: `${url}/token`, oauthClientId: "pipeline", oauthClientSecret: "s3cret" };
  }

  /** Credentials that get the tokens t1, t2 and so on, and the requests for them. */
  async function minted(lifetimeSeconds?: number) {
    const server = await serve(numbered(lifetimeSeconds));
    return { credentials: new Credentials(oauthAt(server.url), makeRouter(), 60), requests: server.received };
  }

  function commanded(command: string) {
    return new Credentials({ tokenCommand: command }, makeRouter(), 60);
  }

  it("a token that is set is all there is: a refusal is final", async () => {
    const credentials = new Credentials({ accessToken: "t0ken" }, makeRouter(), 60);
    expect(await credentials.token()).to.equal("t0ken");
    expect([...credentials.secrets]).to.deep.equal(["t0ken"]);
    expect(credentials.discard("t0ken")).to.equal(false);
    expectFacts(credentials.refusal.advice, ["SOLAR_CHARGING_ACCESS_TOKEN"]);
  });

  it("says that a refresh uses the token of the last up only if the engine keeps it", () => {
    const advice = (isKept: boolean) =>
      new Credentials({ accessToken: "t0ken", isKept }, makeRouter(), 60).refusal.advice;
    expectFacts(advice(true), ["pulumi up", "--run-program"]);
    expect(advice(false)).to.not.contain("--run-program");
  });

  it("a token in a file is read when it is needed, and again when it is refused", async () => {
    const path = inFolder("token");
    const credentials = new Credentials({ accessToken: `file:${path}` }, makeRouter(), 60);
    writeFileSync(path, "old\n");
    expect(await credentials.token()).to.equal("old");
    writeFileSync(path, "new\n");
    expect(await credentials.token()).to.equal("old");
    expect(credentials.discard("old")).to.equal(true);
    expect(await credentials.token()).to.equal("new");
    expect([...credentials.secrets]).to.deep.equal(["old", "new"]);
    expectFacts(credentials.refusal.advice, [path]);
  });

  describe("a token that a command prints", () => {
    it("is made once, however many ask, now and later", async () => {
      const credentials = commanded(`echo run >> ${inFolder("runs")}; wc -l < ${inFolder("runs")} | tr -d ' '`);
      expect(await Promise.all([credentials.token(), credentials.token()])).to.deep.equal(["1", "1"]);
      clock.advance(24 * 3_600_000);
      expect(await credentials.token()).to.equal("1");
      expectFacts(credentials.refusal.advice, ["{tokenCommand}"]);
    });

    it("is replaced if it is refused again, also after somebody has set the clock of the computer back", async () => {
      const credentials = commanded("echo t0ken");
      await credentials.token();
      expect(credentials.discard("t0ken")).to.equal(true);
      await credentials.token();
      clock.setBack(3_600_000);
      clock.advance(30_000);
      expect(credentials.discard("t0ken")).to.equal(true);
    });

    it("and fails is not run again for half a minute", async () => {
      const credentials = commanded(`echo run >> ${inFolder("runs")}; wc -l < ${inFolder("runs")} >&2; exit 1`);
      const failures = [await credentials.token(), await credentials.token()];
      expect(failures[0]).to.include({ extract: "1", isUnauthorized: true, transient: false });
      expect(failures[1]).to.equal(failures[0]);
      clock.advance(30_000);
      expect(await credentials.token()).to.include({ extract: "2" });
    });
  });

  describe("a token of a token endpoint", () => {
    const lifetimes: [number, number][] = [
      [3600, 3540],
      [120, 60],
      [60, 30],
      [10, 5],
    ];
    for (const [lifetime, used] of lifetimes) {
      it(`that holds for ${lifetime} s is used for ${used} s, and then renewed once`, async () => {
        const { credentials, requests } = await minted(lifetime);
        expect(await credentials.token()).to.equal("t1");
        clock.advance(used * 1000 - 1);
        expect(await credentials.token()).to.equal("t1");
        clock.advance(1);
        expect(await Promise.all([credentials.token(), credentials.token()])).to.deep.equal(["t2", "t2"]);
        expect(requests).to.have.lengthOf(2);
      });
    }

    it("that holds for a time that is not known is used until it is refused", async () => {
      const { credentials } = await minted();
      await credentials.token();
      clock.advance(24 * 3_600_000);
      expect(await credentials.token()).to.equal("t1");
    });

    it("is renewed once if several requests are refused with it", async () => {
      const { credentials, requests } = await minted(3600);
      await credentials.token();
      expect([credentials.discard("t1"), credentials.discard("t1")]).to.deep.equal([true, true]);
      expect(await Promise.all([credentials.token(), credentials.token()])).to.deep.equal(["t2", "t2"]);
      expect(credentials.discard("t1")).to.equal(true);
      expect(requests).to.have.lengthOf(2);
    });

    it("is not renewed if the one in its place is refused too, but is again later", async () => {
      const { credentials } = await minted(3600);
      await credentials.token();
      credentials.discard("t1");
      await credentials.token();
      expect(credentials.discard("t2")).to.equal(false);
      expect(await credentials.token()).to.equal("t2");
      clock.advance(30_000);
      expect(credentials.discard("t2")).to.equal(true);
      expect(await credentials.token()).to.equal("t3");
    });

    it("is asked for again at once after a failure that may pass", async () => {
      const server = await serve({ status: 503 }, numbered());
      const credentials = new Credentials(oauthAt(server.url), makeRouter(), 60);
      expect(await credentials.token()).to.include({ isUnauthorized: true, transient: true });
      expect(await credentials.token()).to.equal("t1");
    });

    it("keeps what must not be shown: all tokens so far and the secret", async () => {
      const { credentials } = await minted(60);
      await credentials.token();
      clock.advance(60_000);
      await credentials.token();
      expect([...credentials.secrets]).to.include.members(["s3cret", "t1", "t2"]);
      expectFacts(credentials.refusal.advice, ["{oauthTokenUrl}"]);
    });
  });
});
