import { expect } from "chai";
import type { RunLine } from "../../../../provider/ledger/runFile";
import { Store } from "../../../../provider/ledger/store";
import type { Properties } from "../../../../provider/settings/objects";
import { FakeService } from "../../../support/fakes";
import { SiteStack } from "../../../support/sites";

/** The methods of lists that look at their elements one by one. */
const METHODS = ["every", "filter", "find", "findLast", "flatMap", "forEach", "map", "some", Symbol.iterator] as const;

/** The number of elements of lists at which some work looks. Unlike its time, it does not depend on the machine. */
async function workOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const prototype = Array.prototype as unknown as Record<string | symbol, (...args: unknown[]) => unknown>;
  const originals = METHODS.map((name) => [name, prototype[name] as (...args: unknown[]) => unknown] as const);
  for (const [name, original] of originals) {
    // No destructuring and no spread here: they would call the iterator that counts.
    prototype[name] = function (this: unknown[], first: unknown, second: unknown) {
      if (typeof first !== "function") {
        count += this.length;
        return original.call(this, first, second);
      }
      const counting = (element: unknown, index: unknown, list: unknown) => {
        count++;
        return first.call(second, element, index, list);
      };
      return original.call(this, counting, second);
    };
  }
  try {
    await work();
    return count;
  } finally {
    for (const [name, original] of originals) prototype[name] = original;
  }
}

describe("the check of a site of many devices", () => {
  const many = (count: number, device: (index: number) => object) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`device-${index}`, device(index)]));
  const cars = (count: number, values: object) => many(count, (index) => ({ deviceId: `car-${index}`, ...values }));
  const roofs = (count: number, values: object) => many(count, (index) => ({ deviceId: `roof-${index}`, ...values }));
  const whole = { maxCapacity: 77_000, maxChargePower: 11_000 };
  const roof = { peakPower: 9800, azimuth: 180, tilt: 30, cutInThreshold: 100 };

  for (const [what, site] of [
    ["that is ready", (n) => ({ vehicles: cars(n, whole), inverters: roofs(n, { ...roof, baseLoad: 400 }) })],
    ["whose inverters have no load", (n) => ({ vehicles: {}, inverters: roofs(n, { ...roof, baseLoad: 0 }) })],
    ["that all lack something", (n) => ({ solar: true, vehicles: cars(n, {}), inverters: roofs(n, {}) })],
    ["that are one device", (n) => ({ vehicles: many(n, () => ({ deviceId: "car", ...whole })), inverters: {} })],
    ["that are all wrong", (n) => ({ vehicles: cars(n, { maxCapacity: -1 }), inverters: {} })],
  ] as readonly [string, (count: number) => Properties][]) {
    it(`${what} is work in proportion to them`, async () => {
      const work = async (count: number) => {
        const stack = new SiteStack(new FakeService());
        const run = stack.run();
        const args = site(count);
        return await workOf(() => stack.check(args, run));
      };
      const [few, twice] = [await work(200), await work(400)];
      expect(twice / few).to.be.within(1.5, 2.3);
    });
  }

  it("writes its claims for other processes once, with the policies", async () => {
    const written: (readonly RunLine[])[] = [];
    const shared = { append: (lines: readonly RunLine[]) => void written.push(lines), news: () => [] };
    const store = new Store({ shared: { ...shared, isAlive: () => true, end: () => {} } });
    const stack = new SiteStack(new FakeService());
    await stack.check(
      { vehicles: cars(20, whole), inverters: roofs(20, { ...roof, baseLoad: 400 }) },
      { ...stack.run(), store },
    );
    expect(written.map((lines) => lines.filter(({ claim }) => claim).length)).to.deep.equal([40]);
  });
});
