import { expect } from "chai";
import { reportUnmanaged } from "../../../provider/lifecycle/baselines";
import type { State } from "../../../provider/lifecycle/state";
import { type Message, textOf } from "../../../provider/messages/message";
import { CAR } from "../../support/fakes";

const STATE: State = {
  ...CAR,
  values: { maxCapacity: 77_000, maxChargePower: 11_000, policy: "CHARGE BY" },
  ...{ reported: {}, baseline: {}, written: {}, attempted: {}, verification: {} },
};

/** What is shown of baselines that leave the state. */
async function shown(lost: State["baseline"]): Promise<Message[]> {
  const messages: Message[] = [];
  await reportUnmanaged({ info: async (message) => void messages.push(message) }, STATE, lost);
  return messages;
}

describe("a baseline that leaves the state without being written back", () => {
  it("is shown with its values, in one message for a device", async () => {
    const [message, ...others] = await shown({ maxCapacity: 60_000, maxChargePower: 3000 });
    expect(others).to.deep.equal([]);
    expect(textOf(message as Message))
      .to.contain("maxCapacity, maxChargePower")
      .and.contain('{"maxCapacity":60000,"maxChargePower":3000}');
  });

  it("is not shown if it is what the device was set to", async () => {
    expect(await shown({ policy: "CHARGE BY" })).to.deep.equal([]);
    expect(await shown({})).to.deep.equal([]);
    const [message] = await shown({ maxCapacity: 60_000, policy: "CHARGE BY" });
    expect(textOf(message as Message)).to.not.contain("policy");
  });
});
