import { expect } from "chai";
import { inParallel } from "../../../../provider/lifecycle/run/pool";

describe("tasks at the same time", () => {
  const items = [1, 2, 3, 4, 5, 6, 7];

  for (const limit of [1, 3, 100]) {
    it(`are at most ${limit}, and all are run`, async () => {
      let running = 0;
      let most = 0;
      const task = async (item: number) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        return item;
      };
      const results = await inParallel(items, limit, task, () => false);
      expect(results).to.deep.equal(items);
      expect(most).to.equal(Math.min(limit, items.length));
    });
  }

  it("are empty without an item", async () => {
    expect(
      await inParallel(
        [],
        4,
        () => Promise.reject(new Error("no item")),
        () => false,
      ),
    ).to.deep.equal([]);
  });

  it("are no more once it is over", async () => {
    const begun: number[] = [];
    const task = async (item: number) => void begun.push(item);
    await inParallel(items, 2, task, () => begun.length >= 3);
    expect(begun).to.deep.equal([1, 2, 3]);
  });

  it("return the results in the order of the items, even if some were not started", async () => {
    let isOver = false;
    const task = async (item: number) => {
      if (item === 1) await new Promise(setImmediate);
      if (item === 3) isOver = true;
      return item;
    };
    expect(await inParallel(items, 2, task, () => isOver)).to.deep.equal([1, 2, 3]);
  });

  it("end with what one of them throws", async () => {
    const task = (item: number) => (item === 3 ? Promise.reject(new Error("3 is refused")) : Promise.resolve(item));
    const failure = await inParallel(items, 2, task, () => false).catch((error: Error) => error);
    expect(failure).to.have.property("message", "3 is refused");
  });
});
