/**
 * Loaded first by each process that runs test files for Mocha. Mocha's own process is not one of them, and has no
 * number.
 */
if (process.env.MOCHA_WORKER_ID !== undefined) {
  // The coverage of this process is already recorded. Recording it for the hundreds of processes that it starts would
  // only cost time.
  delete process.env.NODE_V8_COVERAGE;
  // Mocha gives a worker a second to end, and then sends this signal. On a busy machine, that is too little to write
  // the coverage.
  process.on("SIGTERM", () => {});
}
