import { accessSync, constants, cpSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import { DEMO_FLEET } from "solar-charging-simulator";
import { blocksOf } from "../support/markdown";
import { withPlugin } from "../support/plugin";
import { givenProject, ROOT, takeRequests } from "../support/project";

const EXAMPLES = join(ROOT, "examples", "languages");
const example = (...path: string[]) => readFileSync(join(EXAMPLES, ...path), "utf8");
const blocks = (page: string, language: string) => blocksOf(page).filter((block) => block.language === language);

/** The examples, each with the file of its program. */
const LANGUAGES = { yaml: "Pulumi.yaml", python: "__main__.py", go: "main.go" };

function isOnPath(executable: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, executable), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

describe("engine: the examples in other languages", () => {
  const given = givenProject(DEMO_FLEET, "for each");
  for (const [language, file] of Object.entries(LANGUAGES)) {
    const host = `pulumi-language-${language}`;
    const title = `${language}: up makes the home ready, a preview shows a change within it, up repairs drift, destroy gives back`;
    const run = async () => {
      const { project, simulator } = given;
      withPlugin(project);
      const before = simulator.device("acme", "car");
      cpSync(join(EXAMPLES, language), project.folder, { recursive: true });
      await project.succeeds("stack", "init", "dev");
      const plugin = join(project.folder, "bin", "pulumi-resource-solar-charging");
      if (language !== "yaml") await project.succeeds("package", "add", plugin);
      project.env.SOLAR_CHARGING_LIVE_PREVIEW = "true";
      expect(await project.up()).to.match(/ready\s*: true/);
      expect(await project.succeeds("preview", "--expect-no-changes")).to.contain("unchanged");

      project.write(file, example(language, file).replace("11 kW", "7.4 kW"));
      expect(await project.succeeds("preview", "--diff")).to.contain("~ maxChargePower: 11000 => 7400");
      await project.up();
      simulator.appUserSets("acme", "car", { max_charge_power: 3700 });
      expect(await project.succeeds("preview", "--diff")).to.contain("~ maxChargePower: 3700 => 7400");
      await project.up();
      expect(simulator.device("acme", "car")).to.include({ max_charge_power: 7400 });

      await project.destroy();
      // What was reported; what was not cannot be given back.
      expect(simulator.device("acme", "car")).to.include(before);
    };
    if (isOnPath(host)) it(title, run);
    else it.skip(`${title} (skipped: there is no ${host} on the PATH)`, run);
  }
});

describe("engine: docs/_index.md and docs/installation-configuration.md", () => {
  for (const [language, file] of Object.entries(LANGUAGES)) {
    it(`show the example in ${language} as it is`, () => {
      expect(blocks("docs/_index.md", language).map(({ text }) => text.trim())).to.deep.equal([
        example(language, file).trim(),
      ]);
    });
  }

  for (const page of ["docs/_index.md", "docs/installation-configuration.md"]) {
    it(`have what the Registry asks for: ${page}`, () => {
      const text = readFileSync(join(ROOT, page), "utf8");
      const [, front = ""] = text.split("---\n");
      expect(front).to.match(/^title: .+\nmeta_desc: .+\nlayout: package\n$/);
      if (page === "docs/_index.md") expect(text).to.contain('chooser language "typescript,python,go,yaml"');
      else
        expect(text).to.contain("pulumi plugin install").and.contain("pulumi config set").and.contain("export SOLAR_");
    });
  }
});

describe("engine: commands and programs of the native plugin in docs/", () => {
  const acme = { ...DEMO_FLEET.businesses.acme, "car-2": { type: "vehicle" } } as const;
  const given = givenProject({ businesses: { acme } }, "for all");
  before(() => {
    withPlugin(given.project);
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

  it("of docs/languages.md import a car, and have each update read first", async () => {
    const [, command = "", live = ""] = blocks("docs/languages.md", "sh").map(({ text }) => text.trim());
    given.project.write("index.ts", "");
    await given.project.up();
    const options = ["--yes", "--skip-preview", "--generate-code=false"];
    await given.project.succeeds(...command.split(" ").slice(1), ...options);
    expect(given.project.resource("car").outputs).to.have.property("baseline");
    await given.project.succeeds(...live.split(" ").slice(1));
    await given.project.succeeds("state", "unprotect", "--all", "--yes");
    await given.project.up();
    takeRequests(given.simulator);
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
