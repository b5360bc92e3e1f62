import { writeFileSync } from "node:fs";
import Mocha from "mocha";

/** The spec reporter, which also writes the numbers of the run to the file given as `output`. */
module.exports = class extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once("end", () => writeFileSync(options.reporterOptions.output, JSON.stringify(this.stats)));
  }
};
