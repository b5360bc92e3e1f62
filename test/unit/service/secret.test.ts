import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { ServiceFailure } from "../../../provider/service/errors";
import { fileOf, readSecret } from "../../../provider/service/secret";
import { expectFacts } from "../../support/facts";
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

  for (const text of ["t0ken", "t0ken\n", "t0ken\r\n", "\uFEFFt0ken\r\n"]) {
    it(`reads a file of ${JSON.stringify(text)}`, async () => {
      expect(await read(text)).to.deep.equal({ token: "t0ken" });
    });
  }

  it("refuses a pipe, because it would wait for a writer", async () => {
    execFileSync("mkfifo", [inFolder("pipe")]);
    const failure = await readSecret("accessToken", `file:${inFolder("pipe")}`);
    expect(failure).to.deep.include({ code: "secretFile", keys: ["accessToken"] });
    expectFacts((failure as ServiceFailure).reason, [inFolder("pipe"), "pipe"]);
  });

  for (const text of ["", "\n", "s3cret\n\n", "Bearer s3cret", "s3cret\nother", " s3cret"]) {
    it(`refuses a file of ${JSON.stringify(text)}, and names setting and path, not what is in it`, async () => {
      const failure = (await read(text)) as ServiceFailure;
      expect(failure).to.deep.include({ code: "secretFile", keys: ["accessToken"], transient: false });
      expectFacts(failure.reason, ["{accessToken}", inFolder("token")]);
      expect(JSON.stringify(failure)).to.not.contain("s3cret");
    });
  }

  it("gives an empty file another reason than one with too much", async () => {
    const [empty, long] = [(await read("")) as ServiceFailure, (await read("s3cret s3cret")) as ServiceFailure];
    expect(empty.reason).to.not.equal(long.reason);
  });

  it("explains why a file cannot be read", async () => {
    const failure = await readSecret("oauthClientSecret", `file:${inFolder("none")}`);
    expect(failure).to.deep.include({ code: "secretFile", keys: ["oauthClientSecret"], transient: false });
    expectFacts((failure as ServiceFailure).reason, ["{oauthClientSecret}", inFolder("none"), "ENOENT"]);
  });
});

describe("fileOf", () => {
  it("is absolute, so that a message tells where the file was looked for", () => {
    expect(fileOf("file:/run/secrets/token")).to.equal("/run/secrets/token");
    expect(fileOf("file:///run/secrets/token")).to.equal("/run/secrets/token");
    expect(fileOf("file:token")).to.equal(join(process.cwd(), "token"));
  });
});
