import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";

const ROOT = resolve(__dirname, "../../..");

interface Manifest {
  main: string;
  types: string;
  bin: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
  dependencies: Record<string, string>;
}

const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

describe("package: what is published", () => {
  let files: string[];
  before(() => {
    const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    files = JSON.parse(output)[0].files.map(({ path }: { path: string }) => path);
  });

  it("has every file that package.json points at", () => {
    const entries = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === "string" ? [entry] : Object.values(entry),
    );
    const named = [manifest.main, manifest.types, ...Object.values(manifest.bin), ...entries];
    expect(files).to.include.members(named.map((file) => file.replace("./", "")));
  });

  it("has the license, the README and the changelog, and neither tests nor scripts", () => {
    expect(files).to.include.members(["LICENSE", "README.md", "CHANGELOG.md"]);
    expect(files.filter((file) => /^(dist\/)?(test|scripts|examples)\//.test(file))).to.deep.equal([]);
  });

  it("runs no script when it is installed", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(scripts).to.not.have.any.keys("preinstall", "install", "postinstall");
  });
});

describe("package: who may know whom", () => {
  const rooms: Record<string, string[]> = {
    settings: ["../settings"],
    service: ["../service"],
    status: ["../status"],
    handlers: ["../settings", "../service", "../status", "../handlers"],
    resources: ["../settings", "../handlers", "../resources"],
  };

  for (const [room, allowed] of Object.entries(rooms)) {
    it(`provider/${room} imports no more than the design allows`, () => {
      const imports = importsOf(join(ROOT, "provider", room));
      const own = imports.filter((path) => path.startsWith("../"));
      expect(own.filter((path) => !allowed.some((other) => path.startsWith(`${other}/`)))).to.deep.equal([]);
      if (room !== "resources") expect(imports.filter((path) => path.startsWith("@pulumi"))).to.deep.equal([]);
    });
  }
});

function importsOf(folder: string): string[] {
  const text = execFileSync("grep", ["-rhoE", 'from "[^"]+"', folder], { encoding: "utf8" });
  return [...text.matchAll(/from "([^"]+)"/g)].map(([, path = ""]) => path);
}
