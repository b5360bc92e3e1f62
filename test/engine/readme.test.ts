import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { DEMO_FLEET } from "solar-charging-simulator";
import { freePort } from "../support/freePort";
import { commandsOf, followGettingStarted, itIn, LANGUAGES } from "../support/languages";
import { blocksOf } from "../support/markdown";
import { givenProject, ROOT } from "../support/project";

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const blocks = blocksOf("README.md");
const [tryIt, , , , preview] = blocks.map(({ text }) => text);

describe("engine: README", () => {
  const given = givenProject(DEMO_FLEET, "for each");

  it("has the blocks that are looked at here, and commands that package.json has", () => {
    expect(blocks.map(({ section, language }) => `${section}: ${language}`)).to.deep.equal([
      "Try it: sh",
      "Use it: sh",
      "Use it: sh",
      "Use it: ts",
      "What a preview says: text",
    ]);
    expect(tryIt).to.equal("npm start\n");
    expect(scripts).to.include.keys("start");
  });

  it("quotes a preview in the words of the picture that npm run screenshot draws", () => {
    const picture = readFileSync(join(ROOT, "docs", "preview.svg"), "utf8");
    const shown = [...picture.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, text = ""]) => text);
    for (const line of preview?.trim().split("\n") ?? []) expect(shown).to.include(line);
  });

  for (const language of ["TypeScript", "YAML"] as const) {
    const title = `leads on to docs/getting-started.md, which can be followed word for word in ${language}, and says what happens`;
    itIn(LANGUAGES[language], title, () => followGettingStarted(given, LANGUAGES[language]));
  }
});

describe("engine: getting started with a fleet", () => {
  const given = givenProject(DEMO_FLEET, "for each");

  it("is a manifest and three commands", async () => {
    const port = await freePort();
    const steps = commandsOf(({ section }) => section === "A fleet");
    const [manifest] = blocksOf("docs/getting-started.md").filter(
      ({ section, language }) => section === "A fleet" && language === "yaml",
    );
    given.project.write("fleet.yaml", manifest?.text ?? "");
    const script = [
      `npx() {`,
      `  if [ "$1" = solar-charging-simulator ]; then shift; exec node ${ROOT}/simulator/bin.js --port ${port} "$@"; fi`,
      `  shift; node ${ROOT}/dist/cli/main.js "$@"`,
      "}",
      "trap 'kill $(jobs -p)' EXIT",
      ...steps,
    ].join("\n");
    const text = await given.project.shell(script.replaceAll("8787", String(port)));
    expect(text).to.contain("2 of 2 sites ready");
  });
});
