import { expect } from "chai";
import { energyWords, peakMove, shareWords } from "../../../../cli/clearDays/words";

describe("words about a site's sun", () => {
  for (const [what, before, after, words] of [
    ["has whole kWh from ten", 56.2, 13.9, "56 → 14 kWh"],
    ["has tenths below ten", 51.3, 9.46, "51 → 9.5 kWh"],
    ["separates thousands", undefined, 12_345, "12,345 kWh"],
    ["shows as many digits as a change of a percent needs", 14.4, 14.2, "14.4 → 14.2 kWh"],
    ["shows no change below a percent", 56.4, 56.6, "57 kWh"],
    ["shows a site that had no energy", 0, 4, "0 → 4 kWh"],
  ] as const) {
    it(`energy ${what}`, () => expect(energyWords(before, after)).to.equal(words));
  }

  for (const [before, after, words] of [
    ["12:50", "09:30", "12:50 → 09:30"],
    ["12:50", "12:40", "12:40"],
    ["12:50", "12:35", "12:50 → 12:35"],
    ["12:50", "", "12:50 → -"],
    [undefined, "12:50", "12:50"],
  ] as const) {
    it(`a peak at ${before ?? "no time"} that is then at ${after || "no time"} is ${words}`, () =>
      expect(peakMove(before, after)).to.equal(words));
  }

  it("a share below a percent is not shown", () => {
    expect([-0.004, -0.6, 0.123].map(shareWords)).to.deep.equal(["", "−60 %", "+12 %"]);
  });
});
