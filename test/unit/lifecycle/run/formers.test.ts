import { expect } from "chai";
import { formersIn } from "../../../../provider/lifecycle/run/formers";
import type { SettingEvent } from "../../../../provider/lifecycle/run/records";

describe("the values from before our updates", () => {
  const planned = (ours: number, before?: number): SettingEvent => ({
    key: "tilt",
    event: "planned",
    ours: [ours],
    before,
  });

  it("do not count any more once a resource restored the setting, also if no value was reported before", () => {
    for (const before of [undefined, 3]) {
      const restored: SettingEvent = { key: "tilt", event: "restored", ours: [] };
      expect([...formersIn([planned(30, before), restored])]).to.deep.equal([]);
      expect([...formersIn([planned(30, before)])]).to.deep.equal([
        [30, before === undefined ? {} : { value: before }],
      ]);
    }
  });
});
