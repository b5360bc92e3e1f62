import { expect } from "chai";
import { leaveUnrestored, leftSettings } from "../../../../provider/lifecycle/device/baselines";
import type { Records } from "../../../../provider/lifecycle/device/record";
import { Store } from "../../../../provider/lifecycle/run/store";
import { type Message, textOf } from "../../../../provider/messages/message";
import type { Values } from "../../../../provider/settings/setting";
import { CAR } from "../../../support/fakes";
import { verified } from "../../../support/records";

/** The records of a car that leaves the state, with these baselines. */
function recordsWith(baseline: Values): Records {
  return verified({ maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY" }, baseline);
}

/** The messages about baselines that leave the state. */
async function reported(settings: Records, keys?: readonly string[]): Promise<string[]> {
  const messages: Message[] = [];
  const info = async (message: Message) => void messages.push(message);
  await leaveUnrestored({ store: new Store(), info, warn: info, urn: undefined }, { ...CAR, settings }, keys);
  expect(messages.filter(({ code }) => code !== "unmanaged")).to.deep.equal([]);
  return messages.map((message) => textOf(message));
}

describe("the settings that a resource gives up", () => {
  it("are those that have a value of ours, with all that it can be, and the one before", () => {
    const sent = [61_000, 62_000];
    expect(
      leftSettings({
        maxCapacity: { status: "uncertain", value: 62_000, sent, baseline: 60_000 },
        maxChargePower: { status: "adjusted", value: 11_000, reported: 11_040 },
        policy: { status: "verified", value: "CHARGE BY", baseline: "CHARGE BY" },
        tilt: { status: "unmanaged", reported: 30 },
      }),
    ).to.deep.equal([
      { key: "maxCapacity", ours: sent, before: 60_000 },
      { key: "maxChargePower", ours: [11_000, 11_040] },
    ]);
    expect(leftSettings(recordsWith({}), ["policy"])).to.deep.equal([{ key: "policy", ours: ["CHARGE BY"] }]);
  });
});

describe("a baseline that leaves the state without being written back", () => {
  it("is reported with its value, in one message for a device", async () => {
    const [text, ...others] = await reported(recordsWith({ maxCapacity: 60_000, maxChargePower: 3000 }));
    expect(others).to.deep.equal([]);
    expect(text).to.contain("maxCapacity, maxChargePower").and.contain('{"maxCapacity":60000,"maxChargePower":3000}');
  });

  it("is not reported if it is what the device was set to", async () => {
    expect(await reported(recordsWith({ policy: "CHARGE BY" }))).to.deep.equal([]);
    expect(await reported(recordsWith({}))).to.deep.equal([]);
    const [text] = await reported(recordsWith({ maxCapacity: 60_000, policy: "CHARGE BY" }));
    expect(text).to.not.contain("policy");
  });

  it("is not reported of a setting that stays, or that was never managed", async () => {
    const settings = recordsWith({ maxCapacity: 60_000, maxChargePower: 3000 });
    const [text] = await reported(settings, ["maxChargePower"]);
    expect(text).to.not.contain("maxCapacity");
    expect(await reported({ maxCapacity: { status: "unmanaged", reported: 60_000 } })).to.deep.equal([]);
    expect(await reported(settings, ["policy", "tilt"])).to.deep.equal([]);
  });
});
