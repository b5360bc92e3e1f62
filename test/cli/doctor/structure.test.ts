import { expect } from "chai";
import fc from "fast-check";
import { fingerprintOf, maskedKey, structureChanges, structureOf } from "../../../cli/doctor/structure";
import { expectLike } from "../../support/facts";

const NOBODY = new Set<string>();
const shape = (device: object, identities = NOBODY) => structureOf(device, identities);
const changes = (before: object, after: object) => structureChanges(shape(before), shape(after));
const NONE = { appeared: [], disappeared: [], retyped: [] };

describe("doctor: the structure of an object", () => {
  it("has a type for each path, and no value", () => {
    const device = { a: "Ada", b: { c: 1, d: null }, list: [{ e: true }, { e: "x", f: 2 }], none: [] };
    expect(shape(device)).to.deep.equal({
      a: "string",
      b: "object",
      "b.c": "number",
      "b.d": "null",
      list: "array",
      "list[]": "object",
      "list[].e": "boolean|string",
      "list[].f": "number",
      none: "array",
    });
  });

  it("has the same hash whatever the order of the keys", () => {
    const object = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.jsonValue({ maxDepth: 2 }));
    const reversed = (value: unknown): unknown =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, inner]) => [key, reversed(inner)]),
          )
        : value;
    fc.assert(
      fc.property(object, (one) => {
        expect(fingerprintOf(shape(reversed(one) as object)).hash).to.equal(fingerprintOf(shape(one)).hash);
      }),
    );
  });

  it("has another hash if a type is another one", () => {
    expect(fingerprintOf(shape({ a: 1 })).hash).to.not.equal(fingerprintOf(shape({ a: "1" })).hash);
  });

  it("masks keys that may be ids, dates or names", () => {
    const ids = [
      "7",
      "2026-11-21",
      "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
      "deadbeef01",
      "ada@example.com",
      "Ada L",
      "ev_4711",
    ];
    for (const id of ids) expect(maskedKey(id, NOBODY), id).to.equal("*");
    expect(maskedKey("car", new Set(["car"]))).to.equal("*");
    for (const name of ["max_capacity", "l1_power", "__typename", "chargeBy", "co2"]) {
      expect(maskedKey(name, NOBODY)).to.equal(name);
    }
  });

  it("joins what is below masked keys", () => {
    expect(shape({ cars: { 4711: { soc: 1 }, 4712: { soc: null } } })).to.deep.equal({
      cars: "object",
      "cars.*": "object",
      "cars.*.soc": "null|number",
    });
  });

  it("ends in an object that is too deep", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`);
    expect(Object.keys(shape(deep)).length).to.be.lessThan(30);
  });
});

describe("doctor: two structures", () => {
  it("differ in the paths that appeared, disappeared or changed their type", () => {
    const { retyped, ...others } = changes({ a: 1, b: 1, c: { d: 1 } }, { b: "1", c: { e: 1 }, f: [1] });
    expect(others).to.deep.equal({
      appeared: ["c.e: number", "f: array", "f[]: number"],
      disappeared: ["a: number", "c.d: number"],
    });
    expectLike(retyped, ["b: string, … number"]);
  });

  it("are alike if one of them has null, with what is below", () => {
    expect(changes({ price: null, place: null }, { price: 1, place: { city: "x" } })).to.deep.equal(NONE);
    expect(changes({ price: 1 }, { price: null })).to.deep.equal(NONE);
  });

  it("are alike if a list, or a map by ids, is empty in one of them", () => {
    expect(changes({ list: [], cars: {} }, { list: [{ a: 1 }], cars: { 4711: { soc: 1 } } })).to.deep.equal(NONE);
  });

  it("differ if the list itself is gone, or is another thing", () => {
    expect(changes({ list: [1] }, {}).disappeared).to.deep.equal(["list: array", "list[]: number"]);
    expect(changes({ list: [1] }, { list: "1" }).retyped.join()).to.match(/^list: string, \w+ array$/);
  });

  it("are alike if they are the same", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (device) => {
        expect(changes(device, device)).to.deep.equal(NONE);
      }),
    );
  });
});
