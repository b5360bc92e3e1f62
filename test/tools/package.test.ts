import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
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

/** The entry of an installed package in package-lock.json. */
interface Locked {
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const manifest: Manifest = JSON.parse(read("package.json"));

function dependenciesOf({ dependencies, peerDependencies }: Locked = {}): string[] {
  return Object.keys({ ...dependencies, ...peerDependencies });
}

/** The files that npm would publish. */
function packed(...options: string[]): string[] {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", ...options], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(output)[0].files.map(({ path }: { path: string }) => path);
}

describe("package: the published files", () => {
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

  it("has the license, the README, the changelog and the examples, and neither tests nor scripts", () => {
    expect(files).to.include.members(["LICENSE", "README.md", "CHANGELOG.md", "examples/languages/yaml/Pulumi.yaml"]);
    expect(files.filter((file) => /^(dist\/)?(test|scripts)\/|node_modules/.test(file))).to.deep.equal([]);
  });

  it("has every file that its pages link to", () => {
    const pages = files.filter((file) => file.endsWith(".md"));
    const isThere = (target: string) => files.some((file) => file === target || file.startsWith(`${target}/`));
    const dead = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)|src="(?![a-z]+:)([^"]+)"/g)]
        .map(([, link, image]) => join(dirname(page), link ?? image ?? ""))
        .filter((target) => !isThere(target.replace(/\/$/, "")))
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).to.deep.equal([]);
  });

  it("depends only on the packages that the provider loads: the rest is bundled", () => {
    const modules = files.filter((file) => /^dist\/(provider|measure)\/.*\.js$/.test(file));
    const loaded = modules.flatMap((file) =>
      [...read(file).matchAll(/(?:require|import)\("((?:@[\w-]+\/)?[\w.-]+)[^":]*"\)/g)].map(([, name = ""]) => name),
    );
    const packages = new Set(loaded.filter((name) => !/^(\.|pulumi-solar-charging$)/.test(name)));
    expect([...packages]).to.have.members([...Object.keys(manifest.dependencies), "@pulumi/pulumi"]);
  });

  it("has the licenses of the bundled packages", () => {
    const bundled: string[] = JSON.parse(read("dist/bundled.json"));
    expect(bundled).to.include.members(["node_modules/commander", "node_modules/@grpc/grpc-js"]);
    expect(files).to.include("dist/THIRD-PARTY.txt");
    const text = read("dist/THIRD-PARTY.txt");
    for (const folder of bundled) expect(text).to.contain(`${JSON.parse(read(`${folder}/package.json`)).name} `);
  });

  it("has the page of the report, bundled", () => {
    expect(files).to.include.members(["dist/cli/status/page.js", "dist/cli/status/page.css"]);
  });

  it("has programs whose flags this version of Node knows: an unknown one would print an error", () => {
    for (const program of Object.values(manifest.bin)) {
      const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, program), "--version"], { encoding: "utf8" });
      expect({ stdout, stderr }, program).to.deep.equal({ stdout: `${manifest.version}\n`, stderr: "" });
    }
  });

  it("has handlers of dynamic resources that tell V8 what to optimize, in flags that this version of Node knows", () => {
    const load = 'require("./dist/provider/resources/host.js")';
    const shown = `require("node:v8").setFlagsFromString = console.log; ${load}`;
    const run = (code: string) => spawnSync(process.execPath, ["-e", code], { encoding: "utf8", cwd: ROOT });
    const isNamed = ["20", "22"].includes(process.versions.node.split(".")[0] as string);
    expect(run(shown).stdout).to.match(isNamed ? /^--\S+\n$/ : /^$/);
    expect(run(load).stderr).to.equal("");
  });

  it("runs no script when it is installed", () => {
    for (const file of [
      "package.json",
      "native-package/package.json",
      "policy/package.json",
      "simulator/package.json",
      "measure/package.json",
    ])
      expect(JSON.parse(read(file)).scripts ?? {}).to.not.have.any.keys("preinstall", "install", "postinstall");
  });

  it("depends on one package that runs a script when it is installed, which is of Pulumi's SDK", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> };
    // The packages that users install. Development and the examples need more.
    const names = new Set(["policy", "simulator", "measure", ""].flatMap((folder) => dependenciesOf(packages[folder])));
    const foldersOf = (name: string) =>
      Object.keys(packages).filter((folder) => folder.endsWith(`node_modules/${name}`));
    for (const name of names)
      for (const folder of foldersOf(name)) for (const one of dependenciesOf(packages[folder])) names.add(one);
    const running = [...names].filter((name) => foldersOf(name).some((folder) => packages[folder]?.hasInstallScript));
    expect(running).to.deep.equal(["protobufjs"]);
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

describe("package: the native classes under the name that Pulumi's commands write", () => {
  const own: Manifest & { name: string; peerDependencies: Record<string, string> } = JSON.parse(
    read("native-package/package.json"),
  );

  it("is published with its license and README, and has the version of the provider", () => {
    expect(packed("--workspace", "native-package")).to.have.members([
      "LICENSE",
      "README.md",
      "index.d.ts",
      "index.js",
      "package.json",
    ]);
    expect(own.version).to.equal(manifest.version);
    expect(own.peerDependencies["pulumi-solar-charging"]).to.equal(`^${manifest.version}`);
  });

  it("has a name that npm accepts, which the schema gives to programs", () => {
    const { language } = JSON.parse(read("schema/package.schema.json"));
    expect(own.name)
      .to.equal(language.nodejs.packageName)
      .and.to.match(/^[a-z][a-z-]*$/);
  });

  it("has the same exports as the entry of the provider", () => {
    const names = (entry: string) => Object.keys(require(entry));
    expect(names(join(ROOT, "native-package"))).to.have.members(names("pulumi-solar-charging/native"));
  });
});

for (const folder of ["simulator", "measure"]) {
  describe(`package: ${folder}/`, () => {
    it("is published compiled, with its license and README", () => {
      const files = packed("--workspace", folder);
      expect(files).to.include.members(["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts"]);
      expect(files.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))).to.deep.equal([]);
      expect(read(`${folder}/LICENSE`)).to.equal(read("LICENSE"));
    });

    it("has the version of the provider", () => {
      expect(JSON.parse(read(`${folder}/package.json`)).version).to.equal(manifest.version);
    });
  });
}
