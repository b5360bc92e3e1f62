import { expect } from "chai";
import { extractOf } from "../../../provider/service/extract";

describe("extractOf", () => {
  const token = "s3cr3t/+=&token";

  const awkward = 'a/"b\\c';
  const own = [token];
  const hidden = "bad [redacted], really [redacted].";
  for (const [what, text, secrets, shown] of [
    ...[
      token,
      encodeURIComponent(token),
      Buffer.from(token).toString("base64"),
      // Percent-encoded throughout, and reversed.
      [...Buffer.from(token)].map((byte) => `%${byte.toString(16)}`).join(""),
      [...token].reverse().join(""),
    ].map(
      (echo) =>
        [
          "no token as it is, URL-encoded or in base64, however often",
          `bad ${echo}, really ${echo}.`,
          own,
          hidden,
        ] as const,
    ),
    [
      "no token with slash, quote and backslash in JSON",
      JSON.stringify({ got: awkward }),
      [awkward],
      '{"got":"[redacted]"}',
    ],
    [
      "none with escaped slashes",
      JSON.stringify({ got: awkward }).replaceAll("/", "\\/"),
      [awkward],
      '{"got":"[redacted]"}',
    ],
    ["no markup of a page, but its title", "<html><title>Sign in</title><h1>Hello</h1>", own, "Sign in"],
    ["no markup of a page without a title", "<style>h1{}</style><h1>Not</h1><p>here", own, "Not here"],
    ["no token in a title", `<html><title>bad ${token}, really</title>`, own, "bad [redacted], really"],
    ["no other bearer token", "Authorization: Bearer xyz", own, "Authorization: Bearer [redacted]"],
    ["none in capitals", "got BEARER xyz.abc-1, no", own, "got Bearer [redacted], no"],
    ["none in JSON", '{"auth":"bearer  xyz"}', own, '{"auth":"Bearer [redacted]"}'],
    ["the longer of two secrets as one", "abcd-efgh abcd", ["abcd", "abcd-efgh"], "[redacted] [redacted]"],
    [
      "no secret as a pattern, nor scraps of a short one",
      "a.c abc YQ ab",
      ["a.c", "b"],
      "[redacted] a[redacted]c YQ a[redacted]",
    ],
    ["everything where there is no secret", "all of it", [], "all of it"],
    [
      "one line without control and formatting characters",
      "\n a\r\n\tb\u0000\u001b[31mc\u202ed\u200be \u2028f ",
      own,
      "a b [31mc d e f",
    ],
    ["200 characters", "x".repeat(200), own, "x".repeat(200)],
    ["no more than those", "x".repeat(201), own, `${"x".repeat(200)}…`],
    ["nothing of a body of nothing but white space", " \r\n ", own, ""],
  ] as const) {
    it(`shows ${what}`, () => expect(extractOf(text, new Set(secrets))).to.equal(shown));
  }

  for (const before of ["", "a", "ab", "Bearer ", "client:"]) {
    it(`shows no token in base64 after '${before}'`, () => {
      const shown = extractOf(btoa(`${before}${token}, x`), new Set([token]));
      expect(shown).to.match(/^[\w+/]{0,10}\[redacted\][\w+/=]{0,8}$/);
    });
  }

  it("shows no token in the base64 of URLs", () => {
    const odd = "~~?>>~~token"; // Its base64 contains + and /.
    const encoded = Buffer.from(`x:${odd}`).toString("base64url");
    expect(extractOf(encoded, new Set([odd]))).to.match(/^.{0,4}\[redacted\].{0,2}$/);
  });

  describe("shows nothing of a text", () => {
    const long = `cn/+=~%22"\\&<'Q7f2kZ9xW4mT8vB3nR6yH1sD/end`;
    const forms: [string, string][] = [
      ["with a token in JSON in JSON", JSON.stringify({ log: JSON.stringify({ long }) })],
      ["with a token in HTML", long.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")],
      ["with a token in a URL that leaves slashes", encodeURI(long)],
      ["with a token that is escaped for scripts", JSON.stringify(long).replaceAll("<", "\\u003c")],
      ["with a token in lower case, but for its beginning", long.toLowerCase().slice(10)],
      ["with a token in hex, but for its beginning", Buffer.from(long).toString("hex").slice(10)],
      ["with a token in base64, but for its beginning", btoa(long).slice(10)],
      ["with 8 characters of a token", "not xW4mT8vB"],
    ];
    for (const [how, text] of forms) {
      it(how, () => {
        expect(extractOf(`bad ${text}.`, new Set([long]))).to.equal("[redacted]");
      });
    }

    it("but of one with 7 characters of a token, or with 8 of one that is shorter", () => {
      expect(extractOf("not xW4mT8v", new Set([long]))).to.equal("not xW4mT8v");
      expect(extractOf("not 736563726574", new Set(["s3cret"]))).to.equal("not 736563726574");
    });
  });

  const escaped: [string, string][] = [
    ["in a URL in lower case", encodeURIComponent("a/b+c=d-token").toLowerCase()],
    ["in hex", Buffer.from("a/b+c=d-token").toString("hex")],
    ["in base64 for URLs after 'Bearer '", Buffer.from("Bearer a/b+c=d-token").toString("base64url")],
  ];
  for (const [how, text] of escaped) {
    it(`shows no token ${how}`, () => {
      expect(extractOf(`bad ${text}`, new Set(["a/b+c=d-token"]))).to.match(/^bad .{0,10}\[redacted\].?$/);
    });
  }

  it("is cut between characters", () => {
    expect(extractOf(`${"x".repeat(199)}😀y`, new Set([token])).isWellFormed()).to.equal(true);
  });

  it("shows no beginning of a token at the cut", () => {
    expect(extractOf(`${"x".repeat(195)}${token}`, new Set([token]))).not.to.contain("s3c");
  });

  describe("of a long text", () => {
    const whole = `${"x ".repeat(50)}${token}`;

    it("is that of its beginning", () => {
      expect(extractOf(whole + "y".repeat(20_000), new Set([token]))).to.equal(
        extractOf(whole + "y".repeat(200), new Set([token])),
      );
    });

    it("reports that there is more, also if the searched part is white space", () => {
      expect(extractOf(" ".repeat(100_000), new Set([token]))).to.equal("…");
    });

    // Short secrets, of which no pieces are searched for.
    for (const secret of ["Zq7#", token]) {
      it(`shows nothing of a secret of ${secret.length} characters, wherever the searched part ends`, () => {
        const form = Buffer.from(secret).toString("hex");
        for (const echo of [secret, form]) {
          for (let at = 16_384 - 3 * form.length; at <= 16_384 + 1; at += 1) {
            const text = " ".repeat(at) + echo + " ".repeat(500);
            expect(extractOf(text, new Set([secret])), `at ${at}`).to.match(/^(\[redacted\] ?)?…$/);
          }
        }
      });
    }
  });

  it("is nothing if there are more or longer secrets than can be looked for", () => {
    const secrets = Array.from({ length: 101 }, (_, index) => `word-${index}`);
    expect(extractOf("sealed", new Set(secrets))).to.equal("[redacted]");
    expect(extractOf("sealed", new Set(secrets.slice(1)))).to.equal("sealed");
    expect(extractOf("sealed", new Set(["x".repeat(16_385)]))).to.equal("[redacted]");
  });
});
