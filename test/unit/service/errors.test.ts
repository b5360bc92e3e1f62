import { expect } from "chai";
import { nameOf } from "../../../provider/service/device";
import {
  failureOfConnection,
  failureOfContent,
  failureOfStatus,
  failureOfTimeout,
  ServiceError,
} from "../../../provider/service/errors";
import { expectFacts } from "../../support/facts";

const CAR = { businessId: "acme", deviceId: "car" };

describe("ServiceError", () => {
  it("has operation, device, status and extract", () => {
    const error = new ServiceError(
      "update",
      CAR,
      { ...failureOfStatus(403, "Forbidden"), extract: 'no "x"' },
      { maybeApplied: false },
    );
    expect(error.problem).to.include({ code: "notAllowed", device: nameOf(CAR), extract: 'no "x"' });
    expectFacts(error.message, ["update", nameOf(CAR), "HTTP 403 Forbidden", 'no \\"x\\"']);
    expect(error).to.include({ name: "ServiceError", operation: "update", device: CAR, status: 403, transient: false });
  });

  it("leaves out an empty extract", () => {
    const failure = { code: "serviceFails" as const, reason: "HTTP 500", extract: "", advice: "Wait", transient: true };
    expect(new ServiceError("read", CAR, failure, { maybeApplied: false }).problem).to.not.have.property("extract");
  });
});

describe("failureOfStatus", () => {
  const codes: [status: number, code: string, ofRead: string[], ofUpdate?: string[]][] = [
    [302, "redirect", ["baseUrl"]],
    [304, "requestRefused", ["baseUrl"]],
    [401, "notAuthorized", []],
    [403, "notAllowed", []],
    // A device that can be updated was read before: its ids and the address were right.
    [404, "notFound", ["baseUrl"], []],
    [410, "notFound", ["baseUrl"], []],
    [423, "conflict", []],
    [429, "tooManyRequests", ["maxRequestsPerMinute"]],
    [408, "serviceFails", []],
    [503, "serviceFails", []],
    [505, "requestRefused", ["baseUrl"]],
    [599, "serviceFails", []],
    [422, "requestRefused", ["baseUrl"], ["inverterFields"]],
  ];
  for (const [status, code, ofRead, ofUpdate = ofRead] of codes) {
    it(`maps ${status} to ${code}`, () => {
      for (const [operation, keys] of [
        ["read", ofRead],
        ["update", ofUpdate],
      ] as const) {
        expect(failureOfStatus(status, "", operation)).to.deep.include({ code, keys });
      }
    });
  }
});

describe("failureOfConnection", () => {
  const ORIGIN = "https://api.example.com";
  const SETTING = "baseUrl";
  const coded = (code: string) => Object.assign(new Error("socket"), { code });
  const failureOf = (error: unknown) => failureOfConnection(error, { target: ORIGIN, key: SETTING, isLocal: false });

  it("names no cause that the error does not have", () => {
    const { reason } = failureOf(Object.assign(new Error("closed"), { code: undefined }));
    expect(reason).to.contain("unknown network error").and.not.contain("undefined");
  });

  for (const code of ["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE", "EAI_AGAIN", "ERR_STREAM_PREMATURE_CLOSE"]) {
    it(`counts ${code} as transient`, () => {
      const failure = failureOf(coded(code));
      expect(failure).to.deep.include({ code: "noConnection", transient: true, keys: [SETTING] });
      expectFacts(failure.reason, [ORIGIN, code]);
    });
  }

  it("is retried for a shorter time only if this machine refuses the connection", () => {
    const local = (code: string) => failureOfConnection(coded(code), { target: ORIGIN, key: SETTING, isLocal: true });
    expect(local("ECONNREFUSED")).to.include({ transient: true, retrySeconds: 10 });
    expect(local("ECONNRESET")).not.to.have.property("retrySeconds");
    expect(failureOf(coded("ECONNREFUSED"))).not.to.have.property("retrySeconds");
  });

  it("counts a host name that does not exist as final", () => {
    expect(failureOf(coded("ENOTFOUND"))).to.include({ code: "noConnection", transient: false });
  });

  const tls =
    "DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY " +
    "CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REVOKED ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER EPROTO";
  for (const code of tls.split(" ")) {
    const isOfAuthority = /SELF_SIGNED|UNABLE_TO/.test(code);
    it(`counts ${code} as final, and ${isOfAuthority ? "names" : "does not name"} how to trust an authority`, () => {
      const failure = failureOf(coded(code));
      expect(failure).to.include({ code: "tls", transient: false });
      expectFacts(failure.reason, [ORIGIN, code]);
      expect(failure.advice.includes("NODE_EXTRA_CA_CERTS")).to.equal(isOfAuthority);
    });
  }

  it("counts an answer that is too large as foreign and final", () => {
    const failure = failureOf(Object.assign(new Error("over limit"), { type: "max-size" }));
    const { code, transient } = failureOfContent("");
    expect(failure).to.include({ code, transient });
  });

  it("shows nothing of an error without a code", () => {
    for (const thrown of [new Error("Bearer t0ken"), "Bearer t0ken", undefined]) {
      const failure = failureOf(thrown);
      expect(failure.code).to.equal("noConnection");
      expectFacts(failure.reason, [ORIGIN]);
      expect(JSON.stringify(failure)).to.not.contain("t0ken");
    }
  });
});

describe("failureOfTimeout", () => {
  it("names the time and the setting of the limit; it may pass", () => {
    const failure = failureOfTimeout(30);
    expect(failure).to.deep.include({ code: "timeout", transient: true, keys: ["requestTimeoutSeconds"] });
    expectFacts(failure.reason, ["30 s"]);
  });

  it("rounds what was left for a last try", () => {
    expectFacts(failureOfTimeout(2.3456789).reason, [" 2.3 s"]);
  });
});

describe("failureOfContent", () => {
  it("is final, and names the address", () => {
    const failure = failureOfContent("x");
    expect(failure).to.deep.include({ code: "notTheService", transient: false, reason: "x", keys: ["baseUrl"] });
  });
});
