import { expect } from "chai";
import { Absences } from "../../../provider/service/absences";
import type { ServiceFailure } from "../../../provider/service/errors";

const GONE: ServiceFailure = {
  code: "notFound",
  reason: "HTTP 404",
  status: 404,
  advice: "Check",
  transient: false,
  isGone: true,
};
const REFUSED: ServiceFailure = {
  code: "notAllowed",
  reason: "HTTP 403",
  status: 403,
  advice: "Check",
  transient: false,
};
const KNOWN = { object: {} };

/** The absences after this many answers of each kind. */
function answered(gone: number, known: number, absences = new Absences()): Absences {
  for (let i = 0; i < gone; i++) absences.learn(`gone${i}`, GONE);
  for (let i = 0; i < known; i++) absences.learn(`known${i}`, KNOWN);
  return absences;
}

describe("Absences", () => {
  for (const [gone, known, isBelieved] of [
    [1, 0, true],
    [1, 1, true],
    [2, 2, true],
    [2, 0, false],
    [2, 1, false],
    [50, 49, false],
    [50, 50, true],
  ] as const) {
    it(`${isBelieved ? "believe" : "do not believe"} that ${gone} are gone if ${known} are known`, async () => {
      expect(await answered(gone, known).areBelieved()).to.equal(isBelieved);
    });
  }

  it("count a device once, by its last answer", async () => {
    const absences = answered(2, 0);
    absences.learn("gone1", GONE);
    expect(await absences.areBelieved()).to.equal(false);
    absences.learn("gone1", KNOWN);
    expect(await absences.areBelieved()).to.equal(true);
    absences.learn("gone1", GONE);
    expect(await absences.areBelieved()).to.equal(false);
  });

  it("learn nothing from other failures", async () => {
    const absences = answered(1, 0);
    absences.learn("refused", REFUSED);
    expect(await absences.areBelieved()).to.equal(true);
  });

  it("wait for answers that are on their way, until they cannot change it", async () => {
    const absences = answered(1, 0);
    const over = [absences.ask(), absences.ask(), absences.ask()] as const;
    let isBelieved: boolean | undefined;
    const decided = absences.areBelieved().then((is) => {
      isBelieved = is;
    });
    over[0]();
    await new Promise(setImmediate);
    expect(isBelieved).to.equal(undefined);
    absences.learn("other", GONE);
    over[1]();
    await new Promise(setImmediate);
    expect(isBelieved).to.equal(undefined);
    absences.learn("third", GONE);
    over[2]();
    await decided;
    expect(isBelieved).to.equal(false);
  });

  it("wait no longer once as many are known", async () => {
    const absences = answered(1, 0);
    const [over] = [absences.ask(), absences.ask()];
    const decided = absences.areBelieved();
    absences.learn("known", KNOWN);
    over?.();
    expect(await decided).to.equal(true);
  });
});
