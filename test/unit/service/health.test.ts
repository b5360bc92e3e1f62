import { expect } from "chai";
import type { ServiceFailure } from "../../../provider/service/errors";
import { Health } from "../../../provider/service/health";
import { virtualClock } from "../../support/clock";
import { expectFacts } from "../../support/facts";

const DEAD: ServiceFailure = { code: "serviceFails", reason: "HTTP 503", status: 503, advice: "Wait", transient: true };
const UNREACHABLE: ServiceFailure = {
  code: "noConnection",
  reason: "the connection failed",
  advice: "Wait",
  transient: true,
};
const OK = { status: 200, body: "" };
const LONG = 3_600_000;

describe("Health", () => {
  const clock = virtualClock();

  /** Makes devices fail in turn, one each `everySeconds`. */
  function fails(health: Health, devices: readonly string[], everySeconds: number, failure = DEAD) {
    for (const device of devices) {
      health.learn(device, failure);
      clock.advance(everySeconds * 1000);
    }
  }

  const three = ["a", "b", "c"];

  describe("lets requests through", () => {
    it("if nothing is known", async () => {
      expect(await new Health(120).refusal(0)).to.equal(undefined);
    });

    for (const [what, retryTimeoutSeconds, devices, every, failure] of [
      [
        "in a blip, however many devices fail",
        120,
        Array.from({ length: 500 }, (_, i) => `car${i}`),
        0.239,
        UNREACHABLE,
      ],
      ["in a blip, where failures are not retried", 0, [...three, ...three], 4, DEAD],
      ["however long the same two devices fail", 120, Array(20).fill(["a", "b"]).flat(), 10, DEAD],
    ] as const) {
      it(what, async () => {
        const health = new Health(retryTimeoutSeconds);
        fails(health, devices, every, failure);
        expect(await health.refusal(0)).to.equal(undefined);
      });
    }

    const signs: [string, object][] = [
      ["a success", OK],
      ["a refusal", { ...DEAD, status: 403, transient: false }],
      ["a device that is gone", { ...DEAD, status: 404, transient: false }],
      ["a limit of requests", { ...DEAD, status: 429, retryAfterMs: 0 }],
    ];
    for (const [what, answer] of signs) {
      it(`if ${what} came between the failures`, async () => {
        const health = new Health(120);
        fails(health, three, 60);
        health.learn("d", answer);
        fails(health, ["a", "b"], 60);
        expect(await health.refusal(0)).to.equal(undefined);
      });
    }

    it("if failures say nothing of the service, and does not count them as a sign of life either", async () => {
      const health = new Health(120);
      fails(health, three, 60, { ...UNREACHABLE, transient: false });
      expect(await health.refusal(0)).to.equal(undefined);
      fails(health, three, 59);
      fails(health, ["d"], 2, { ...UNREACHABLE, transient: false });
      fails(health, ["e"], 1);
      expect(await health.refusal(0)).not.to.equal(undefined);
    });
  });

  describe("in an outage", () => {
    /** A service that has failed for 120 s, the last time 1 s ago. */
    function outage(failure = DEAD): Health {
      const health = new Health(120);
      fails(health, ["a", "b", "b"], 40, failure);
      fails(health, ["c"], 1, failure);
      return health;
    }

    it("refuses requests, and reports duration, count, devices, reason, and the time of the next try", async () => {
      const refusal = await outage(UNREACHABLE).refusal(LONG);
      expect(refusal?.code).to.equal("outage");
      expectFacts(refusal?.reason, [" 121 s", " 4 requests", " 3 devices", UNREACHABLE.reason, " 14 s"]);
    });

    it("lets one request through when 15 s have passed, and the next one after another 15 s", async () => {
      const health = outage();
      clock.advance(13_999);
      expect(await health.refusal(0)).not.to.equal(undefined);
      clock.advance(1);
      expect(await health.refusal(0)).to.equal(undefined);
      expectFacts((await health.refusal(0))?.reason, [" 15 s"]);
      clock.advance(15_000);
      expect(await health.refusal(0)).to.equal(undefined);
    });

    it("continues if that request fails, and is over if it is answered", async () => {
      const health = outage();
      clock.advance(14_000);
      await health.refusal(0);
      health.learn("d", DEAD);
      expectFacts((await health.refusal(0))?.reason, [" 5 requests", " 4 devices"]);
      clock.advance(15_000);
      await health.refusal(0);
      health.learn("d", OK);
      expect([await health.refusal(0), await health.refusal(0)]).to.deep.equal([undefined, undefined]);
    });

    it("does not wait for as long as the service asks before it refuses", async () => {
      const health = outage({ ...DEAD, retryAfterMs: 60_000 });
      expect(await health.refusal(LONG)).to.have.property("code", "outage");
      expect(clock.waits).to.deep.equal([]);
    });
  });

  describe("holds all requests", () => {
    it("until the latest time that it asked for, also if it asks while they wait", async () => {
      const health = new Health(120);
      health.learn("a", { ...DEAD, retryAfterMs: 7000 });
      const admitted = health.refusal(LONG);
      health.learn("b", { ...DEAD, retryAfterMs: 9000 });
      health.learn("c", { ...DEAD, retryAfterMs: 1000 });
      await admitted;
      expect(clock.waits).to.deep.equal([7000, 2000]);
    });

    for (const [what, failure, waits] of [
      ["for as long as the service asks", { ...DEAD, retryAfterMs: 7000 }, [7000]],
      ["for a second where it says that there are too many, and not how long", { ...DEAD, status: 429 }, [1000]],
      ["not after a failure that asks for nothing", DEAD, []],
      ["not after one that asks for no time", { ...DEAD, retryAfterMs: 0 }, []],
    ] as const) {
      it(what, async () => {
        const health = new Health(120);
        health.learn("a", failure);
        expect(await health.refusal(7000)).to.equal(undefined);
        expect(clock.waits).to.deep.equal(waits);
      });
    }

    it("but immediately refuses those that have less time", async () => {
      const health = new Health(120);
      for (const device of ["a", "b", "c"]) {
        health.learn(device, { ...DEAD, reason: "HTTP 429", status: 429, retryAfterMs: 90_500 });
      }
      const refusal = await health.refusal(90_000);
      expect(refusal).to.deep.include({ code: "onHold", keys: ["maxRequestsPerMinute"] });
      expectFacts(refusal?.reason, [" 91 s", "HTTP 429"]);
      expect(clock.waits).to.deep.equal([]);
    });

    it("for 15 s at most if fewer than three devices ask for it: one answer fails no other device", async () => {
      const health = new Health(120);
      for (let times = 0; times < 5; times++) health.learn("a", { ...DEAD, retryAfterMs: 86_400_000 });
      health.learn("b", { ...DEAD, retryAfterMs: 86_400_000 });
      expect(await health.refusal(90_000)).to.equal(undefined);
      expect(clock.waits).to.deep.equal([15_000]);
    });

    it("counts the waiting devices again after a success", async () => {
      const health = new Health(120);
      const asks = { ...DEAD, retryAfterMs: 86_400_000 };
      health.learn("a", asks);
      health.learn("b", asks);
      health.learn("c", {});
      health.learn("d", asks);
      expect(await health.refusal(90_000)).to.equal(undefined);
    });
  });
});
