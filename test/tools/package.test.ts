import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";

const ROOT = resolve(__dirname, "../../..");

interface Manifest {
  version: string;
  main: string;
  types: string;
  bin: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
  dependencies: Record<string, string>;
}

/** What package-lock.json tells of an installed package. */
interface Locked {
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const manifest: Manifest = JSON.parse(read("package.json"));

/** The files that npm would publish. */
function packed(...options: string[]): string[] {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", ...options], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(output)[0].files.map(({ path }: { path: string }) => path);
}

describe("package: what is published", () => {
  let files: string[];
  before(() => {
    files = packed();
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

  it("has the page of the report, bundled", () => {
    expect(files).to.include.members(["dist/cli/report/page.js", "dist/cli/report/page.css"]);
  });

  it("runs no script when it is installed", () => {
    for (const file of ["package.json", "policy/package.json", "simulator/package.json"])
      expect(JSON.parse(read(file)).scripts).to.not.have.any.keys("preinstall", "install", "postinstall");
  });

  it("depends on one package that runs a script when it is installed, which is of Pulumi's SDK", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> };
    const running = Object.entries(packages).filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev);
    expect(running.map(([folder]) => folder)).to.deep.equal(["node_modules/protobufjs"]);
  });
});

describe("package: SECURITY.md", () => {
  it("names tests and workflows that are there", () => {
    const named = read("SECURITY.md").match(/(?<=`)(test|\.github)\/[\w./-]+(?=`)/g) ?? [];
    expect(named).to.have.length.greaterThan(10);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).to.deep.equal([]);
  });
});

describe("package: the policy pack", () => {
  const policy: Manifest & { peerDependencies: Record<string, string> } = JSON.parse(read("policy/package.json"));

  it("is published compiled, with its license and README", () => {
    const sources = readdirSync(join(ROOT, "policy")).filter((file) => file.endsWith(".ts"));
    const compiled = sources.flatMap((file) => [".js", ".js.map"].map((end) => `dist/${file.replace(".ts", end)}`));
    expect(packed("--workspace", "policy")).to.have.members([
      ...compiled,
      "LICENSE",
      "PulumiPolicy.yaml",
      "README.md",
      "package.json",
    ]);
    expect(read("policy/LICENSE")).to.equal(read("LICENSE"));
  });

  it("has the version of the provider, and asks for that one", () => {
    expect(policy.version).to.equal(manifest.version);
    expect(policy.peerDependencies["pulumi-solar-charging"]).to.equal(`^${manifest.version}`);
  });
});

describe("package: the simulator", () => {
  it("is published compiled, with its license and README", () => {
    const files = packed("--workspace", "simulator");
    expect(files).to.include.members(["LICENSE", "README.md", "bin.js", "dist/index.js", "dist/index.d.ts"]);
    expect(files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))).to.deep.equal([]);
    expect(read("simulator/LICENSE")).to.equal(read("LICENSE"));
  });

  it("has the version of the provider", () => {
    expect(JSON.parse(read("simulator/package.json")).version).to.equal(manifest.version);
  });
});
