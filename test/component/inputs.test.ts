import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as dynamic from "../../provider";
import * as native from "../../provider/native";
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

describe("Arguments that Pulumi's SDK would lose", () => {
  mockedEngine();

  const LOST: readonly [what: string, value: unknown][] = [
    ["a bigint", 77_000n],
    ["a function", () => 77_000],
    ["a symbol", Symbol("77")],
    ["a Date", new Date(77_000)],
    ["a Map", new Map([["maxCapacity", 77_000]])],
  ];
  for (const [door, { VehicleSettings, SiteSettings }] of Object.entries({ dynamic, native })) {
    for (const [what, value] of LOST) {
      it(`are refused by their type, such as ${what} (${door})`, () => {
        const car = { deviceId: "car", maxCapacity: value as number };
        expect(() => new VehicleSettings("it", car)).to.throw(`maxCapacity of 'it' cannot be ${what}`);
        const site = { vehicles: { van: { deviceId: "van" }, car } };
        expect(() => new SiteSettings("it", site)).to.throw(`vehicles.car.maxCapacity of 'it' cannot be ${what}`);
      });
    }

    it(`are refused by their name (${door})`, () => {
      const vehicles = JSON.parse('{ "__proto__": { "deviceId": "car" } }');
      expect(() => new SiteSettings("it", { vehicles })).to.throw("vehicles.__proto__");
    });
  }
});
