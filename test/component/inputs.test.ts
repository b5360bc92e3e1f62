import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { CLASSES } from "./classes";
import { mockedEngine } from "./mocks";

// test/support/userTypes.ts compiles programs of this kind.
describe("Arguments that are known later", () => {
  const engine = mockedEngine();

  const LATER: Readonly<Record<string, (value: unknown) => unknown>> = {
    outputs: (value) => pulumi.output(value),
    promises: (value) => Promise.resolve(value),
  };
  for (const [what, later] of Object.entries(LATER)) {
    for (const { name, Settings, everyArgument } of CLASSES) {
      it(`may be ${what}, all of a ${name}`, async () => {
        const args = Object.entries(everyArgument).map(([key, value]) => [key, later(value)]);
        const resource = new Settings("it", Object.fromEntries(args));
        const { inputs } = await engine.askedFor(resource);
        const { __program, __provider, ...own } = inputs as Record<string, unknown>;
        expect(own).to.deep.equal(everyArgument);
      });
    }
  }
});
