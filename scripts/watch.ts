import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import ts from "typescript";

const ROOT = resolve(__dirname, "../..");
const MOCHA = createRequire(__filename).resolve("mocha/bin/mocha.js");

/** Up to this number of files, starting Mocha's workers would take longer than the tests. */
const FEW = 6;

type Program = ts.EmitAndSemanticDiagnosticsBuilderProgram;

/**
 * `npm test -- --watch`: at each save, compiles the changes and runs the tests that import them. Direct importers come
 * first. The compiler knows the imports.
 */
export function watch(tiers: readonly string[]): void {
  const runner = new Runner();
  const saved = new Set<string>();
  const system: ts.System = {
    ...ts.sys,
    watchFile: (path, callback, ...rest) => {
      const noted: ts.FileWatcherCallback = (file, ...change) => {
        saved.add(file);
        callback(file, ...change);
      };
      return ts.sys.watchFile?.(path, noted, ...rest) ?? { close: () => {} };
    },
  };
  const host = ts.createWatchCompilerHost(
    join(ROOT, "tsconfig.json"),
    { preserveWatchOutput: true },
    system,
    ts.createEmitAndSemanticDiagnosticsBuilderProgram,
    (problem) => process.stderr.write(ts.formatDiagnosticsWithColorAndContext([problem], FORMAT)),
    () => {},
  );
  const { afterProgramCreate } = host;
  host.afterProgramCreate = (program) => {
    afterProgramCreate?.(program);
    if (saved.size > 0) runner.run(affectedTests(program, saved, tiers));
    else console.log(`Watching. At each save, the tests in ${tiers.join(", ")} that import the file run. Ctrl-C ends.`);
    saved.clear();
  };
  ts.createWatchProgram(host);
}

const FORMAT: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => ROOT,
  getNewLine: () => "\n",
};

/** The compiled tests that are or import one of these files: first those that import it directly, then the others. */
function affectedTests(program: Program, saved: ReadonlySet<string>, tiers: readonly string[]): [string[], string[]] {
  const isWatched = (file: string) => tiers.some((tier) => file.startsWith(join(ROOT, "test", tier, "/")));
  const tests = program.getSourceFiles().filter(({ fileName }) => /\.test\.ts$/.test(fileName) && isWatched(fileName));
  const affected = tests.filter((test) => program.getAllDependencies(test).some((file) => saved.has(resolve(file))));
  const isNear = (test: ts.SourceFile) =>
    saved.has(test.fileName) ||
    ts
      .preProcessFile(test.text)
      .importedFiles.some(({ fileName }) => saved.has(`${resolve(test.fileName, "..", fileName)}.ts`));
  const compiled = ({ fileName }: ts.SourceFile) =>
    join(ROOT, "dist", relative(ROOT, fileName)).replace(/\.ts$/, ".js");
  return [affected.filter(isNear).map(compiled), affected.filter((test) => !isNear(test)).map(compiled)];
}

/** Runs tests. Stops them if newer ones are to run. */
class Runner {
  #current: ChildProcess | undefined;
  #turn = 0;

  async run(rounds: readonly (readonly string[])[]): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    this.#current?.kill();
    const start = performance.now();
    for (const files of rounds.filter(({ length }) => length > 0)) {
      const parallel = files.length > FEW ? ["--parallel"] : [];
      const child = spawn(process.execPath, [MOCHA, "--reporter", "dot", ...parallel, ...files], {
        cwd: ROOT,
        stdio: "inherit",
      });
      this.#current = child;
      const [code] = await once(child, "exit");
      if (turn !== this.#turn) return;
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${code === 0 ? "passed" : "FAILED"}: ${files.length} test files, ${seconds} s after compiling`);
      if (code !== 0) return;
    }
  }
}
