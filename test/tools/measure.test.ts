import { expect } from "chai";
import { measure } from "../../bench/measure";
import { failureOf } from "../support/failure";

/** A run of this program by Node. */
const node = (program: string) => ({
  command: process.execPath,
  args: ["-e", program],
  cwd: process.cwd(),
  env: process.env,
});

/** A program that has another one run by a process of its own, and waits for it. */
const inChild = (program: string) =>
  `require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(program)}])`;

/** Uses this much CPU time more, in milliseconds, however long that takes. */
const busy = (milliseconds: number) =>
  `const used = (from) => process.cpuUsage(from).user + process.cpuUsage(from).system;
  for (const start = process.cpuUsage(); used(start) < ${milliseconds * 1000}; );`;

describe("measure", () => {
  before(function () {
    if (process.platform !== "linux") this.skip(); // It reads /proc.
  });

  it("counts the CPU time of a command", async () => {
    expect((await measure(node(busy(400)))).cpuSeconds).to.be.at.least(0.38);
  });

  it("counts that of the processes that it started, also of one that ended at once", async () => {
    expect((await measure(node(inChild(busy(400))))).cpuSeconds).to.be.at.least(0.4);
  });

  it("counts nothing of an earlier command", async () => {
    const earlier = await measure(node(busy(1_500)));
    expect((await measure(node(""))).cpuSeconds).to.be.below(earlier.cpuSeconds);
  });

  it("counts the memory of the processes that it started", async () => {
    const { peakMegabytes } = await measure(node(inChild(`globalThis.kept = Buffer.alloc(300e6, 1); ${busy(300)}`)));
    expect(peakMegabytes).to.be.within(300, 700);
  });

  it("measures the wall time", async () => {
    const start = performance.now();
    const { seconds } = await measure(node("setTimeout(() => {}, 200)"));
    expect(seconds).to.be.within(0.2, (performance.now() - start) / 1000);
  });

  it("fails with the command and all its output", async () => {
    const failing = node('console.log("out"); console.error("wrong"); process.exitCode = 3');
    const { message } = await failureOf(measure(failing));
    expect(message).to.include("ended with 3").and.include("out\n").and.include("wrong\n");
  });

  it("takes the exit code that is expected, and no other", async () => {
    await measure({ ...node("process.exitCode = 2"), exitCode: 2 });
    expect((await failureOf(measure({ ...node(""), exitCode: 2 }))).message).to.include("ended with 0");
  });

  it("fails where there is no such command", async () => {
    expect((await failureOf(measure({ ...node(""), command: "no-such-command" }))).message).to.include("ENOENT");
  });
});
