import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { CLASSES } from "./classes";
import { mockedEngine, resolved } from "./mocks";

for (const { name, Settings, everyArgument } of CLASSES) {
  describe(`outputs of ${name}`, () => {
    const engine = mockedEngine();
    const { deviceId } = everyArgument;
    const ofTheProvider = { reported: { a: 1 }, baseline: { a: 2 }, verification: { a: "verified" } };
    const everyOutput = { ...everyArgument, ...ofTheProvider };

    const outputOf = (resource: pulumi.CustomResource, key: string): pulumi.Output<unknown> => {
      const output: unknown = Reflect.get(resource, key);
      if (!pulumi.Output.isInstance(output)) throw new Error(`${key} is not an output`);
      return output;
    };

    for (const [key, value] of Object.entries(everyOutput)) {
      it(`have ${key} as the engine answers it`, async () => {
        engine.answers(() => everyOutput);

        const resource = new Settings("mine", { deviceId });

        expect(await resolved(outputOf(resource, key))).to.deep.equal(value);
      });
    }

    it("are undefined where the engine answers nothing", async () => {
      engine.answers(() => ({ deviceId }));

      const resource = new Settings("mine", { deviceId });

      const values = await Promise.all(Object.keys(everyOutput).map((key) => resolved(outputOf(resource, key))));
      expect(values.filter((value) => value !== undefined)).to.deep.equal([deviceId]);
    });

    it("follow the engine where it differs from the arguments", async () => {
      engine.answers(({ inputs }) => ({ ...inputs, businessId: "from the configuration" }));

      const resource = new Settings("mine", everyArgument);

      expect(await resolved(outputOf(resource, "businessId"))).to.equal("from the configuration");
    });

    it("have the id that the engine answers", async () => {
      expect(await resolved(new Settings("mine", { deviceId }).id)).to.equal("id of mine");
    });

    it("stay secret where the argument is", async () => {
      const resource = new Settings("mine", { deviceId: pulumi.secret(deviceId), onDelete: "retain" });

      expect(await pulumi.isSecret(outputOf(resource, "deviceId"))).to.equal(true);
      expect(await pulumi.isSecret(outputOf(resource, "onDelete"))).to.equal(false);
    });
  });
}
