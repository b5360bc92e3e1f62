import { dirname, join } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { ROOT } from "../support/project";

/** A program with one mistake, whose name in a test is the mistake. */
const PROGRAM = (statement: string) => `
import { InverterSettings, SiteSettings, VehicleSettings } from "pulumi-solar-charging";
${statement};
export { InverterSettings, SiteSettings, VehicleSettings };
`;

/** Longest line that somebody reads in a hurry, in characters. */
const LONGEST = 220;

const PACKAGE = join(ROOT, "dist", "provider", "index.d.ts");

/** What the compiler says about a program: each message with the messages below it. */
function saidAbout(statements: Readonly<Record<string, string>>): Map<string, string[]> {
  const files = new Map(
    Object.entries(statements).map(([name, statement], index) => {
      return [join(ROOT, `program-${index}.ts`), { name, text: PROGRAM(statement) }];
    }),
  );
  const options: ts.CompilerOptions = {
    ...{
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules/@types")],
    },
    ...{
      module: ts.ModuleKind.CommonJS,
      moduleResolution: ts.ModuleResolutionKind.Node10,
      target: ts.ScriptTarget.ES2022,
    },
    ...{ baseUrl: ROOT, paths: { "pulumi-solar-charging": [PACKAGE] }, esModuleInterop: true },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.getSourceFile = (file, ...rest) => {
    const text = files.get(file)?.text;
    return text === undefined ? getSourceFile(file, ...rest) : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  };
  host.getCurrentDirectory = () => dirname(PACKAGE);
  const program = ts.createProgram([...files.keys()], options, host);
  return new Map(
    [...files].map(([file, { name }]) => {
      const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
      return [name, found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))];
    }),
  );
}

describe("types: what the compiler says of a mistake", () => {
  const mistakes: Record<string, readonly [statement: string, said: RegExp]> = {
    "a misspelled setting": [
      `new VehicleSettings("car", { deviceId: "car", maxCapcity: 77_000 })`,
      /'maxCapcity' does not exist in type 'VehicleSettingsArgs'. Did you mean to write 'maxCapacity'\?|maxCapcity.*maxCapacity/,
    ],
    "a misspelled policy": [
      `new VehicleSettings("car", { deviceId: "car", policy: "CHARGE BY FORCAST" })`,
      /"CHARGE BY FORCAST"/,
    ],
    "a number in place of an id": [
      `new VehicleSettings("car", { deviceId: 7 })`,
      /'number' is not assignable to type .*string/,
    ],
    "a truth value in place of a number": [
      `new VehicleSettings("car", { deviceId: "car", maxCapacity: true })`,
      /'true' is not assignable to type .*number/,
    ],
    "a setting of a vehicle at an inverter": [
      `new InverterSettings("roof", { deviceId: "roof", maxCapacity: 77_000 })`,
      /'maxCapacity' does not exist in type 'InverterSettingsArgs'/,
    ],
    "no device": [
      `new VehicleSettings("car", { maxCapacity: 77_000 })`,
      /'deviceId' is missing in type .* but required in type 'VehicleSettingsArgs'/,
    ],
    "a reset of an inverter, which has no defaults": [
      `new InverterSettings("roof", { deviceId: "roof", onDelete: "reset" })`,
      /"reset"/,
    ],
  };
  const right = {
    "numbers, and texts with units": `new VehicleSettings("car", { deviceId: "car", maxCapacity: "77 kWh", policy: "CHARGE BY" })`,
    "what reads back of a setting": `new VehicleSettings("car", { deviceId: "car" }).verification.apply((of) => of.maxCapacity === "pending")`,
  };
  let said = new Map<string, string[]>();
  before(() => {
    said = saidAbout({
      ...Object.fromEntries(Object.entries(mistakes).map(([name, [statement]]) => [name, statement])),
      ...right,
    });
  });

  for (const [name, [, expected]] of Object.entries(mistakes)) {
    it(`${name} is one message, short, that names it`, () => {
      const [message = "", ...others] = said.get(name) ?? [];
      expect(others).to.deep.equal([]);
      expect(message).to.match(expected);
      const [first = ""] = message.split("\n");
      expect(first.length, message).to.be.at.most(LONGEST);
    });
  }

  for (const name of Object.keys(right)) {
    it(`${name} is nothing to speak of`, () => expect(said.get(name)).to.deep.equal([]));
  }
});
