import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect } from "chai";
import { ENGINE_VERSION } from "../../scripts/engine-sources";
import { filesBelow } from "../support/folder";
import { blocksOf } from "../support/markdown";
import { isOnPath } from "../support/onPath";
import { ROOT } from "../support/project";

const EXAMPLES = join(ROOT, "examples", "languages");
const PULUMI = "github.com/pulumi/pulumi";

/** The settings with which the engine is built from modules. */
const GO_ENV = { ...process.env, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local", GOWORK: "off" };

/** A program in TypeScript with the generated SDK, in place of this package's classes. */
const NODE_PROGRAM = `import * as solar from "./nodejs";

const home = new solar.SiteSettings("home", {
  onDelete: solar.OnDelete.Restore,
  vehicles: { car: { deviceId: "car", maxCapacity: 77_000 } },
  inverters: { roof: { deviceId: "roof", peakPower: 9800, azimuth: "SSW" } },
});
export const firstReason = home.gaps.apply(([gap]) => gap?.reason === solar.GapReason.NotDeclared);
export const baseline = home.devices.apply((devices) => devices["vehicle/car"]?.settings?.maxCapacity?.baseline?.toFixed(0));
`;

/** For each mistake, the part of a program that a text replaces. */
const MISTAKES = {
  "a text in place of a number": /pulumi\.Float64\(77000\)|77_000/,
  "a text in place of an effect of a delete": /solarcharging\.OnDeleteRestore|solar\.OnDelete\.(Restore|RESTORE)/,
};

describe("the SDKs of the package", () => {
  let folder = "";
  const sdk = (...path: string[]) => join(folder, "sdk", ...path);
  before(function () {
    if (!isOnPath("go")) {
      console.log("the SDKs are not compiled: there is no go on the PATH");
      this.skip();
    }
    folder = mkdtempSync(join(tmpdir(), "solar-charging-sdks-"));
    const generator = join(folder, "generator");
    mkdirSync(generator);
    cpSync(join(ROOT, "test", "long", "sdks", "generate.go"), join(generator, "main.go"));
    goModule(generator, "generator");
    go(generator, "get", `${PULUMI}/pkg/v3/codegen/go@v${ENGINE_VERSION}`);
    go(generator, "run", ".", join(ROOT, "schema", "package.schema.json"), sdk());
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Expects that a program passes the check, and that it fails with each mistake. */
  function expectChecked(file: string, program: string, check: () => SpawnSyncReturns<string>): void {
    const checked = (text: string) => {
      writeFileSync(file, text);
      const { status, stdout, stderr } = check();
      return { status, text: `${stdout}${stderr}` };
    };
    const right = checked(program);
    expect(right.status, right.text).to.equal(0);
    for (const [mistake, right] of Object.entries(MISTAKES)) {
      const wrong = program.replace(right, file.endsWith(".go") ? 'pulumi.String("77 kWh")' : '"77 kWh"');
      expect(wrong).to.not.equal(program);
      const { status, text } = checked(wrong);
      expect(status, `${mistake} passes: ${text}`).to.not.equal(0);
      expect(text).to.contain(basename(file));
    }
  }

  it("Go: compiles, and refuses wrong types", () => {
    const { language } = JSON.parse(readFileSync(join(ROOT, "schema", "package.schema.json"), "utf8"));
    const module = language.go.importBasePath.replace("/sdk/go/solarcharging", "");
    const root = join(folder, "go");
    const home = join(root, "home");
    cpSync(sdk("go"), join(root, "sdk", "go"), { recursive: true });
    mkdirSync(home);
    goModule(root, module);
    go(root, "get", `${PULUMI}/sdk/v3@v${ENGINE_VERSION}`);
    go(root, "build", "./sdk/...");
    const build = () => spawnSync("go", ["vet", "./home"], { cwd: root, env: GO_ENV, encoding: "utf8" });
    expectChecked(join(home, "main.go"), readFileSync(join(EXAMPLES, "go", "main.go"), "utf8"), build);

    for (const [index, text] of programsOfDocs("go").entries()) {
      const folder = join(root, "docs", `${index}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "main.go"), text.startsWith("package") ? text : goProgram(text));
    }
    go(root, "vet", "./docs/...");
  });

  it("TypeScript: compiles, and refuses wrong types", () => {
    const program = sdk("index.ts");
    symlinkSync(join(ROOT, "node_modules"), sdk("node_modules"));
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck"];
    const tsc = [join(ROOT, "node_modules", "typescript", "bin", "tsc"), ...options, "--types", "node", program];
    const check = () => spawnSync(process.execPath, tsc, { cwd: sdk(), encoding: "utf8" });
    expectChecked(program, NODE_PROGRAM, check);
  });

  it("Python: compiles, and refuses wrong types", function () {
    if (!isOnPath("python3")) {
      console.log("the SDK of Python is not compiled: there is no python3 on the PATH");
      this.skip();
    }
    for (const [index, text] of programsOfDocs("python").entries())
      writeFileSync(sdk("python", `docs${index}.py`), text);
    execFileSync("python3", ["-m", "compileall", "-q", sdk("python")]);
    const checker = CHECKERS.find(([name]) => spawnSync("python3", ["-c", `import pulumi, ${name}`]).status === 0);
    if (!checker) {
      console.log("types of Python are not checked: python3 has no module pulumi, or neither mypy nor pyright");
      this.skip();
    }
    const program = sdk("python", "home.py");
    const check = () => spawnSync("python3", ["-m", ...checker, program], { cwd: dirname(program), encoding: "utf8" });
    expectChecked(program, readFileSync(join(EXAMPLES, "python", "__main__.py"), "utf8"), check);
    for (const index of programsOfDocs("python").keys()) {
      const { status, stdout } = spawnSync("python3", ["-m", ...checker, `docs${index}.py`], {
        cwd: sdk("python"),
        encoding: "utf8",
      });
      expect(status, stdout).to.equal(0);
    }
  });

  for (const language of ["dotnet", "java"]) {
    it(`${language}: is generated if its host is installed`, function () {
      if (!isOnPath(`pulumi-language-${language}`)) {
        console.log(`no SDK of ${language} is made: there is no pulumi-language-${language} on the PATH`);
        this.skip();
      }
      const schema = join(ROOT, "schema", "package.schema.json");
      execFileSync("pulumi", ["package", "gen-sdk", schema, "--language", language, "--out", folder]);
      expect(filesBelow(join(folder, language)).join()).to.contain("SiteSettings");
    });
  }
});

/** Type checkers, as modules of Python. mypy skips the generated code, which has errors of its own. */
const CHECKERS = [["pyright"], ["mypy", "--follow-imports=silent"]];

/** The programs of docs/ in a language. */
function programsOfDocs(language: string): string[] {
  const pages = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  const blocks = pages.flatMap((page) => blocksOf(`docs/${page}`));
  return blocks.flatMap((block) => (block.language === language ? [block.text] : []));
}

/** A program with these statements. The last one returns an error. */
function goProgram(statements: string): string {
  const { language } = JSON.parse(readFileSync(join(ROOT, "schema", "package.schema.json"), "utf8"));
  return [
    "package main",
    `import solarcharging "${language.go.importBasePath}"`,
    `import "${PULUMI}/sdk/v3/go/pulumi"`,
    `func main() {\npulumi.Run(func(ctx *pulumi.Context) error {\n${statements}return err\n})\n}\n`,
  ].join("\n\n");
}

function goModule(folder: string, name: string): void {
  writeFileSync(join(folder, "go.mod"), `module ${name}\n\ngo 1.25\n`);
}

function go(cwd: string, ...args: string[]): void {
  execFileSync("go", args, { cwd, env: GO_ENV, stdio: ["ignore", "ignore", "inherit"] });
}
