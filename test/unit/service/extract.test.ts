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

  describe("of a long text", () => {
    const whole = `${"x ".repeat(50)}${token}`;

    it("is that of its beginning", () => {
      expect(extractOf(whole + "y".repeat(20_000), new Set([token]))).to.equal(
        extractOf(whole + "y".repeat(200), new Set([token])),
      );
    });

    it("says that there is more, also where all that was searched is white space", () => {
      expect(extractOf(" ".repeat(100_000), new Set([token]))).to.equal("…");
    });

    // Short, so that no piece of it is looked for.
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

    it("takes a service that sends as much as is read, and a hundred secrets, less than a second of computing", () => {
      const secrets = new Set(Array.from({ length: 100 }, (_, index) => `word-${index}`));
      const before = process.cpuUsage();
      extractOf("nothing of a secret ".repeat(50_000), secrets);
      expect(process.cpuUsage(before).user).to.be.lessThan(1_000_000);
    });
  });

  it("is nothing where there are more or longer secrets than can be looked for", () => {
    const secrets = Array.from({ length: 101 }, (_, index) => `word-${index}`);
    expect(extractOf("sealed", new Set(secrets))).to.equal("[redacted]");
    expect(extractOf("sealed", new Set(secrets.slice(1)))).to.equal("sealed");
    expect(extractOf("sealed", new Set(["x".repeat(16_385)]))).to.equal("[redacted]");
  });

  it("is empty for a body of nothing but white space", () => {
    expect(extractOf(" \r\n ", new Set([token]))).to.equal("");
  });
});
