import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { ROOT } from "../support/project";

interface Manifest {
  readonly name: string;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A project with packages as npm publishes them, and with nothing else but what those say that they need. */
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

  /** Runs a script, as the programs of a user. */
  node(...args: string[]): string {
    return execFileSync(process.execPath, args, { cwd: this.folder, encoding: "utf8" });
  }

  /** What a package can be asked for by programs. */
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
  }

  #link(name: string): void {
    const link = join(this.folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), link);
  }
}

const REQUIRE_ALL = "for (const name of process.argv.slice(1)) require(name);";

describe("packages, as npm publishes them", () => {
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
