import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { CLASSES } from "./classes";
import { mockedEngine } from "./mocks";

for (const { name, Settings, token, provider, everyArgument } of CLASSES) {
  describe(`new ${name}`, () => {
    const engine = mockedEngine();
    // The hidden input has nothing else, such as whether this is an update: an input that differs between runs would
    // cause an update.
    const added = { __program: { urn: `urn:pulumi:stack::project::${token}::mine` }, __provider: provider };

    it("registers one custom resource of its type", async () => {
      const { type, custom, id } = await engine.askedFor(new Settings("mine", everyArgument));

      expect({ type, custom, id }).to.deep.equal({ type: token, custom: true, id: "" });
      expect(engine.asked).to.have.lengthOf(1);
    });

    it("hands every argument to the engine as it was given, with its provider and what the check has to know", async () => {
      const { inputs } = await engine.askedFor(new Settings("mine", everyArgument));

      expect(inputs).to.deep.equal({ ...everyArgument, ...added });
    });

    it("tells the check its URN below a parent too", async () => {
      const parent = new pulumi.ComponentResource("home:Roof", "roof");
      const { inputs } = await engine.askedFor(new Settings("mine", everyArgument, { parent }));

      expect(inputs.__program.urn).to.equal(`urn:pulumi:stack::project::home:Roof$${token}::mine`);
    });

    it("leaves out what is given as undefined, also when that shows later", async () => {
      const { deviceId } = everyArgument;
      const args = { deviceId, businessId: undefined, onDelete: pulumi.output(undefined) };

      const { inputs } = await engine.askedFor(new Settings("mine", args));

      expect(inputs).to.deep.equal({ deviceId, ...added });
    });

    it("does not let an argument take the place of its provider", async () => {
      const { inputs } = await engine.askedFor(new Settings("mine", { ...everyArgument, __provider: "other" }));

      expect(inputs).to.have.property("__provider", provider);
    });

    it("hands an argument that it does not know to the engine too, so that check can refuse it", async () => {
      const { inputs } = await engine.askedFor(new Settings("mine", { ...everyArgument, maxCapacty: 1 }));

      expect(inputs).to.have.property("maxCapacty", 1);
    });

    it("leaves the object of its arguments as it is", async () => {
      const args = Object.freeze({ ...everyArgument });

      await engine.askedFor(new Settings("mine", args));

      expect(args).to.deep.equal(everyArgument);
    });

    it("keeps each secret argument secret on its way to the engine", async () => {
      const secrets = Object.fromEntries(Object.entries(everyArgument).map(([key, is]) => [key, pulumi.secret(is)]));

      const { __program, __provider, ...inputs } = (await engine.askedFor(new Settings("mine", secrets))).inputs;

      const reached = Object.entries(inputs).map(([key, is]) => [key, pulumi.runtime.isRpcSecret(is)]);
      const everyKey = Object.keys(everyArgument).map((key) => [key, true]);
      expect(Object.fromEntries(reached)).to.deep.equal(Object.fromEntries(everyKey));
    });
  });
}
