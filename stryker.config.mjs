/**
 * The sources that `npm run mutation` changes, and the tests that have to notice. It changes the sources, so that
 * reports show TypeScript.
 */
export default {
  // deviceView.ts has only types.
  mutate: [
    "provider/settings/*.ts",
    "provider/lifecycle/**/*.ts",
    "provider/configuration/*.ts",
    "provider/ledger/*.ts",
    "!provider/engine/deviceView.ts",
  ],
  ignorePatterns: ["dist", ".local", "coverage"],
  // A changed program may have type errors, and has to run nevertheless.
  buildCommand: "tsc --noCheck",
  testRunner: "mocha",
  mochaOptions: {
    // The laws come last, and are short: a change that another test notices does not wait for them.
    spec: ["settings", "lifecycle", "configuration", "ledger", "status", "messages", "hostile", "laws"].map(
      (folder) => `dist/test/unit/${folder}/**/*.test.js`,
    ),
  },
  coverageAnalysis: "perTest",
  // Skips code that runs while a module is loaded, such as tables of settings: each change would need a new process and
  // all tests.
  ignoreStatic: true,
  concurrency: 2,
  // A test takes milliseconds. One that takes this long, even on a busy machine, does not end.
  timeoutMS: 15_000,
  timeoutFactor: 4,
  tempDirName: ".local/stryker",
  incrementalFile: ".local/mutation/incremental.json",
  jsonReporter: { fileName: ".local/mutation/report.json" },
  htmlReporter: { fileName: ".local/mutation/report.html" },
  reporters: ["progress-append-only", "clear-text", "json", "html"],
  clearTextReporter: { reportTests: false },
  thresholds: { high: 95, low: 90, break: 85 },
};
