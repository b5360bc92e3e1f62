import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { CLASSES } from "./classes";
import { mockedEngine, resolved } from "./mocks";

for (const { name, Settings, everyArgument } of CLASSES) {
  describe(`outputs of ${name}`, () => {
    const engine = mockedEngine();
    const { deviceId } = everyArgument;
    const everyOutput = { ...everyArgument, settings: { a: { baseline: 2 } } };

    const outputOf = (resource: pulumi.CustomResource, key: string): pulumi.Output<unknown> => {
      const output: unknown = Reflect.get(resource, key);
      if (!pulumi.Output.isInstance(output)) throw new Error(`${key} is not an output`);
      return output;
    };

    it("are as the engine answers them", async () => {
      engine.answers(() => everyOutput);
      const resource = new Settings("mine", { deviceId });
      for (const [key, value] of Object.entries(everyOutput)) {
        expect(await resolved(outputOf(resource, key)), key).to.deep.equal(value);
      }
    });

    it("are undefined if the engine answers nothing", async () => {
      engine.answers(() => ({ deviceId }));

      const resource = new Settings("mine", { deviceId });

      const values = await Promise.all(Object.keys(everyOutput).map((key) => resolved(outputOf(resource, key))));
      expect(values.filter((value) => value !== undefined)).to.deep.equal([deviceId]);
    });
  });
}
