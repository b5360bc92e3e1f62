import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { DEMO_FLEET } from "solar-charging-simulator";
import { isObject } from "../../provider/settings/objects";
import { followExample, itIn, LANGUAGES, programOf, withPlugin } from "../support/languages";
import { blocksOf } from "../support/markdown";
import { givenProject, type ResourceState, ROOT, takeRequests } from "../support/project";

const blocks = (page: string, language: string) => blocksOf(page).filter((block) => block.language === language);

interface TypeSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, TypeSchema>>;
  readonly additionalProperties?: TypeSchema;
  readonly items?: TypeSchema;
}

/** The outputs in state that the package's schema does not have. No SDK would show them. */
function strays({ type, outputs }: ResourceState): string[] {
  const schema = require("../../../schema/package.schema.json");
  const below = (at: string, value: unknown, named: TypeSchema): string[] => {
    const {
      properties,
      additionalProperties,
      items = {},
    } = named.$ref ? (schema.types[named.$ref.replace("#/types/", "")] as TypeSchema) : named;
    if (Array.isArray(value)) return value.flatMap((one) => below(`${at}[]`, one, items));
    if (!isObject(value)) return [];
    return Object.entries(value).flatMap(([key, one]) => {
      const of = properties?.[key] ?? additionalProperties;
      return of ? below(`${at}.${key}`, one, of) : [`${at}.${key}`];
    });
  };
  const own = Object.entries(outputs).filter(([key]) => !key.startsWith("__"));
  return below("", Object.fromEntries(own), schema.resources[type]);
}

describe("engine: the examples in other languages", () => {
  const given = givenProject(DEMO_FLEET, "for each");
  itIn(
    LANGUAGES.YAML,
    "yaml: up makes the home ready, a preview shows a change within it, up repairs drift, destroy gives back",
    () => followExample(given, LANGUAGES.YAML),
  );

  // The YAML host checks types before it asks the provider.
  it("yaml: a text with a unit is a number, a wrong unit is named, and an output of a device has a type", async () => {
    const { project, simulator } = given;
    const program = withPlugin(programOf(LANGUAGES.YAML)).replace("solar-home-yaml", "test");
    project.write("Pulumi.yaml", program.replace("77 kWh", "77 km"));
    expect(await project.fails("preview")).to.match(/vehicles\.car\.maxCapacity.* "km" .*kWh/);
    expect(takeRequests(simulator)).to.deep.equal([]);

    const output = `  was: $\{home.devices["vehicle/car"].settings.maxCapacity.baseline}\n`;
    project.write("Pulumi.yaml", `${program}${output}`);
    expect(await project.up()).to.match(/was *: 60000/);
    expect(strays(project.resource("home"))).to.deep.equal([]);
    project.write("Pulumi.yaml", `${program.replace("77 kWh", "77000")}${output}`);
    await project.succeeds("preview", "--expect-no-changes");
    project.write("Pulumi.yaml", `${program}${output.replace(".baseline", ".state")}`);
    await project.fails("preview");
  });
});

describe("engine: docs/_index.md", () => {
  for (const language of [LANGUAGES.YAML, LANGUAGES.Python, LANGUAGES.Go]) {
    it(`show the example in ${language.runtime} as it is`, () => {
      // The page also shows the lines of Pulumi.yaml.
      const [first] = blocks("docs/_index.md", language.block).map(({ text }) => text.trim());
      expect(first).to.equal(programOf(language).trim());
    });
  }

  it("has all fields that the Registry needs", () => {
    const [first, second] = ["_index.md", "installation-configuration.md"].map((page) => {
      const text = readFileSync(join(ROOT, "docs", page), "utf8");
      const [, front = ""] = text.split("---\n");
      expect(front).to.match(/^title: .+\nmeta_desc: .+\nlayout: package\n$/);
      return text;
    });
    expect(first).to.contain('chooser language "typescript,python,go,yaml"');
    expect(second).to.contain("pulumi plugin install").and.contain("## Configuration");
  });
});
