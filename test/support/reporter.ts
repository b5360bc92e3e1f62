import { writeFileSync } from "node:fs";
import Mocha from "mocha";

/**
 * The spec reporter. It also writes the numbers of the run, and the titles of failed tests, to the file in the option
 * `output`.
 */
module.exports = class extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const retried: string[] = [];
    runner.on("retry", (test, error) => retried.push(`${test.fullTitle()}: ${error.message}`));
    runner.once("end", () => {
      const failed = this.failures.map((test) => `${test.fullTitle()}: ${test.err?.message ?? ""}`);
      writeFileSync(options.reporterOptions.output, JSON.stringify({ ...this.stats, failed, retried }));
    });
  }
};
