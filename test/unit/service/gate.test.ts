import { expect } from "chai";
import { Gate } from "../../../provider/service/gate";
import { failureOf } from "../../support/failure";

describe("Gate", () => {
  /** Tasks that a test can end, and the names of those that began. */
  function works(gate: Gate) {
    const began: string[] = [];
    const start = (name: string) => {
      let end = () => {};
      const passed = gate.pass(async () => {
        began.push(name);
        await new Promise<void>((done) => {
          end = done;
        });
        return name;
      });
      return { passed, end: () => end() };
    };
    return { began, start };
  }

  it("lets as many pass as it has places, and the others in their order", async () => {
    const { began, start } = works(new Gate(2));
    const [a, b, c, d] = [start("a"), start("b"), start("c"), start("d")];
    expect(began).to.deep.equal(["a", "b"]);
    b.end();
    expect(await b.passed).to.equal("b");
    await null;
    expect(began).to.deep.equal(["a", "b", "c"]);
    a.end();
    await a.passed;
    await null;
    expect(began).to.deep.equal(["a", "b", "c", "d"]);
    c.end();
    d.end();
    expect(await Promise.all([c.passed, d.passed])).to.deep.equal(["c", "d"]);
    start("e");
    expect(began.at(-1)).to.equal("e");
  });

  it("gives the place on if a work fails, before or after it waits", async () => {
    const gate = new Gate(1);
    const failures = [async () => Promise.reject(new Error("late")), () => Promise.reject(new Error("at once"))];
    const failed = failures.map((work) => failureOf(gate.pass(work)));
    expect((await Promise.all(failed)).map(({ message }) => message)).to.deep.equal(["late", "at once"]);
    expect(await gate.pass(async () => "next")).to.equal("next");
  });
});
