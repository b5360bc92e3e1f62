import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { lineOf } from "../../../cli/doctor/check";
import { failedBy } from "../../../cli/doctor/reach";
import { BESIDE_DEVICE } from "../../../cli/environment";
import { prose } from "../../../cli/markdown";
import { MESSAGE_CODES } from "../../../provider/messages/codes";
import { type Message, textOf } from "../../../provider/messages/message";
import { ROOT } from "../../support/project";
import { SAMPLES } from "./samples";

const GOLDEN = join(ROOT, "test", "unit", "messages", "golden.md");

/** A message as each of its readers sees it. */
function rendered(message: Message): string {
  const lines = {
    engine: textOf(message),
    terminal: lineOf(failedBy("doctor", message)),
    "beside the device": textOf(message, BESIDE_DEVICE),
    Markdown: prose(textOf(message, BESIDE_DEVICE)),
    JSON: JSON.stringify(message),
  };
  return Object.entries(lines)
    .map(([reader, text]) => `${reader}\n${text.replace(/^/gm, "    ")}`)
    .join("\n\n");
}

function golden(): string {
  const sections = MESSAGE_CODES.map((code) => `## ${code}\n\n${SAMPLES[code].map(rendered).join("\n\n---\n\n")}\n`);
  const about =
    "# What every message says\n\nWritten by test/unit/messages/golden.test.ts with UPDATE_GOLDEN=1. Read the difference before you " +
    "commit it.\n";
  return [about, ...sections].join("\n");
}

describe("messages", () => {
  it("say what golden.md has, to each of their readers", () => {
    if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, golden());
    expect(existsSync(GOLDEN) && readFileSync(GOLDEN, "utf8")).to.equal(golden());
  });

  for (const code of MESSAGE_CODES) {
    it(`of the code ${code} are made by the provider, and leave no placeholder open`, () => {
      const messages = SAMPLES[code];
      expect(messages).to.not.deep.equal([]);
      for (const message of messages) {
        expect(message.code).to.equal(code);
        const { extract: _, ...own } = message;
        for (const audience of [{}, BESIDE_DEVICE]) expect(textOf(own, audience)).to.not.match(/\{\w+\??\}/);
      }
    });
  }

  // These two are about names that somebody has given.
  it("name no stack's configuration at the command line", () => {
    const texts = MESSAGE_CODES.filter((code) => !["misspelled", "severalCredentials"].includes(code)).flatMap((code) =>
      SAMPLES[code].map((message) => textOf(message, BESIDE_DEVICE)),
    );
    expect(texts.filter((text) => text.includes("solar-charging:"))).to.deep.equal([]);
  });
});
