import { expect } from "chai";
import { parseJson } from "../../../provider/service/answer";
import { ACCESS_TOKEN } from "../../support/canaries";
import { echoesOf } from "../../support/echo";

const SECRETS = new Set([ACCESS_TOKEN]);

describe("parseJson", () => {
  it("gives what a text says", () => {
    expect(parseJson('{"a":[1,"b",null],"c":{"d":true}}', SECRETS)).to.deep.equal({
      a: [1, "b", null],
      c: { d: true },
    });
  });

  it("gives nothing for a text that is no JSON", () => {
    expect(parseJson("{", SECRETS)).to.equal(undefined);
    expect(parseJson(`{${ACCESS_TOKEN}`, SECRETS)).to.equal(undefined);
  });

  for (const echo of echoesOf(`Bearer ${ACCESS_TOKEN}`)) {
    it(`redacts a text, and only that, with ${echo}`, () => {
      const text = JSON.stringify({ headers: [{ auth: `x ${echo}` }], auth: echo, [echo]: 1, title: "a car", n: [1] });
      expect(parseJson(text, SECRETS)).to.deep.equal({
        headers: [{ auth: "[redacted]" }],
        auth: "[redacted]",
        "[redacted]": 1,
        title: "a car",
        n: [1],
      });
    });
  }

  it("redacts a text whose every character is escaped", () => {
    const escaped = [...ACCESS_TOKEN].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join("");
    expect(parseJson(`{"auth":"${escaped}"}`, SECRETS)).to.deep.equal({ auth: "[redacted]" });
  });

  it("redacts what was sent last, however many tokens there were", () => {
    const secrets = new Set([...Array.from({ length: 200 }, (_, index) => `earlier-token-${index}`), ACCESS_TOKEN]);
    expect(parseJson(JSON.stringify([ACCESS_TOKEN]), secrets)).to.deep.equal(["[redacted]"]);
  });

  it("leaves a word that a token happens to have", () => {
    const secrets = new Set(["simulator-token-of-a-test", "short", "vehicle-token"]);
    const device = { title: "simulator-token", make: "short", type: "vehicle" };
    expect(parseJson(JSON.stringify(device), secrets)).to.deep.equal(device);
    expect(parseJson('["vehicle-token"]', secrets)).to.deep.equal(["[redacted]"]);
  });

  it("leaves an own field named __proto__ what it is, beside a secret too", () => {
    const object = parseJson(`{"__proto__":{"x":1},"auth":${JSON.stringify(ACCESS_TOKEN)}}`, SECRETS) as object;
    expect(Object.getPrototypeOf(object)).to.equal(Object.prototype);
    expect(Object.keys(object)).to.deep.equal(["__proto__", "auth"]);
  });

  it("redacts a token that came after another answer", () => {
    const secrets = new Set(["a-token-of-an-earlier-hour"]);
    parseJson("[]", secrets);
    secrets.add(ACCESS_TOKEN);
    expect(parseJson(JSON.stringify([ACCESS_TOKEN]), secrets)).to.deep.equal(["[redacted]"]);
  });
});
