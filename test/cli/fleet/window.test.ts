import { expect } from "chai";
import fc from "fast-check";
import { rolloutWindow } from "../../../cli/fleet/options";
import { CLOCK, RolloutWindow } from "../../../cli/fleet/window";
import { thrownBy } from "../../support/failure";

describe("cli fleet: the window of a rollout", () => {
  const open = (text: string, ...dates: string[]) => dates.map((date) => RolloutWindow.of(text).isOpen(new Date(date)));

  it("has days and times in its time zone, on either side of the change to summer time", () => {
    const text = "Mon-Fri 09:00-16:00 Europe/Berlin";
    // Monday, 23 November 2026, and Monday, 20 July 2026.
    expect(open(text, "2026-11-23T07:59:00Z", "2026-11-23T08:00:00Z", "2026-11-23T15:00:00Z")).to.deep.equal([
      ...[false, true, false],
    ]);
    expect(open(text, "2026-07-20T06:59:00Z", "2026-07-20T07:00:00Z", "2026-07-20T14:00:00Z")).to.deep.equal([
      ...[false, true, false],
    ]);
    expect(open(text, "2026-11-22T10:00:00Z")).to.deep.equal([false]);
  });

  it("can end on the next day, and belongs to the day on which it begins", () => {
    const text = "Fri 22:00-06:00 UTC";
    expect(
      open(text, "2026-11-20T21:59:00Z", "2026-11-20T22:00:00Z", "2026-11-21T05:59:00Z", "2026-11-21T06:00:00Z"),
    ).to.deep.equal([false, true, true, false]);
    expect(open(text, "2026-11-20T05:00:00Z")).to.deep.equal([false]);
  });

  it("can have several days, around the end of a week, and every day if it names no day", () => {
    expect(open("Sat-Mon,Wed 09:00-16:00 UTC", "2026-11-22T10:00:00Z", "2026-11-24T10:00:00Z")).to.deep.equal([
      ...[true, false],
    ]);
    expect(open("09:00-16:00 UTC", "2026-11-22T10:00:00Z")).to.deep.equal([true]);
  });

  for (const text of [
    ...["", "always", "Mon-Fri 09:00-16:00", "Mon-Fri 9-16 UTC", "Mo-Fr 09:00-16:00 UTC", "09:00-09:00 UTC"],
    ...["09:00-25:00 UTC", "Mon-Fri 09:00-16:00 Europe/Nowhere"],
  ]) {
    it(`is refused: ${JSON.stringify(text)}`, () => {
      expect(() => RolloutWindow.of(text)).to.throw();
    });
  }

  for (const text of [
    "09-16",
    "Mon-Fri 09:00-16:00 Berlin",
    "Mon-Fri 09:00-16:00",
    "mo-fr 09:00-16:00 Europe/Berlin",
  ]) {
    it(`refuses --window '${text}' with one that works`, () => {
      expect(thrownBy(() => rolloutWindow(text)).message).to.contain("Mon-Fri 09:00-16:00 Europe/Berlin");
    });
  }

  it("is open until it closes", () => {
    const texts = fc.constantFrom(
      "Mon-Fri 09:00-16:00 Europe/Berlin",
      "Sun 22:30-02:30 America/New_York",
      "00:00-24:00 UTC",
    );
    const noon = fc.date({ min: new Date("2026-01-01"), max: new Date("2027-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(texts, noon, (text, date) => {
        const window = RolloutWindow.of(text);
        const closes = window.closesAt(date);
        expect(closes !== undefined).to.equal(window.isOpen(date) && !text.startsWith("00:00"));
        if (!closes) return;
        const around = [new Date(closes.getTime() - 1), closes].map((one) => window.isOpen(one));
        expect(around).to.deep.equal([true, false]);
      }),
      { numRuns: 30 },
    );
  });

  it("is waited for no longer than until the run is interrupted", async () => {
    await CLOCK.until(new Date(0), new AbortController().signal);
    const interrupted = new AbortController();
    const wait = CLOCK.until(new Date(Date.now() + 3_600_000), interrupted.signal);
    interrupted.abort();
    await wait;
  });
});
