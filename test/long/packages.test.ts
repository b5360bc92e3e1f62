import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { DEMO_FLEET } from "solar-charging-simulator";
import { blocksOf } from "../support/markdown";
import { givenProject, outputOf, programText, ROOT } from "../support/project";

interface Manifest {
  readonly name: string;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A project with packages as npm publishes them, and only their declared dependencies. */
class PackedProject {
  readonly folder = mkdtempSync(join(tmpdir(), "solar-charging-packages-"));
  readonly #manifests: Manifest[] = [];

  constructor(...sources: string[]) {
    for (const source of sources) this.#unpack(join(ROOT, source));
    const own = this.#manifests.map(({ name }) => name);
    const needed = this.#manifests.flatMap(({ dependencies, peerDependencies }) =>
      Object.keys({ ...dependencies, ...peerDependencies }),
    );
    for (const name of new Set(needed)) if (!own.includes(name)) this.#link(name);
  }

  /** Runs a script in the project, like a program of a user. */
  node(...args: string[]): string {
    return execFileSync(process.execPath, args, { cwd: this.folder, encoding: "utf8" });
  }

  /** The modules that a program can import from the package. */
  modules(): string[] {
    return this.#manifests.flatMap(({ name, exports = { ".": {} } }) =>
      Object.keys(exports).map((path) => join(name, path)),
    );
  }

  /** The files of the commands. */
  commands(): string[] {
    return this.#manifests.flatMap(({ name, bin = {} }) =>
      (typeof bin === "string" ? [bin] : Object.values(bin)).map((file) => join("node_modules", name, file)),
    );
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #unpack(source: string): void {
    const manifest: Manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", this.folder];
    const archive = execFileSync("npm", args, { cwd: source, encoding: "utf8" }).trim();
    const target = join(this.folder, "node_modules", manifest.name);
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xf", join(this.folder, archive), "-C", target, "--strip-components", "1"]);
    this.#manifests.push(manifest);
    this.#linkCommands(manifest);
  }

  #linkCommands({ name, bin = {} }: Manifest): void {
    const commands = typeof bin === "string" ? { [name]: bin } : bin;
    const folder = join(this.folder, "node_modules", ".bin");
    mkdirSync(folder, { recursive: true });
    for (const [command, file] of Object.entries(commands)) {
      chmodSync(join(this.folder, "node_modules", name, file), 0o755);
      symlinkSync(join("..", name, file), join(folder, command));
    }
  }

  #link(name: string): void {
    const link = join(this.folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), link);
  }
}

const REQUIRE_ALL = "for (const name of process.argv.slice(1)) require(name);";

describe("packages in the form that npm publishes", () => {
  for (const source of [".", "simulator"]) {
    describe(source, () => {
      let project: PackedProject;
      before(() => {
        project = new PackedProject(source);
      });
      after(() => project.remove());

      it("have all that their modules load", () => {
        expect(() => project.node("-e", REQUIRE_ALL, ...project.modules())).to.not.throw();
      });

      it("have all that their commands load", () => {
        for (const command of project.commands()) expect(project.node(command, "--help")).to.match(/^Usage: /);
      });
    });
  }

  it("have types for programs", () => {
    const project = new PackedProject(".", "simulator");
    try {
      symlinkSync(join(ROOT, "node_modules", "@types"), join(project.folder, "node_modules", "@types"));
      writeFileSync(
        join(project.folder, "index.ts"),
        `import { SiteSettings } from "pulumi-solar-charging";
         import { Provider } from "pulumi-solar-charging/native";
         import { startSimulator, type Fleet } from "solar-charging-simulator";
         const fleet: Fleet = { businesses: { acme: { car: { type: "vehicle" } } } };
         startSimulator({ fleet }).then(({ url }) => url.length);
         new SiteSettings("home", { vehicles: {}, inverters: {} }, { provider: new Provider("p", {}) });`,
      );
      const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
      const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "node20"];
      expect(() => project.node(compiler, ...options, "index.ts")).to.not.throw();
    } finally {
      project.remove();
    }
  });
});

describe("packages, in a project whose Pulumi.yaml names the folder of the plugin", () => {
  const [{ text: key } = { text: "" }] = blocksOf("docs/languages.md").filter(({ language }) => language === "yaml");
  const given = givenProject(DEMO_FLEET, "for each");
  beforeEach(() => {
    const packed = new PackedProject(".");
    rmSync(join(given.project.folder, "node_modules"));
    renameSync(join(packed.folder, "node_modules"), join(given.project.folder, "node_modules"));
    packed.remove();
  });

  it("are found by the engine for a program in YAML", async () => {
    const example = readFileSync(join(ROOT, "examples", "languages", "yaml", "Pulumi.yaml"), "utf8");
    given.project.write("Pulumi.yaml", example.replace(/^name: .*/, "name: test"));
    expect(await given.project.up()).to.match(/ready\s*: true/);
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });
  });

  it("are found by the engine for a program in TypeScript", async () => {
    given.project.write("Pulumi.yaml", `name: test\nruntime: nodejs\n${key}`);
    const car = 'new VehicleSettings("car", { deviceId: "car", maxCapacity: "77 kWh" });';
    given.project.write("index.js", programText(car, "native"));
    await given.project.up();
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });
  });

  it("roll out a fleet and report it, without Pulumi's SDK", async () => {
    const { folder, env } = given.project;
    rmSync(join(folder, "node_modules", "@pulumi"), { recursive: true });
    given.project.write(
      "fleet.yaml",
      `{ fleet: acme, sites: { home: { vehicles: { car: { deviceId: car, maxCapacity: 77 kWh } } } } }`,
    );
    const command = join(folder, "node_modules", ".bin", "solar-charging");
    const run = (...args: string[]) =>
      outputOf(spawn(command, [...args, "--manifest", "fleet.yaml"], { cwd: folder, env }));
    const up = await run("fleet", "up", "--yes");
    expect(up.code, up.text).to.equal(0);
    expect(given.simulator.device("acme", "car")).to.include({ max_capacity: 77_000 });
    expect((await run("status", "--html", "--output", "report.html")).code).to.equal(0);
    expect(readFileSync(join(folder, "report.html"), "utf8")).to.contain("<title>acme: ");
  });
});
