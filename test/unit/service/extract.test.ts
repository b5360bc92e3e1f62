import { expect } from "chai";
import { extractOf } from "../../../provider/service/extract";

describe("extractOf", () => {
  const token = "s3cr3t/+=&token";

  const echoes: [string, string][] = [
    ["as it is", token],
    ["URL-encoded", encodeURIComponent(token)],
    ["in base64", Buffer.from(token).toString("base64")],
  ];
  for (const [how, echo] of echoes) {
    it(`shows no token ${how}, however often`, () => {
      expect(extractOf(`bad ${echo}, really ${echo}.`, new Set([token]))).to.equal(
        "bad [redacted], really [redacted].",
      );
    });
  }

  for (const before of ["", "a", "ab", "Bearer ", "client:"]) {
    it(`shows no token in base64 after '${before}'`, () => {
      const shown = extractOf(btoa(`${before}${token}, x`), new Set([token]));
      expect(shown).to.match(/^[\w+/]{0,10}\[redacted\][\w+/=]{0,8}$/);
    });
  }

  it("shows no token in the base64 of URLs", () => {
    const odd = "~~?>>~~token"; // Its base64 has + and /.
    const encoded = Buffer.from(`x:${odd}`).toString("base64url");
    expect(extractOf(encoded, new Set([odd]))).to.match(/^.{0,4}\[redacted\].{0,2}$/);
  });

  it("shows the longer of two secrets as one", () => {
    expect(extractOf("abcd-efgh abcd", new Set(["abcd", "abcd-efgh"]))).to.equal("[redacted] [redacted]");
  });

  it("takes no secret for a pattern, and looks for no scraps of a short one", () => {
    expect(extractOf("a.c abc YQ ab", new Set(["a.c", "b"]))).to.equal("[redacted] a[redacted]c YQ a[redacted]");
  });

  it("shows everything where there is no secret", () => {
    expect(extractOf("all of it", new Set())).to.equal("all of it");
  });

  const awkward = 'a/"b\\c';
  const escapes: [string, string][] = [
    ["in JSON", JSON.stringify({ got: awkward })],
    ["in JSON with escaped slashes", JSON.stringify({ got: awkward }).replaceAll("/", "\\/")],
  ];
  for (const [how, body] of escapes) {
    it(`shows no token with slash, quote and backslash ${how}`, () => {
      expect(extractOf(body, new Set([awkward]))).to.equal('{"got":"[redacted]"}');
    });
  }

  const bearers: [string, string][] = [
    ["Authorization: Bearer xyz", "Authorization: Bearer [redacted]"],
    ["got BEARER xyz.abc-1, no", "got Bearer [redacted], no"],
    ['{"auth":"bearer  xyz"}', '{"auth":"Bearer [redacted]"}'],
  ];
  for (const [body, expected] of bearers) {
    it(`shows no other bearer token in ${JSON.stringify(body)}`, () => {
      expect(extractOf(body, new Set([token]))).to.equal(expected);
    });
  }

  it("is one line without control and formatting characters", () => {
    expect(extractOf("\n a\r\n\tb\u0000\u001b[31mc\u202ed\u200be \u2028f ", new Set([token]))).to.equal(
      "a b [31mc d e f",
    );
  });

  it("is cut after 200 characters", () => {
    expect(extractOf("x".repeat(200), new Set([token]))).to.equal("x".repeat(200));
    expect(extractOf("x".repeat(201), new Set([token]))).to.equal(`${"x".repeat(200)}…`);
  });

  it("is cut between characters", () => {
    expect(extractOf(`${"x".repeat(199)}😀y`, new Set([token])).isWellFormed()).to.equal(true);
  });

  it("shows no beginning of a token at the cut", () => {
    expect(extractOf(`${"x".repeat(195)}${token}`, new Set([token]))).not.to.contain("s3c");
  });

  it("is empty for a body of nothing but white space", () => {
    expect(extractOf(" \r\n ", new Set([token]))).to.equal("");
  });
});
