/** What `npm run mutation` changes, and the tests that judge it: the sources are changed, so that reports show TypeScript. */
export default {
  // deviceView.ts is types.
  mutate: [
    "provider/settings/*.ts",
    "provider/lifecycle/**/*.ts",
    "provider/configuration/*.ts",
    "provider/ledger/*.ts",
    "!provider/lifecycle/device/deviceView.ts",
  ],
  ignorePatterns: ["dist", ".local", "coverage"],
  // Not every changed program has sound types, and it has to run all the same.
  buildCommand: "tsc --noCheck",
  testRunner: "mocha",
  mochaOptions: {
    // The laws come last, and are short: a change that another test notices does not wait for them.
    spec: ["settings", "lifecycle", "configuration", "ledger", "status", "messages", "hostile", "laws"].map(
      (folder) => `dist/test/unit/${folder}/**/*.test.js`,
    ),
  },
  coverageAnalysis: "perTest",
  // What runs when a module is loaded, such as tables of settings, would need a process and all tests for each change.
  ignoreStatic: true,
  concurrency: 2,
  // A test takes milliseconds: what takes this long, on a busy machine too, does not end.
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
