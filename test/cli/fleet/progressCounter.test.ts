import { expect } from "chai";
import { durationText, ProgressCounter, progressText, RunClock } from "../../../cli/fleet/progress";
import { like } from "../../support/facts";

describe("cli fleet: how far a run is", () => {
  let now = 0;
  const at = (seconds: number) => {
    now = seconds * 1000;
  };
  const counterOf = (devices: number) => {
    at(0);
    return new ProgressCounter(devices, new RunClock(() => now));
  };
  const done = (counter: ProgressCounter, count: number, isFailed = false) => {
    for (let n = 0; n < count; n += 1) counter.take({ device: `acme/car-${n}`, stage: "done", isFailed });
  };

  it("knows no rate and no time left before the first device", () => {
    const counter = counterOf(3);
    at(5);
    expect(counter.progress).to.deep.equal({ done: 0, of: 3, failed: 0, seconds: 5 });
  });

  it("knows no time left after a few devices, such as those of the canary", () => {
    const counter = counterOf(600);
    at(10);
    done(counter, 3);
    expect(counter.progress).to.include({ rate: 0.3 }).and.not.to.have.property("secondsLeft");
    done(counter, 30);
    expect(counter.progress).to.include({ rate: 3, secondsLeft: 190 });
  });

  it("counts the devices of the wave and of the run, those of the canary only in its own wave", () => {
    const counter = counterOf(10);
    counter.begin("canary", 2);
    done(counter, 2);
    counter.begin("share", 4);
    done(counter, 3);
    at(6);
    const { wave, ...run } = counter.progress;
    expect(wave).to.deep.equal({ name: "share", done: 1, of: 4 });
    expect(run).to.deep.equal({ done: 3, of: 10, failed: 0, seconds: 6, rate: 0.5, secondsLeft: 14 });
  });

  it("takes a device that is read for one that is half done", () => {
    const counter = counterOf(10);
    for (let n = 0; n < 10; n += 1) counter.take({ device: `acme/car-${n}`, stage: "read", isFailed: false });
    at(10);
    expect(counter.progress).to.include({ done: 0, rate: 0.5, secondsLeft: 10 });
  });

  it("forgets a failure of a device that a later try has set", () => {
    const counter = counterOf(2);
    done(counter, 2, true);
    expect(counter.progress.failed).to.equal(2);
    done(counter, 1);
    expect(counter.progress.failed).to.equal(1);
  });

  it("has one clock, which stops while the user decides", () => {
    const counter = counterOf(4);
    at(2);
    counter.clock.pause();
    at(100);
    expect(counter.progress.seconds).to.equal(2);
    counter.clock.resume();
    at(101);
    done(counter, 3);
    expect(counter.progress).to.include({ seconds: 3, rate: 1, secondsLeft: 1 });
  });

  it("grows with devices that the run finds, such as those that are no longer declared", () => {
    const counter = counterOf(1);
    done(counter, 3);
    expect(counter.progress).to.include({ done: 3, of: 3 });
  });

  it("is one line", () => {
    const wave = { name: "share", done: 40, of: 60 };
    const text = progressText({ wave, done: 52, of: 300, failed: 1, seconds: 16, rate: 3.25, secondsLeft: 76.3 });
    expect(text).to.match(
      like("wave share: 40 … 60 devices, …: 52 … 300 devices, 3.3 devices/s, 16 s, 1 min 16 s …, 1 failed"),
    );
    expect(progressText({ done: 3, of: 3, failed: 0, seconds: 1, rate: 12.6, secondsLeft: 0 })).to.match(
      like("3 … 3 devices, 13 devices/s, 1 s"),
    );
  });

  it("reports that the service does not answer if several requests wait", () => {
    const standing = { done: 0, of: 3, failed: 0, seconds: 20 };
    const short = progressText({ ...standing, failingSeconds: 1 });
    expect(short).to.match(like("0 … 3 devices, 20 s"));
    expect(progressText({ ...standing, failingSeconds: 12.4 })).to.match(like(`${short}, … 12 s…`));
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
