import { expect } from "chai";
import { durationText, RunClock, standingText, Tally } from "../../../cli/fleet/tally";
import { like } from "../../support/facts";

describe("cli fleet: how far a run is", () => {
  let now = 0;
  const at = (seconds: number) => {
    now = seconds * 1000;
  };
  const tallyOf = (devices: number) => {
    at(0);
    return new Tally(devices, new RunClock(() => now));
  };
  const done = (tally: Tally, count: number, isFailed = false) => {
    for (let n = 0; n < count; n += 1) tally.take({ device: `acme/car-${n}`, stage: "done", isFailed });
  };

  it("knows no rate and no time left before the first device", () => {
    const tally = tallyOf(3);
    at(5);
    expect(tally.standing).to.deep.equal({ done: 0, of: 3, failed: 0, seconds: 5 });
  });

  it("counts the devices of the wave and of the run, those of the canary once", () => {
    const tally = tallyOf(10);
    tally.begin("canary", 2);
    done(tally, 2);
    tally.begin("share", 4);
    done(tally, 3);
    at(6);
    const { wave, ...run } = tally.standing;
    expect(wave).to.deep.equal({ name: "share", done: 3, of: 4 });
    expect(run).to.deep.equal({ done: 3, of: 10, failed: 0, seconds: 6, rate: 0.5, secondsLeft: 14 });
  });

  it("takes a device that is read for one that is half done", () => {
    const tally = tallyOf(10);
    for (let n = 0; n < 10; n += 1) tally.take({ device: `acme/car-${n}`, stage: "read", isFailed: false });
    at(10);
    expect(tally.standing).to.include({ done: 0, rate: 0.5, secondsLeft: 10 });
  });

  it("forgets a failure of a device that a later try has set", () => {
    const tally = tallyOf(2);
    done(tally, 2, true);
    expect(tally.standing.failed).to.equal(2);
    done(tally, 1);
    expect(tally.standing.failed).to.equal(1);
  });

  it("has one clock, which stands still while somebody decides", () => {
    const tally = tallyOf(4);
    at(2);
    tally.clock.pause();
    at(100);
    expect(tally.standing.seconds).to.equal(2);
    tally.clock.resume();
    at(101);
    done(tally, 3);
    expect(tally.standing).to.include({ seconds: 3, rate: 1, secondsLeft: 1 });
  });

  it("grows with devices that the run finds, as those that are no longer declared", () => {
    const tally = tallyOf(1);
    done(tally, 3);
    expect(tally.standing).to.include({ done: 3, of: 3 });
  });

  it("is one line", () => {
    const wave = { name: "share", done: 40, of: 60 };
    const text = standingText({ wave, done: 52, of: 300, failed: 1, seconds: 16, rate: 3.25, secondsLeft: 76.3 });
    expect(text).to.match(
      like("wave share: 40 … 60 devices, …: 52 … 300 devices, 3.3 devices/s, 16 s, 1 min 16 s …, 1 failed"),
    );
    expect(standingText({ done: 3, of: 3, failed: 0, seconds: 1, rate: 12.6, secondsLeft: 0 })).to.match(
      like("3 … 3 devices, 13 devices/s, 1 s"),
    );
  });

  it("says that the service does not answer, once that is no single request", () => {
    const standing = { done: 0, of: 3, failed: 0, seconds: 20 };
    const short = standingText({ ...standing, failingSeconds: 1 });
    expect(short).to.match(like("0 … 3 devices, 20 s"));
    expect(standingText({ ...standing, failingSeconds: 12.4 })).to.match(like(`${short}, … 12 s…`));
  });

  for (const [seconds, text] of [
    [0.4, "0 s"],
    [59.6, "1 min 0 s"],
    [3599, "59 min 59 s"],
    [4380, "1 h 13 min"],
  ] as const) {
    it(`writes ${seconds} s as ${text}`, () => expect(durationText(seconds)).to.equal(text));
  }
});
