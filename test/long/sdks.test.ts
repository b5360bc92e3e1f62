import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect } from "chai";
import { ENGINE_VERSION } from "../../scripts/engine-sources";
import { filesBelow } from "../support/folder";
import { hasPython, pathWithGenerator } from "../support/languages";
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
  vehicles: { car: { deviceId: "car", maxCapacity: "77 kWh" } },
  inverters: { roof: { deviceId: "roof", peakPower: 9800, azimuth: "SSW" } },
});
export const firstReason = home.gaps.apply(([gap]) => gap?.reason === solar.GapReason.NotDeclared);
export const baseline = home.devices.apply((devices) => devices["vehicle/car"]?.settings?.maxCapacity?.baseline?.toFixed(0));
`;

/** The capacity, a text with a unit that may also be a number, and the effect of a delete, which may be neither. */
const CAPACITY = /pulumi\.String\("77 kWh"\)|"77 kWh"/;
const ON_DELETE = /solarcharging\.OnDeleteRestore|solar\.OnDelete\.(Restore|RESTORE)/;

describe("the SDKs of the package", () => {
  let folder = "";
  const sdk = (...path: string[]) => join(folder, "sdk", ...path);
  before(function () {
    if (!isOnPath("go") || !isOnPath("pulumi-language-go")) {
      console.log("the SDKs are not compiled: there is no go, or no pulumi-language-go, on the PATH");
      this.skip();
    }
    folder = mkdtempSync(join(tmpdir(), "solar-charging-sdks-"));
    const env = { ...process.env, PATH: pathWithGenerator() };
    for (const language of ["go", "nodejs", "python"]) {
      const schema = join(ROOT, "schema", "package.schema.json");
      execFileSync("pulumi", ["package", "gen-sdk", schema, "--language", language, "--out", sdk()], { env });
    }
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Expects that a program passes the check, also with a number for the capacity, and fails with one for `onDelete`. */
  function expectChecked(file: string, program: string, check: () => SpawnSyncReturns<string>): void {
    const checked = (text: string) => {
      writeFileSync(file, text);
      const { status, stdout, stderr } = check();
      return { status, text: `${stdout}${stderr}` };
    };
    const number = file.endsWith(".go") ? "pulumi.Float64(77000)" : "77_000";
    expect(program).to.match(CAPACITY).and.to.match(ON_DELETE);
    for (const right of [program, program.replace(CAPACITY, number)]) {
      const { status, text } = checked(right);
      expect(status, text).to.equal(0);
    }
    const { status, text } = checked(program.replace(ON_DELETE, number));
    expect(status, `a number for onDelete passes: ${text}`).to.not.equal(0);
    expect(text).to.contain(basename(file));
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
    if (!hasPython()) {
      console.log("types of Python are not checked: python3 has no ensurepip, or pip finds no pulumi");
      this.skip();
    }
    execFileSync("python3", ["-m", "venv", sdk("venv")]);
    const python = sdk("venv", "bin", "python");
    execFileSync(python, ["-m", "pip", "install", "--quiet", "pulumi", "mypy"]);
    // The generated code has errors of its own, which no program causes.
    const mypy = ["-m", "mypy", "--strict", "--follow-imports=silent"];
    const check = (file: string) => spawnSync(python, [...mypy, file], { cwd: sdk("python"), encoding: "utf8" });
    const program = readFileSync(join(EXAMPLES, "python", "__main__.py"), "utf8");
    expectChecked(sdk("python", "home.py"), program, () => check("home.py"));
    for (const [index, text] of programsOfDocs("python").entries()) {
      const file = `docs${index}.py`;
      writeFileSync(sdk("python", file), text);
      const { status, stdout } = check(file);
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
