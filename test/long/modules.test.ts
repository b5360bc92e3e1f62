import { cpSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { FLEET } from "../support/devices";
import { EACH_DOOR, givenProject, type Project, ROOT } from "../support/project";

/** The packages that a TypeScript program in an ES module needs, as getting-started.md says. */
const FOR_MODULES = ["ts-node", "typescript"];

const PROGRAM = `import { SiteSettings } from "DOOR";
const home = new SiteSettings("home", {
  solar: false, inverters: {}, vehicles: { car: { deviceId: "car", maxCapacity: "77 kWh" } },
});
export const { ready } = home;
`;

/** Gives a project dependencies without those that ES modules need. Node looks for packages beside the real file of one. */
function withoutModules(project: Project): void {
  const [from, to] = [join(ROOT, "node_modules"), project.path("node_modules")];
  rmSync(to);
  mkdirSync(join(to, "@pulumi"), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== "@pulumi" && !FOR_MODULES.includes(name)) symlinkSync(join(from, name), join(to, name));
  }
  cpSync(join(from, "@pulumi", "pulumi"), join(to, "@pulumi", "pulumi"), { recursive: true });
}

describe("engine: a strict workspace", () => {
  const given = givenProject(FLEET, "for each");

  it("says what to add if only a library depends on the provider", async () => {
    const { project } = given;
    const [packages, library] = [project.path("node_modules"), project.path("library")];
    rmSync(packages);
    mkdirSync(join(packages, "@pulumi"), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", "@pulumi", "pulumi"), join(packages, "@pulumi", "pulumi"));
    mkdirSync(library);
    symlinkSync(join(ROOT, "node_modules"), join(library, "node_modules"));
    symlinkSync(library, join(packages, "library"));
    project.write(
      "library/index.js",
      `const { VehicleSettings } = require("pulumi-solar-charging");
      exports.car = () => new VehicleSettings("car", { deviceId: "car", maxCapacity: "77 kWh" });`,
    );
    project.write("index.js", 'require("library").car();');
    const text = await project.fails("preview");
    expect(text)
      .to.contain(`from ${realpathSync(project.folder)}`)
      .and.contain("pnpm add");
    expect(text).to.not.contain("requireStack");
  });
});

describe('engine: a project with "type": "module"', () => {
  const given = givenProject(FLEET, "for each");

  const write = (file: string, door: string) => {
    const { project } = given;
    project.write("package.json", JSON.stringify({ name: "test", type: "module", main: file }));
    project.write(file, PROGRAM.replace("DOOR", door));
  };

  for (const door of EACH_DOOR) {
    for (const file of ["index.js", "index.ts"]) {
      it(`runs ${file}, ${door}`, async () => {
        const { project, simulator } = given;
        project.findPlugin();
        write(file, door === "native" ? "pulumi-solar-charging/native" : "pulumi-solar-charging");
        await project.up();
        expect(simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });
      });
    }
  }

  it(`cannot run index.ts without ${FOR_MODULES.join(" and ")}`, async () => {
    withoutModules(given.project);
    write("index.ts", "pulumi-solar-charging");
    expect(await given.project.fails("preview")).to.contain("ERR_UNKNOWN_FILE_EXTENSION");
  });
});
