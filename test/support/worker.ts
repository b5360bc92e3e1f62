/** What each process that Mocha runs test files in loads first. Mocha's own process is none of them, and has no number. */
if (process.env.MOCHA_WORKER_ID !== undefined) {
  // The coverage of this process is being taken already; that of the hundreds of processes it starts would only cost time.
  delete process.env.NODE_V8_COVERAGE;
  // Mocha gives a worker a second to end, then this signal: too little on a busy machine to write the coverage.
  process.on("SIGTERM", () => {});
}
