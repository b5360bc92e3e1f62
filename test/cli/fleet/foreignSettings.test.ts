import { writeFileSync } from "node:fs";
import { expect } from "chai";
import { refuseForeignSettings } from "../../../cli/stacks/project";
import { like } from "../../support/facts";
import { temporaryFolder } from "../../support/folder";

describe("cli fleet: settings that are not the environment's", () => {
  const path = temporaryFolder();

  for (const [name, text] of [
    ["Pulumi.yaml", "name: acme"],
    ["Pulumi.shard-1-of-2.yaml", "encryptionsalt: v1:GdBVxsgpSNU=\nsecretsprovider: passphrase\nencryptedkey: a\n"],
    ["Pulumi.shard-1-of-2.yaml", ""],
    ["shard-1-of-2.json", "{}"],
    ["notes.txt", "config:"],
  ] as const) {
    it(`are not in ${name} with ${JSON.stringify(text)}`, () => {
      writeFileSync(path(name), text);
      expect(() => refuseForeignSettings(path(""), "shard-1-of-2")).not.to.throw();
    });
  }

  for (const [name, text] of [
    ["Pulumi.shard-1-of-2.yaml", "config: { solar-charging:baseUrl: https://evil.example }"],
    ["Pulumi.shard-1-of-2.yaml", "encryptionsalt: v1\nenvironment: [evil]"],
    ["Pulumi.shard-1-of-2.yaml", "- config"],
    ["Pulumi.shard-1-of-2.yaml", "config: ["],
    ["Pulumi.shard-1-of-2.yml", ""],
    ["Pulumi.prod.yaml", ""],
    ["Pulumi.shard-2-of-2.yaml", ""],
    ["Pulumi.json", "{}"],
    ["pulumi.yaml", ""],
  ] as const) {
    it(`are refused: ${name} with ${JSON.stringify(text)}`, () => {
      writeFileSync(path(name), text);
      expect(() => refuseForeignSettings(path(""), "shard-1-of-2")).to.throw(Error);
    });
  }

  it("are named, with their file", () => {
    writeFileSync(path("Pulumi.shard-1-of-2.yaml"), "config: {}\nenvironment: []\n");
    expect(() => refuseForeignSettings(path(""), "shard-1-of-2")).to.throw(
      like(`config and environment … ${path("Pulumi.shard-1-of-2.yaml")} …`),
    );
  });
});
