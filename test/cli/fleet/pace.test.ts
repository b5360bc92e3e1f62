import { expect } from "chai";
import fc from "fast-check";
import { paceOf } from "../../../cli/fleet/prepare";
import { NUMBERS } from "../../../provider/configuration/configurationKeys";

const NAME = "SOLAR_CHARGING_MAX_REQUESTS_PER_MINUTE";

describe("cli fleet: the requests per minute of a part", () => {
  const [least, most] = NUMBERS.maxRequestsPerMinute.range;
  const part = (count: number) => ({ index: 1, count });

  it("are its share, in the provider's range, or an error that quotes the user's text", () => {
    fc.assert(
      fc.property(
        fc.double({ min: least, max: most, noNaN: true }),
        fc.integer({ min: 1, max: 10_000 }),
        (all, count) => {
          try {
            expect(Number(paceOf(part(count), { [NAME]: String(all) })[NAME])).to.be.within(least, all);
          } catch (error) {
            if (!(error instanceof Error) || error.name === "AssertionError") throw error;
            expect(all / count).to.be.lessThan(least);
            expect(error.message).to.contain(`1/${count}`).and.contain(`${NAME}=${all}`);
          }
        },
      ),
    );
  });

  it("can have the value that the error asks for", () => {
    expect(() => paceOf(part(16), { [NAME]: "1" })).to.throw("Set it to 1.6 or more");
    expect(paceOf(part(16), { [NAME]: "1.6" })).to.deep.equal({ [NAME]: "0.1" });
  });

  it("are those of the environment for a whole fleet, and if they are no limit or refused by the provider", () => {
    expect(paceOf(undefined, { [NAME]: "1" })).to.deep.equal({});
    for (const value of [undefined, "", "many", "0", "-1"]) {
      expect(paceOf(part(2), { [NAME]: value })).to.deep.equal({});
    }
  });
});
