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

    it("takes an id that is known later", async () => {
      const id = Promise.resolve("acme/device-1");

      expect(await engine.askedFor(Settings.get("theirs", id))).to.have.property("id", "acme/device-1");
    });

    it("passes resource options on", async () => {
      const parent = new VehicleSettings("parent", { deviceId: "car" });

      const urn = await resolved(Settings.get("theirs", "acme/device-1", undefined, { parent }).urn);

      expect(urn).to.contain(`:VehicleSettings$${token}::theirs`);
    });

    it("reads a device that the program declares as well", async () => {
      const declared = new Settings("mine", { deviceId: "device-1", businessId: "acme" });
      const read = Settings.get("theirs", "acme/device-1");

      expect([await resolved(declared.id), await resolved(read.id)]).to.deep.equal(["id of mine", "acme/device-1"]);
    });
  });
}

describe("What VehicleSettings.get reads", () => {
  const engine = mockedEngine();

  it("is in its outputs", async () => {
    engine.answers(() => ({ maxCapacity: 60_000, reported: { maxCapacity: 60_000 } }));

    const read = VehicleSettings.get("theirs", "acme/car");

    expect(await resolved(read.maxCapacity)).to.equal(60_000);
    expect(await resolved(read.reported)).to.deep.equal({ maxCapacity: 60_000 });
  });
});
