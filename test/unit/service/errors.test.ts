import { expect } from "chai";
import {
  failureOfConnection,
  failureOfContent,
  failureOfStatus,
  failureOfTimeout,
  ServiceError,
} from "../../../provider/service/errors";

const CAR = { businessId: "acme", deviceId: "car" };

describe("ServiceError", () => {
  it("says operation, device, status, extract and what to do next", () => {
    const error = new ServiceError("update", CAR, { ...failureOfStatus(403, "Forbidden"), extract: 'no "x"' }, false);
    expect(error.message).to.equal(
      `cannot update device 'car' of business 'acme': HTTP 403 Forbidden, "no \\"x\\"". ` +
        "Check that the access token may manage this business",
    );
    expect(error).to.include({ name: "ServiceError", operation: "update", device: CAR, status: 403, transient: false });
  });

  it("leaves out an empty extract", () => {
    const failure = { code: "serviceFails" as const, reason: "HTTP 500", extract: "", advice: "Wait", transient: true };
    expect(new ServiceError("read", CAR, failure, false).message).to.equal(
      "cannot read device 'car' of business 'acme': HTTP 500. Wait",
    );
  });
});

describe("failureOfStatus", () => {
  const advice: [number, RegExp][] = [
    [302, /\{baseUrl\}/],
    [403, /may manage this business/],
    [404, /deviceId, businessId and \{baseUrl\}/],
    [410, /deviceId, businessId and \{baseUrl\}/],
    [429, /\{maxConcurrency\}/],
    [503, /try again later/],
    [422, /declared values.*\{inverterFields\}/],
  ];
  for (const [status, expected] of advice) {
    it(`says what to do about ${status}`, () => {
      expect(failureOfStatus(status, "").advice).to.match(expected);
    });
  }
});

describe("failureOfConnection", () => {
  const ORIGIN = "https://api.example.com";
  const SETTING = "baseUrl";
  const coded = (code: string) => Object.assign(new Error("socket"), { code });

  for (const code of ["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE", "EAI_AGAIN", "ERR_STREAM_PREMATURE_CLOSE"]) {
    it(`takes ${code} for passing`, () => {
      const failure = failureOfConnection(coded(code), ORIGIN, SETTING);
      expect(failure).to.include({ transient: true, reason: `the connection to ${ORIGIN} failed (${code})` });
      expect(failure.advice).to.contain(SETTING);
    });
  }

  it("takes a host name that does not exist for final", () => {
    expect(failureOfConnection(coded("ENOTFOUND"), ORIGIN, SETTING)).to.include({ transient: false });
  });

  const tls =
    "DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY " +
    "CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REVOKED ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER EPROTO";
  for (const code of tls.split(" ")) {
    it(`takes ${code} for final, and says how to trust an authority`, () => {
      const failure = failureOfConnection(coded(code), ORIGIN, SETTING);
      expect(failure).to.include({ transient: false, reason: `the TLS connection to ${ORIGIN} failed (${code})` });
      expect(failure.advice).to.match(/NODE_EXTRA_CA_CERTS/);
    });
  }

  it("takes an answer that is too large for one that is no device's: final, and what became of an update is not known", () => {
    const tooLarge = Object.assign(new Error("over limit"), { type: "max-size" });
    expect(failureOfConnection(tooLarge, ORIGIN, SETTING)).to.deep.equal({
      ...failureOfContent("the answer is larger than a device object can be"),
      isUncertain: true,
    });
  });

  it("has words for what has no code, and shows nothing of it", () => {
    for (const thrown of [new Error("Bearer t0ken"), "Bearer t0ken", undefined]) {
      expect(failureOfConnection(thrown, ORIGIN, SETTING).reason).to.equal(
        `the connection to ${ORIGIN} failed (unknown network error)`,
      );
    }
  });
});

describe("failureOfTimeout", () => {
  it("says how long was waited, and how to wait longer; it may pass", () => {
    const failure = failureOfTimeout(30);
    expect(failure).to.include({ transient: true, reason: "no complete answer within 30 s" });
    expect(failure.advice).to.match(/\{requestTimeoutSeconds\}/);
  });

  it("rounds what was left for a last try", () => {
    expect(failureOfTimeout(2.3456789).reason).to.equal("no complete answer within 2.3 s");
  });
});

describe("failureOfContent", () => {
  it("is final, and asks whose answer it was", () => {
    const failure = failureOfContent("the answer is not a device object");
    expect(failure).to.include({ transient: false, reason: "the answer is not a device object" });
    expect(failure.advice).to.match(/\{baseUrl\}/);
  });
});
