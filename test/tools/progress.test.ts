import { on } from "node:events";
import { PassThrough } from "node:stream";
import { expect } from "chai";
import { terminalProgress } from "../../scripts/progress";

describe("terminalProgress, where there is no terminal", () => {
  let stream: PassThrough;
  const lines = () => String(stream.read() ?? "").split("\n");
  const progress = (signOfLifeMs?: number) => terminalProgress(stream as unknown as NodeJS.WriteStream, signOfLifeMs);

  beforeEach(() => {
    stream = new PassThrough();
  });

  it("names a step at its start, and how long it took at its end", async () => {
    await progress().step("Compiling", async () => {});
    expect(lines().join("\n")).to.match(/^Compiling …\n {2}Compiling: \d+ s, done\n$/);
  });

  it("says how long a step takes, and how much of that is left", async () => {
    await progress(1).step(
      "Compiling",
      async () => {
        for await (const [chunk] of on(stream, "data")) {
          if (/^ {2}still at it, Compiling: \d+ s, about \d min left$/m.test(String(chunk))) break;
        }
      },
      300,
    );
  });

  it("says if a step takes longer than it does as a rule", async () => {
    await progress(1).step(
      "Compiling",
      async () => {
        for await (const [chunk] of on(stream, "data")) {
          if (String(chunk).includes("longer than usual")) break;
        }
      },
      0.001,
    );
  });

  it("gives signs of life", async () => {
    await progress(1).step("Compiling", async () => {
      for await (const [chunk] of on(stream, "data")) {
        if (String(chunk).startsWith("  still at it, Compiling: ")) break;
      }
    });
  });

  it("says that a step did not work, and throws its error", async () => {
    const error = new Error("no disk space");
    const thrown = await progress()
      .step("Compiling", () => Promise.reject(error))
      .catch((caught) => caught);
    expect(thrown).to.equal(error);
    expect(lines().at(-2)).to.match(/Compiling: \d+ s, did not work/);
  });

  it("gives the result of the step", async () => {
    expect(await progress().step("Compiling", async () => 42)).to.equal(42);
  });
});
