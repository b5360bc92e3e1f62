import { expect } from "chai";
import fc from "fast-check";
import { siteOperations } from "../../../provider/lifecycle/siteOperations";
import { inverter } from "../../../provider/settings/inverter";
import type { Properties } from "../../../provider/settings/objects";
import { isObject } from "../../../provider/settings/objects";
import { vehicle } from "../../../provider/settings/vehicle";
import { someValues } from "../../support/arbitraries";
import { COMPLETE, contextOf, runOf } from "../../support/fakes";
import { urnOf } from "../../support/sites";

const { LAW_RUNS = "200" } = process.env;

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyOnDelete = maybe(fc.constantFrom("retain", "restore"));
const anyBusiness = maybe(fc.constantFrom("north", "south"));
const anyLints = maybe(fc.constant(["flat-tilt"]));

/** A device of a site, declared or only observed. */
const anyDevice = (id: string, values: fc.Arbitrary<Properties>) =>
  fc
    .record({ values, observe: fc.boolean(), businessId: anyBusiness, onDelete: anyOnDelete, ignoreLints: anyLints })
    .map(({ values: declared, observe, ...options }) => {
      const { businessId } = options;
      return observe ? { deviceId: id, observe, businessId } : { deviceId: id, ...declared, ...options };
    });

/** The arguments of a site, with the names in the paths below. */
const anySite: fc.Arbitrary<Properties> = fc.record(
  {
    vehicles: fc.record(
      { car: anyDevice("car", someValues(vehicle)), van: anyDevice("van", someValues(vehicle)) },
      { requiredKeys: [] },
    ),
    inverters: fc.record({ roof: anyDevice("roof", someValues(inverter)) }, { requiredKeys: [] }),
    latitude: fc.constantFrom(48.1, "48.1°", -33),
    solar: fc.boolean(),
    requireReady: fc.constant(false),
    businessId: fc.constantFrom("north", "south"),
    onDelete: fc.constantFrom("retain", "restore"),
    ignoreLints: fc.constant(["flat-tilt"]),
  },
  { requiredKeys: [] },
);

const ofSite = "* vehicles inverters latitude solar requireReady businessId onDelete ignoreLints".split(" ");
const ofCar = ["maxCapacity", "policy", "deviceId", "onDelete", "businessId"].map((key) => `vehicles.car.${key}`);
const PATHS = [...ofSite, "vehicles.car", ...ofCar, "inverters.roof.azimuth"];

/** The inputs with another input's value at a path, as the engine restores the old value of an ignored path. */
function withValueOf(inputs: Properties, old: Properties, [key = "", ...rest]: readonly string[]): Properties {
  if (key === "*") return old;
  if (rest.length > 0 && !(isObject(inputs[key]) && isObject(old[key]))) return inputs;
  const { [key]: _, ...others } = inputs;
  if (rest.length > 0) {
    return { ...inputs, [key]: withValueOf(inputs[key] as Properties, old[key] as Properties, rest) };
  }
  return old[key] === undefined ? others : { ...others, [key]: old[key] };
}

async function check(olds: Properties, news: Properties) {
  const run = runOf(COMPLETE);
  const { inputs, problems } = await siteOperations(() => run).check(contextOf(urnOf("home")), olds, news);
  // The engine does not use inputs that come with problems.
  return { inputs: problems.length > 0 ? {} : (JSON.parse(JSON.stringify(inputs)) as Properties), problems };
}

function assert(law: (old: Properties, next: Properties, path: readonly string[]) => Promise<void>): Promise<void> {
  const cases = fc.tuple(anySite, anySite, fc.constantFrom(...PATHS));
  return fc.assert(
    fc.asyncProperty(cases, ([old, next, path]) => law(old, next, path.split("."))),
    { numRuns: Number(LAW_RUNS) },
  );
}

describe("check of a site, of any arguments", () => {
  it("changes nothing in what it gave", () =>
    assert(async (old, next) => {
      const before = await check({}, old);
      fc.pre(before.problems.length === 0);
      const once = await check(before.inputs, next);
      fc.pre(once.problems.length === 0);
      expect(await check(before.inputs, once.inputs)).to.deep.equal(once);
    }));

  // The operations of the check itself parse no inputs that come back unchanged, so others do here.
  it("gives what a parse would make of it", () =>
    assert(async (_, given) => {
      const { inputs, problems } = await check({}, given);
      fc.pre(problems.length === 0);
      const run = runOf(COMPLETE);
      expect(await siteOperations(() => run).parse(contextOf(urnOf("home")), inputs)).to.deep.equal(inputs);
    }));

  it("keeps exactly what the program gave, beside what it plans", () =>
    assert(async (_, given) => {
      const { inputs, problems } = await check({}, given);
      fc.pre(problems.length === 0);
      const { ready: _ready, gaps, missing, policies, ...kept } = inputs;
      const { latitude: __, ...rest } = JSON.parse(JSON.stringify(given));
      expect(kept).to.deep.include({ businessId: "acme", ...rest });
      expect(Object.keys(kept).sort()).to.deep.equal([...new Set(["businessId", ...Object.keys(given)])].sort());
    }));

  it("with an ignored path gives the plan of a program without that change", () =>
    assert(async (old, next, path) => {
      const before = await check({}, old);
      fc.pre(before.problems.length === 0);
      const ignoring = await check(before.inputs, withValueOf(next, before.inputs, path));
      const unchanged = await check(before.inputs, withValueOf(next, { businessId: "acme", ...old }, path));
      expect(ignoring).to.deep.equal(unchanged);
    }));
});
