import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { DEMO_FLEET } from "solar-charging-simulator";
import { followClone, followExample, followGettingStarted, followImport, itIn, LANGUAGES } from "../support/languages";
import { blocksOf } from "../support/markdown";
import { givenProject, PLUGIN_FOLDER, ROOT, takeRequests } from "../support/project";

const blocks = (page: string, language: string) => blocksOf(page).filter((block) => block.language === language);

describe("engine: programs in Python and Go", () => {
  const given = givenProject(DEMO_FLEET, "for each");
  for (const language of [LANGUAGES.Python, LANGUAGES.Go]) {
    const { runtime } = language;
    itIn(language, `${runtime}: the example becomes ready, shows changes and drift, repairs it, and gives back`, () =>
      followExample(given, language),
    );
    itIn(language, `${runtime}: what package add wrote is enough for a clone`, () => followClone(given, language));
    itIn(language, `${runtime}: docs/getting-started.md can be followed word for word, and says what happens`, () =>
      followGettingStarted(given, language),
    );
  }
  for (const language of [LANGUAGES.TypeScript, LANGUAGES.Python, LANGUAGES.Go]) {
    // An engine that was built without a host of Go has one of TypeScript that generates no code.
    const needed = language === LANGUAGES.TypeScript ? LANGUAGES.Go : language;
    itIn(needed, `${language.runtime}: the code that import prints is a program without a change`, () =>
      followImport(given, language),
    );
  }
});

describe("engine: programs in YAML in docs/", () => {
  const given = givenProject(DEMO_FLEET, "for each");
  for (const page of ["docs/resources.md", "docs/settings.md"]) {
    for (const { section, text } of blocks(page, "yaml")) {
      it(`can be applied: ${page}, "${section}"`, async () => {
        given.project.findPlugin();
        given.project.write("Pulumi.yaml", text);
        await given.project.succeeds("stack", "init", "dev");
        await given.project.up();
        expect(takeRequests(given.simulator).join("\n")).to.contain("PATCH");
      });
    }
  }
});

describe("engine: commands and programs of the native plugin in docs/", () => {
  const acme = { ...DEMO_FLEET.businesses.acme, "car-2": { type: "vehicle" } } as const;
  const given = givenProject({ businesses: { acme } }, "for all");
  before(() => {
    given.project.findPlugin();
    given.project.env.NORTH_TOKEN = given.simulator.token;
    given.project.write("package.json", JSON.stringify({ name: "test", main: "index.ts" }));
  });

  for (const page of ["docs/languages.md", "docs/_index.md"]) {
    for (const { section, text } of blocks(page, "ts")) {
      it(`can be applied: ${page}, "${section}"`, async () => {
        given.project.write("index.ts", text);
        await given.project.up();
      });
    }
  }

  it("of docs/languages.md import a car", async () => {
    const [, , , command = ""] = blocks("docs/languages.md", "sh").map(({ text }) => text.trim());
    given.project.write("index.ts", "");
    await given.project.up();
    const options = ["--yes", "--skip-preview", "--generate-code=false"];
    await given.project.succeeds(...command.split(" ").slice(1), ...options);
    expect(given.project.resource("car").outputs).to.have.property("settings");
    await given.project.succeeds("state", "unprotect", "--all", "--yes");
    await given.project.up();
    takeRequests(given.simulator);
  });

  it("of docs/languages.md read without a program", async () => {
    const [, , , , command = ""] = blocks("docs/languages.md", "sh").map(({ text }) => text.trim());
    takeRequests(given.simulator);
    // npm links no command of a clone that was not built before.
    const [, ...shown] = command.replace("./node_modules/.bin", PLUGIN_FOLDER).split(" ");
    const before = shown.slice(0, shown.indexOf("solar-charging:getDevice"));
    const read = ["solar-charging:VehicleSettings", "read", "acme/car"];
    const explained = ["solar-charging:explainStatus", "--service-status", "active_waiting"];
    expect(await given.project.succeeds(...shown)).to.contain('"deviceId": "car"');
    expect(await given.project.succeeds(...before, ...read)).to.match(/deviceId *: "car"/);
    expect(await given.project.succeeds(...before, ...explained)).to.contain('"meaning"');
    expect(takeRequests(given.simulator)).to.deep.equal(["GET car", "GET car"]);
  });

  it("of docs/installation-configuration.md name configuration and variables that there are", async () => {
    const [, config = "", environment = ""] = blocks("docs/installation-configuration.md", "sh").map(
      ({ text }) => text,
    );
    const lines = config.trim().split("\n");
    for (const line of lines) await given.project.succeeds(...line.split(" ").slice(1));
    const page = readFileSync(join(ROOT, "docs", "configuration.md"), "utf8");
    const names = [...config.matchAll(/solar-charging:\w+/g), ...environment.matchAll(/SOLAR_\w+/g)].map(
      ([name]) => name,
    );
    expect(names).to.have.length.greaterThan(5);
    for (const name of names) expect(page).to.contain(`\`${name}\``);
  });
});
