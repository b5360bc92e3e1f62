import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { pathOf, readSecret } from "../../../provider/service/secret";
import { temporaryFolder } from "../../support/folder";

describe("readSecret", () => {
  const inFolder = temporaryFolder();

  /** The result of reading a file with this text. */
  async function read(text: string) {
    writeFileSync(inFolder("token"), text);
    return await readSecret("accessToken", `file:${inFolder("token")}`);
  }

  it("takes a setting as it is", async () => {
    expect(await readSecret("accessToken", "t0ken")).to.deep.equal({ token: "t0ken" });
  });

  for (const text of ["t0ken", "t0ken\n", "t0ken\r\n"]) {
    it(`reads a file of ${JSON.stringify(text)}`, async () => {
      expect(await read(text)).to.deep.equal({ token: "t0ken" });
    });
  }

  it("refuses a pipe, where it would wait for somebody who writes", async () => {
    execFileSync("mkfifo", [inFolder("pipe")]);
    const failure = await readSecret("accessToken", `file:${inFolder("pipe")}`);
    expect(failure)
      .to.have.property("reason")
      .that.contains(`${inFolder("pipe")}, which is a pipe`);
  });

  const refused: [string, RegExp][] = [
    ["", /which is empty/],
    ["\n", /which is empty/],
    ["s3cret\n\n", /which holds more than a secret/],
    ["Bearer s3cret", /which holds more than a secret/],
    ["s3cret\nother", /which holds more than a secret/],
    [" s3cret", /which holds more than a secret/],
  ];
  for (const [text, expected] of refused) {
    it(`refuses a file of ${JSON.stringify(text)}, and names setting and path, not what is in it`, async () => {
      const failure = await read(text);
      expect(failure).to.have.property("reason").that.matches(expected).and.contains(inFolder("token"));
      expect(failure).to.include({ transient: false });
      expect(failure)
        .to.have.property("advice")
        .that.matches(/only the secret into it, without 'Bearer '/);
      expect(JSON.stringify(failure)).to.contain("{accessToken}").and.not.contain("s3cret");
    });
  }

  it("says why a file cannot be read", async () => {
    expect(await readSecret("oauthClientSecret", `file:${inFolder("none")}`)).to.deep.equal({
      code: "secretFile",
      keys: ["oauthClientSecret"],
      reason: `no access token: {oauthClientSecret} names the file ${inFolder("none")}, which cannot be read (ENOENT)`,
      advice: "Check the path and the permissions",
      transient: false,
    });
  });
});

describe("pathOf", () => {
  it("is absolute, so that a message tells where the file was looked for", () => {
    expect(pathOf("file:/run/secrets/token")).to.equal("/run/secrets/token");
    expect(pathOf("file:///run/secrets/token")).to.equal("/run/secrets/token");
    expect(pathOf("file:token")).to.equal(join(process.cwd(), "token"));
  });
});
