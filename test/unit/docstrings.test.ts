import { join } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { CONFIGURATION_KEYS, NUMBERS } from "../../provider/configuration/configurationKeys";
import { inverter } from "../../provider/settings/inverter";
import type { DeviceKind } from "../../provider/settings/setting";
import { vehicle } from "../../provider/settings/vehicle";
import { rangeOf } from "../../scripts/tables";
import { ROOT } from "../support/project";

/** The modules that users import. */
const ENTRIES = [
  "provider/index.ts",
  "provider/native.ts",
  "provider/settings/rules.ts",
  "provider/resources/host.ts",
  "simulator/index.ts",
].map((file) => join(ROOT, file));

const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
const OPTIONS: ts.CompilerOptions = {
  ...ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT).options,
  noEmit: true,
  composite: false,
  // An example declares variables that its reader would use later.
  noUnusedLocals: false,
};

interface Export {
  readonly entry: string;
  readonly name: string;
  /** Whether only its type is exported, so that nobody can call it. */
  readonly isType: boolean;
  readonly symbol: ts.Symbol;
}

const textOf = (parts: readonly ts.SymbolDisplayPart[]) => ts.displayPartsToString([...parts]).replace(/\s+/g, " ");

describe("docstrings of what users import", () => {
  let checker: ts.TypeChecker;
  let exported: Export[];
  let program: ts.Program;
  before(() => {
    program = ts.createProgram(ENTRIES, OPTIONS);
    checker = program.getTypeChecker();
    exported = ENTRIES.flatMap((entry) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(entry) as ts.SourceFile) as ts.Symbol;
      return checker.getExportsOfModule(module).map((one) => ({
        entry,
        name: one.name,
        isType: one.declarations?.some((declaration) => ts.isTypeOnlyExportDeclaration(declaration)) ?? false,
        symbol: one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one,
      }));
    });
  });

  const docOf = (symbol: ts.Symbol | undefined) => textOf(symbol?.getDocumentationComment(checker) ?? []);
  const isCalled = ({ symbol, isType }: Export) =>
    !isType && (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function)) !== 0;
  const examplesOf = ({ symbol }: Export) =>
    symbol.getJsDocTags(checker).flatMap(({ name, text = [] }) => (name === "example" ? [displayed(text)] : []));

  it("are there for every export, and have an example for every class and function", () => {
    expect(exported.length).to.be.greaterThan(50);
    expect(exported.filter(({ symbol }) => docOf(symbol) === "").map(({ name }) => name)).to.deep.equal([]);
    const called = exported.filter(isCalled);
    expect(called.map(({ name }) => name)).to.include.members(["SiteSettings", "Provider", "kWh", "startSimulator"]);
    expect(called.filter((one) => examplesOf(one).length === 0).map(({ name }) => name)).to.deep.equal([]);
  });

  it("have examples that the compiler accepts", () => {
    const programs = exported.flatMap((one) => examplesOf(one).map((text) => ({ ...one, text })));
    expect(mistakesIn(programs, program)).to.deep.equal([]);
  });

  it("would not have one that it refuses", () => {
    const [entry = ""] = ENTRIES;
    const wrong = { entry, name: "kWh", text: `kWh("77 kWh");` };
    expect(mistakesIn([wrong], program).join()).to.contain("'string' is not assignable to parameter of type 'number'");
  });

  /** The members of an exported class or interface, by name. */
  function membersOf(name: string): Map<string, ts.Symbol> {
    const { symbol } = exported.find((one) => one.name === name) as Export;
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    return new Map(type.getProperties().map((member) => [member.name, member]));
  }

  for (const [kind, name] of [
    [vehicle, "Vehicle"],
    [inverter, "Inverter"],
  ] as readonly [DeviceKind, string][]) {
    it(`say of each setting of ${kind.resource} its unit and range, as its table has them`, () => {
      for (const [key, setting] of Object.entries(kind.settings)) {
        const ofArgument = docOf(membersOf(`${name}SettingsArgs`).get(key));
        expect(ofArgument).to.contain(setting.description);
        if (setting.type === "number") expect(ofArgument).to.contain(`in ${setting.unit}, from ${rangeOf(setting)}`);
        const unit = setting.type === "number" ? `Unit: ${setting.unit}.` : setting.description;
        for (const owner of [`${name}Settings`, `Reported${name}Settings`, "ReportedSettings"])
          expect(docOf(membersOf(owner).get(key)), owner).to.contain(unit);
      }
    });
  }

  it("have the unit, range and default of each number of a Provider", () => {
    const members = membersOf("ProviderArgs");
    expect([...members.keys()]).to.have.members([...CONFIGURATION_KEYS]);
    for (const [key, { unit, range, ...number }] of Object.entries(NUMBERS)) {
      const limits = ` A number of ${unit}, from ${range.join(" to ")}.`;
      const end = "default" in number ? `${limits} Default: ${number.default}.` : limits;
      expect(docOf(members.get(key)).endsWith(end), key).to.equal(true);
    }
  });
});

const displayed = (parts: readonly ts.SymbolDisplayPart[]) => ts.displayPartsToString([...parts]);

/** The compiler's messages about examples. Each example is a module that imports the exports that it names. */
function mistakesIn(
  examples: readonly { readonly entry: string; readonly name: string; readonly text: string }[],
  program: ts.Program,
): string[] {
  const checker = program.getTypeChecker();
  const sources = new Map(
    examples.map(({ entry, text }, index) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(entry) as ts.SourceFile) as ts.Symbol;
      const names = checker.getExportsOfModule(module).map(({ name }) => name);
      const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
      const imports = `import * as pulumi from "@pulumi/pulumi";\nimport { ${used.join(", ")} } from "${entry.replace(/\.ts$/, ".js")}";\n`;
      return [join(ROOT, `example-${index}.mts`), `${imports}${text}\nexport {};\n`] as const;
    }),
  );
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (file) => sources.has(file) || fileExists(file);
  host.readFile = (file) => sources.get(file) ?? readFile(file);
  host.getSourceFile = (file, language, ...rest) => {
    const source = sources.get(file);
    const known = program.getSourceFile(file);
    if (source === undefined) return known ?? getSourceFile(file, language, ...rest);
    return ts.createSourceFile(file, source, {
      languageVersion: ts.ScriptTarget.ES2022,
      impliedNodeFormat: ts.ModuleKind.ESNext,
    });
  };
  const checked = ts.createProgram([...sources.keys()], OPTIONS, host, program);
  return [...sources.keys()].flatMap((file, index) =>
    checked
      .getSemanticDiagnostics(checked.getSourceFile(file))
      .map(({ messageText }) => `${examples[index]?.name}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`),
  );
}
