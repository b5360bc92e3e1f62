import { expect } from "chai";
import fc from "fast-check";
import { apply } from "../../../provider/lifecycle/device/apply";
import { check } from "../../../provider/lifecycle/device/check";
import { fromInputs, toOutputs } from "../../../provider/lifecycle/device/state";
import { deviceOperations } from "../../../provider/lifecycle/deviceOperations";
import { inverter } from "../../../provider/settings/inverter";
import { UNKNOWN } from "../../../provider/settings/objects";
import { keysOf } from "../../../provider/settings/setting";
import { anyKind, someValues } from "../../support/arbitraries";
import { COMPLETE, callOf, contextOf, diffOf, fleet, ROOF, runOf } from "../../support/fakes";

const anyDegrees = fc.oneof(fc.constantFrom(-0, 0, 180), fc.double({ min: 0, max: 180, noNaN: true }));
const anyAzimuth = fc.oneof(
  anyDegrees,
  fc.constantFrom("N", "SSW", "WNW"),
  fc.record({ degrees: anyDegrees, convention: fc.constantFrom("north-zero", "south-zero", "solcast") }),
);

describe("check, of any inputs", () => {
  it("changes nothing in what it gave, and finds the same wrong with it", async () => {
    const anyInput = fc.oneof(fc.jsonValue(), anyAzimuth, fc.constantFrom("reset", UNKNOWN, [UNKNOWN], undefined));
    const cases = anyKind.chain((kind) => {
      const keys = [...keysOf(kind), "deviceId", "businessId", "onDelete", "azimuth", "typo", "__proto__"];
      return fc.tuple(fc.constant(kind), fc.dictionary(fc.constantFrom(...keys), anyInput));
    });
    await fc.assert(
      fc.asyncProperty(cases, async ([kind, inputs]) => {
        const once = await check(kind, runOf(COMPLETE), contextOf(), { olds: {}, news: inputs });
        expect(await check(kind, runOf(COMPLETE), contextOf(), { olds: once.inputs, news: once.inputs })).to.deep.equal(
          once,
        );
        if (once.problems.length > 0) return;
        expect(await deviceOperations(kind, () => runOf(COMPLETE)).parse(contextOf(), once.inputs)).to.deep.equal(
          once.inputs,
        );
      }),
    );
  });

  it("gives an azimuth in a form that is as declared once it is created, however it was given", async () => {
    await fc.assert(
      fc.asyncProperty(someValues(inverter), anyAzimuth, async ({ azimuth: _, ...values }, azimuth) => {
        const declared = { ...ROOF, ...values, azimuth };
        const { inputs, problems } = await check(inverter, runOf(COMPLETE), contextOf(), { olds: {}, news: declared });
        fc.pre(problems.length === 0);
        const state = await apply(callOf(inverter, fleet()), undefined, fromInputs(inverter, inputs));
        const again = await check(inverter, runOf(COMPLETE), contextOf(), { olds: inputs, news: declared });
        expect(diffOf(inverter, JSON.parse(JSON.stringify(toOutputs(state))), again.inputs).changes).to.deep.equal([]);
      }),
    );
  });
});
