import { expect } from "chai";
import { appliedIn, baselinesByValue, type SettingEvent, writtenIn } from "../../../provider/ledger/events";

describe("the values from before our updates", () => {
  const planned = (ours: number, before?: number): SettingEvent => ({
    key: "tilt",
    event: "planned",
    old: before,
    new: ours,
  });

  it("do not count any more once a resource restored the setting, also if no value was reported before", () => {
    for (const before of [undefined, 3]) {
      const restored: SettingEvent = { key: "tilt", event: "restored", new: 3 };
      expect([...baselinesByValue([planned(30, before), restored])]).to.deep.equal([]);
      expect([...baselinesByValue([planned(30, before)])]).to.deep.equal([[30, before]]);
    }
  });

  it("count until the end of the run that restored the setting, because a stale cache can still show ours", () => {
    const written: SettingEvent = { key: "tilt", event: "written", new: 3 };
    expect([...baselinesByValue([planned(30, 3), written])]).to.deep.equal([[30, 3]]);
  });
});

describe("the events of a setting", () => {
  const of = (event: SettingEvent["event"], ours: number): SettingEvent => ({ key: "tilt", event, old: 3, new: ours });

  it("do not count if the service refused the update, so that an equal value is somebody else's", () => {
    const [sent, planned, refused] = [of("sent", 20), of("planned", 30), of("refused", 30)];
    expect(appliedIn([sent, planned, refused])).to.deep.equal([sent]);
  });

  it("count if another update was refused, or an earlier one may have been applied", () => {
    const [planned, sent] = [of("planned", 30), of("sent", 30)];
    expect(appliedIn([planned, of("refused", 40)])).to.deep.equal([planned]);
    expect(appliedIn([planned, sent, of("refused", 30)])).to.deep.equal([planned, sent]);
  });
});

describe("the present values of settings that a run restored", () => {
  it("are the last ones that it wrote, and nothing that was only planned, left, or restored by another run", () => {
    const of = (event: SettingEvent["event"], ours: number, key = "tilt"): SettingEvent => ({
      key,
      event,
      new: ours,
    });
    const events = [
      of("written", 1),
      of("written", 2, "azimuth"),
      of("planned", 3),
      of("released", 4),
      of("restored", 5),
    ];
    expect(writtenIn(events)).to.deep.equal({ tilt: 1, azimuth: 2 });
    expect(writtenIn([...events, of("written", 6)])).to.deep.equal({ tilt: 6, azimuth: 2 });
  });
});
