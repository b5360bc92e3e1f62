import { writeFileSync } from "node:fs";
import Mocha from "mocha";

// The coverage of this process is being taken already; that of the hundreds of processes it starts would only cost time.
delete process.env.NODE_V8_COVERAGE;

/** The spec reporter, which also writes the numbers of the run to the file given as `output`. */
module.exports = class extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once("end", () => writeFileSync(options.reporterOptions.output, JSON.stringify(this.stats)));
  }
};
