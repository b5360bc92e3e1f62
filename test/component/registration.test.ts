import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { CLASSES } from "./classes";
import { mockedEngine, resolved } from "./mocks";

for (const { name, Settings, token, provider, everyArgument } of CLASSES) {
  describe(`new ${name}`, () => {
    const engine = mockedEngine();
    const added = (policy?: unknown) => ({
      __program: {
        urn: `urn:pulumi:stack::project::${token}::mine`,
        isPreview: false,
        ...(policy !== undefined && { hasInverter: false }),
      },
      __provider: provider,
    });

    it("registers one custom resource of its type", async () => {
      const { type, custom, id } = await engine.askedFor(new Settings("mine", everyArgument));

      expect({ type, custom, id }).to.deep.equal({ type: token, custom: true, id: "" });
      expect(engine.asked).to.have.lengthOf(1);
    });

    it("hands every argument to the engine as it was given, with its provider and what the check has to know", async () => {
      const { inputs } = await engine.askedFor(new Settings("mine", everyArgument));

      expect(inputs).to.deep.equal({ ...everyArgument, ...added(everyArgument.policy) });
    });

    it("leaves out what is not given", async () => {
      const { deviceId } = everyArgument;

      const { inputs } = await engine.askedFor(new Settings("mine", { deviceId }));

      expect(inputs).to.deep.equal({ deviceId, ...added() });
    });

    it("leaves out what is given as undefined, also when that shows later", async () => {
      const { deviceId } = everyArgument;
      const args = { deviceId, businessId: undefined, onDelete: pulumi.output(undefined) };

      const { inputs } = await engine.askedFor(new Settings("mine", args));

      expect(inputs).to.deep.equal({ deviceId, ...added() });
    });

    it("has a provider below 100 bytes, which every resource keeps in state twice", async () => {
      const { inputs } = await engine.askedFor(new Settings("mine", everyArgument));

      expect(Buffer.byteLength(inputs.__provider)).to.be.below(100);
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

    it("passes resource options on", async () => {
      const parent = new pulumi.ComponentResource("test:index:Parent", "parent");

      const urn = await resolved(new Settings("mine", everyArgument, { parent }).urn);

      expect(urn).to.equal(`urn:pulumi:stack::project::test:index:Parent$${token}::mine`);
    });

    it("keeps each secret argument secret on its way to the engine", async () => {
      const secrets = Object.fromEntries(Object.entries(everyArgument).map(([key, is]) => [key, pulumi.secret(is)]));

      const { __program, __provider, ...inputs } = (await engine.askedFor(new Settings("mine", secrets))).inputs;

      const reached = Object.entries(inputs).map(([key, is]) => [key, pulumi.runtime.isRpcSecret(is)]);
      const everyKey = Object.keys(everyArgument).map((key) => [key, true]);
      expect(Object.fromEntries(reached)).to.deep.equal(Object.fromEntries(everyKey));
    });

    // There is no stack resource under mocks, so no program run whose owners could be told apart.
    for (const test of ["a test", "the next test"]) {
      it(`declares the same keys of one device twice in ${test} without a word about two owners`, async () => {
        const first = new Settings("first", everyArgument);
        const second = new Settings("second", everyArgument);

        expect([await resolved(first.id), await resolved(second.id)]).to.deep.equal(["id of first", "id of second"]);
      });
    }
  });
}
