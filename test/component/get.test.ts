import { expect } from "chai";
import { VehicleSettings } from "../../provider";
import { CLASSES } from "./classes";
import { mockedEngine, resolved } from "./mocks";

for (const { name, Settings, token, provider } of CLASSES) {
  describe(`${name}.get`, () => {
    const engine = mockedEngine();

    it("asks the engine to read the id, and declares nothing", async () => {
      const { type, id, inputs } = await engine.askedFor(Settings.get("theirs", "acme/device-1"));

      expect({ type, id, inputs }).to.deep.equal({
        type: token,
        id: "acme/device-1",
        inputs: { __provider: provider },
      });
    });
  });
}

describe("What VehicleSettings.get reads", () => {
  const engine = mockedEngine();

  it("is in its outputs", async () => {
    engine.answers(() => ({ maxCapacity: 60_000 }));

    const read = VehicleSettings.get("theirs", "acme/car");

    expect(await resolved(read.maxCapacity)).to.equal(60_000);
    expect(await resolved(read.settings)).to.equal(undefined);
  });
});
